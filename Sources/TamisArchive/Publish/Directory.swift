import GRDB
package import TamisCore

/// A feed as a site lists it.
package struct FeedRow: Sendable, Hashable {
  /// The number in the archive.
  package var number: FeedNumber
  /// The data that lists show of the feed.
  package var card: FeedCard
}

/// The lists of a site besides posts: feeds, tags, months.
package struct Directory: Sendable {
  private let archive: Archive
  private let keepsPictures: Bool

  /// Creates a directory of an archive.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - keepsPictures: whether cards name the stored files of their pictures.
  package init(_ archive: Archive, keepsPictures: Bool = false) {
    (self.archive, self.keepsPictures) = (archive, keepsPictures)
  }

  /// Returns the number of feeds that have not been removed.
  package func feedCount() throws(Archive.Failure) -> Int {
    try archive.read { try $0.count("SELECT count(*) FROM feed WHERE isRemoved = 0") }
  }

  /// Returns the first feeds in the order of their names.
  package func feeds(count: Int) throws(Archive.Failure) -> [FeedRow] {
    try feeds("isRemoved = 0 ORDER BY lower(title), key LIMIT ?", [count])
  }

  /// Returns some feeds after one in the order of their numbers.
  package func feeds(after number: FeedNumber, count: Int) throws(Archive.Failure) -> [FeedRow] {
    try feeds("isRemoved = 0 AND id > ? ORDER BY id LIMIT ?", [number, count])
  }

  /// Returns the numbers of all feeds that have not been removed, in the order of their names.
  package func feedNumbers() throws(Archive.Failure) -> [FeedNumber] {
    try archive.read { database in
      try Int64.fetchAll(database, sql: "SELECT id FROM feed WHERE isRemoved = 0 ORDER BY lower(title), key")
        .map { FeedNumber(rawValue: $0) }
    }
  }

  /// Returns feeds by number, in the given order.
  package func feeds(_ numbers: some Sequence<FeedNumber>) throws(Archive.Failure) -> [FeedRow] {
    var found: [FeedRow] = []
    for number in numbers { if let feed = try feed(number) { found.append(feed) } }
    return found
  }

  /// Returns the feeds with the newest posts, in the order of their names.
  package func liveliestFeeds(_ count: Int) throws(Archive.Failure) -> [FeedRow] {
    // More candidates than are shown; usually these are all feeds.
    let sql = """
      id IN (SELECT id FROM feed WHERE isRemoved = 0 ORDER BY
        (SELECT sortDate FROM post WHERE post.feed = feed.id AND post.shown > 0 ORDER BY sortDate DESC, arrival DESC LIMIT 1) DESC, key LIMIT ?)
      ORDER BY lower(title), key
      """
    return try feeds(sql, [count])
  }

  /// Returns a feed; nil when it was removed or there is none with this number.
  package func feed(_ number: FeedNumber) throws(Archive.Failure) -> FeedRow? {
    try feeds("isRemoved = 0 AND id = ?", [number]).first
  }

  private func feeds(_ condition: String, _ arguments: StatementArguments) throws(Archive.Failure) -> [FeedRow] {
    try archive.read { database in
      let sql = "SELECT id, \(FeedStore.selection) FROM feed WHERE \(condition)"
      let feeds = try Row.fetchAll(database, sql: sql, arguments: arguments).map {
        try FeedRow(number: $0[0], card: FeedStore.card($0, from: 1))
      }
      return keepsPictures ? try PictureStore(database: database).filled(feeds) : feeds
    }
  }

  /// Returns the fetch states of feeds; feeds that are read from files have none.
  package func fetching(of feeds: [FeedNumber]) throws(Archive.Failure) -> [FeedNumber: FetchState] {
    try archive.read { database in
      let sql =
        "SELECT \(FetchStore.selection) FROM feed JOIN fetch ON fetch.subscription = feed.location WHERE feed.id = ?"
      let find = try database.cachedStatement(sql: sql)
      var states: [FeedNumber: FetchState] = [:]
      for feed in feeds {
        states[feed] = try Row.fetchOne(find, arguments: [feed]).map { try FetchStore.state($0, from: 0) }
      }
      return states
    }
  }

  /// Returns the number of posts of a feed in each of some weeks, the last of which ends with the newest post of all
  /// feeds.
  ///
  /// - Returns: a count for each week, the newest last.
  package func postsPerWeek(ofFeed number: FeedNumber, weeks: Int) throws(Archive.Failure) -> [Int] {
    let week: Int64 = 7 * 86_400
    return try archive.read { database in
      let last = "SELECT sortDate FROM post WHERE shown = 1 ORDER BY sortDate DESC LIMIT 1"
      guard let end = try Int64.fetchOne(database.cachedStatement(sql: last)), end != CardStore.undated else {
        return []
      }
      let start = end + 1 - Int64(weeks) * week
      let sql = """
        SELECT (sortDate - ?) / ?, count(*) FROM post WHERE feed = ? AND shown > 0 AND sortDate BETWEEN ? AND ? GROUP BY 1
        """
      var counts = Array(repeating: 0, count: weeks)
      for row in try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [start, week, number, start, end]) {
        let index: Int = try row[0]
        if counts.indices.contains(index) { counts[index] = try row[1] }
      }
      return counts
    }
  }

  /// Returns the slug of a feed, even of a removed one; nil when there is none with this number.
  package func slug(ofFeed number: FeedNumber) throws(Archive.Failure) -> String? {
    try archive.read { try String.fetchOne($0, sql: "SELECT slug FROM feed WHERE id = ?", arguments: [number]) }
  }

  /// Returns the title of a feed; nil when there is none with this key.
  package func title(ofFeed key: Feed.Key) throws(Archive.Failure) -> String? {
    try archive.read { try String.fetchOne($0, sql: "SELECT title FROM feed WHERE key = ?", arguments: [key.text]) }
      .map(ValidValue.title)
  }

  // MARK: - Tags

  /// Returns the number of tags that begin with a prefix.
  package func tagCount(beginning prefix: String) throws(Archive.Failure) -> Int {
    try archive.read { database in
      try database.count("SELECT count(*) FROM label WHERE slug >= ? AND slug < ?", [prefix, Self.end(of: prefix)])
    }
  }

  /// Returns the next characters of the tags with a prefix; an empty string for a tag that equals the prefix.
  package func nextLetters(ofTagsBeginning prefix: String) throws(Archive.Failure) -> [String] {
    let sql = "SELECT DISTINCT substr(slug, ?, 1) FROM label WHERE slug >= ? AND slug < ? ORDER BY 1"
    return try archive.read { database in
      try String.fetchAll(
        database.cachedStatement(sql: sql), arguments: [prefix.unicodeScalars.count + 1, prefix, Self.end(of: prefix)])
    }
  }

  /// Returns the tags that begin with a prefix, or that equal it.
  package func tags(beginning prefix: String, exactly: Bool = false) throws(Archive.Failure) -> [TagItem] {
    let condition = exactly ? "slug = ? AND slug < ?" : "slug >= ? AND slug < ?"
    return try tags("\(condition) ORDER BY slug", [prefix, Self.end(of: prefix)])
  }

  /// Returns some tags with at least a number of posts, after one in the order of slugs.
  package func tags(after slug: String, ofAtLeast posts: Int, count: Int) throws(Archive.Failure) -> [TagItem] {
    try tags("slug > ? AND typeof(slug) = 'text' AND count >= ? ORDER BY slug LIMIT ?", [slug, posts, count])
  }

  /// Returns a tag; nil when no post has it.
  package func tag(_ slug: String) throws(Archive.Failure) -> TagItem? { try tags("slug = ?", [slug]).first }

  /// Returns the tags with the most posts, in descending order.
  package func mostUsedTags(_ count: Int) throws(Archive.Failure) -> [TagItem] {
    try tags("count > 0 ORDER BY count DESC, slug LIMIT ?", [count])
  }

  private func tags(_ condition: String, _ arguments: StatementArguments) throws(Archive.Failure) -> [TagItem] {
    let sql = "SELECT slug, name, count FROM label WHERE \(condition)"
    return try archive.read { database in
      try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments).map {
        try TagItem(slug: $0[0], name: ValidValue.title($0[1]), count: $0[2])
      }
    }
  }

  /// Returns a text that sorts after all texts with a prefix, in byte order.
  private static func end(of prefix: String) -> String { prefix + "\u{10FFFF}" }

  // MARK: - Categories

  /// Returns the categories of feeds that have not been removed, in the order of their names.
  package func categories() throws(Archive.Failure) -> [CategoryCard] {
    let sql = """
      SELECT category.slug, min(name) FROM category JOIN feed ON feed.id = category.feed WHERE feed.isRemoved = 0
      GROUP BY category.slug ORDER BY lower(min(name)), category.slug
      """
    return try archive.read { database in
      try Row.fetchAll(database, sql: sql).map { try CategoryCard(slug: $0[0], name: ValidValue.title($0[1])) }
    }
  }

  /// Returns the slugs of the categories of feeds.
  package func categories(of feeds: some Sequence<FeedNumber>) throws(Archive.Failure) -> [FeedNumber: [String]] {
    try archive.read { database in
      let store = FeedStore(database: database)
      var categories: [FeedNumber: [String]] = [:]
      for feed in feeds { categories[feed] = try store.categories(of: feed).map(\.slug) }
      return categories
    }
  }

  /// Returns the feeds in a category, in the order of their names.
  package func feeds(in category: String) throws(Archive.Failure) -> [FeedRow] {
    try feeds(
      "isRemoved = 0 AND id IN (SELECT feed FROM category WHERE slug = ?) ORDER BY lower(title), key", [category])
  }

  // MARK: - Time

  /// Whether there are posts without a date.
  package func hasUndated() throws(Archive.Failure) -> Bool {
    try archive.read {
      try $0.isTrue("SELECT EXISTS (SELECT 1 FROM post WHERE shown = 1 AND sortDate = ?)", [CardStore.undated])
    }
  }

  /// Returns the sort date of the first post at or after a time; nil when there is none.
  package func firstSortDate(from time: Int64) throws(Archive.Failure) -> Int64? {
    let sql = "SELECT sortDate FROM post WHERE shown = 1 AND sortDate >= ? ORDER BY sortDate LIMIT 1"
    return try archive.read { try Int64.fetchOne($0.cachedStatement(sql: sql), arguments: [time]) }
  }
}
