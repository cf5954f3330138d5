import Tamis
import TestSupport
import Testing

/// What is said of each block of a page.
@Suite struct ExplainTests {
  private static let prose =
    "For eleven months the harbour of the small town had been closed, its cranes standing still over empty quays, while the council argued."
  private static let page = """
    <html><head><title>The harbour wakes</title></head><body>
    <nav><ul><li><a href=/a>News</a></li><li><a href=/b>Sport</a></li></ul></nav>
    <main><h1>The harbour wakes</h1>
    <p>\(prose)</p>
    <p><a href=/ad>Read more about ships</a></p>
    <p><img src=/ship.jpg width=800></p>
    <p>Again: \(prose)</p>
    <p>And once more: \(prose)</p>
    <h2>Nothing under this</h2>
    </main><footer><p>All rights reserved.</p></footer></body></html>
    """

  private func reports(_ page: String) -> [BlockReport] {
    ArticleExtractor().explain(.init(page: Array(page.utf8))).blocks
  }

  @Test func everyBlockHasReason() throws {
    let reports = reports(Self.page)
    func report(_ text: String) throws -> BlockReport { try #require(reports.first { $0.text.hasPrefix(text) }) }
    let first = try report("For eleven")
    #expect(first.isShown && first.rule == .weighed && first.score > 0)
    #expect(first.path == "main > p" && first.line == 4)
    #expect(first.reasons.count == 3 && first.reasons.allSatisfy { $0.weight > 0 })
    #expect(try !report("News").isShown && report("All rights").rule == .weighed)
    #expect(try !report("Nothing under").isShown)
    let picture = try #require(reports.first { $0.pictures == 1 })
    #expect(picture.isShown && picture.rule == .picture && picture.text.isEmpty)
    #expect(first.lines.joined().contains("+ 4: main > p: \"For eleven"))
  }

  @Test func pageWithoutArticleReportsNoArticleForEachBlock() {
    let reports = reports("<p>Log in<p>Register")
    #expect(reports.count == 2 && reports.allSatisfy { !$0.isShown && $0.rule == .noArticle })
  }

  /// Blocks that are explained as shown are part of the article's text.
  @Test(arguments: Case.all(in: "Pages/Articles").compactMap { $0.sections["page"] })
  func explanationsMatchExtraction(_ page: String) {
    let text = ArticleExtractor().extract(.init(page: Array(page.utf8))).text
    for report in reports(page) where report.rule == .weighed && !report.text.isEmpty {
      #expect(text.contains(report.text) || !report.isShown, "\(report.text)")
    }
  }

  @Test func sheetEscapesMarkupOfPage() {
    let item = ArticleSheet.Item(
      text: "<script>x</script>", isHeading: false, pictures: 2, isKept: true, reason: "stays: \"&\"")
    let sheet = String(
      decoding: ArticleSheet(title: "<b>", origin: "a&b", items: [item]).page(), as: UTF8.self)
    #expect(sheet.contains("&lt;script&gt;x&lt;/script&gt;") && sheet.contains("&lt;b&gt;") && sheet.contains("× 2"))
    #expect(!sheet.contains("<script") && sheet.contains("class=\"kept\""))
  }
}
