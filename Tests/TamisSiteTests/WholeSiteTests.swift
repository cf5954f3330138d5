import TamisCore
import TamisSite
import TestSupport
import Testing

/// A site of many posts, made as a publisher makes it: nothing leads nowhere, and a post more is little work.
@Suite struct WholeSiteTests {
  private static let site = Samples.site { $0.link = "https://t.example/" }
  private static let feeds = (0..<5).map { Samples.feed("f\($0)", title: "Feed \($0)") }

  private static func item(_ number: Int) -> CardItem {
    var item = Samples.item(number) { card in
      card.tags = ["Tag \(number % 40)", "Own \(number)"]
    }
    item.sortDate = 1_700_000_000 + Int64(number) * 7200
    item.feed = feeds[number % feeds.count]
    item.page = PagePath(ofPost: "\(number)", feedSlug: item.feed.slug)
    return item
  }

  /// All files of a site of the posts from 1 to `count`.
  private static func files(_ count: Int) -> [PagePath: [UInt8]] {
    let items = (1...count).map(item)
    var files: [SiteFile] = [
      site.missingPage(), site.updatedPage([]), site.styleSheet(), site.icon(), site.marker(),
    ]
    for (index, item) in items.enumerated() {
      func neighbour(_ index: Int) -> Neighbour? {
        items.indices.contains(index) ? Neighbour(title: items[index].card.title, page: items[index].page) : nil
      }
      let slug = Slug.ofTag(item.card.tags[0])
      var view = PostView(item: item, details: Post.Details(), body: PageBody(.empty, isOffline: false))
      view.neighbours = Neighbours(
        (neighbour(index + 1), neighbour(index - 1)),
        inFeed: (neighbour(index + feeds.count), neighbour(index - feeds.count)))
      view.linkedTags = [slug]
      files.append(site.postPage(view))
    }
    let lists = lists(items)
    for (list, items) in lists { files += pages(list, items) }
    files += indexes(items, lists.map(\.0))
    return Dictionary(files.map { ($0.path, $0.bytes) }) { first, _ in
      Issue.record("two files have one path")
      return first
    }
  }

  private static func month(_ item: CardItem) -> PostList {
    // 30 days are a month here.
    let number = Int((item.sortDate ?? 0) / (86_400 * 30))
    return .month(year: number / 12, month: number % 12 + 1)
  }

  private static func lists(_ items: [CardItem]) -> [(PostList, [CardItem])] {
    var lists: [(PostList, [CardItem])] = [(.all, items)]
    for feed in feeds { lists.append((.feed(feed), items.filter { $0.feed == feed })) }
    for tag in 0..<40 {
      let name = "Tag \(tag)"
      lists.append((.tag(slug: Slug.ofTag(name), name: name), items.filter { $0.card.tags[0] == name }))
    }
    let months = Dictionary(grouping: items, by: month)
    lists += months.sorted { $0.key.base < $1.key.base }.map { ($0.key, $0.value) }
    return lists
  }

  private static func pageCount(_ count: Int) -> Int {
    count > SiteSettings().newestPosts
      ? (count + SiteSettings().postsPerPage - 1) / SiteSettings().postsPerPage : 0
  }

  private static func pages(_ list: PostList, _ items: [CardItem]) -> [SiteFile] {
    let newest = Array(items.suffix(SiteSettings().newestPosts).reversed())
    let length = SiteSettings().postsPerPage
    let pageCount = pageCount(items.count)
    let entries = items.suffix(Site.feedLength).reversed().map {
      OutputEntry(item: $0, content: nil, details: Post.Details())
    }
    var files = site.feeds(of: list, entries: entries)
    if list == .all {
      let counts = feeds.map { feed in FeedItem(feed: feed, count: items.count { $0.feed == feed }) }
      files.append(
        site.indexPage(
          FrontView(items: newest, feeds: counts, postCount: items.count, feedCount: feeds.count, pageCount: pageCount))
      )
    } else {
      files.append(
        site.listPage(
          list, items: newest, count: items.count, pageCount: pageCount, newest: newest.first?.sortDate))
    }
    for number in 0..<pageCount {
      let part = items[number * length..<min((number + 1) * length, items.count)]
      files.append(site.numberedPage(list, number: number + 1, items: part.reversed(), pageCount: pageCount))
    }
    return files
  }

