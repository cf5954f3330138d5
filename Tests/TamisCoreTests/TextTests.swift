import TamisCore
import TestSupport
import Testing

@Suite struct TextTests {
  /// Character references in `Fixtures/Text/references.txt` are decoded as browsers decode them.
  @Test(arguments: Case.all(in: "Text").filter { $0.file == "references.txt" })
  func characterReferencesAreDecoded(_ each: Case) {
    #expect(each.sections["input"]?.decodingCharacterReferences() == each.sections["output"])
  }

  @Test func characterReferencesAreDecodedOnce() {
    #expect("&amp;lt;".decodingCharacterReferences() == "&lt;")
  }

  @Test func invisibleCharactersAreTrimmed() {
    #expect("\u{FEFF}\u{A0} \n guid\u{200B}\t".trimmed() == "guid")
    #expect("   ".trimmedOrNil() == nil)
  }

  @Test func whiteSpaceIsCollapsed() {
    for (text, expected) in [
      ("", ""), (" ", ""), ("a", "a"), ("a b", "a b"), ("a\tb", "a b"), ("a  b", "a b"), ("a ", "a"), (" a", "a"),
      ("a\u{A0} b", "a\u{A0} b"),
    ] { #expect(text.collapsingSpace() == expected) }
    #expect("  a \n\t b  ".collapsingSpace() == "a b")
  }

  @Test(
    arguments: [
      ("ar", "Hello", TextDirection.rightToLeft), ("en-GB", "שלום", .leftToRight), (nil, "12: שלום", .rightToLeft),
      (nil, "… 42", .leftToRight), ("en-US", "این یک متن فارسی است که WordPress می‌نویسد.", .rightToLeft),
      ("ar", "A note in English, all of it.", .leftToRight), ("he", "Swift, Rust, Go: שלום עולם", .rightToLeft),
      (nil, "שלום עולם https://a.example/a/long/path/to/a/page", .rightToLeft),
    ] as [(String?, String, TextDirection)])
  func textDirectionIsDetected(_ language: String?, _ text: String, _ expected: TextDirection) {
    #expect(TextDirection(language: language, text: text) == expected)
  }

  /// At most 30 marks are in a row (UAX #15, section 13.3), whatever is between them unseen, and nothing else changes.
  @Test(arguments: ["", "a\u{301}", "漢字かな交じり文の長い文章でも何も変わらない。แมว", "e", "👩‍👩‍👧‍👦"])
  func combiningMarksAreBounded(_ text: String) {
    for between in ["", "\u{34F}", "\u{2060}\u{200D}"] {
      let marks = (0..<100).map { ($0.isMultiple(of: 2) ? "\u{301}" : "\u{20DD}") + between }
      for count in [0, 1, 29, 30, 31, 60, 61, 100] {
        let source = text + marks.prefix(count).joined()
        let kept = source.streamSafe.unicodeScalars
        func counted(_ text: String.UnicodeScalarView) -> Int { text.count { $0 == "\u{301}" || $0 == "\u{20DD}" } }
        #expect(counted(kept) == min(counted(source.unicodeScalars), StreamSafeText.mostMarks), "\(count)")
        #expect(source.unicodeScalars.count - kept.count == counted(source.unicodeScalars) - counted(kept))
        #expect(
          Array((source.streamSafe + "!" + text).streamSafe.unicodeScalars.suffix(text.unicodeScalars.count))
            == Array(text.unicodeScalars))
      }
    }
  }

  private static let segmented = [
    "", "a", "plain text", "a\u{301}b", "\r\na\r\n", "\r", "e\u{301}\u{316}.", "漢字 かな", "👩‍👩‍👧‍👦 and 🇩🇪🇫🇷🇩🇪",
    "“Fog” — a\u{200D}b", "\u{600}1 ก็", "\u{301}first", "각\u{11A8}", "“",
  ]

  @Test(arguments: segmented)
  func charactersAreCountedAsBySwift(_ text: String) {
    for count in 0...text.count + 1 {
      let expected = text.index(text.startIndex, offsetBy: count, limitedBy: text.endIndex)
      #expect(text.index(afterCharacters: count) == expected, "\(count)")
    }
  }

  @Test(arguments: segmented)
  func scalarsAreDecoded(_ text: String) {
    let bytes = text.utf8.span
    var scalars: [Unicode.Scalar] = []
    var index = 0
    while index < bytes.count { scalars.append(bytes.scalar(at: &index)) }
    #expect(scalars == Array(text.unicodeScalars))
  }

  @Test func bytesToEscapeInQuotesAreFound() {
    for byte in UInt8.min...UInt8.max {
      let isWanted = byte < 0x20 || byte == 0x7F || "&<>\"'".utf8.contains(byte)
      for length in [1, 15, 16, 40] {
        let bytes = [UInt8](repeating: 0x61, count: length - 1) + [byte]
        #expect(ByteScan.indexOfHTMLQuotedEscape(in: bytes.span, from: 0) == (isWanted ? length - 1 : length))
      }
    }
  }

  @Test func firstUTF8FaultIsFound() {
    #expect(UTF8Sequence.firstFault([0x61, 0xC3, 0xA9].span) == nil)
    #expect(UTF8Sequence.firstFault([0x61, 0xC3].span) == 1)
    #expect(UTF8Sequence.firstFault([0xED, 0xA0, 0x80].span) == 0, "a surrogate")
    #expect(UTF8Sequence.firstFault([0xC0, 0xAF].span) == 0, "an overlong form")
    #expect(UTF8Sequence.firstFault([0xF4, 0x90, 0x80, 0x80].span) == 0, "beyond U+10FFFF")
  }

  @Test func windows1252IsDecoded() {
    var output: [UInt8] = []
    Windows1252.decode([0x80, 0x93, 0x65, 0xE9].span, into: &output)
    #expect(output == Array("€“eé".utf8))
  }
}

@Suite struct FindingTests {
  @Test func findingDescriptionBeginsWithLocation() {
    let finding = Finding(
      .warning, "parse.date", "bad date", at: Finding.Location(file: "a.xml", line: 3, column: 7), entry: "x")
    #expect(finding.description == "a.xml:3:7: warning: bad date (entry x) [parse.date]")
  }

  @Test func findingDescriptionOmitsControlCharacters() {
    let finding = Finding(.error, "x.y", "\u{1B}[2J\u{202E}evil\nline", at: Finding.Location(file: "a"))
    #expect(finding.description == "a: error: [2Jevilline [x.y]")
  }
}
