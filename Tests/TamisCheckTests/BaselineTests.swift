import Foundation
import TamisCheck
import TamisSanitizer
import TamisURL
import TestSupport
import Testing

@Suite struct BaselineTests {
  @Test(arguments: [
    ("<p>a</p>", "<div>a</div>", BaselineComparison.Class.cosmetic), ("<p>a b</p>", "<p>a</p>", .lossier),
    ("<p>a</p>", "<p>a b</p>", .fuller),
    (#"<img src="a.jpg" />"#, "", .lossier), (#"<img alt="words" src="a.jpg" />"#, #"<img src="a.jpg" />"#, .lossier),
    (#"<img height="1" src="a.jpg" />"#, "", .safer), (#"<img src="https://pixel.wp.com/x" />"#, "", .safer),
    (
      #"<a href="https://a.example/?utm_source=x" rel="noopener">a</a>"#,
      #"<a href="https://a.example/" rel="noopener">a</a>"#, .safer
    ),
    (#"<a href="https://a.example/" rel="noopener">a</a>"#, "a", .lossier), ("<form>a</form>", "a", .safer),
    ("a", "<form>a</form>", .riskier),
    (#"<p style="color: red;">a</p>"#, "<p>a</p>", .safer), (#"<form>a b</form>"#, "a", .lossier),
    (#"<video src="a.mp4"></video>"#, "", .lossier), ("<p><b>a</b>b</p>", "<p>ab</p>", .cosmetic),
    (#"<p id="post-x">a</p>"#, #"<p id="x">a</p>"#, .riskier),
    (##"<a href="#post-x">a</a>"##, ##"<a href="#x">a</a>"##, .cosmetic),
    (#"<video poster="https://pixel.wp.com/x"></video>"#, "<video></video>", .safer),
    (#"<p class="language-a">a</p>"#, #"<p class="menu">a</p>"#, .riskier),
  ])
  func differencesAreClassified(_ before: String, _ now: String, _ meaning: BaselineComparison.Class) {
    #expect(BaselineComparison(before: before, now: now)?.meaning == meaning)
  }

  @Test func baselineRoundTripsThroughFile() throws {
    let bodies = (0..<3).map {
      Baseline.Body(feed: "f", entry: "same", html: "<p>\($0)<i>x", base: WebURL("https://a.example/"))
    }
    let baseline = Baseline(bodies, sanitizer: .reading)
    let data = try baseline.data()
    let read = try Baseline(contentsOf: data, file: "b")
    #expect(read.policy == .reading)
    #expect(try read.data() == data)
    #expect(throws: Baseline.Invalid.self) { try Baseline(contentsOf: Data("{}".utf8), file: "b") }
    let check = BaselineCheck(bodies, with: read, sanitizer: .reading)
    #expect(check.same == 3 && check.groups.isEmpty)
  }

  @Test func rulesChangeIsReducedToSmallestInput() throws {
    let body = Baseline.Body(
      feed: "f", entry: "e", html: "<div><p>words</p><video src='https://a.example/v.mp4' controls></video> more</div>",
      base: nil)
    let baseline = Baseline([body], sanitizer: .reading)
    let rules = try Sanitizer(
      policy: Policy(yaml: "name: mine\nextends: reading\nelements:\n  html: [-video]\n", file: "mine.yaml"))
    let check = BaselineCheck([body], with: baseline, sanitizer: rules)
    let group = try #require(check.groups.first)
    #expect(group.comparison.meaning == .lossier)
    #expect(group.changes == ["element video": 1])
    let smallest = try #require(group.smallest)
    #expect(smallest.input.count < 20 && smallest.input.contains("<video"))
    let edited = Baseline.Body(feed: "f", entry: "e", html: "other", base: nil)
    let other = Baseline.Body(feed: "f", entry: "new", html: "other", base: nil)
    let after = BaselineCheck([edited, other], with: baseline, sanitizer: rules)
    #expect(after.edited == 1 && after.unknown == 1 && after.groups.isEmpty)
  }
}
