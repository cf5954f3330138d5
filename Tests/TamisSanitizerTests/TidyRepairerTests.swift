import Foundation
import TamisSanitizer
import TestSupport
import Testing

/// libtidy behind its door: `Fixtures/Tidy`, and what it is not given.
@Suite struct TidyRepairerTests {
  static let cases = Case.all(in: "Tidy").filter { $0.file == "repair.txt" }
  static let hostile = Case.all(in: "Tidy").filter { $0.file == "hostile.txt" }

  @Test func fixtureCasesExist() {
    #expect(Self.cases.count >= 20 && Self.hostile.count >= 5)
  }

  @Test(arguments: cases)
  func repairMatchesFixtureAndIsIdempotent(_ each: Case) throws {
    let output = try #require(Self.repair(each.sections["input"] ?? ""))
    #expect(output == each.sections["output"])
    #expect(Self.repair(output) == output, "again")
  }

  /// Documents share one element table in libtidy, so no repair may see what another one declares.
  @Test func concurrentRepairsAreIndependent() async {
    await withTaskGroup(of: Void.self) { group in
      for each in (0..<8).flatMap({ _ in Self.cases }) {
        group.addTask {
          #expect(Self.repair(each.sections["input"] ?? "") == each.sections["output"])
        }
      }
    }
  }

  @Test func oversizedInputIsNotRepaired() {
    let most = TidyRepairer.maximumSize
    let text = String(repeating: "word ", count: most / 5) + "w"
    #expect(text.utf8.count == most && Self.repair(text) == text)
    #expect(Self.repair(text + "w") == nil)
  }

  /// Input that hangs or crashes libtidy is kept from it by the sanitizer, whose output is stable.
  @Test(.endsAtAll, arguments: hostile)
  func hostileInputTerminatesAndIsStable(_ each: Case) throws {
    let input = try #require(each.sections["input"])
    let sanitizer = Sanitizer.reading.with(tidy: .always)
    let output = sanitizer.sanitize(input).html
    #expect(sanitizer.sanitize(output.description).html == output)
  }

  /// Open formatting is repeated by libtidy in each paragraph: a thousand times a thousand elements.
  @Test(.endsAtAll) func openFormattingIsBounded() {
    let input = String(repeating: "<font>", count: 1000) + String(repeating: "<p>x", count: 1000)
    let sanitizer = Sanitizer.reading.with(tidy: .always)
    var size = 0
    let time = processorTime { size = sanitizer.sanitize(input).html.description.utf8.count }
    #expect(time < .seconds(20) && size < 40 * input.utf8.count, "\(time), \(size) bytes")
  }

  static func repair(_ markup: String) -> String? {
    TidyRepairer.repair(Array(markup.utf8).span).map { String(decoding: $0, as: UTF8.self) }
  }
}
