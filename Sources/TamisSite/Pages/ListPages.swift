package import TamisCore

/// The pages that list posts.
extension Site {
  /// Returns the page of a list; that of ``PostList/all`` is ``indexPage(_:)``.
  ///
  /// - Parameters:
  ///   - list: the list.
  ///   - items: the newest posts, newest first, at most ``Site/Options/newestPosts``.
  ///   - count: the number of posts of the list.
  ///   - pageCount: the number of numbered pages; 0 when this page shows all.
  ///   - newest: the sort date of the newest post; nil when not known.
  /// - Returns: the page, with its path in the site.
  package func listPage(_ list: PostList, items: [CardItem], count: Int, pageCount: Int, newest: Int64?) -> SiteFile {
    let path = list.path
    var page = context(path, title: title(of: list), description: list.feed?.subtitle ?? "")
    var head = head(of: list, count: count)
    if list.feed != nil, let newest {
      head.set(.updatedISO, DateText(newest).iso)
      head.set(.updatedText, times.day(newest))
    }
    set(&page, head: head, of: list, items: items, root: path.root)
    page.set(.older, pageCount > 0 ? link(pageText(pageCount), from: path.root, to: list.path(ofPage: pageCount)) : nil)
    return self.page("list", at: path, page, items: items.count)
  }

  /// Returns a numbered page of a list.
  ///
  /// Later posts do not change the page unless it is the last.
  ///
  /// - Parameters:
  ///   - list: the list.
  ///   - number: the number of the page, counted from 1, with the oldest posts on the first page.
  ///   - items: its posts, newest first, ``Site/Options/postsPerPage`` of them on all pages but the last.
  ///   - pageCount: the number of numbered pages of the list.
  /// - Returns: the page, with its path in the site.
  package func numberedPage(_ list: PostList, number: Int, items: [CardItem], pageCount: Int) -> SiteFile {
    let path = list.path(ofPage: number)
    let root = path.root
    var page = context(
      path, title: list == .all ? pageText(number) : "\(title(of: list)) · \(pageText(number))",
      description: list.feed?.subtitle ?? "")
    set(&page, head: head(of: list, count: items.count), of: list, items: items, root: root)
    page.set(.pageNumber, number)
    page.set(.pageText, pageText(number))
    page.set(.first, link(list == .all ? words.text(.newestPosts) : title(of: list), from: root, to: list.path))
    page.set(.older, number > 1 ? link(pageText(number - 1), from: root, to: list.path(ofPage: number - 1)) : nil)
    page.set(
      .newer, number < pageCount ? link(pageText(number + 1), from: root, to: list.path(ofPage: number + 1)) : nil)
    return self.page("list", at: path, page, items: items.count)
  }

  /// Returns the title of a list.
  func title(of list: PostList) -> String {
    switch list {
    case .all: words.text(.allPosts)
    case .feed(let feed): feed.title
    case .tag(_, let name): name
    case .category(let category): category.name
    case .month(let year, let month): times.month(month, of: year)
    }
  }

  /// Returns the head of a list's page.
  private func head(of list: PostList, count: Int) -> PageContext {
    var head = PageContext(capacity: 12)
    head.set(.title, title(of: list))
    head.set(.isFeed, list.feed != nil)
    if case .category = list { head.set(.isCategory, true) }
    head.set(.count, count)
    head.set(.postText, words.counted(.posts, count))
    head.set(.isEmpty, count == 0)
    head.set(.dir, list.feed?.direction.rawValue ?? (list == .all ? words.direction.rawValue : "auto"))
    head.set(.lang, list.feed.map { $0.language ?? "" } ?? words.language)
    head.set(.subtitle, list.feed?.subtitle)
    head.set(.link, address: list.feed?.link)
    head.set(.image, list.feed.flatMap { image(of: $0, list.path.root) })
    return head
  }

  /// Whether a page lists titles only: months and numbered pages of all posts, which serve to look up old posts.
  private func isBrief(_ list: PostList) -> Bool {
    switch list {
    case .month, .all: true
    case .feed, .tag, .category: false
    }
  }

  private func set(_ page: inout PageContext, head: PageContext, of list: PostList, items: [CardItem], root: String) {
    page.set(.list, head)
    page.set(.cards, cards(items, root, isBrief: isBrief(list), under: list.feed?.image))
    page.set(.hasFeed, list.feedBase != nil)
    page.set(.hasAllFeeds, list.feedFormats.count > 1)
    page.set(.feedBase, root + (list.feedBase ?? ""))
  }

  /// Returns the page of posts changed after the day of their publication (`updated.html`).
  ///
  /// - Parameter items: the posts, last changed first, at most ``Site/Options/newestPosts``.
  /// - Returns: the page, with its path in the site.
  package func updatedPage(_ items: [CardItem]) -> SiteFile {
    let path = PagePath("updated.html")
    var page = context(path, title: words.text(.changed))
    var head = PageContext(capacity: 4)
    head.set(.title, words.text(.updatedPosts))
    head.set(.count, items.count)
    head.set(.postText, words.counted(.posts, items.count))
    head.set(.isEmpty, items.isEmpty)
    head.set(.dir, words.direction.rawValue)
    page.set(.list, head)
    page.set(.cards, cards(items, path.root))
    return self.page("list", at: path, page, items: items.count)
  }
}
