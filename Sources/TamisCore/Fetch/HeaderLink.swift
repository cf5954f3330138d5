/// A link of a `Link` header field (RFC 8288, section 3).
package struct HeaderLink: Sendable, Hashable {
  /// The target as it is written, which may be relative.
  package var target: String
  /// The parameters by their names in lower case; of several of a name the first.
  package var parameters: [String: String] = [:]

  /// The relations in lower case.
  package var relations: [Substring] {
    (parameters["rel"] ?? "").asciiLowercased().split { $0 == " " || $0 == "," }
  }

  /// Returns the links of header fields, in their order.
  package static func all(in fields: [HeaderField]) -> [HeaderLink] {
    var links: [HeaderLink] = []
    for field in fields where field.name.asciiLowercased() == "link" {
      var rest = Array(field.value.utf8)[...]
      while let link = HeaderLink(next: &rest) { links.append(link) }
    }
    return links
  }

  private init?(next rest: inout ArraySlice<UInt8>) {
    guard let open = rest.firstIndex(of: UInt8(ascii: "<")),
      let close = rest[open...].firstIndex(of: UInt8(ascii: ">"))
    else { return nil }
    target = String(decoding: rest[(open + 1)..<close], as: UTF8.self).trimmed()
    rest = rest[(close + 1)...]
    while let first = rest.first, first != UInt8(ascii: ",") {
      // This is the semicolon, or a byte that means nothing here.
      rest = rest.dropFirst()
      let name = rest.prefix { !"=;,".utf8.contains($0) }
      rest = rest.dropFirst(name.count)
      guard rest.first == UInt8(ascii: "=") else { continue }
      rest = rest.dropFirst()
      let value = Self.value(&rest)
      let key = String(decoding: name, as: UTF8.self).trimmed().asciiLowercased()
      if parameters[key] == nil { parameters[key] = value }
    }
  }

  /// Reads a value: a token, or text in quotes with backslashes as escapes.
  private static func value(_ rest: inout ArraySlice<UInt8>) -> String {
    rest = rest.drop(while: \.isHTMLSpace)
    let quote = UInt8(ascii: "\"")
    guard rest.first == quote else {
      let token = rest.prefix { !";,".utf8.contains($0) }
      rest = rest.dropFirst(token.count)
      return String(decoding: token, as: UTF8.self).trimmed()
    }
    rest = rest.dropFirst()
    var text: [UInt8] = []
    while let byte = rest.popFirst(), byte != quote {
      text.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
