import TamisArticle
import TestSupport
import Testing

@Suite struct PageEncodingTests {
  private static func bytes(_ text: String) -> [UInt8] {
    var (bytes, rest) = ([UInt8](), text[...])
    while let escape = rest.firstRange(of: "\\x") {
      bytes += rest[..<escape.lowerBound].utf8
      bytes += UInt8(rest[escape.upperBound...].prefix(2), radix: 16).map { [$0] } ?? []
      rest = rest[escape.upperBound...].dropFirst(2)
    }
    return bytes + rest.utf8
  }

  /// Cases of `Fixtures/Encoding/pages.txt` are read alike by three engines.
  @Test(arguments: Case.all(in: "Encoding"))
  func detectedEncodingMatchesBrowsers(_ each: Case) {
    let page = Self.bytes(each.sections["input"] ?? "")
    let name = PageEncoding.encoding(of: page, announced: each.settings["charset"]).name
    if let not = each.settings["not"] {
      #expect(name != not, "\(each.name)")
    } else {
      #expect(name == each.sections["output"], "\(each.name)")
    }
  }

  @Test(
    arguments: [
      ("<meta charset=gb2312><p>\\xD6\\xD0\\xB9\\xFA\\x81\\x30\\x84\\x36", "中国¥"),
      ("<meta charset=iso-8859-1><p>\\x93\\xE9\\x94", "“é”"), ("<meta charset=iso-8859-1><p>\\xC3\\xA9", "é"),
      ("<meta charset=shift_jis><p>\\x83\\x65\\x87\\x40", "テ①"), ("<meta charset=utf-8><p>\\xE9", "é"),
      ("<meta charset=iso-2022-jp><p>\\x1B$B$\"\\x1B(B", "あ"), ("<meta charset=iso-8859-8-i><p>\\xE0", "א"),
      ("<meta charset=x-mac-cyrillic><p>\\x80", "А"), ("<meta charset=windows-874><p>\\xA1", "ก"),
      ("<meta charset=866><p>\\x80", "А"), ("<meta charset=big5><p>\\xA4\\xA4", "中"),
      ("<meta charset=euc-kr><p>\\xB0\\xA1", "가"),
      ("<meta charset=koi8-u><p>\\xA4", "є"), ("<meta charset=macintosh><p>\\x8E", "é"),
      ("\\xFF\\xFE<\\x00p\\x00>\\x00A\\x00", "A"),
    ])
  func decodedPagesMatchBrowsers(_ page: String, _ text: String) {
    #expect(String(decoding: PageEncoding.decode(Self.bytes(page)), as: UTF8.self).hasSuffix("<p>" + text))
  }

  @Test(arguments: [
    "", "<", "<meta", "<meta charset", "<meta charset=", "<!--", "<?xml encoding", "</", "<meta content='charset",
  ])
  func unfinishedPagesAreRead(_ page: String) { #expect(PageEncoding.decode(Array(page.utf8)) == Array(page.utf8)) }
}
