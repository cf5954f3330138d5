import TamisArchive
import TamisCore
import TamisSite

/// Makes the pages and feeds of lists: of feeds, tags and months, and the numbered pages of all posts.
struct ListPages {
  let source: SiteSource
  let writer: SiteWriter
  /// The changes; nil when all pages are made.
  let changed: PublishingPlan?
  private var site: Site { source.site }
  private var postReader: PostReader { source.postReader }
  private var directory: Directory { source.directory }

  func make() async throws {
    guard let changed else { return try await makeAll() }
    for (query, part) in changed.lists.sorted(by: { $0.key.order < $1.key.order }) {
      if query == .all {
        try await makePagesOfAll(part.touched)
        try await makeHistory(part.touched)
      } else if let list = try list(of: query) {
        let crosses = if case .tag(let slug) = query { changed.crossing.contains(slug) } else { false }
        try await make(list, query, crosses ? nil : part)
      } else {
        try remove(query)
      }
    }
    // Feeds whose cards have changed.
    for number in changed.feeds.sorted() where changed.lists[.feed(number)] == nil {
      if let list = try list(of: .feed(number)) {
        try await make(list, .feed(number), nil)
      } else {
        try remove(.feed(number))
      }
    }
    // Feeds may have changed their categories.
    if try writer.published.hasOtherFeeds() { try await makeCategories() }
    try await makeFeeds(.all, try postReader.newest(Site.feedLength, of: .all))
  }

  /// Returns the site's list for a query; nil when it has no pages.
  private func list(of query: PostQuery) throws -> PostList? {
    switch query {
    case .all: return .all
    case .feed(let number): return try directory.feed(number).map { .feed($0.card) }
    case .tag(let slug):
      guard let tag = try directory.tag(slug), tag.count >= site.settings.tagThreshold else { return nil }
      return .tag(slug: slug, name: tag.name)
    case .category(let slug):
      return try directory.categories().first { $0.slug == slug }.map { .category($0) }
    case .month(let number):
      let month = Month(number: number)
      guard try postReader.count(query) >= Site.monthThreshold else { return nil }
      return month.list
    }
  }

  // MARK: - All lists

  private func makeAll() async throws {
    try await SiteSource.inBatches(from: FeedNumber(rawValue: .min)) { last in
      let feeds = try directory.feeds(after: last, count: SiteSource.batch)
      for feed in feeds { try await make(.feed(feed.card), .feed(feed.number), nil) }
      return feeds.last?.number
    }
    try await SiteSource.inBatches(from: "") { last in
      let tags = try directory.tags(after: last, ofAtLeast: site.settings.tagThreshold, count: SiteSource.batch)
      for tag in tags { try await make(.tag(slug: tag.slug, name: tag.name), .tag(tag.slug), nil) }
      return tags.last?.slug
    }
    try await makeCategories()
    for month in try source.months() where try postReader.count(.month(month.number)) >= Site.monthThreshold {
      try await make(month.list, .month(month.number), nil)
    }
    try await makePagesOfAll(nil)
    try await makeHistory(nil)
    try await makeFeeds(.all, try postReader.newest(Site.feedLength, of: .all))
  }

  /// Makes the lists of all categories, and removes those of other categories.
  private func makeCategories() async throws {
    let site = site
    var bases: [String] = []
    for category in try directory.categories() {
      let list = PostList.category(category)
      try await make(list, .category(category.slug), nil)
      let feeds = try directory.feeds(in: category.slug).map(\.card)
      try await writer.add(Site.path(ofOPML: category.slug)) { site.opml(feeds: feeds, category: category) }
      bases.append(list.base + ".")
    }
    for path in try writer.published.files(beginning: "categories/")
    where !bases.contains(where: path.text.hasPrefix) {
      try writer.remove(path)
    }
  }

  // MARK: - One list

