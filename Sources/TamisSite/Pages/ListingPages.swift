import TamisCore
/// The pages that list posts.
extension PageMaker {
  typealias Put = (String, [UInt8]) throws(SiteError) -> Void

  /// Makes all of them, those that others link to first.
  func listings(_ put: Put) throws(SiteError) {
    for listing in listings.feeds + listings.tags + listings.months { try pages(of: listing, put) }
    for (place, page) in listings.pages.enumerated() {
      try put("page/\(page.number).html", numberedPage(place))
    }
    try put("updated.html", updatedPage())
    try put("archive.html", archivePage())
    try put("status.html", statusPage())
    try put("about.html", aboutPage())
    try put("404.html", missingPage())
    try put("index.html", indexPage())
  }

  private func indexPage() -> [UInt8] {
    var page = common(
      root: "", title: options.title,
      description: listings.own.count.counted("post") + " from "
        + manifest.feeds.count.counted("feed"))
    var groups: [(heading: String, cards: [PageContext])] = []
    for place in listings.own.prefix(Listing.newest) {
      let post = manifest.posts[place]
      let heading = post.place.map { DateText($0).long } ?? "Undated"
      if groups.last?.heading != heading { groups.append((heading, [])) }
      groups[groups.count - 1].cards.append(card(post, root: ""))
    }
    page.set(
      .groups,
      groups.map { group in
        var context = PageContext()
        context.set(.heading, group.heading)
        context.set(.cards, group.cards)
        return context
      })
    page.set(
      .feeds, zip(manifest.feeds, listings.feeds).map { feedItem($0, root: "", count: $1.posts.count) })
    page.set(.hasFeed, true)
    page.set(.feedBase, "")
    if let last = listings.pages.last { page.set(.older, link("Page \(last.number)", "page/\(last.number).html")) }
    return options.theme.render("index", page)
  }

  /// The page of a list and its numbered pages.
  private func pages(of listing: Listing, _ put: Put) throws(SiteError) {
    let pages = listing.pages(manifest.posts)
    var page = listPage(listing, title: listing.title, shown: nil)
    page.set(.cards, rendered: cards(listing.posts.prefix(Listing.newest)))
    page.set(.older, pages.isEmpty ? nil : link("Page \(pages.count)", "../\(listing.path(ofPage: pages.count))"))
    try put(listing.path, options.theme.render("list", page))
    for (place, posts) in pages.enumerated() {
      let number = place + 1
      var page = listPage(listing, title: "\(listing.title), page \(number)", shown: posts)
      page.set(.cards, rendered: cards(posts))
      page.set(.pageNumber, number)
      page.set(.first, link(listing.title, "../\(listing.path)"))
      page.set(.older, number > 1 ? link("Page \(number - 1)", "../\(listing.path(ofPage: number - 1))") : nil)
      page.set(
        .newer, number < pages.count ? link("Page \(number + 1)", "../\(listing.path(ofPage: number + 1))") : nil)
      try put(listing.path(ofPage: number), options.theme.render("list", page))
    }
  }

  /// What the pages of a list have in common.
  ///
  /// - Parameter shown: the posts of a numbered page, on which nothing stands that later posts would change.
  private func listPage(_ listing: Listing, title: String, shown: [Int]?) -> PageContext {
    let root = "../"
    let feed = listing.kind == .feed ? manifest.feeds.first { $0.path == listing.path } : nil
    var page = common(root: root, title: "\(title) · \(options.title)", description: feed?.subtitle ?? "")
    var list = PageContext()
    list.set(.title, listing.title)
    list.set(.isFeed, listing.kind == .feed)
    list.set(.count, (shown ?? listing.posts).count)
    list.set(.isEmpty, listing.posts.isEmpty)
    list.set(.dir, feed?.direction ?? "auto")
    list.set(.lang, feed?.language)
    list.set(.subtitle, feed?.subtitle)
    list.set(.link, feed?.link)
    list.set(.image, options.isOffline ? nil : feed?.image)
    if shown == nil, listing.kind == .feed, let latest = listing.posts.first.flatMap({ manifest.posts[$0].place }) {
      list.set(.updatedISO, DateText(latest).iso)
      list.set(.updatedText, DateText(latest).long)
    }
    page.set(.list, list)
    page.set(.hasFeed, listing.kind != .month)
    page.set(.feedBase, root + listing.base + ".")
    return page
  }

  /// A page of all posts in the order in which they came.
  private func numberedPage(_ place: Int) -> [UInt8] {
    let pages = listings.pages
    let (number, posts) = pages[place]
    var page = common(root: "../", title: "Page \(number) · \(options.title)")
    var list = PageContext()
    list.set(.title, "All posts")
    list.set(.count, posts.count)
    list.set(.isEmpty, posts.isEmpty)
    list.set(.dir, "ltr")
    page.set(.list, list)
    page.set(.cards, rendered: cards(posts))
    page.set(.pageNumber, number)
    page.set(.first, link("Newest posts", "../index.html"))
    page.set(.older, place > 0 ? link("Page \(pages[place - 1].number)", "\(pages[place - 1].number).html") : nil)
    page.set(
      .newer,
      place + 1 < pages.count ? link("Page \(pages[place + 1].number)", "\(pages[place + 1].number).html") : nil)
    return options.theme.render("list", page)
  }

  /// Posts that were changed after the day on which they were published, the last changed first.
  private func updatedPage() -> [UInt8] {
    let changed = listings.own.filter {
      manifest.posts[$0].wasUpdated
    }.sorted { lhs, rhs in
      let (left, right) = (manifest.posts[lhs].updated ?? 0, manifest.posts[rhs].updated ?? 0)
      return left == right ? lhs < rhs : left > right
    }
    var page = common(root: "", title: "Updated · \(options.title)")
    var list = PageContext()
    list.set(.title, "Updated posts")
    list.set(.count, changed.count)
    list.set(.isEmpty, changed.isEmpty)
    list.set(.dir, "ltr")
    page.set(.list, list)
    page.set(.ownCards, changed.prefix(Listing.newest).map { card(manifest.posts[$0], root: "") })
    return options.theme.render("list", page)
  }
}
