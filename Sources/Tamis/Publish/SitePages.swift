import TamisArchive
import TamisCore
import TamisSite

/// Makes the pages besides posts and lists: the front page, the archive's pages, those about the feeds, search data,
/// site maps.
struct SitePages {
  let source: SiteSource
  let writer: SiteWriter
  /// The changes; nil when all pages are made.
  let changed: PublishingPlan?
  private var site: Site { source.site }
  private var postReader: PostReader { source.postReader }
  private var directory: Directory { source.directory }

  func make() async throws {
    try await makeFrontPages()
    try await makeArchive()
    try await makeTags()
    try await makeFeedPages()
    try await makeParts()
    guard changed == nil else { return }
    let files = [site.searchPage(), site.missingPage(), site.marker()] + site.serverHeaders()
    try await writer.add(files)
  }

  // MARK: - The front page

  private func makeFrontPages() async throws {
    let site = site
    let newest = try postReader.newest(site.settings.newestPosts, of: .all)
    let items = newest.map(\.item)
    var view = FrontView(
      items: items, feeds: try withCategories(directory.liveliestFeeds(Site.sidebarFeeds)).map(item),
      postCount: try postReader.count(.all), feedCount: try directory.feedCount(),
      pageCount: try source.pageCountOfAll())
    if site.settings.showsFullPosts { view.wholes = try source.wholes(newest, root: PostList.all.path.root) }
    view.categories = try directory.categories()
    let front = view
    try await writer.add(PostList.all.path) { site.indexPage(front) }
    let updated = try postReader.updated(site.settings.newestPosts).map(\.item)
    try await writer.add(PagePath("updated.html")) { site.updatedPage(updated) }
  }

  private var statuses: FeedStatusReader { FeedStatusReader(directory, postReader) }

  private func item(_ feed: FeedRow) throws -> FeedItem { try statuses.item(feed) }

  // MARK: - By time

  private func makeArchive() async throws {
    let site = site
    let years = try source.years()
    let (hasUndated, hasTags) = (try directory.hasUndated(), try directory.tagCount(beginning: "") > 0)
    let pageCount = try source.pageCountOfAll()
    try await writer.add(PagePath("archive.html")) {
      site.archivePage(years: years.reversed(), hasUndated: hasUndated, hasTags: hasTags, pageCount: pageCount)
    }
    for year in changed?.years.sorted() ?? years {
      let months = try source.months(of: year).map { month in
        try item(month)
      }
      if months.isEmpty {
        try writer.remove(Site.path(ofYear: year))
      } else {
        try await writer.add(Site.path(ofYear: year)) { site.yearPage(year: year, months: months.reversed()) }
      }
    }
  }

  private func item(_ month: Month) throws -> MonthItem {
    let query = PostQuery.month(month.number)
    var item = MonthItem(month: month.month, count: try postReader.count(query))
    guard item.count < Site.monthThreshold else { return item }
    item.posts = try postReader.newest(Site.monthThreshold, of: query).map(neighbour)
    return item
  }

  private func neighbour(_ post: ListedPost) -> Neighbour {
    Neighbour(title: post.card.heading, page: post.page, sortDate: post.item.sortDate)
  }

  // MARK: - By tag

  /// The maximum number of tags on one page of the list of all tags; more tags with the same prefix are divided by
  /// their next character.
  private static let tagsPerPart = 300

  private func makeTags() async throws {
    if let changed, changed.slugs.isEmpty { return }
    let site = site
    let parts = try tagParts("")
    let index = PagePath("archive/tags.html")
    if parts.isEmpty {
      try writer.remove(index)
    } else {
      let prefixes = parts.map(\.prefix)
      let most = try directory.mostUsedTags(Site.cloudSize).filter { $0.count >= site.settings.tagThreshold }
      let cloud = most.map { TagItem(slug: $0.slug, name: $0.name, count: $0.count, posts: []) }.sorted {
        $0.slug < $1.slug
      }
      try await writer.add(index) { site.tagIndexPage(parts: prefixes, cloud: cloud) }
    }
    for part in parts where try isConcerned(part.prefix) {
      let tags = try directory.tags(beginning: part.prefix, exactly: part.isWhole).map(withPosts)
      try await writer.add(Site.path(ofTagPart: part.prefix)) { site.tagPartPage(prefix: part.prefix, tags: tags) }
    }
    let paths = Set(parts.map { Site.path(ofTagPart: $0.prefix) })
    for path in try writer.published.files(beginning: "archive/tags/") where !paths.contains(path) {
      try writer.remove(path)
    }
  }

