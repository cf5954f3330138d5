import Foundation
import TamisCheck
import TestSupport
import Testing

/// The reading by which other sanitizers' outputs are judged, beside what Chromium builds.
@Suite struct BrowserTreeTests {
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
      let built = BrowserTree(each.html).html
      #expect(built.utf8.elementsEqual(each.tree.utf8), "\(each.html): \(built), not \(each.tree)")
    }
  }

  @Test func serializedTreesReadBackUnchanged() {
    for each in Self.recorded where BrowserTree(each.html).fault == nil {
      let built = BrowserTree(each.html).html
      #expect(BrowserTree(built).html.utf8.elementsEqual(built.utf8), "\(each.html): \(built)")
    }
  }

  @Test(arguments: [
    "<div>", "<b>", "<p><b>", "<a href=x>", "<table><td>", "<svg>", "<ul><li>", "<template>", "</p>", "<!--",
  ])
  func readingTimeIsLinear(_ piece: String) {
    let clock = ContinuousClock()
    let time = clock.measure { _ = BrowserTree(String(repeating: piece, count: 20_000)) }
    #expect(time < .seconds(60), "\(piece): \(time)")
  }

  /// Browsers nest 512 elements; what is deeper is beside them, and runs there.
  @Test(arguments: [("<br>", 200_000), ("<ruby>", 4096), ("<div>", 4096), ("<template>", 600)])
  func scriptBehindAnyDepthIsFound(_ piece: String, _ count: Int) {
    let long = BrowserTree(String(repeating: piece, count: count) + "</template><script>a()</script>")
    #expect((long.running == nil) == (piece == "<template>"))
    #expect(BrowserTree(String(repeating: piece, count: 100)).running == nil)
  }
}
