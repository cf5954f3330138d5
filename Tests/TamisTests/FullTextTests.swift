import Foundation
import Tamis
import TestSupport
import Testing

/// The articles of pages in place of excerpts: `Fixtures/FullText`.
@Suite struct FullTextTests {
  private static let cases = Case.all(in: "FullText")

  // MARK: - Entries with known pages

  @Test(arguments: cases.filter { $0.file == "entries.txt" })
  func entriesGetArticlesOfTheirPages(_ each: Case) throws {
    let output = try Self.process(each)
    let post = try #require(output.posts.first)
    let html = post.content.string
    let finding = output.findings.first { $0.code.hasPrefix("article.") }
    for line in try #require(each.sections["expect"]).split(separator: "\n") {
      let parts = line.split(separator: " = ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      try #require(parts.count == 2, "'\(line)' is no expectation")
      switch parts[0] {
      case "shows": #expect(html.contains(parts[1]), "\(each): \(parts[1]): \(html)")
      case "lacks": #expect(!html.contains(parts[1]), "\(each): \(parts[1]): \(html)")
      case "content": #expect(html == parts[1], "\(each)")
      case "authors": #expect(post.authors.joined(separator: ", ") == parts[1], "\(each)")
      case "excerpt": #expect(post.excerpt == parts[1], "\(each)")
      case "published": #expect(post.published.map { "\($0)" } == parts[1], "\(each)")
      case "thumbnail": #expect(post.thumbnail?.url == parts[1], "\(each)")
      case "finding":
        let words = (finding?.message.split(separator: ": ").last).map(String.init) ?? ""
        let text = finding.map { "\($0.code): \(words)" } ?? "none"
        #expect(text.hasPrefix(parts[1]), "\(each): \(finding.map { "\($0)" } ?? "none")")
        #expect(finding?.severity ?? .note == .note)
      default: Issue.record("'\(line)' is no expectation")
      }
    }
    // What comes out is what the sanitizer makes of it once more.
    #expect(Sanitizer.reading.sanitizedHTML(of: html).string == html, "\(each)")
  }

  private static func process(_ each: Case) throws -> Pipeline.Output {
    let setting = try #require(Planet.FullText(rawValue: each.settings["full-text"] ?? "when-short"))
    var known = KnownPages(keepsPages: true)
    let file = Fixtures.url("FullText/\(each.settings["page"] ?? "none")")
    if var page = try? String(contentsOf: file, encoding: .utf8) {
      if let base = each.settings["base"] { page = page.replacing("<head>", with: "<head><base href=\"\(base)\">") }
      if let author = each.settings["author"] {
        page = page.replacing("<head>", with: "<head><meta name=\"author\" content=\"\(author)\">")
      }
      let url = each.settings["url"] ?? "https://gazette.example/reef"
      let line = try JSONSerialization.data(withJSONObject: ["url": url, "html": page])
      var findings: [Finding] = []
      known.add(line: Array(line), at: Finding.Location(file: "known"), into: &findings)
      #expect(findings.isEmpty)
    }
    let item = try #require(each.sections["item"])
    let text = """
      <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><link>https://gazette.example/</link>
      <item>\(item)</item></channel></rss>
      """
    return try Pipeline(known: known, fullText: setting).process(
      FeedDocument(name: "case", bytes: Array(text.utf8)))
  }

  // MARK: - The judge

  @Test(arguments: cases.filter { $0.file == "judge.txt" })
  func judgeRejectsArticlesWorseThanExcerpt(_ each: Case) throws {
    let feed = each.sections["feed"] ?? ""
    let judge = FullTextJudge(title: each.settings["title"] ?? "", text: feed, hasMedia: each.settings["media"] != nil)
    var article = PageArticle()
    (article.title, article.text) = (each.settings["page-title"] ?? "", each.sections["article"] ?? "")
    article.markup = article.text
    article.confidence = try #require(Double(each.settings["confidence"] ?? ""))
    article.kind = each.settings["kind"]
    #expect(judge.doubt(article)?.rawValue ?? "passes" == each.sections["verdict"], "\(each)")
    // What is shown of it counts, not what was found.
    if judge.doubt(article) == nil, !feed.isEmpty { #expect(judge.doubt(article, shown: "A word") != nil) }
  }

  @Test(arguments: [
    ("", true), ("A few words.", true), (String(repeating: "word ", count: 59), true),
    (String(repeating: "word ", count: 60), false), (String(repeating: "word ", count: 90) + "and so on …", true),
    (String(repeating: "word ", count: 90) + "[...]", true),
    (String(repeating: "word ", count: 90) + "Weiterlesen", true),
    (String(repeating: "字", count: 118), true), (String(repeating: "字", count: 120), false),
    (String(repeating: "字", count: 200) + "阅读全文", true), (String(repeating: "字", count: 200) + "。", false),
  ])
  func shortOrContinuedTextIsTeaser(_ text: String, _ isTeaser: Bool) {
    #expect(Teaser.isTeaser(text) == isTeaser, "\(text.suffix(20))")
  }

  @Test(arguments: [
    ("[…] The post The long pier appeared first on Harbour Mix.", true),
    ("… Continue reading The long pier", true),
    ("[...] Der Beitrag The long pier erschien zuerst auf Harbour Mix.", true),
    ("The post The long pier appeared first on Harbour Mix.", false), ("… and so on. The Long Pier", false),
  ])
  func textThatBreaksOffBeforeItsTitleIsTeaser(_ end: String, _ isTeaser: Bool) {
    #expect(Teaser.isTeaser(String(repeating: "word ", count: 90) + end, under: "The long pier") == isTeaser)
  }
}