  private struct TagPart {
    var prefix: String
    /// Whether the part has only the tag that equals the prefix.
    var isWhole = false
  }

  private func tagParts(_ prefix: String) throws -> [TagPart] {
    let count = try directory.tagCount(beginning: prefix)
    if count == 0 { return [] }
    if count <= Self.tagsPerPart { return [TagPart(prefix: prefix)] }
    return try directory.nextLetters(ofTagsBeginning: prefix).flatMap { letter in
      letter.isEmpty ? [TagPart(prefix: prefix, isWhole: true)] : try tagParts(prefix + letter)
    }
  }

  /// Whether a tag of a part has changed, now or before the part was divided, or the part is new.
  private func isConcerned(_ prefix: String) throws -> Bool {
    guard let changed else { return true }
    if changed.slugs.contains(where: { $0.hasPrefix(prefix) }) { return true }
    return try writer.published.file(Site.path(ofTagPart: prefix)) == nil
  }

  private func withPosts(_ tag: TagItem) throws -> TagItem {
    var item = tag
    guard tag.count < site.settings.tagThreshold else { return item }
    item.posts = try source.allPostReader.newest(site.settings.tagThreshold, of: .tag(tag.slug)).map(neighbour)
    return item
  }

  // MARK: - By feed

  private func makeFeedPages() async throws {
    let isRelisted = try changed == nil || writer.published.hasOtherFeeds()
    let isFetched = changed?.isFetched ?? false
    if !isRelisted, !isFetched, changed?.feeds.isEmpty ?? true { return }
    let order = try directory.feedNumbers()
    let partCount = max(1, (order.count + Site.feedsPerPage - 1) / Site.feedsPerPage)
    var parts = Set(1...partCount)
    if let changed, !isRelisted {
      let touched = order.indices.filter { changed.feeds.contains(order[$0]) }
      parts = Set(touched.map { $0 / Site.feedsPerPage + 1 })
    }
    for number in (isFetched ? Set(1...partCount) : parts).sorted() {
      let numbers = order.dropFirst((number - 1) * Site.feedsPerPage).prefix(Site.feedsPerPage)
      let feeds = try directory.feeds(numbers)
      if parts.contains(number) { try await makeAboutPage(number, of: partCount, feeds, feedCount: order.count) }
      try await makeStatusPages(number, of: partCount, feeds)
    }
    guard isRelisted else { return }
    for prefix in ["about.", "status."] { try writer.removeNumbered(prefix, behind: partCount) }
    let (site, cards) = (site, try withCategories(directory.feeds(count: order.count)).map(\.card))
    try await writer.add(PagePath("feeds.opml")) { site.opml(feeds: cards) }
  }

  private func makeAboutPage(_ number: Int, of count: Int, _ feeds: [FeedRow], feedCount: Int) async throws {
    let (site, items) = (site, try feeds.map(item))
    try await writer.add(Site.path(ofAbout: number)) {
      site.aboutPage(number: number, of: count, feeds: items, feedCount: feedCount)
    }
  }

  private func makeStatusPages(_ number: Int, of count: Int, _ feeds: [FeedRow]) async throws {
    let (site, items) = (site, try statuses.items(feeds))
    try await writer.add(Site.path(ofStatus: number)) { site.statusPage(number: number, of: count, feeds: items) }
    try await writer.add(Site.path(ofStatusData: number)) { site.statusData(number: number, of: count, feeds: items) }
  }