  private static func indexes(_ items: [CardItem], _ lists: [PostList]) -> [SiteFile] {
    let counts = feeds.map { feed in FeedItem(feed: feed, count: items.count { $0.feed == feed }) }
    let months = Dictionary(grouping: items, by: month)
    var years: [Int: [MonthItem]] = [:]
    for (list, posts) in months.sorted(by: { $0.key.base < $1.key.base }) {
      if case .month(let year, let month) = list {
        years[year, default: []].append(
          MonthItem(
            month: month, count: posts.count,
            posts: posts.map { Neighbour(title: $0.card.title, page: $0.page, sortDate: $0.sortDate) }))
      }
    }
    // Parts of a hundred tags.
    let parts = Dictionary(grouping: items) { "own-\(String($0.card.title.dropFirst(5)).dropLast(2))" }
    let tags = (0..<40).map { tag in
      TagItem(slug: Slug.ofTag("Tag \(tag)"), name: "Tag \(tag)", count: items.count / 40, posts: [])
    }
    var files = [
      site.archivePage(
        years: years.keys.sorted(), hasUndated: false, hasTags: true,
        pageCount: pageCount(items.count)),
      site.tagIndexPage(parts: parts.keys.sorted() + ["tag-"]), site.tagPartPage(prefix: "tag-", tags: tags),
      site.aboutPage(number: 1, of: 1, feeds: counts, feedCount: feeds.count),
      site.statusPage(number: 1, of: 1, feeds: counts.map { StatusItem($0) }), site.opml(feeds: feeds),
      site.searchPage(),
    ]
    files += years.map { site.yearPage(year: $0.key, months: $0.value) }
    files += parts.map { prefix, items in
      site.tagPartPage(
        prefix: prefix,
        tags: items.map {
          TagItem(
            slug: Slug.ofTag($0.card.tags[1]), name: $0.card.tags[1], count: 1,
            posts: [Neighbour(title: $0.card.title, page: $0.page)])
        })
    }
    func each(_ length: Int, _ make: (Int, [CardItem]) -> SiteFile?) -> Int {
      let starts = Array(stride(from: 0, to: items.count, by: length))
      for (number, start) in starts.enumerated() {
        if let file = make(number + 1, Array(items[start..<min(start + length, items.count)])) { files.append(file) }
      }
      return starts.count
    }
    let maps = each(Site.sitemapLength) { site.sitemapPart(number: $0, items: $1) }
    let words = each(Site.searchLength) { site.searchPart(number: $0, items: $1) }
    files += [site.searchIndex(partCount: words)]
    files += [site.sitemapIndex(partCount: maps), site.sitemapLists(lists.map(\.path))].compactMap { $0 }
    return files + site.serverHeaders()
  }

  @Test(arguments: [1, 60, 61, 130])
  func allInternalLinksResolve(_ count: Int) {
    let files = Self.files(count)
    for (path, bytes) in files where path.text.hasSuffix(".html") {
      for link in SiteFile(path: path, bytes: bytes).links {
        let target = Self.resolve(link, path)
        #expect(files[PagePath(target)] != nil, "\(path): \(link)")
      }
    }
  }

  private static func resolve(_ link: String, _ path: PagePath) -> String {
    var folders = path.text.split(separator: "/").dropLast().map(String.init)
    if link.hasPrefix("/") { folders = [] }
    for part in link.split(separator: "/") {
      if part == ".." { _ = folders.popLast() } else { folders.append(String(part)) }
    }
    return folders.joined(separator: "/")
  }

  /// The work for an added post does not grow with the site.
  @Test func addingPostChangesBoundedNumberOfFiles() {
    func changes(_ count: Int) -> (files: Int, bytes: Int) {
      let (before, after) = (Self.files(count), Self.files(count + 1))
      let changed = after.filter { before[$0.key] != $0.value }
      #expect(before.keys.allSatisfy { after[$0] != nil })
      for name in ["archive.html", "search.json", "sitemap.xml", "sitemap/lists.xml", "page/1.html", "feeds.opml"] {
        #expect(changed[PagePath(name)] == nil, "\(name)")
      }
      return (changed.count, changed.values.reduce(0) { $0 + $1.count })
    }
    // As far into the last part of everything.
    let (small, large) = (changes(1199), changes(2199))
    #expect(small.files < 40 && abs(large.files - small.files) <= 3, "\(small), \(large)")
    #expect(large.bytes < small.bytes * 5 / 4, "\(small), \(large)")
  }
}
