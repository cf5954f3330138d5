import Tamis
import TamisArticle
import TestSupport
import Testing

/// What a page says of itself, in the cases of `Fixtures/Pages/Facts`.
@Suite struct FactsTests {
  private static func facts(_ page: String, url: String? = nil) -> Article.Facts {
    let input = ArticleExtractor.Input(page: Array(page.utf8), url: url.flatMap { WebURL($0) })
    return ArticleExtractor().extract(input).facts
  }

  @Test(arguments: Case.all(in: "Pages/Facts").filter { $0.sections["facts"] != nil })
  func pageFactsMatchFixture(_ each: Case) throws {
    let facts = Self.facts(try #require(each.sections["page"]), url: each.settings["url"])
    let said: [(String, Article.Facts.Fact?)] = [
      ("title", facts.title), ("byline", facts.byline), ("published", facts.published), ("updated", facts.updated),
      ("image", facts.image), ("language", facts.language), ("description", facts.description), ("site", facts.site),
      ("canonical", facts.canonical),
    ]
    var found = ["body": facts.linkedBody]
    for (name, fact) in said {
      found[name] = fact?.value ?? "none"
      found[name + ".source"] = fact?.source ?? "none"
    }
    for line in try #require(each.sections["facts"]).split(separator: "\n") {
      let parts = line.split(separator: " = ", maxSplits: 1).map(String.init)
      try #require(parts.count == 2)
      #expect(found[parts[0]] == parts[1], "\(parts[0])")
    }
  }

  @Test(
    arguments: Case.all(in: "Pages/Facts").compactMap { $0.sections["dates"] }.flatMap { $0.split(separator: "\n") })
  func pageDateMatchesFixture(_ line: Substring) throws {
    let parts = line.split(separator: " | ", omittingEmptySubsequences: false).map { $0.trimmingPrefix(" ") }
    try #require(parts.count == 3)
    #expect(PageDate(String(parts[1]), language: String(parts[0]))?.text ?? "none" == parts[2])
  }

  /// Languages are read from the bytes of the `html` tag.
  @Test(arguments: [
    ("<html lang=de>", "de"), ("<!-- x --><HTML class='a>b' xml:lang=\"fr\" LANG = 'fr-CA'>", "fr-CA"),
    ("<html xml:lang='nl'>", "nl"), ("<html><html lang=en>", "en"), ("<html data-lang=de>", ""), ("<html lang", ""),
    ("<html lang=", ""), ("<html lang='d", "d"), ("<htmlx lang=de>", ""), ("", ""),
  ])
  func declaredLanguageIsFound(_ page: String, _ language: String) {
    #expect(PageLanguage.declared(in: Array(page.utf8).span) == language)
  }

  /// Pages like these would take quadratic time if anything were visited twice, or yield facts without end.
  @Test(arguments: [
    String(repeating: "<h1>", count: 20_000), String(repeating: "<div class=author>", count: 20_000),
    String(repeating: "<b itemprop=author>x", count: 20_000), String(repeating: "<time>May 6</time>", count: 20_000),
    "<h1>" + String(repeating: "a - ", count: 100_000), "<html " + String(repeating: "lang='' ", count: 50_000),
    "<script type=application/ld+json>" + String(repeating: "[", count: 500_000) + "</script>",
    "<script type=application/ld+json>" + String(repeating: "{\"author\":", count: 50_000) + "1</script>",
    "<script type=application/ld+json>{\"@type\":\"Article\",\"headline\":\""
      + String(repeating: "x", count: 2_000_000) + "\"}</script>",
    String(repeating: "<script type=application/ld+json>{\"@type\":\"Article\"}</script>", count: 5000),
    "<title>" + String(repeating: "é", count: 100_000) + "</title>",
  ])
  func hostilePageFactsAreBounded(_ page: String) {
    let facts = Self.facts(page)
    #expect(facts.title?.value.utf8.count ?? 0 <= 1000)
    #expect(facts.byline?.value.utf8.count ?? 0 <= 500)
    #expect(facts.linkedBody.utf8.count <= 1 << 20)
  }
}
