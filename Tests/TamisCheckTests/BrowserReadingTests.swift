import Foundation
import TamisCheck
import TestSupport
import Testing

/// The reading by which other sanitizers' outputs are judged, beside what Chromium builds.
@Suite struct BrowserReadingTests {
  private struct Recorded: Decodable {
    var html: String
    var tree: String
  }

  /// Recorded by `Tests/Others/record_browser.py`.
  private static let recorded: [Recorded] = {
    let text = (try? String(contentsOf: Fixtures.url("Others/chromium.jsonl"), encoding: .utf8)) ?? ""
    return text.utf8.split(separator: 0x0A).compactMap { try? JSONDecoder().decode(Recorded.self, from: Data($0)) }
  }()

  @Test func treesMatchRecordedChromium() {
    #expect(Self.recorded.count > 400)
    for each in Self.recorded {
      let built = BrowserReading(each.html).html
      #expect(built.utf8.elementsEqual(each.tree.utf8), "\(each.html): \(built), not \(each.tree)")
    }
  }

  @Test func serializedTreesReadBackUnchanged() {
    for each in Self.recorded where BrowserReading(each.html).oddity == nil {
      let built = BrowserReading(each.html).html
      #expect(BrowserReading(built).html.utf8.elementsEqual(built.utf8), "\(each.html): \(built)")
    }
  }

  @Test(arguments: [
    "<div>", "<b>", "<p><b>", "<a href=x>", "<table><td>", "<svg>", "<ul><li>", "<template>", "</p>", "<!--",
  ])
  func readingTimeIsLinear(_ piece: String) {
    let clock = ContinuousClock()
    let time = clock.measure { _ = BrowserReading(String(repeating: piece, count: 20_000)) }
    #expect(time < .seconds(60), "\(piece): \(time)")
  }

  /// Content beyond the limits of reading may be anything.
  @Test(arguments: [("<br>", 500_000), ("<ruby>", 4096), ("<div>", 4096)])
  func inputBeyondLimitsCountsAsUnsafe(_ piece: String, _ count: Int) {
    let long = BrowserReading(String(repeating: piece, count: count) + "<script>a()</script>")
    #expect(long.running?.contains("the rest is not judged") == true)
    #expect(BrowserReading(String(repeating: piece, count: 100)).running == nil)
  }
}
