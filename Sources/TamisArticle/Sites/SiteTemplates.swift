package import TamisCore
package import TamisURL

/// The blocks that several pages of a site share, and that are therefore boilerplate.
///
/// Pages with the same title, or the same text, are copies and count once. The order in which pages are added does not
/// matter as long as there is room for all of them.
package struct SiteTemplates: Sendable {
  /// The number of other pages from which a shared block is boilerplate.
  package static let fewestPages = 2
  /// The minimum number of words of a compared block; shorter ones may be in any article.
  package static let fewestWords = 3
  /// The maximum number of blocks remembered for all pages of a site; beyond that its oldest pages are forgotten.
  package static let mostBlocks = 1 << 14

  /// The pages of a site.
  fileprivate struct Site {
    var pages: [PageOutline] = []
    /// The index of the first page that is not forgotten.
    var first = 0
    var blocks = 0
    /// The titles of the pages of each block that several pages have.
    var titles: [UInt64: Set<UInt64>] = [:]
    /// The title for all pages with the same text.
    var names: [UInt64: UInt64] = [:]
  }

  private var sites: [String: Site] = [:]
  /// The number of forgotten pages.
  package private(set) var forgotten = 0

  /// Creates an empty collection.
  package init() {}

  /// Adds a page, the newest of its site; call ``settle()`` afterwards.
  package mutating func add(_ page: PageOutline) {
    if page.blocks.isEmpty { return }
    var site = sites.removeValue(forKey: page.site) ?? Site()
    site.pages.append(page)
    site.blocks += page.blocks.count
    while site.blocks > Self.mostBlocks, site.first < site.pages.count - 1 {
      site.blocks -= site.pages[site.first].blocks.count
      site.pages[site.first].blocks = []
      site.first += 1
      forgotten += 1
    }
    sites[page.site] = site
  }

  /// Finds the blocks that the added pages have in common.
  package mutating func settle() {
    for name in sites.keys { sites[name]?.settle() }
  }

  /// Returns for each block the number of other pages of the site, with other titles, that have it.
  func others(_ page: PageOutline, _ blocks: [UInt64]) -> [Int] {
    guard let site = sites[page.site] else { return blocks.map { _ in 0 } }
    let name = site.names[page.text] ?? page.title
    return blocks.map { block in
      guard let titles = site.titles[block] else { return 0 }
      return titles.count - (titles.contains(name) ? 1 : 0)
    }
  }
}

extension SiteTemplates.Site {
  fileprivate mutating func settle() {
    let pages = pages[first...]
    names = Dictionary(pages.map { ($0.text, $0.title) }, uniquingKeysWith: min)
    titles = [:]
    for page in pages {
      for block in page.blocks { titles[block, default: []].insert(names[page.text] ?? page.title) }
    }
    titles = titles.filter { $0.value.count >= SiteTemplates.fewestPages }
  }
}

/// The blocks that a page shares with others of its site.
struct RepeatedBlocks {
  /// The number of other pages that have each block, by the numbers of blocks.
  let others: [Int]
  private let isCounted: [Bool]

  /// Whether a block recurs on enough pages to be boilerplate.
  func isBoilerplate(_ index: Int) -> Bool { others[index] >= SiteTemplates.fewestPages }

  /// Whether a block is long enough to be compared and is not boilerplate.
  func isOwn(_ index: Int) -> Bool { isCounted[index] && !isBoilerplate(index) }

  init(_ outline: PageOutline, _ blocks: Blocks, _ templates: SiteTemplates) {
    isCounted = blocks.list.map { $0.words >= SiteTemplates.fewestWords }
    let counted = isCounted
    let found = templates.others(outline, blocks.list.map { blocks.digest(of: $0) })
    others = found.indices.map { counted[$0] ? found[$0] : 0 }
  }
}

extension Blocks {
  /// Returns the digest of the words of a block in order.
  fileprivate func digest(of block: Block) -> UInt64 { Self.digest(digests(of: block)) }

  fileprivate static func digest(_ words: some Sequence<UInt32>) -> UInt64 {
    words.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

extension PageOutline {
  /// Returns the site of a page, or nil when the URL has no host.
  package static func site(of url: WebURL) -> String? { url.hostname.map(SiteRules.name) }

  /// Creates the outline of a page, or returns nil when its site is not known.
  init?(_ blocks: Blocks, title: String, at url: WebURL?) {
    guard let site = url.flatMap(PageOutline.site) else { return nil }
    let text = Blocks.digest(blocks.digests)
    var words = TextCount()
    words.add(Array(title.utf8)[...])
    words.endWord()
    self.init(
      site: site, title: words.words.isEmpty ? text : Blocks.digest(words.words), text: text,
      blocks: Set(
        blocks.list.lazy.filter { $0.words >= SiteTemplates.fewestWords }.map { blocks.digest(of: $0) }
      ).sorted())
  }
}
