import Foundation
import TamisSanitizer
import TamisTidy
import TestSupport
import Testing

/// libtidy behind its door: `Fixtures/Tidy`, and what it is not given.
@Suite struct TidyRepairerTests {
  static let cases = Case.all(in: "Tidy").filter { $0.file == "repair.txt" }
  static let hostile = Case.all(in: "Tidy").filter { $0.file == "hostile.txt" }

  @Test func thereAreCases() {
    #expect(Self.cases.count >= 20 && Self.hostile.count >= 5)
  }

  @Test(arguments: cases)
  func repairs(_ each: Case) throws {
    let output = try #require(Self.repair(each.sections["input"] ?? "", Self.vocabulary(of: each)))
    #expect(output == each.sections["output"])
    #expect(Self.repair(output, Self.vocabulary(of: each)) == output, "again")
  }

  /// libtidy has one table of elements for all documents: it is the same whoever had it before, and at the same time.
  @Test func repairsDoNotDisturbOneAnother() async {
    await withTaskGroup(of: Void.self) { group in
      for each in (0..<8).flatMap({ _ in Self.cases }) {
        group.addTask {
          #expect(Self.repair(each.sections["input"] ?? "", Self.vocabulary(of: each)) == each.sections["output"])
        }
      }
    }
  }

  @Test func whatIsTooLargeIsNotRepaired() {
    let most = TidyRepairer.maximumSize
    let text = String(repeating: "word ", count: most / 5) + "w"
    #expect(text.utf8.count == most && Self.repair(text) == text)
    #expect(Self.repair(text + "w") == nil)
  }

  @Test func tooManyElementsAreNotDeclared() throws {
    var vocabulary = TidyRepairer.Vocabulary()
    vocabulary.inline = (0..<500).map { "x-\($0)" }
    vocabulary.blocks = (0..<500).map { "y-\($0)" }
    let markup = "<p>one <x-499>two</x-499></p><y-499>three</y-499>"
    #expect(Self.repair(markup, vocabulary) == markup)
    vocabulary.blocks.append("z")
    #expect(Self.repair(markup, vocabulary) == nil)
  }

  /// The sanitizer keeps from libtidy what it does not come back from; what is left does not change any more.
  @Test(.endsAtAll, arguments: hostile)
  func whatBreaksLibtidyDoesNotReachIt(_ each: Case) throws {
    let input = try #require(each.sections["input"])
    let sanitizer = Sanitizer.reading.with(tidy: .always)
    let output = sanitizer.sanitize(input).html
    #expect(sanitizer.sanitize(output.description).html == output)
  }

  /// libtidy writes open formatting again into each paragraph: a thousand times a thousand elements.
  @Test(.endsAtAll) func openFormattingDoesNotMultiply() {
    let input = String(repeating: "<font>", count: 1000) + String(repeating: "<p>x", count: 1000)
    let sanitizer = Sanitizer.reading.with(tidy: .always)
    var size = 0
    let time = processorTime { size = sanitizer.sanitize(input).html.description.utf8.count }
    #expect(time < .seconds(20) && size < 40 * input.utf8.count, "\(time), \(size) bytes")
  }

  static func vocabulary(of each: Case) -> TidyRepairer.Vocabulary {
    func names(_ key: String) -> [String] {
      (each.settings[key] ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    var vocabulary = TidyRepairer.Vocabulary()
    (vocabulary.inline, vocabulary.blocks) = (names("inline"), names("blocks"))
    return vocabulary
  }

  static func repair(_ markup: String, _ vocabulary: TidyRepairer.Vocabulary = .init()) -> String? {
    TidyRepairer.repair(Array(markup.utf8).span, of: vocabulary).map { String(decoding: $0, as: UTF8.self) }
  }
}
