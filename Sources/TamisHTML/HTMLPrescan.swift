import TamisCore

/// The encoding that the bytes of a page declare (HTML Standard, 13.2.3.2).
///
/// Chromium, Firefox and WebKit search for it with their tokenizers: a declaration in a script or a title does not
/// count, although the Standard's "prescan" would find it.
package enum HTMLPrescan {
  /// Returns the declared encoding; nil when there is none.
  ///
  /// - Parameters:
  ///   - bytes: the beginning of the page.
  ///   - encoding: returns the encoding for a label by the WHATWG Encoding Standard, or nil to skip the declaration.
  /// - Returns: the name of the encoding; nil when none is declared.
  package static func encoding(of bytes: [UInt8], _ encoding: (String) -> String?) -> String? {
    if bytes.starts(with: [0x3C, 0, 0x3F, 0, 0x78, 0]) { return "utf-16le" }
    if bytes.starts(with: [0, 0x3C, 0, 0x3F, 0, 0x78]) { return "utf-16be" }
    let declared = declaredByMeta(bytes.span, encoding) ?? declaredByXML(bytes).flatMap(encoding)
    // A declaration that is readable as ASCII is not in UTF-16.
    return declared?.hasPrefix("utf-16") == true ? "utf-8" : declared
  }

  // MARK: - Elements

  private static func declaredByMeta(_ source: borrowing Span<UInt8>, _ encoding: (String) -> String?) -> String? {
    var tokenizer = HTMLTokenizer()
    while true {
      switch tokenizer.next(source) {
      case .end: return nil
      case .startTag:
        let name = tokenizer.string(tokenizer.name, of: source)
        if name == "meta", let found = label(of: tokenizer, source).flatMap(encoding) { return found }
        tokenizer.content = HTMLTokenizer.Content(of: name)
      case .endTag, .text, .comment, .doctype: break
      }
    }
  }

  /// Returns the label in the attributes of a `meta` element.
  private static func label(of tokenizer: borrowing HTMLTokenizer, _ source: borrowing Span<UInt8>) -> String? {
    var values: [String: String] = [:]
    for index in tokenizer.attributes.indices {
      let attribute = tokenizer.attributes[index]
      let name = tokenizer.string(attribute.name, of: source)
      values[name] = tokenizer.string(attribute.value, of: source).asciiLowercased()
    }
    if let charset = values["charset"] { return charset }
    return values["http-equiv"] == "content-type" ? values["content"].flatMap(label(inContent:)) : nil
  }

  /// Returns the label in a `content` attribute ("extracting a character encoding from a meta element").
  private static func label(inContent value: String) -> String? {
    var rest = Array(value.utf8)[...]
    while let word = rest.firstRange(of: Array("charset".utf8)) {
      rest = rest[word.upperBound...].drop(while: \.isHTMLSpace)
      guard rest.first == UInt8(ascii: "=") else { continue }
      rest = rest.dropFirst().drop(while: \.isHTMLSpace)
      guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
        return String(decoding: rest.prefix { !$0.isHTMLSpace && $0 != UInt8(ascii: ";") }, as: UTF8.self)
      }
      return rest.dropFirst().firstIndex(of: quote).map {
        String(decoding: rest.dropFirst().prefix(upTo: $0), as: UTF8.self)
      }
    }
    return nil
  }

  // MARK: - The XML declaration

  /// Returns the label in an XML declaration ("get an XML encoding").
  private static func declaredByXML(_ bytes: [UInt8]) -> String? {
    guard bytes.starts(with: "<?xml".utf8), let end = bytes.firstIndex(of: UInt8(ascii: ">")),
      let word = bytes[..<end].firstRange(of: Array("encoding".utf8))
    else { return nil }
    var rest = bytes[word.upperBound..<end].drop { $0 <= ASCII.space }
    guard rest.first == UInt8(ascii: "=") else { return nil }
    rest = rest.dropFirst().drop { $0 <= ASCII.space }
    guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
      let close = rest.dropFirst().firstIndex(of: quote)
    else { return nil }
    return String(decoding: rest.dropFirst().prefix(upTo: close), as: UTF8.self).asciiLowercased()
  }
}
