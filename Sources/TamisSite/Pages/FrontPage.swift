package import TamisCore

/// The content of the front page.
package struct FrontView: Sendable {
  /// The newest posts, newest first, at most ``Site/Options/newestPosts``.
  package var items: [CardItem]
  /// The posts shown in full, with their bodies as lists show them, by their pages.
  package var wholes: [PagePath: PostView] = [:]
  /// The feeds in the sidebar, at most ``Site/sidebarFeeds``; the card of each has its categories.
  package var feeds: [FeedItem] = []
  /// All categories, in display order.
  package var categories: [CategoryCard] = []
  /// The number of posts of the site.
  package var postCount = 0
  /// The number of feeds of the site.
  package var feedCount = 0
  /// The number of numbered pages of all posts; 0 when this page shows all.
  package var pageCount = 0

  /// Creates a front page; missing values are left out.
  package init(items: [CardItem], feeds: [FeedItem] = [], postCount: Int = 0, feedCount: Int = 0, pageCount: Int = 0) {
    (self.items, self.feeds) = (items, feeds)
    (self.postCount, self.feedCount, self.pageCount) = (postCount, feedCount, pageCount)
  }
}

extension PostView {
  /// Whether the post is neither too long for a list nor has too many players for it.
  fileprivate var isShortEnoughForList: Bool {
    let media = details.files.count + details.pictures.count + details.chapters.count + details.transcripts.count
    return body.bytes.count <= Site.longestListedBody && media <= Site.mostListedMedia
  }
}

extension Site {
  /// Returns the front page (`index.html`).
  package func indexPage(_ view: FrontView) -> SiteFile {
    let path = PostList.all.path
    let counts: KeyValuePairs<Placeholder, String> = [
      .posts: words.counted(.posts, view.postCount), .feeds: words.counted(.feeds, view.feedCount),
    ]
    var page = context(root: path.root, title: settings.title, description: words.text(.postsFromFeeds, counts))
    page.set(.groups, days(of: view, path.root))
    page.set(.shelves, shelves(of: view, path.root))
    let more =
      view.feedCount > view.feeds.count
      ? link(words.counted(.allFeeds, view.feedCount), from: path.root, to: Self.path(ofAbout: 1)) : nil
    page.set(.moreFeeds, more)
    page.set(.hasFeed, true)
    page.set(.hasAllFeeds, true)
    page.set(.feedBase, "")
    let pages = view.pageCount
    page.set(.older, pages > 0 ? link(pageText(pages), from: path.root, to: PostList.all.path(ofPage: pages)) : nil)
    return self.page("index", at: path, page, items: view.items.count + view.feeds.count / 2)
  }

  // MARK: - Posts

  /// Returns the posts grouped by day; after the maximum number in a row from one feed, a line links to the others.
  private func days(of view: FrontView, _ root: String) -> [PageContext] {
    var days: [(heading: String, cards: [PageContext])] = []
    var rest = view.items[...]
    while let first = rest.first {
      let row = rest.prefix { $0.feed.key == first.feed.key }
      rest = rest.dropFirst(row.count)
      // A line for a single post would take as much room as the post.
      let most = settings.mostInRow.flatMap { row.count > $0 + 1 ? $0 : nil } ?? row.count
      for item in row.prefix(most) {
        let heading = item.sortDate.map { times.day($0) } ?? words.text(.undated)
        if days.last?.heading != heading { days.append((heading, [])) }
        days[days.count - 1].cards.append(card(item, under: heading, view, root))
      }
      guard row.count > most else { continue }
      var line = PageContext(capacity: 2)
      line.set(.moreText, words.counted(.moreOfFeed, row.count - most))
      line.set(.moreURL, Self.link(from: root, to: Site.path(ofFeed: first.feed.slug)))
      days[days.count - 1].cards.append(line)
    }
    return days.map { day in
      var group = PageContext(capacity: 2)
      group.set(.heading, day.heading)
      group.set(.cards, day.cards)
      return group
    }
  }

  private func card(_ item: CardItem, under heading: String, _ view: FrontView, _ root: String) -> PageContext {
    var card = card(item, root, under: heading)
    if let whole = view.wholes[item.page], whole.isShortEnoughForList {
      card.set(.content, whole.body)
      // The picture is in the body, or above it.
      card.set(.thumbnail, nil as PageContext?)
      setMedia(&card, whole, root)
    }
    return card
  }

  // MARK: - Feeds

  /// Returns the feeds by category, then those without a category.
  private func shelves(of view: FrontView, _ root: String) -> [PageContext] {
    var byCategory: [String: [FeedItem]] = [:]
    for item in view.feeds {
      for category in item.feed.categories { byCategory[category.slug, default: []].append(item) }
    }
    var shelves = view.categories.map { category in
      var shelf = PageContext(capacity: 3)
      shelf.set(.heading, category.name)
      shelf.set(.url, Self.link(from: root, to: PostList.category(category).path))
      shelf.set(.feeds, (byCategory[category.slug] ?? []).map { feedItem($0, root) })
      return shelf
    }
    let others = view.feeds.filter(\.feed.categories.isEmpty)
    if !others.isEmpty {
      var shelf = PageContext(capacity: 3)
      shelf.set(.heading, nil as String?)
      shelf.set(.title, words.counted(.feeds, others.count))
      shelf.set(.feeds, others.map { feedItem($0, root) })
      shelves.append(shelf)
    }
    return shelves
  }
}
