import TamisCore
import TamisEncoding

/// Makes UTF-8 of a page as it came over the wire, as browsers do (WHATWG Encoding Standard; HTML Standard, 13.2.3): a byte order
/// mark, else the charset of HTTP, else that of a `meta` element near its beginning, else a guess from the bytes.
///
/// What is UTF-8 throughout is believed to be that, whatever the page says: other encodings practically never form
/// valid UTF-8.
public enum PageEncoding {
  /// So many bytes are looked at for a `meta` element; browsers look at 1,024, but pages are not made for those alone.
  static let lengthOfBeginning = 8192

  /// The page in UTF-8.
  ///
  /// - Parameter announced: the charset that came beside it, in HTTP's `Content-Type`; it overrides the page's own
  ///   declaration.
  public static func decode(_ page: [UInt8], announced: String? = nil) -> [UInt8] {
    if page.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(page.dropFirst(3)) }
    if page.starts(with: [0xFF, 0xFE]) { return decode(page[2...], "utf-16le") ?? page }
    if page.starts(with: [0xFE, 0xFF]) { return decode(page[2...], "utf-16be") ?? page }
    if String(validating: page, as: UTF8.self) != nil { return page }
    if let announced, let text = decode(page[...], asBrowsersRead(announced.asciiLowercased())) { return text }
    if let declared = declared(page), let text = decode(page[...], declared) { return text }
    if let guess = guess(page), let text = decode(page[...], guess) { return text }
    return decode(page[...], "windows-1252") ?? page
  }

  private static func decode(_ bytes: ArraySlice<UInt8>, _ name: String) -> [UInt8]? {
    guard var decoder = CharacterDecoder(name, .replace) else { return nil }
    var text: [UInt8] = []
    let bytes = Array(bytes)
    guard decoder.decode(bytes.span, into: &text), decoder.finish(into: &text) else { return nil }
    return text
  }

  /// What the page's own beginning says, as browsers understand it.
  private static func declared(_ page: [UInt8]) -> String? {
    let beginning = String(decoding: page.prefix(lengthOfBeginning), as: UTF8.self).asciiLowercased()
    for part in beginning.split(separator: "<meta", omittingEmptySubsequences: false).dropFirst() {
      guard let end = part.firstIndex(of: ">"), let word = part[..<end].firstRange(of: "charset") else { continue }
      let rest = part[word.upperBound..<end].drop { $0 == " " || $0 == "=" || $0 == "\"" || $0 == "'" }
      let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
      if !name.isEmpty { return asBrowsersRead(String(name)) }
    }
    return nil
  }

  /// The encoding that a label means in practice: the larger one that contains it.
  private static func asBrowsersRead(_ name: String) -> String {
    switch name {
    // A declaration that is readable as ASCII is not in UTF-16.
    case "utf-16", "utf-16le", "utf-16be", "utf-8": "utf-8"
    case "gb2312", "gbk", "gb_2312-80", "x-gbk", "cp936": "gb18030"
    case "shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j": "cp932"
    case "euc-kr", "ks_c_5601-1987", "ksc5601", "korean": "cp949"
    case "big5", "big5-hkscs", "x-x-big5": "big5-hkscs"
    case "iso-8859-9", "latin5": "windows-1254"
    case "tis-620", "iso-8859-11": "cp874"
    default: name
    }
  }

  private static func guess(_ page: [UInt8]) -> String? {
    guard let detector = EncodingDetector() else { return nil }
    detector.add(Array(page.prefix(1 << 16)))
    return detector.finish().map { asBrowsersRead($0.asciiLowercased()) }
  }
}
