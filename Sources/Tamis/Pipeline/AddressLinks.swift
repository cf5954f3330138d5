import TamisCore

/// Finds URLs in plain text, as GitHub Flavored Markdown does (section 6.9, "Autolinks").
///
/// A URL begins with `http://`, `https://` or `www.`, has a host with a dot in it, and ends before white space, a
/// quotation mark or `<`. Punctuation at its end, and a closing bracket without an opening one inside it, belong to the
/// surrounding sentence.
enum AddressLinks {
  /// Whether a line contains a URL.
  static func isAny(in line: String) -> Bool {
    let text = Array(line.utf8)
    return text.indices.contains { address(text, at: $0) != nil }
  }

  /// Appends a line with its URLs as links.
  static func append(_ line: String, to output: inout [UInt8]) {
    let text = Array(line.utf8)
    var done = 0
    var index = 0
    while index < text.count {
      guard let (end, hasScheme) = address(text, at: index) else {
        index += 1
        continue
      }
      MarkupText.append(text.span.extracting(done..<index), to: &output)
      output += "<a href=\"".utf8
      if !hasScheme { output += "http://".utf8 }
      MarkupText.append(text.span.extracting(index..<end), to: &output)
      output += "\">".utf8
      MarkupText.append(text.span.extracting(index..<end), to: &output)
      output += "</a>".utf8
      (done, index) = (end, end)
    }
    MarkupText.append(text.span.extracting(done...), to: &output)
  }

  /// Returns the end of the URL that begins here, and whether it has a scheme; nil when none begins here.
  private static func address(_ text: [UInt8], at index: Int) -> (end: Int, hasScheme: Bool)? {
    guard let (length, hasScheme) = beginning(text, at: index) else { return nil }
    return end(of: text, from: index, host: index + length).map { ($0, hasScheme) }
  }

  private static let beginnings: [(text: [UInt8], hasScheme: Bool)] = [
    (Array("https://".utf8), true), (Array("http://".utf8), true), (Array("www.".utf8), false),
  ]

  /// Returns the scheme or `www.` that begins a URL here; nil when there is none, or when it is part of a word, of a
  /// URL or of code.
  private static func beginning(_ text: [UInt8], at index: Int) -> (length: Int, hasScheme: Bool)? {
    guard text[index] | 0x20 == UInt8(ascii: "h") || text[index] | 0x20 == UInt8(ascii: "w") else { return nil }
    if index > 0 {
      let before = text[index - 1]
      if before.isASCIIAlphanumeric || "`/=@.-&?%#+\\:_".utf8.contains(before) { return nil }
    }
    for (beginning, hasScheme) in beginnings
    where text[index...].lazy.prefix(beginning.count).map(\.asciiLowercased).elementsEqual(beginning) {
      return (beginning.count, hasScheme)
    }
    return nil
  }

  /// Returns the end of the URL that begins at `start` and whose host begins at `host`; nil when it is not a URL.
  private static func end(of text: [UInt8], from start: Int, host: Int) -> Int? {
    let hostEnd = text[host...].firstIndex { !isOfHost($0) } ?? text.endIndex
    let labels = text[host..<hostEnd].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isBare = host - start == 4
    guard let first = labels.first, !first.isEmpty, labels.count > 1 else { return nil }
    // `www.` is weaker evidence than a scheme: the text after it must look like a host name.
    if isBare, labels.last?.isEmpty == true || labels.contains(where: { $0.contains(UInt8(ascii: "_")) }) { return nil }
    var end = host
    while end < text.count, let length = lengthOfPart(text, at: end) { end += length }
    end = withoutPunctuation(text, from: start, to: end)
    // The host must keep a part with a dot.
    return text[host..<min(end, hostEnd)].contains(UInt8(ascii: ".")) ? end : nil
  }

  private static func isOfHost(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
      || byte >= 0x80
  }

  /// Returns the length in bytes of a character that may be in a URL; nil for one that ends it.
  private static func lengthOfPart(_ text: [UInt8], at index: Int) -> Int? {
    let byte = text[index]
    if byte < 0x80 { return byte > ASCII.space && byte != 0x7F && !"<>\"`".utf8.contains(byte) ? 1 : nil }
    let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
    let end = min(index + length, text.count)
    guard let scalar = String(decoding: text[index..<end], as: UTF8.self).unicodeScalars.first else { return nil }
    // Spaces, quotation marks, and the punctuation of scripts that put no space after it.
    switch scalar.value {
    case 0x80...0xA0, 0xAB, 0xBB, 0x2000...0x206F, 0x3000...0x3003, 0x3008...0x3020, 0xFF00...0xFF0F, 0xFF1A...0xFF20,
      0xFF3B...0xFF40, 0xFF5B...0xFF65:
      return nil
    default: return end - index
    }
  }

  /// Returns the end without punctuation that belongs to the sentence.
  private static func withoutPunctuation(_ text: [UInt8], from start: Int, to end: Int) -> Int {
    var end = end
    var open = (round: 0, square: 0)
    for byte in text[start..<end] {
      switch byte {
      case UInt8(ascii: "("): open.round += 1
      case UInt8(ascii: ")"): open.round -= 1
      case UInt8(ascii: "["): open.square += 1
      case UInt8(ascii: "]"): open.square -= 1
      default: break
      }
    }
    while end > start {
      switch text[end - 1] {
      case UInt8(ascii: ")") where open.round < 0: open.round += 1
      case UInt8(ascii: "]") where open.square < 0: open.square += 1
      case UInt8(ascii: "?"), UInt8(ascii: "!"), UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ":"),
        UInt8(ascii: ";"), UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "'"),
        UInt8(ascii: "|"), UInt8(ascii: "}"):
        break
      default: return end
      }
      end -= 1
    }
    return end
  }
}
