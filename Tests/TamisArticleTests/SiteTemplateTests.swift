import Tamis
import TestSupport
import Testing

/// Pages of one site that are compared with each other: `Fixtures/Pages/Sites/templates.txt`.
@Suite struct SiteTemplateTests {
  private static func inputs(_ each: Case) -> [ArticleExtractor.Input] {
    each.sections.filter { $0.key.first?.isNumber == true }.sorted { $0.key < $1.key }.map { name, page in
      let host =
        name.hasSuffix("elsewhere") ? "reef.example" : name.hasPrefix("2") ? "www.gull.example" : "gull.example"
      return ArticleExtractor.Input(page: Array(page.utf8), url: WebURL("https://\(host)/\(name.prefix(1))"))
    }
  }

  private static func templates(_ pages: [ArticleExtractor.Input]) -> SiteTemplates {
    var templates = SiteTemplates()
    for page in pages.compactMap(ArticleExtractor().outline) { templates.add(page) }
    templates.settle()
    return templates
  }

  @Test(arguments: Case.all(in: "Pages/Sites").filter { $0.file == "templates.txt" })
  func boilerplateIsRemovedAtEdgesOfArticles(_ each: Case) throws {
    let pages = Self.inputs(each)
    for pages in [pages, pages.reversed()] {
      var input = try #require(pages.first { $0.url?.path == "/1" })
      input.templates = Self.templates(pages)
      let texts = ArticleExtractor().extract(input).text.split(separator: "\n")
      let expected = try #require(each.sections["text"]).split(separator: "\n")
      #expect(texts.count == expected.count && zip(texts, expected).allSatisfy { $0.hasPrefix($1) }, "\(texts)")
      let reports = ArticleExtractor().explain(input).blocks
      if let reasons = each.sections["explain"]?.split(separator: "\n") {
        let found = reports.map(\.why)
        #expect(found.count == reasons.count && zip(found, reasons).allSatisfy { $0.hasPrefix($1) }, "\(found)")
      }
      #expect(reports.filter { $0.isShown }.map(\.text) == texts.map(String.init))
    }
  }

  @Test func rememberedBlocksPerSiteAreBounded() {
    var templates = SiteTemplates()
    let half = (0..<UInt64(SiteTemplates.mostBlocks / 2)).map { $0 }
    for number in 0..<5 as Range<UInt64> {
      templates.add(PageOutline(site: "gull.example", title: number, text: number, blocks: half))
    }
    #expect(templates.forgotten == 3)
    templates.add(
      PageOutline(site: "gull.example", title: 9, text: 9, blocks: half + half.map { $0 + 1 << 20 } + [1 << 30]))
    #expect(templates.forgotten == 5)
  }
}
