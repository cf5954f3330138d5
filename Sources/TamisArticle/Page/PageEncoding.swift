import TamisCore
import TamisEncoding
import TamisHTML

/// The conversion of a page to UTF-8 as in browsers (HTML Standard, 13.2.3; WHATWG Encoding Standard).
///
/// The encoding is that of a byte order mark, else the charset of HTTP, else the declaration at the page's beginning,
/// else a guess from the bytes. A page that is valid UTF-8 with more than ASCII is read as that, whatever it declares,
/// since other encodings practically never form valid UTF-8. The encodings that browsers refuse to read, such as
/// ISO-2022-KR, are guessed.
package enum PageEncoding {
  /// The number of bytes searched for a declaration; browsers search 1,024, but pages are not made for those alone.
  static let lengthOfBeginning = 8192

  /// Returns the page in UTF-8.
  ///
  /// - Parameters:
  ///   - page: the bytes of the page.
  ///   - announced: the charset that came beside it, in HTTP's `Content-Type`; it overrides the page's own declaration.
  /// - Returns: the page in UTF-8; the bytes as they are when they cannot be decoded.
  package static func decode(_ page: [UInt8], announced: String? = nil) -> [UInt8] {
    let (name, mark) = encoding(of: page, announced: announced)
    return decode(page[mark...], EncodingLabel.decoder(for: name)) ?? page
  }

  /// Returns the name of a page's encoding (WHATWG Encoding Standard) in lower case, and the length of its byte order
  /// mark.
  package static func encoding(of page: [UInt8], announced: String?) -> (name: String, mark: Int) {
    if page.starts(with: [0xEF, 0xBB, 0xBF]) { return ("utf-8", 3) }
    if page.starts(with: [0xFF, 0xFE]) { return ("utf-16le", 2) }
    if page.starts(with: [0xFE, 0xFF]) { return ("utf-16be", 2) }
    let said = announced.flatMap(EncodingLabel.encoding).flatMap(readable) ?? declared(page)
    switch said {
    case "utf-16le", "utf-16be", "iso-2022-jp": return (said ?? "", 0)
    default:
      let isUTF8 = page.contains { $0 >= 0x80 } && String(validating: page, as: UTF8.self) != nil
      return (isUTF8 ? "utf-8" : said ?? guess(page) ?? "windows-1252", 0)
    }
  }

  private static func readable(_ encoding: String) -> String? {
    switch encoding {
    case "replacement": nil
    case "x-user-defined": "windows-1252"
    default: encoding
    }
  }

  private static func decode(_ bytes: ArraySlice<UInt8>, _ name: String) -> [UInt8]? {
    guard var decoder = CharacterDecoder(name, .replace) else { return nil }
    var text: [UInt8] = []
    let bytes = Array(bytes)
    guard decoder.decode(bytes.span, into: &text), decoder.finish(into: &text) else { return nil }
    return text
  }

  /// Returns the encoding that the page's own beginning declares.
  private static func declared(_ page: [UInt8]) -> String? {
    HTMLPrescan.encoding(of: Array(page.prefix(lengthOfBeginning)), EncodingLabel.encoding).flatMap(readable)
  }

  private static func guess(_ page: [UInt8]) -> String? {
    guard let detector = EncodingDetector() else { return nil }
    detector.add(Array(page.prefix(1 << 16)))
    guard let name = detector.finish()?.asciiLowercased() else { return nil }
    return EncodingLabel.encoding(name).flatMap(readable) ?? name
  }
}
