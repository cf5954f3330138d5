import Foundation
import Tamis
import TestSupport
import Testing

/// Articles of pages, in the cases of `Fixtures/Pages/Articles`.
@Suite struct ArticleTests {
  private static let pipeline = ArticlePipeline(sanitizer: .reading)

  private func process(_ page: String) -> ArticlePipeline.Output {
    Self.pipeline.process(.init(page: Array(page.utf8), url: WebURL("https://gull.example/harbour")))
  }

  @Test(arguments: Case.all(in: "Pages/Articles"))
  func articleMatchesFixture(_ each: Case) throws {
    let output = process(try #require(each.sections["page"]))
    let article = output.article
    func lines(_ section: String) -> [Substring] { (each.sections[section] ?? "").split(separator: "\n") }
    guard each.sections["text"] != nil else {
      #expect(output.content == nil && article.text.isEmpty && article.confidence == 0, "\(article.text)")
      return
    }
    let html = try #require(output.content).string
    for words in lines("text") { #expect(article.text.contains(words), "\(words): \(article.text)") }
    for markup in lines("shows") { #expect(html.contains(markup), "\(markup): \(html)") }
    for words in lines("lacks") { #expect(!html.contains(words) && !article.text.contains(words), "\(words): \(html)") }
    #expect(article.confidence > 0 && article.confidence <= 1)
    if let kind = each.settings["kind"] {
      #expect((article.kind?.kind.rawValue ?? "none") == kind, "\(String(describing: article.kind))")
    }
    if let byline = each.settings["byline"] { #expect(article.facts.byline?.value ?? "none" == byline) }
    if let time = each.settings["published"] { #expect(article.facts.published?.value == time) }
    #expect(article.source == each.settings["source"])
    if each.sections["posts"] != nil {
      let posts = article.posts.map { "\($0.author ?? "") | \($0.published ?? "") | \($0.text)" }
      #expect(posts.count == lines("posts").count, "\(posts)")
      if article.source != nil { #expect(html.ranges(of: "<article>").count == posts.count, "\(html)") }
      for (post, beginning) in zip(posts, lines("posts")) { #expect(post.hasPrefix(beginning), "\(post)") }
    }
    // What comes out is what the sanitizer makes of it once more.
    #expect(Sanitizer.reading.sanitizedHTML(of: html, base: WebURL("https://gull.example/harbour")).string == html)
  }

  /// Agreement is the share of the feed's text that is in the article.
  @Test func agreementComparesArticleWithFeedText() throws {
    let page = try #require(Case.all(in: "Pages/Articles").first?.sections["page"])
    var input = ArticleExtractor.Input(page: Array(page.utf8))
    #expect(Self.pipeline.process(input).article.agreement == nil)
    input.feedText = "For eleven months the harbour of the small town had been closed"
    #expect(try #require(Self.pipeline.process(input).article.agreement) > 0.9)
    input.feedText = "Quite another story of somebody who has never been at the sea"
    #expect(try #require(Self.pipeline.process(input).article.agreement) < 0.1)
  }

  private static let thread = "<script type=application/ld+json>{\"@type\":\"DiscussionForumPosting\"}</script>"

  /// Pages like these would take quadratic time if anything were visited again for each of its parts.
  @Test(arguments: [
    "<p><b title='\(String(repeating: "a", count: 100_000))'></p>" + String(repeating: "<p>x", count: 21_500),
    String(repeating: "<table><tr><td>", count: 40_000), String(repeating: "<p>one two three, four.", count: 100_000),
    String(repeating: "<a href=x>", count: 60_000) + "x", String(repeating: "<ul><li>", count: 40_000),
    String(repeating: "<figure><img src=x>", count: 40_000), String(repeating: "a<br><br>", count: 100_000),
    "<p class='" + String(repeating: "x ", count: 500_000) + "'>" + String(repeating: "<b>b</b>", count: 50_000),
    String(repeating: "word ", count: 400_000), String(repeating: "<h2>Heading</h2>", count: 60_000),
    String(repeating: "\u{1}\u{FFFD}", count: 100_000),
    "<p>" + String(repeating: "<b>", count: 400) + String(repeating: "one two three, four.<br><br>", count: 20_000),
    String(repeating: "<div><img src=/a.jpg><p>one two three, four.</p></div>", count: 30_000),
    "<table>" + String(repeating: "<tr><td>one</td><td><img src=/a.jpg></td></tr>", count: 30_000),
    String(repeating: "<div>", count: 5000) + String(repeating: "word ", count: 200_000),
    "<table><tr>" + String(repeating: "<td>one<td>", count: 100_000),
    thread
      + String(repeating: "<div class=post><a class=username>mo</a><p>one two three, four.</p></div>", count: 30_000),
    thread + String(repeating: "<div class=post><a class=username>mo</a><p>one two three, four.</p>", count: 30_000),
    "<script type=application/json>[" + String(repeating: "{\"cooked\":\"<p>x</p>\"},", count: 50_000) + "]</script>",
  ])
  func extractionTimeIsLinear(_ page: String) {
    let time = processorTime { _ = process("<title>T</title><h1>T</h1>" + page) }
    #expect(time < .seconds(90), "\(time)")
  }

  /// Text below the depth at which elements are distinguished is extracted like any other.
  @Test func deeplyNestedArticleLosesNoText() {
    func text(_ depth: Int) -> String {
      let paragraphs = (1...8).map {
        "<p>On day \($0) a ship came in, with timber from the north, and half of the town walked down to the water.</p>"
      }
      let (before, behind) = (String(repeating: "<div>", count: depth), String(repeating: "</div>", count: depth))
      return process("<title>T</title><h1>T</h1>\(before)\(paragraphs.joined())\(behind)").article.text
    }
    #expect(text(600).split(separator: "\n").count == 8 && text(600) == text(1))
  }

  /// Paragraphs are not dropped for their position, even on a page longer than any in the training set.
  @Test func veryLongArticleKeepsItsEnd() {
    let words = ["ship", "harbour", "sluice", "council", "timber", "keeper", "water", "gate", "inn", "pilot", "yard"]
    let paragraphs = (0..<600).map { number in
      "<p>" + (0..<30).map { words[(number * 7 + $0 * (number % 9 + 1)) % words.count] }.joined(separator: ", the ")
        + ".</p>"
    }
    let output = process("<title>T</title><article><h1>T</h1>" + paragraphs.joined() + "</article>")
    #expect(output.article.text.split(separator: "\n").count > 590)
  }

  /// Inline elements around many blocks are repeated without their attributes, so the output stays linear.
  @Test(arguments: ["<b id='", "<span title='"])
  func attributesOfSharedAncestorsAreNotRepeated(_ start: String) throws {
    let line =
      "On Tuesday the first ship came in again, a freighter with timber, and half of the town was there.<br><br>"
    let page =
      "<title>T</title><p>\(start)\(String(repeating: "y", count: 50_000))'>\(String(repeating: line, count: 300))"
    let output = process(page)
    let markup = try #require(output.article.markup).value
    #expect(output.article.text.utf8.count > 300 * 90 && markup.utf8.count < 4 * page.utf8.count)
  }

  @Test func malformedTreesAreReportedWithLine() {
    for (text, line, words) in [
      ("[blocks]\n1\nwords<=3 4", 3, "ends inside"), ("# x\n[thread]\nnever<=3 4 5", 3, "'never<=3'"),
      ("[quality]\nwords<=3 4 5", 2, "'words<=3'"), ("[blocks]\n1 2", 2, "unexpected text after the tree"),
      ("[trees]\n1", 1, "unknown section '[trees]'"), ("1", 1, "begins with a line such as [blocks]"),
    ] {
      do throws(ArticleModel.Fault) {
        _ = try ArticleModel(reading: text)
        Issue.record("\(text) is read")
      } catch {
        #expect(error.line == line && error.message.contains(words), "\(error)")
      }
    }
  }
}
