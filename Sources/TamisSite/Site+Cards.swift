import TamisCore
import TamisDigest

/// What a site lists: what earlier builds have left, with what this one has put over it.
extension Site {
  /// What earlier runs listed, with what this one has put over it.
  func merged(
    _ feeds: [FeedCard], _ posts: [PostCard], _ hidden: Set<String>, _ removed: Set<FeedKey>,
    _ standing: (_ feed: FeedKey, _ path: String) -> Bool
  ) -> SiteManifest {
    let newFeeds = Set(feeds.map(\.key))
    let newPaths = Set(posts.map(\.path))
    var manifest = SiteManifest()
    manifest.redirects = earlier.redirects
    manifest.feeds = (feeds + earlier.feeds.filter { !newFeeds.contains($0.key) && !removed.contains($0.key) }).sorted {
      lhs, rhs in
      (lhs.title.lowercased(), lhs.key) < (rhs.title.lowercased(), rhs.key)
    }
    let known = Dictionary(earlier.posts.map { ($0.path, $0) }) { first, _ in first }
    let placed = posts.map { post in
      guard let known = known[post.path] else { return post }
      var post = post
      post.order = known.order
      // A place that was found for a post without a date of its own stays.
      if known.published == post.published, known.place != known.published { post.place = known.place ?? post.place }
      return post
    }
    var stays = inherited(removed).filter { !newPaths.contains($0.path) }
    if !stays.isEmpty {
      // The same post under another name has moved.
      let pages = moves(to: posts)
      stays.removeAll { post in
        guard let page = pages[Self.identity(post)], page != post.path else { return false }
        return !standing(post.feed, post.path)
      }
    }
    let all = (placed + stays).filter {
      !hidden.contains($0.path) && !hidden.contains($0.page)
    }
    // Newest first, undated last; what is of the same second keeps the order of its document. Places are sorted, not cards,
    // which are large.
    let order = all.indices.sorted { lhs, rhs in
      let (left, right) = (all[lhs].place ?? .min, all[rhs].place ?? .min)
      if left != right { return left > right }
      return all[lhs].feed == all[rhs].feed ? lhs < rhs : all[lhs].feed < all[rhs].feed
    }
    manifest.posts = order.map { all[$0] }
    return manifest
  }

  /// Gives numbers to posts that have none, the oldest first.
  func number(_ manifest: inout SiteManifest) {
    var next = (manifest.posts.compactMap(\.order).max() ?? -1) + 1
    for index in manifest.posts.indices.reversed() where manifest.posts[index].order == nil {
      manifest.posts[index].order = next
      next += 1
    }
  }

  /// The posts of earlier builds without those of feeds that are removed; of these stay the ones that stand for posts of
  /// other feeds, as posts of those.
  private func inherited(_ removed: Set<FeedKey>) -> [PostCard] {
    if removed.isEmpty { return earlier.posts }
    var heirs: [String: PostCard] = [:]
    for post in earlier.posts where !removed.contains(post.feed) {
      if let page = post.foldedInto, heirs[page] == nil { heirs[page] = post }
    }
    let orphans = Set(earlier.posts.lazy.filter { removed.contains($0.feed) }.map(\.path))
    return earlier.posts.compactMap { post in
      if let page = post.foldedInto, orphans.contains(page), heirs[page]?.path == post.path { return nil }
      guard removed.contains(post.feed) else { return post }
      guard post.foldedInto == nil, let heir = heirs[post.path] else { return nil }
      var post = post
      (post.feed, post.memo) = (heir.feed, heir.memo)
      return post
    }
  }

  /// By what a post is known as the same under another name.
  private static func identity(_ post: PostCard) -> String { "\(post.feed)\n\(post.memo ?? "")" }

  /// The pages of posts by their identities, without those that several posts have or had: they name none.
  private func moves(to posts: [PostCard]) -> [String: String] {
    func pages(_ posts: [PostCard]) -> [String: String?] {
      Dictionary(posts.lazy.filter(\.hasMemo).map { (Self.identity($0), $0.page) }) { _, _ in nil }
    }
    let before = pages(earlier.posts)
    return pages(posts).compactMapValues { $0 }.filter { (before[$0.key] ?? nil) != nil }
  }

