import Tamis
import TamisHTML
import TestSupport
import Testing

/// Rules for the pages of single sites: `Fixtures/Pages/Sites`.
@Suite struct SiteRuleTests {
  private static let cases = Case.all(in: "Pages/Sites")

  private static func input(_ page: String, at url: String = "https://gull.example/") -> ArticleExtractor.Input {
    ArticleExtractor.Input(page: Array(page.utf8), url: WebURL(url))
  }

  // MARK: - Selectors

  @Test(arguments: cases.filter { $0.file == "selectors.txt" })
  func selectorsMatchExpectedElements(_ each: Case) throws {
    let page = Self.input(try #require(each.sections["page"]))
    for line in try #require(each.sections["selectors"]).split(separator: "\n") {
      let split = try #require(line.ranges(of: " = ").last)
      let rule = SiteRule(host: "gull.example", drop: [try CSSSelector(String(line[..<split.lowerBound]))])
      let reports = ArticleExtractor(rules: SiteRules([rule])).explain(page).blocks
      let texts = reports.filter { $0.rule == .siteDrop }.map(\.text)
      let found = texts.isEmpty ? "none" : texts.joined(separator: " ")
      #expect(found == line[split.upperBound...], "\(line)")
    }
  }

  /// Selectors match the same elements alone and all at once.
  @Test(arguments: cases.filter { $0.file == "selectors.txt" })
  func selectorsAreIndependent(_ each: Case) throws {
    let page = Self.input(try #require(each.sections["page"]))
    let selectors = try #require(each.sections["selectors"]).split(separator: "\n").map { line in
      try CSSSelector(String(line[..<(try #require(line.ranges(of: " = ").last)).lowerBound]))
    }
    func dropped(_ selectors: [CSSSelector]) -> Set<String> {
      let rules = SiteRules([SiteRule(host: "gull.example", drop: selectors)])
      return Set(ArticleExtractor(rules: rules).explain(page).blocks.filter { $0.rule == .siteDrop }.map(\.text))
    }
    #expect(dropped(selectors) == selectors.reduce(into: []) { $0.formUnion(dropped([$1])) })
  }

  @Test(arguments: cases.filter { $0.file == "mistakes.txt" })
  func siteRuleErrorsAreReportedWithLocations(_ each: Case) {
    var found: [String] = []
    do throws(InvalidRules) {
      _ = try SiteRules(yaml: (each.sections["input"] ?? "") + "\n", file: "x")
    } catch {
      found = error.findings.map { "\($0.location.line):\($0.location.column): \($0.message)" }
      #expect(error.findings.allSatisfy { $0.code == "sites.invalid" && $0.severity == .error })
    }
    #expect(found.joined(separator: "\n") == each.sections["findings"] ?? "", "\(each)")
  }

  // MARK: - Pages

  private static func rules(_ each: Case, _ text: String) throws -> SiteRules {
    try SiteRules(yaml: "sites:\n" + text, file: each.file)
  }

  @Test(arguments: cases.filter { $0.file == "articles.txt" })
  func siteRulesChooseArticle(_ each: Case) throws {
    let rules = try Self.rules(each, try #require(each.sections["rules"]))
    var input = Self.input(
      try #require(each.sections["page"]), at: each.settings["url"] ?? "https://www.news.gull.example/reef")
    if each.settings["url"] == "none" { input.url = nil }
    let pipeline = ArticlePipeline(sanitizer: .reading, sites: rules)
    let output = pipeline.process(input)
    let html = output.content?.string ?? ""
    func lines(_ section: String) -> [Substring] { (each.sections[section] ?? "").split(separator: "\n") }
    let texts = output.article.text.split(separator: "\n")
    for words in lines("text") { #expect(texts.contains { $0.hasPrefix(words) }, "\(words): \(texts)") }
    if each.sections["text"] == nil { #expect(texts.isEmpty, "\(texts)") }
    for markup in lines("shows") { #expect(html.contains(markup), "\(markup): \(html)") }
    for words in lines("lacks") { #expect(!html.contains(words) && !output.article.text.contains(words), "\(html)") }
    if let title = each.sections["title"] { #expect(output.article.facts.title?.value == title) }
    #expect(output.article.siteRule?.finding(on: "x")?.message == each.sections["note"])
    var reasons = pipeline.extractor.explain(input).blocks.map(\.why)[...]
    for words in lines("explain") {
      reasons = reasons.drop { !$0.hasPrefix(words) }
      #expect(!reasons.isEmpty, "\(words)")
    }
    // What comes out is what the sanitizer makes of it once more.
    #expect(Sanitizer.reading.sanitizedHTML(of: html, base: input.url).string == html)
  }

  /// Blocks that are explained as shown are part of the article's text, and no others.
  @Test(arguments: cases.filter { $0.file == "articles.txt" })
  func explanationsMatchExtraction(_ each: Case) throws {
    let rules = try Self.rules(each, try #require(each.sections["rules"]))
    let page = try #require(each.sections["page"])
    let extractor = ArticleExtractor(rules: rules)
    let input = Self.input(page, at: "https://gull.example/")
    let reports = extractor.explain(input).blocks
    let text = extractor.extract(input).text
    for report in reports where !report.text.isEmpty && report.rule != .caption {
      #expect(text.contains(report.text) == report.isShown, "\(report)")
    }
  }

  /// A page of a site without a rule is extracted as without any rules.
  @Test(arguments: Case.all(in: "Pages/Articles").compactMap { $0.sections["page"] })
  func otherSitesAreUnaffected(_ page: String) throws {
    let rules = SiteRules([SiteRule(host: "other.example", keep: [try CSSSelector("p")])])
    let (input, plain) = (Self.input(page), ArticleExtractor())
    #expect(plain.extract(input).text == ArticleExtractor(rules: rules).extract(input).text)
    #expect(plain.explain(input) == ArticleExtractor(rules: rules).explain(input))
  }

  // MARK: - Much of everything

  /// Pages like these would take quadratic time if the ancestors of each element were visited again.
  @Test(arguments: [
    String(repeating: "<div class='a b'>", count: 100_000) + "x",
    String(repeating: "<p class=a data-x=y>one two three</p>", count: 40_000),
    "<p class='" + String(repeating: "a b ", count: 500_000) + "'>x</p>",
    String(repeating: "<p data-x='" + String(repeating: "y", count: 4000) + "'>x</p>", count: 500),
    String(repeating: "<i class=a><b class=b>", count: 30_000) + "x",
  ])
  func selectorMatchingTimeIsLinear(_ page: String) throws {
    let parts = [".a .b", ".a > .b", "div div div div div", "[data-x*=z]", "[data-x~=y]", ".a .none .b", "p .a, p .b"]
    let keep = try parts.map { try CSSSelector($0) }
    let drop = try (0..<100).map { try CSSSelector(".a .b .c\($0), #d\($0)") }
    let rules = SiteRules([SiteRule(host: "gull.example", keep: keep, drop: drop)])
    let time = processorTime {
      _ = ArticleExtractor(rules: rules).extract(Self.input("<title>T</title>" + page))
    }
    #expect(time < .seconds(90), "\(time)")
  }

  @Test func selectorsPerSiteAreLimitedButSitesAreNot() throws {
    let many = "sites:\n  a.example:\n    drop:\n" + String(repeating: "      - .a, .b\n", count: 5000)
    do throws(InvalidRules) {
      _ = try SiteRules(yaml: many, file: "x")
      Issue.record("10,000 selectors are taken")
    } catch {
      #expect(
        error.findings.map(\.description) == [
          "x:2:3: error: there are more than 200 selectors for this site [sites.invalid]"
        ])
    }
    let sites = "sites:\n" + (0..<10_000).map { "  s\($0).example: {keep: .a\($0)}\n" }.joined()
    let rules = try SiteRules(yaml: sites, file: "x")
    #expect(rules.all.count == 10_000)
    #expect(WebURL("https://www.s77.example/x").flatMap(rules.rule)?.keep.first?.description == ".a77")
    #expect(WebURL("https://" + String(repeating: "a.", count: 5000) + "s1.example/").flatMap(rules.rule) == nil)
    #expect(throws: TextMistake.self) { try CSSSelector(String(repeating: "a", count: 1001)) }
  }
}
