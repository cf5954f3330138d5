import TamisCore
import TamisYAML
import TestSupport
import Testing

@Suite struct YAMLDocumentTests {
  /// Documents of the fixtures yield their tree, or their errors with locations.
  @Test(arguments: Case.all(in: "YAML"))
  func documentsAndErrorsMatchFixture(_ each: Case) {
    var findings: [Finding] = []
    let input = unescaped(each.sections["input"] ?? "")
    let root = YAMLDocument.read(input, file: "x", code: "test.yaml", into: &findings)
    let found = findings.map { "\($0.location): \($0.message)" }.joined(separator: "\n")
    if let expected = each.sections["findings"] {
      #expect(found == expected, "\(each)")
      #expect(root == nil)
    } else {
      #expect(findings.isEmpty, "\(each)")
      #expect(root.map(outline) ?? "nothing" == each.sections["output"], "\(each)")
    }
  }

  /// A document of the largest size is read in time, and none makes a tree that is larger than itself.
  @Test func largeDocumentIsReadInTime() {
    let line = "- {address: \"https://example.org/f\", title: ü}\n"
    let text = "feeds:\n" + String(repeating: line, count: 40_000)
    var findings: [Finding] = []
    let time = processorTime {
      let root = YAMLDocument.read(Array(text.utf8), file: "x", code: "x", into: &findings)
      guard case .sequence(let items)? = root?["feeds"]?.content else { return }
      #expect(items.count == 40_000)
      #expect(items.last?["title"]?.location == Finding.Location(file: "x", line: 40_001, column: 45))
    }
    #expect(findings.isEmpty && time < .seconds(60), "\(time)")
    let tooLarge = [UInt8](repeating: 0x20, count: YAMLDocument.maximumBytes + 1)
    #expect(YAMLDocument.read(tooLarge, file: "x", code: "x", into: &findings) == nil)
    #expect(findings.map(\.message).first?.contains("more than") == true)
  }

  @Test(arguments: ["[", "{a: ", "- ", "? ", "a:\n "])
  func excessiveNestingIsReported(_ piece: String) {
    for count in [70, 2000, 20_000] {
      var findings: [Finding] = []
      let text = String(repeating: piece, count: count)
      #expect(YAMLDocument.read(Array(text.utf8), file: "x", code: "x", into: &findings) == nil)
      #expect(findings.count == 1)
    }
  }

  /// A tree as text: scalars in their quotes, with their places.
  private func outline(_ node: YAMLNode) -> String {
    let location = "\(node.location.line):\(node.location.column)"
    switch node.content {
    case .scalar(let text, let isPlain): return isPlain ? "\(location) \(text)" : "\(location) '\(text)'"
    case .sequence(let items): return "[\(items.map(outline).joined(separator: ", "))]"
    case .mapping(let pairs):
      return "{\(pairs.map { "\($0.key.text): \(outline($0.value))" }.joined(separator: ", "))}"
    }
  }

  /// `\xNN`, `\t` and `\r` as the bytes they stand for.
  private func unescaped(_ text: String) -> [UInt8] {
    var output: [UInt8] = []
    let parts = text.split(separator: "\\", omittingEmptySubsequences: false)
    output += (parts.first ?? "").utf8
    for part in parts.dropFirst() {
      switch part.first {
      case "x":
        output.append(UInt8(part.dropFirst().prefix(2), radix: 16) ?? 0)
        output += part.dropFirst(3).utf8
      case "t": output += [0x09] + part.dropFirst().utf8
      case "r": output += [0x0D] + part.dropFirst().utf8
      default: output += [0x5C] + part.utf8
      }
    }
    return output
  }
}

@Suite struct YAMLReaderTests {
  @Test func errorsAreCollectedWithLocations() throws {
    var reader = YAMLReader(file: "x", code: "test.yaml")
    let text = "titel: a\ncount: many\nflag: maybe\nform: isoo\nlist: {}\n"
    let read = reader.root(Array(text.utf8))
    let root = try #require(read)
    for (key, value) in reader.pairs(root, "all") {
      switch key.text {
      case "count": #expect(reader.integer(value, in: 1...9) == nil)
      case "flag": #expect(reader.boolean(value) == nil)
      case "form": #expect(reader.choice(value, [("iso", 1), ("long", 2)]) == nil)
      case "list": #expect(reader.items(value).isEmpty)
      default: reader.unknown(key, ["title", "count"], "setting")
      }
    }
    #expect(
      reader.findings.map { "\($0.location): \($0.message)" } == [
        "x:1:1: unknown setting 'titel'; did you mean 'title'?",
        "x:2:8: 'many' is not a whole number from 1 to 9",
        "x:3:7: 'maybe' is not one of true, false",
        "x:4:7: 'isoo' is not one of iso, long; did you mean 'iso'?",
        "x:5:7: a list is expected here: in brackets, or with '- ' before each item",
      ])
  }
}