  /// Returns the feeds with their categories in their cards.
  private func withCategories(_ feeds: [FeedRow]) throws -> [FeedRow] {
    let categories = Dictionary(try directory.categories().map { ($0.slug, $0) }) { first, _ in first }
    let slugs = try directory.categories(of: feeds.map(\.number))
    return feeds.map { feed in
      var feed = feed
      feed.card.categories = (slugs[feed.number] ?? []).compactMap { categories[$0] }
      return feed
    }
  }

  // MARK: - Search data and site maps

  private func makeParts() async throws {
    let site = site
    let count = (try postReader.lastArrival()).map { $0 + 1 } ?? 0
    try await makeParts(
      of: count, length: Site.searchLength, folder: "search/", index: PagePath("search.json"),
      path: Site.path(ofSearch:), part: { site.searchPart(number: $0, items: $1) },
      whole: { site.searchIndex(partCount: $0) })
    guard site.settings.link != nil, !site.settings.isUnlisted else { return }
    try await makeParts(
      of: count, length: Site.sitemapLength, folder: "sitemap/", index: PagePath("sitemap.xml"),
      path: Site.path(ofSitemap:), part: { site.sitemapPart(number: $0, items: $1) },
      whole: { site.sitemapIndex(partCount: $0) })
    if try changed == nil || hasOtherLists() {
      let paths = try listPaths()
      try await writer.add(PagePath("sitemap/lists.xml")) { site.sitemapLists(paths) }
    }
  }

  /// Makes files of a number of posts each, in the order of arrival, and the file that lists them.
  private func makeParts(
    of count: Int64, length: Int, folder: String, index: PagePath, path: (Int) -> PagePath,
    part: @escaping @Sendable (Int, [CardItem]) -> SiteFile?, whole: @escaping @Sendable (Int) -> SiteFile?
  ) async throws {
    for number in partNumbers(count, length: length) {
      let items = try self.part(number, length: length)
      try await writer.add(path(number), posts: items.count) { part(number, items) }
    }
    let parts = Self.partCount(count, length: length)
    try await writer.add(index) { whole(parts) }
    try writer.removeNumbered(folder, behind: parts)
  }

  private static func partCount(_ count: Int64, length: Int) -> Int { (Int(count) + length - 1) / length }

  private func part(_ number: Int, length: Int) throws -> [CardItem] {
    let first = Int64((number - 1) * length)
    return try postReader.arrived(first..<first + Int64(length)).map(\.item)
  }

  /// Returns the parts that have to be made again.
  private func partNumbers(_ count: Int64, length: Int) -> [Int] {
    let all = 1...max(1, Self.partCount(count, length: length))
    guard let changed else { return count == 0 ? [] : Array(all) }
    return Set(changed.arrivals.map { Int($0) / length + 1 }).filter { count > 0 && all.contains($0) }.sorted()
  }

  /// Whether a list may have gained or lost its page.
  private func hasOtherLists() throws -> Bool {
    guard let changed else { return true }
    if try !changed.crossing.isEmpty || writer.published.hasOtherFeeds() { return true }
    return try changed.lists.keys.contains { query in
      guard case .month(let number) = query else { return false }
      let page = Month(number: number).list.path
      // The changes may have given the month enough posts for a page, or too few.
      let count = try postReader.count(query)
      return try count < Site.monthThreshold + changed.arrivals.count || writer.published.file(page) == nil
    }
  }

  /// Returns the pages of lists, as many as a site map may contain.
  private func listPaths() throws -> [PagePath] {
    var paths = [PostList.all.path]
    paths += try directory.feeds(count: Site.sitemapLists).map { PostList.feed($0.card).path }
    paths += try directory.categories().prefix(Site.sitemapLists).map { PostList.category($0).path }
    let months = try source.months().prefix(Site.sitemapLists).filter {
      try postReader.count(.month($0.number)) >= Site.monthThreshold
    }
    paths += months.map { $0.list.path }
    paths += try directory.tags(after: "", ofAtLeast: site.settings.tagThreshold, count: Site.sitemapLists).map {
      PostList.tag(slug: $0.slug, name: $0.name).path
    }
    return Array(paths.prefix(Site.sitemapLists))
  }
}
