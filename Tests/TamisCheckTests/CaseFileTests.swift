import TamisCheck
import TamisCore
import TamisSanitizer
import TestSupport
import Testing

@Suite struct CaseFileTests {
  @Test func casesAreReadAsWritten() throws {
    let file = CaseFile(
      """
      A comment.
      === one
      # another comment
      base: https://a.example/
      keeps: x
      keeps: y
      --- input
      a

      \\=== b
      \\--- c

      --- output
      d

      === two
      --- input
      e
      """, file: "f")
    #expect(file.findings.isEmpty)
    #expect(file.cases.map(\.name) == ["one", "two"])
    #expect(file.cases.map(\.location.line) == [2, 16])
    let first = try #require(file.cases.first)
    #expect(first.settings.map(\.value) == ["https://a.example/", "x", "y"])
    #expect(first.section("input") == "a\n\n=== b\n--- c\n")
    #expect(first.section("output") == "d")
    #expect(file.cases[1].section("input") == "e")
  }

  @Test(arguments: [
    ("=== a\nnonsense\n--- input\nx", 2), ("=== a\nrulez: x\n--- input\nx", 2), ("=== a\ntidy: x\n--- input\nx", 2),
    ("=== a\n--- output\nx", 1), ("=== a\n--- input\nx\n--- outputs\nx", 4), ("=== a\nbase: x\n--- input\nx", 2),
    ("=== a\n--- input\nx\n---output\ny", 4), ("=== a\n--- input\nx\n--- input\ny", 4),
    ("=== a\ntidy: never\ntidy: always\n--- input\nx", 3), ("=== a\n===b\n--- input\nx", 2),
    ("=== a\nescapes: yes\n--- input\n\\q", 3), ("=== a\ninert: no\n--- input\nx", 2),
    ("=== a\nkeeps:\n--- input\nx", 2),
  ])
  func mistakesAreReportedWithLine(_ text: String, _ line: Int) {
    let file = CaseFile(text, file: "f")
    var findings = file.findings
    for each in file.cases { _ = SanitizerCase(each, into: &findings) }
    #expect(findings.map(\.location.line) == [line])
  }

  @Test func malformedCaseDoesNotStopOthers() {
    let file = CaseFile("=== a\nbad: x\n--- input\nx\n\n=== b\n--- input\ny\n", file: "f")
    var findings: [Finding] = []
    #expect(file.cases.compactMap { SanitizerCase($0, into: &findings) }.map(\.name) == ["b"])
    #expect(findings.count == 1)
  }

  @Test func escapesAreDecoded() throws {
    let text = "=== a\nescapes: yes\n--- input\na\\n\\x00\\xff\\u{1F600}\\\\\\t"
    var findings: [Finding] = []
    let each = try #require(CaseFile(text, file: "f").cases.first.flatMap { SanitizerCase($0, into: &findings) })
    #expect(each.input == Array("a\n\0".utf8) + [0xFF] + Array("😀\\\t".utf8))
  }

  @Test func crlfAndByteOrderMarkAreAccepted() {
    let file = CaseFile("\u{FEFF}=== a\r\n--- input\r\nx\r\n\r\n=== b\r\n--- input\r\ny\r\n", file: "f")
    #expect(file.findings.isEmpty)
    #expect(file.cases.map { $0.section("input") } == ["x", "y"])
  }
}