  /// Makes the pages of a list.
  ///
  /// - Parameters:
  ///   - list: the list as pages show it.
  ///   - query: the same list as the archive is asked for it.
  ///   - part: the pages to make; nil for all.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read; ``Site/Failure`` when a page cannot be written.
  private func make(_ list: PostList, _ query: PostQuery, _ part: PublishingPlan.ListWork?) async throws {
    let count = try postReader.count(query)
    let pageCount =
      count > site.settings.newestPosts ? (count + site.settings.postsPerPage - 1) / site.settings.postsPerPage : 0
    let newest = try postReader.newest(site.settings.newestPosts, of: query)
    let items = newest.map(\.item)
    let site = site
    try await writer.add(list.path, posts: items.count) {
      site.listPage(list, items: items, count: count, pageCount: pageCount, newest: newest.first?.item.sortDate)
    }
    var last: (number: Int, arrival: Int64)?
    for number in try numbers(query, part, pageCount) {
      // Consecutive pages continue from the last arrival number; the posts of others are found by counting.
      let posts =
        if let last, last.number + 1 == number {
          try postReader.inOrderOfArrival(query, after: last.arrival, count: site.settings.postsPerPage)
        } else {
          try postReader.inOrderOfArrival(
            query, skipping: (number - 1) * site.settings.postsPerPage, count: site.settings.postsPerPage)
        }
      // A list that lacks posts that were counted is that of a damaged archive, and has no further pages.
      guard let end = posts.last else { break }
      last = (number, end.position.arrival)
      let items = posts.map(\.item).newestFirst
      try await writer.add(list.path(ofPage: number), posts: items.count) {
        site.numberedPage(list, number: number, items: items, pageCount: pageCount)
      }
    }
    try await makeFeeds(list, newest)
    if part != nil || changed != nil { try writer.removeNumbered(list.base + ".", behind: pageCount) }
  }

  /// Returns the numbered pages of a list that have to be made again.
  private func numbers(_ query: PostQuery, _ part: PublishingPlan.ListWork?, _ pageCount: Int) throws -> [Int] {
    guard pageCount > 0 else { return [] }
    guard let part else { return Array(1...pageCount) }
    func pages(_ arrivals: some Sequence<Int64>) throws -> [Int] {
      try postReader.counts(query, before: arrivals.sorted()).map {
        min($0 / site.settings.postsPerPage + 1, pageCount)
      }
    }
    var numbers = Set(try pages(part.touched))
    for page in try pages([part.from].compactMap { $0 }) {
      // The preceding page may have been the last, or the only one.
      numbers.formUnion(max(1, page - 1)...pageCount)
      if pageCount <= site.settings.newestPosts / site.settings.postsPerPage + 1 { numbers.formUnion(1...pageCount) }
    }
    return numbers.sorted()
  }

  /// Removes all pages of a list.
  private func remove(_ query: PostQuery) throws {
    let base: String?
    switch query {
    case .all: base = nil
    case .feed(let number): base = try directory.slug(ofFeed: number).map { "feeds/\($0)" }
    case .tag(let slug): base = "tags/\(slug)"
    case .category(let slug): base = "categories/\(slug)"
    case .month(let number): base = Month(number: number).list.base
    }
    guard let base else { return }
    for path in try writer.published.files(beginning: base + ".") { try writer.remove(path) }
  }

  // MARK: - Numbered pages of all posts

  /// Makes numbered pages; each has the posts that arrived in its range, so a hidden post leaves a gap.
  ///
  /// - Parameter touched: the arrival numbers of posts that were added, removed or changed; nil for all.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read; ``Site/Failure`` when a page cannot be written.
  private func makePagesOfAll(_ touched: Set<Int64>?) async throws {
    let length = Int64(site.settings.postsPerPage)
    let count = try source.pageCountOfAll()
    var numbers = Set(touched.map { $0.map { Int($0 / length) + 1 } } ?? Array(1...max(1, count)))
    if touched != nil, count > 0 {
      // The last page has no next link, and the one before links to it.
      numbers.formUnion([count, max(1, count - 1)])
      // A page before one that has its first post now links to it too, when several pages are new.
      for arrival in touched ?? [] where arrival > 0 && arrival.isMultiple(of: length) {
        numbers.insert(Int(arrival / length))
      }
      if count == 2 { numbers.insert(1) }
    }
    let site = site
    for number in numbers.sorted() where number <= count {
      let first = Int64(number - 1) * length
      let items = try postReader.arrived(first..<first + length).map(\.item).newestFirst
      try await writer.add(PostList.all.path(ofPage: number), posts: items.count) {
        site.numberedPage(.all, number: number, items: items, pageCount: count)
      }
    }
    if touched != nil {
      try writer.removeNumbered("page/", behind: count)
    }
  }

