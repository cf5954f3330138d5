import TamisArchive
import TamisArticle
import TamisCore
import TamisHTML
import TamisSystem
import TamisURL

/// Extracts the articles of pages, fetched or supplied, with the rules for their sites.
struct PageFinder: Sendable {
  /// A page as it was fetched or supplied.
  struct Page: Sendable {
    var url: WebURL
    var bytes: [UInt8]
    /// The character set that was declared outside the page; nil when none was.
    var charset: String?
    /// The style sheets that the page may link to.
    var sheets = LinkedSheets()
  }

  private let extractor: ArticleExtractor
  private let rules: SiteRules

  /// Creates a finder.
  ///
  /// - Parameter rules: the rules for the location of the article on the pages of single sites.
  init(_ rules: SiteRules) { (self.rules, extractor) = (rules, ArticleExtractor(rules: rules)) }

  /// Returns what is stored of a page.
  ///
  /// - Parameters:
  ///   - page: the page as it was received.
  ///   - due: the page as it is wanted, with the title and text of its post.
  ///   - templates: the boilerplate that pages of its site share; nil when it is not compared.
  ///   - findings: receives findings about a rule for its site.
  /// - Returns: the packed article, with the checksums of the article and of the rule for its site.
  func content(
    _ page: Page, for due: DuePage, templates: SiteTemplates? = nil, into findings: inout [Finding]
  ) -> PageContent {
    var input = input(page, for: due)
    input.templates = templates
    let article = PageArticle(input, at: page.url, extractor, into: &findings)
    let packed = article.packed
    let rule = WebURL(due.address).map(rules.checksum) ?? 0
    return .article(packed, checksum: Checksum(packed).shortened, rule: rule)
  }

  /// Returns the page to be stored until the pages with which it is compared have been fetched.
  func waiting(_ page: Page, for due: DuePage) -> PageContent? {
    guard let outline = extractor.outline(input(page, for: due)) else { return nil }
    return .waiting(
      WaitingPage(url: page.url.href, charset: page.charset, content: Packer().pack(page.bytes), outline: outline))
  }

  private func input(_ page: Page, for due: DuePage) -> ArticleExtractor.Input {
    var input = ArticleExtractor.Input(page: PageEncoding.decode(page.bytes, announced: page.charset), url: page.url)
    (input.feedTitle, input.feedText, input.sheets) = (due.page.title, due.page.text, page.sheets)
    return input
  }
}

/// Pages that are compared with others of their sites; their articles are extracted when all pages of a run have been
/// fetched.
struct ComparedPages {
  /// The number of pages that are in memory at once.
  private static let pagesAtOnce = 16

  /// The findings about sites and their rules.
  private(set) var findings: [Finding] = []
  private let finder: PageFinder
  private let jobs: Int
  private let archive: String

  init(_ configuration: SiteBuild.Configuration) {
    (finder, jobs) = (PageFinder(configuration.siteRules), configuration.jobs)
    archive = configuration.archive.description
  }

  /// Extracts the articles of the waiting pages, including those that an interrupted run left behind.
  ///
  /// - Parameters:
  ///   - archive: the archive that holds them.
  ///   - sheets: the style sheets in supplied files.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read or written.
  mutating func finish(_ archive: Archive, _ sheets: LinkedSheets) async throws {
    for site in try archive.heldSites() {
      let (outlines, forgotten) = try archive.outlines(of: site, most: SiteTemplates.mostBlocks)
      let host = String(site.prefix { $0 != " " })
      if forgotten > 0 { findings.append(full(host, forgotten)) }
      var templates = SiteTemplates()
      for var outline in outlines {
        outline.site = host
        templates.add(outline)
      }
      templates.settle()
      var last: Int64 = 0
      while true {
        let pages = try archive.waitingPages(of: site, after: last, count: Self.pagesAtOnce)
        guard let next = pages.last?.page.number else { break }
        try await finish(pages, templates, archive, sheets)
        last = next
      }
    }
  }

  private mutating func finish(
    _ pages: [(page: DuePage, waiting: WaitingPage)], _ templates: SiteTemplates, _ archive: Archive,
    _ sheets: LinkedSheets
  ) async throws {
    var outcomes: [(page: DuePage, outcome: RequestOutcome<PageContent>)] = []
    var found = findings
    try await inOrder(
      count: pages.count, jobs: jobs,
      work: { [finder] number in
        var notes: [Finding] = []
        let (due, waiting) = pages[number]
        guard let url = WebURL(waiting.url), let bytes = Packing.unpack(waiting.content, most: PackedValue.largestPage)
        else {
          return (RequestOutcome<PageContent>.failed("it was lost before it was read", next: nil), notes)
        }
        let page = PageFinder.Page(url: url, bytes: bytes, charset: waiting.charset, sheets: sheets)
        return (.came(finder.content(page, for: due, templates: templates, into: &notes)), notes)
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
      "\(count.counted("older page")) of \(site) are not compared any more: at most \(SiteTemplates.mostBlocks) blocks of a site are",
      at: Finding.Location(file: archive))
  }
}
