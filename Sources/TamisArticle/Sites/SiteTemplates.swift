public import TamisURL

/// The digests by which a page is compared with others of its site; not the texts.
public struct PageOutline: Sendable, Hashable {
  /// The host of its site, without `www.`.
  public var site: String
  /// The digest of its title; that of its text when it has none.
  public var title: UInt64
  /// The digest of all of its text: pages with the same are copies, whatever they are called.
  public var text: UInt64
  /// The digests of its blocks of ``SiteTemplates/fewestWords`` words and more, each once, in order of their numbers.
  public var blocks: [UInt64]

  /// Takes over digests as they were kept.
  public init(site: String, title: UInt64, text: UInt64, blocks: [UInt64]) {
    (self.site, self.title, self.text, self.blocks) = (site, title, text, blocks)
  }

  /// The site of a page.
  public static func site(of url: WebURL) -> String? { url.hostname.map(SiteRules.name) }
}

/// The blocks that several pages of a site have, and that so are boilerplate, not part of an article.
///
/// Pages with the same title, or the same text, are copies and count once. The order in which pages are added counts for nothing as long
/// as there is room for all of them.
public struct SiteTemplates: Sendable {
  /// A text that stands on so many others is furniture.
  public static let fewestPages = 2
  /// Blocks of fewer words may be in any article.
  public static let fewestWords = 3
  /// Most blocks of all pages of a site that are remembered; beyond that its oldest pages are forgotten.
  public static let mostBlocks = 1 << 14

  /// The pages of a site.
  fileprivate struct Site {
    var pages: [PageOutline] = []
    /// Those before are forgotten.
    var first = 0
    var blocks = 0
    /// For blocks of several pages, what these are called.
    var titles: [UInt64: Set<UInt64>] = [:]
    /// What pages with the same text are called.
    var names: [UInt64: UInt64] = [:]
  }

  private var sites: [String: Site] = [:]
  /// How many pages had no room.
  public private(set) var forgotten = 0

  /// Begins without pages.
  public init() {}

  /// Adds a page, the newest of its site; call ``settle()`` afterwards.
  public mutating func add(_ page: PageOutline) {
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
  public mutating func settle() {
    for name in sites.keys { sites[name]?.settle() }
  }

  /// For each of some blocks of a page, how many other pages of its site, with other titles, have it.
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

/// The blocks that a page has in common with others of its site.
struct RepeatedBlocks {
  /// By the numbers of its blocks: on how many other pages each stands.
  let others: [Int]
  private let isCounted: [Bool]

  /// Of a block, whether it stands on so many others that it is furniture.
  func isBoilerplate(_ index: Int) -> Bool { others[index] >= SiteTemplates.fewestPages }

  /// Whether it is long enough to say something, and stands on this page alone.
  func isOwn(_ index: Int) -> Bool { isCounted[index] && !isBoilerplate(index) }

  init(_ outline: PageOutline, _ blocks: Blocks, _ templates: SiteTemplates) {
    isCounted = blocks.list.map { $0.words >= SiteTemplates.fewestWords }
    let counted = isCounted
    let found = templates.others(outline, blocks.list.map { blocks.digest(of: $0) })
    others = found.indices.map { counted[$0] ? found[$0] : 0 }
  }
}

extension Blocks {
  /// The digest of the words of a block in their order.
  fileprivate func digest(of block: Block) -> UInt64 { Self.digest(digests(of: block)) }

  fileprivate static func digest(_ words: some Sequence<UInt32>) -> UInt64 {
    words.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

extension PageOutline {
  /// - Returns: nil when its site is not known.
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