  // MARK: - Feeds

  private func makeFeeds(_ list: PostList, _ newest: [ListedPost]) async throws {
    if case .month = list { return }
    // Feeds of tags have excerpts; the body is in the feed of the post's own feed.
    let hasBodies = if case .tag = list { false } else { true }
    let listed = Array(newest.prefix(Site.feedLength))
    let history = list == .all ? try historyCount() : 0
    let site = site
    try await add(list.feedPaths, listed, withBodies: hasBodies) {
      site.feeds(of: list, entries: $0, history: history)
    }
  }

  /// Adds a job that makes files of posts for programs.
  private func add(
    _ paths: [PagePath], _ listed: [ListedPost], withBodies hasBodies: Bool,
    _ make: @escaping @Sendable ([OutputEntry]) -> [SiteFile]
  ) async throws {
    let bodies = try postReader.bodies(of: listed.map(\.number))
    let pictures = hasBodies ? try postReader.pictures(of: listed.map(\.number)) : [:]
    let posts = listed.map { ($0.item, bodies[$0.number], pictures[$0.number] ?? [:]) }
    let markup = source.markup
    try await writer.add(
      SiteWriter.Job(
        paths: paths,
        work: .make {
          make(
            posts.map { item, packed, pictures in
              let body = packed?.unpacked ?? KeptBody()
              let html = hasBodies ? markup.html(of: body, keeping: pictures) : nil
              return OutputEntry(item: item, content: html, details: body.details, pictures: pictures)
            })
        },
        posts: posts.count))
  }

  private func historyCount() throws -> Int {
    guard site.settings.publishesHistory, let last = try postReader.lastArrival() else { return 0 }
    return Int(last) / Site.historyLength + 1
  }

  /// Makes the documents of the history of all posts; each has the posts that arrived in its range.
  ///
  /// - Parameter touched: the arrival numbers of posts that were added, removed or changed; nil for all.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read; ``Site/Failure`` when a page cannot be written.
  private func makeHistory(_ touched: Set<Int64>?) async throws {
    let (length, count, site) = (Int64(Site.historyLength), try historyCount(), site)
    guard count > 0 else { return }
    let numbers = Set(touched.map { $0.map { Int($0 / length) + 1 } } ?? Array(1...count))
    for number in numbers.sorted() where number <= count {
      let first = Int64(number - 1) * length
      let posts = try postReader.arrived(first..<first + length)
      try await add(Site.paths(ofHistory: number), posts.reversed(), withBodies: true) {
        site.history(number: number, entries: $0)
      }
    }
    if touched != nil { try writer.removeNumbered("history/", behind: count) }
  }
}

extension [CardItem] {
  /// The items by sort date, the newest first; items of the same second by arrival, the last first.
  fileprivate var newestFirst: [CardItem] {
    let times = map { $0.sortDate ?? .min }
    return indices.sorted { times[$0] == times[$1] ? $0 > $1 : times[$0] > times[$1] }.map { self[$0] }
  }
}

extension PostQuery {
  /// A text that defines a fixed order in which lists are made.
  fileprivate var order: String {
    switch self {
    case .all: "3"
    case .feed(let number): "0 \(number.rawValue)"
    case .tag(let slug): "1 \(slug)"
    case .category(let slug): "1c \(slug)"
    case .month(let number): "2 \(number)"
    }
  }
}