  /// Remembers where posts were that are elsewhere now: the same post under another name, or folded into another.
  func redirect(_ manifest: inout SiteManifest, _ hidden: Set<String>) {
    let paths = Set(manifest.posts.lazy.filter { $0.foldedInto == nil }.map(\.path))
    let gone = earlier.posts.filter { $0.foldedInto == nil && !paths.contains($0.path) && !hidden.contains($0.path) }
    var redirects = manifest.redirects ?? [:]
    if !gone.isEmpty {
      let pages = moves(to: manifest.posts)
      for post in gone {
        if let page = pages[Self.identity(post)], page != post.path { redirects[post.path] = page }
      }
    }
    // One that leads to another leads to where that does.
    for (path, target) in redirects {
      if let next = redirects[target], next != path { redirects[path] = next }
    }
    redirects = redirects.filter { paths.contains($0.value) && !paths.contains($0.key) && SiteFolder.isInside($0.key) }
    manifest.redirects = redirects.isEmpty ? nil : redirects
  }

  /// The feeds' cards.
  ///
  /// A feed keeps the page it got first; one whose name is taken gets a part of its key's digest too.
  func feedCards(_ feeds: [SiteFeed], _ failures: [FeedKey: String]) -> [FeedCard] {
    let known = Dictionary(earlier.feeds.map { ($0.key, $0) }) { first, _ in first }
    var taken = Set(known.values.map(\.path))
    func path(_ key: FeedKey) -> String {
      if let known = known[key] { return known.path }
      let slug = Slug.ofFeed(key)
      var path = "feeds/\(slug).html"
      if taken.contains(path) { path = "feeds/\(slug)-\(SHA256(key.text).hex.prefix(8)).html" }
      taken.insert(path)
      return path
    }
    let read = feeds.map { feed in
      let title = feed.title.isEmpty ? feed.key.publicName : feed.title
      return FeedCard(
        key: feed.key, path: path(feed.key), title: title, subtitle: feed.subtitle, link: feed.link,
        address: feed.address, image: feed.image, language: feed.language,
        direction: TextDirection(language: feed.language, text: title).rawValue, status: feed.status)
    }
    let failed = failures.sorted { $0.key < $1.key }.map { key, reason in
      var card =
        known[key]
        ?? FeedCard(
          key: key, path: path(key), title: key.publicName, subtitle: "",
          direction: TextDirection.leftToRight.rawValue)
      card.status = FeedStatus()
      card.status?.failure = reason
      return card
    }
    return read + failed
  }

  func card(_ shown: SitePost, _ feed: SiteFeed) -> PostCard {
    let post = shown.post
    let types = post.enclosures.compactMap { $0.type?.lowercased() }
    var title = post.title
    if title.isEmpty {
      let beginning = post.excerpt.split(separator: " ").prefix(12).joined(separator: " ")
      title = beginning.isEmpty ? "Untitled" : String(beginning.prefix(120))
    }
    return PostCard(
      feed: feed.key, path: shown.path, foldedInto: shown.foldedInto, memo: shown.memo, title: title,
      isUntitled: post.title.isEmpty, excerpt: post.excerpt, published: post.published, updated: post.updated,
      place: shown.place, readingMinutes: post.readingMinutes, language: post.language,
      direction: post.direction.rawValue,
      hasAudio: types.contains { $0.hasPrefix("audio/") }, hasVideo: types.contains { $0.hasPrefix("video/") },
      thumbnail: post.thumbnail.map {
        PostCard.Picture(url: $0.url, alternative: $0.alternative, width: $0.width, height: $0.height)
      }, tags: post.categories.isEmpty ? nil : post.categories, authors: post.authors.isEmpty ? nil : post.authors,
      original: post.permalink?.url)
  }
}

extension PostCard {
  /// Whether the index wanted something kept that names the post.
  ///
  /// It once wanted the marks between the parts kept where there were none.
  fileprivate var hasMemo: Bool { memo?.utf8.contains { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "g") } ?? false }
}
