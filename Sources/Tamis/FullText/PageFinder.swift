import TamisArchive
import TamisArticle
import TamisCore
import TamisDigest
import TamisFiles
import TamisURL

/// Finds the articles of pages that have come, from wherever, under the rules for their sites.
struct PageFinder: Sendable {
  /// A page as it came.
  struct Page: Sendable {
    var url: WebURL
    var bytes: [UInt8]
    /// What came beside it says that it is in; nil when nothing does.
    var charset: String?
  }

  private let extractor: ArticleExtractor
  private let rules: SiteRules

  /// - Parameter rules: those for where on the pages of single sites the article is.
  init(_ rules: SiteRules) { (self.rules, extractor) = (rules, ArticleExtractor(rules: rules)) }

  /// What came of asking for a page.
  ///
  /// - Parameters:
  ///   - templates: what the pages of its site have in common; nil when that is not to count.
  ///   - findings: gets what is to be said of a rule for its site.
  func outcome(
    _ page: Page, for due: DuePage, templates: SiteTemplates? = nil, into findings: inout [Finding]
  ) -> PageOutcome {
    var input = input(page, for: due)
    input.templates = templates
    let article = PageArticle(input, at: page.url, extractor, into: &findings)
    let packed = article.packed
    let rule = WebURL(due.page.address).map(rules.checksum) ?? 0
    return .came(packed, checksum: Checksum(packed).shortened, rule: rule)
  }

  /// The page, to be kept until the others have come that it is compared with.
  func held(_ page: Page, for due: DuePage) -> PageOutcome? {
    guard let outline = extractor.outline(input(page, for: due)) else { return nil }
    let kept = KeptOutline(site: outline.site, title: outline.title, text: outline.text, blocks: outline.blocks)
    return .held(
      HeldPage(url: page.url.href, charset: page.charset, content: Packer().pack(page.bytes), outline: kept))
  }

  private func input(_ page: Page, for due: DuePage) -> ArticleExtractor.Input {
    var input = ArticleExtractor.Input(
      page: PageEncoding.decode(page.bytes, announced: page.charset), url: page.url)
    (input.feedTitle, input.feedText) = (due.page.title, due.page.text)
    return input
  }
}

/// Pages that are compared with others of their sites: when all of a run have come, their articles are looked for.
struct ComparedPages {
  /// So many pages are held at once.
  private static let pagesAtOnce = 16

  /// What is to be said of sites and their rules.
  private(set) var findings: [Finding] = []
  private let finder: PageFinder
  private let jobs: Int
  private let archive: String

  init(_ configuration: SiteBuild.Configuration) {
    (finder, jobs) = (PageFinder(configuration.siteRules), configuration.jobs)
    archive = configuration.archive.description
  }

  /// Finds the articles of the pages that are held, also those that a run has left that was cut short.
  mutating func finish(_ archive: Archive) async throws {
    for site in try archive.heldSites() {
      let (outlines, forgotten) = try archive.outlines(of: site, most: SiteTemplates.mostBlocks)
      if forgotten > 0 { findings.append(full(site, forgotten)) }
      var templates = SiteTemplates()
      for each in outlines {
        templates.add(PageOutline(site: each.site, title: each.title, text: each.text, blocks: each.blocks))
      }
      templates.settle()
      var last: Int64 = 0
      while true {
        let pages = try archive.heldPages(of: site, after: last, count: Self.pagesAtOnce)
        guard let next = pages.last?.page.number else { break }
        try await finish(pages, templates, archive)
        last = next
      }
    }
  }

  private mutating func finish(
    _ pages: [(page: DuePage, held: HeldPage)], _ templates: SiteTemplates, _ archive: Archive
  ) async throws {
    var outcomes: [(page: DuePage, outcome: PageOutcome)] = []
    var found = findings
    try await inOrder(
      count: pages.count, jobs: jobs,
      work: { [finder] number in
        var notes: [Finding] = []
        let (due, held) = pages[number]
        guard let url = WebURL(held.url), let bytes = Packing.unpack(held.content) else {
          return (PageOutcome.failed("it was lost on the way", next: nil), notes)
        }
        let page = PageFinder.Page(url: url, bytes: bytes, charset: held.charset)
        return (finder.outcome(page, for: due, templates: templates, into: &notes), notes)
      }
    ) { number, result in
      outcomes.append((pages[number].page, result.0))
      found += result.1
    }
    findings = found
    try archive.remember(outcomes, asked: nil)
  }

  private func full(_ site: String, _ count: Int) -> Finding {
    Finding(
      .note, "article.site-templates",
      "\(count.counted("older page")) of \(site) will not be compared with others any more: at most \(SiteTemplates.mostBlocks) blocks of a site are",
      at: SourceLocation(file: archive))
  }
}
