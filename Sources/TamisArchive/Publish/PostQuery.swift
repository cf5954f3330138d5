import GRDB
package import TamisCore

/// A list of posts that a site shows.
package enum PostQuery: Sendable, Hashable {
  /// All canonical posts.
  case all
  /// The posts of a feed, by its number, folded ones included.
  case feed(FeedNumber)
  /// The canonical posts with a tag, by its slug.
  case tag(String)
  /// The canonical posts of the feeds in a category, by its slug.
  case category(String)
  /// The canonical posts of a month, counted from the beginning of the year 0.
  case month(Int64)

  /// The orders in which lists are read; each has an index.
  fileprivate enum Order {
    case time, arrival
  }

  /// Returns the tables of the list with the condition of its rows, in SQL.
  ///
  /// - Parameters:
  ///   - order: the order in which the rows are read.
  ///   - needsPosts: whether more of the posts is needed than the columns of the list.
  /// - Returns: what follows `FROM`, up to the condition; ``arguments(_:)`` are its values.
  fileprivate func source(_ order: Order, needsPosts: Bool) -> String {
    switch self {
    case .all: "post WHERE post.shown = 1"
    case .feed: "post WHERE post.feed = ? AND post.shown > 0"
    case .tag where needsPosts: "tag JOIN post ON post.id = tag.post WHERE tag.slug = ?"
    case .tag: "tag WHERE tag.slug = ?"
    case .category: "category JOIN post ON post.feed = category.feed WHERE category.slug = ? AND post.shown = 1"
    case .month where order == .time: "post WHERE post.sortDate >= ? AND post.sortDate < ? AND post.shown = 1"
    case .month: "post WHERE post.month = ? AND post.shown = 1"
    }
  }

  fileprivate func arguments(_ order: Order) -> StatementArguments {
    switch self {
    case .all: []
    case .feed(let number): [number]
    case .tag(let slug), .category(let slug): [slug]
    case .month(let number) where order == .time:
      [CivilTime.start(ofMonth: number), CivilTime.start(ofMonth: number + 1)]
    case .month(let number): [number]
    }
  }

  /// The table with the columns by which the list is sorted.
  private var table: String { if case .tag = self { "tag" } else { "post" } }

  fileprivate var post: String { if case .tag = self { "tag.post" } else { "post.id" } }
  fileprivate var sortDate: String { "\(table).sortDate" }
  fileprivate var arrival: String { "\(table).arrival" }
}

/// Reads the posts that a site lists.
package struct PostReader: Sendable {
  let archive: Archive
  let unread: String
  let keepsPictures: Bool
  /// The cache; nil when nothing is cached.
  private let memory: PostCache?

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - showsUnreadOnly: whether only posts are listed that were not marked as read since their last change.
  ///   - keepsPictures: whether cards name the stored files of their pictures.
  ///   - remembers: whether posts are read once for all lists that they are on; the archive must not change meanwhile.
  package init(_ archive: Archive, showsUnreadOnly: Bool, keepsPictures: Bool = false, remembers: Bool = false) {
    (self.archive, self.keepsPictures) = (archive, keepsPictures)
    memory = remembers ? PostCache() : nil
    unread = showsUnreadOnly ? " AND NOT (post.read > 0 AND post.read >= post.changed)" : ""
  }

  private func source(of query: PostQuery, _ order: PostQuery.Order) -> String {
    query.source(order, needsPosts: !unread.isEmpty) + unread
  }

  /// Returns the newest posts of a list, the newest first.
  package func newest(_ count: Int, of query: PostQuery) throws(Archive.Failure) -> [ListedPost] {
    try select(
      query.post, from: source(of: query, .time),
      orderedBy: "\(query.sortDate) DESC, \(query.arrival) DESC LIMIT ?", arguments: query.arguments(.time) + [count]
    ) { $0.position > $1.position }
  }

  /// Returns some posts of a list in the order of arrival.
  package func inOrderOfArrival(_ query: PostQuery, skipping skipped: Int, count: Int) throws(Archive.Failure)
    -> [ListedPost]
  {
    try select(
      query.post, from: source(of: query, .arrival), orderedBy: "\(query.arrival) LIMIT ? OFFSET ?",
      arguments: query.arguments(.arrival) + [count, skipped]
    ) { $0.position.arrival < $1.position.arrival }
  }

  /// Returns some posts of a list in the order of arrival, after a given one.
  package func inOrderOfArrival(_ query: PostQuery, after arrival: Int64, count: Int) throws(Archive.Failure)
    -> [ListedPost]
  {
    try select(
      query.post, from: "\(source(of: query, .arrival)) AND \(query.arrival) > ?",
      orderedBy: "\(query.arrival) LIMIT ?", arguments: query.arguments(.arrival) + [arrival, count]
    ) { $0.position.arrival < $1.position.arrival }
  }

  /// Returns the canonical posts in a range of the order of arrival.
  package func arrived(_ range: Range<Int64>) throws(Archive.Failure) -> [ListedPost] {
    try select(
      "post.id", from: "post WHERE post.arrival >= ? AND post.arrival < ? AND post.shown = 1\(unread)",
      orderedBy: "post.arrival", arguments: [range.lowerBound, range.upperBound]
    ) { $0.position.arrival < $1.position.arrival }
  }

  /// Returns the posts of a query.
  ///
  /// The numbers are selected first: cards are in other tables and are read only for the selected posts.
  private func select(
    _ number: String, from source: String, orderedBy order: String, arguments: StatementArguments,
    _ isBefore: (ListedPost, ListedPost) -> Bool
  ) throws(Archive.Failure) -> [ListedPost] {
    let found = "SELECT \(number) AS id FROM \(source) ORDER BY \(order)"
    let posts: [ListedPost]
    if let memory {
      let numbers = try archive.read {
        try PostNumber.fetchAll($0.cachedStatement(sql: found), arguments: arguments)
      }
      posts = try memory.posts(numbers) { missing throws(Archive.Failure) in
        try read("WHERE post.id IN \(Self.listed)", [Self.list(missing)])
      }
    } else {
      posts = try read("", arguments, from: "(\(found)) AS found CROSS JOIN post ON post.id = found.id")
    }
    // The posts are usually in order, and sorting would copy them.
    let isSorted = posts.indices.dropFirst().allSatisfy { !isBefore(posts[$0], posts[$0 - 1]) }
    return isSorted ? posts : posts.sorted(by: isBefore)
  }

  /// Returns the posts in a source of posts that a condition, with the order, selects.
  func read(
    _ condition: String, _ arguments: StatementArguments, from source: String = "post"
  ) throws(Archive.Failure) -> [ListedPost] {
    let sql = "SELECT \(ListedPost.columns) FROM \(source) \(ListedPost.joins) \(condition)"
    return try archive.read { database in
      let rows = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
      var posts: [ListedPost] = []
      var feeds: [FeedNumber: Indirect<FeedCard>] = [:]
      let pictures = keepsPictures ? PictureStore(database: database) : nil
      while let row = try rows.next() { posts.append(try ListedPost(row, feeds: &feeds, pictures: pictures)) }
      return posts
    }
  }

  /// Returns the number of posts of a list.
  package func count(_ query: PostQuery) throws(Archive.Failure) -> Int {
    let sql = "SELECT count(*) FROM \(source(of: query, .arrival))"
    return try archive.read { try $0.count(sql, query.arguments(.arrival)) }
  }

  /// Returns the number of posts of a list that arrived before each of some arrival numbers, counted in one pass.
  ///
  /// - Parameters:
  ///   - query: the list.
  ///   - arrivals: the arrival numbers, sorted.
  /// - Returns: a number of posts for each arrival number, in the same order.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read.
  package func counts(_ query: PostQuery, before arrivals: [Int64]) throws(Archive.Failure) -> [Int] {
    let sql = """
      SELECT count(*) FROM \(source(of: query, .arrival)) AND \(query.arrival) >= ? AND \(query.arrival) < ?
      """
    return try archive.read { database in
      let statement = try database.cachedStatement(sql: sql)
      var (count, start) = (0, Int64.min)
      return try arrivals.map { arrival in
        count += try Int.fetchOne(statement, arguments: query.arguments(.arrival) + [start, arrival]) ?? 0
        start = arrival
        return count
      }
    }
  }

  /// Returns the number of numbered list pages; 0 when the front page shows all posts.
  ///
  /// Each page has the posts that arrived while it was the newest.
  package func pageCount(newest: Int, length: Int) throws(Archive.Failure) -> Int {
    guard let last = try lastArrival(), last >= newest else { return 0 }
    return Int(last) / length + 1
  }

  /// Returns the arrival number of the last canonical post to arrive; nil when there is none.
  package func lastArrival() throws(Archive.Failure) -> Int64? {
    // SQLite would take a partial index with the same condition, read all its posts and sort them. The last posts to
    // arrive are nearly always canonical, so a few steps from the end of this index are enough.
    let sql = """
      SELECT post.arrival FROM post INDEXED BY post_arrival WHERE post.shown = 1\(unread)
      ORDER BY post.arrival DESC LIMIT 1
      """
    return try archive.read { try Int64.fetchOne($0, sql: sql) }
  }

  /// A direction in a list: how a neighbour compares, and which of several is the nearest.
  private enum Side {
    case newer, older

    var comparison: String { self == .newer ? ">" : "<" }
    var order: String { self == .newer ? "ASC" : "DESC" }
  }

  /// Returns the neighbours of some positions in a list.
  package func around(_ positions: [ListedPost.Position], on query: PostQuery) throws(Archive.Failure) -> Set<
    PostNumber
  > {
    let sorted = positions.sorted()
    let newer = try nearest(.newer, to: sorted) { $0 > $1 }
    return newer.union(try nearest(.older, to: sorted.reversed()) { $0 < $1 })

    /// Returns the nearest posts on one side of sorted positions.
    ///
    /// The nearest post of one position is also that of all following positions up to it, so posts that are not listed
    /// are passed over once.
    func nearest(
      _ side: Side, to positions: [ListedPost.Position], isBeyond: (ListedPost.Position, ListedPost.Position) -> Bool
    ) throws(Archive.Failure) -> Set<PostNumber> {
      var found: Set<PostNumber> = []
      var last: ListedPost.Position?
      for position in positions {
        if let last, isBeyond(last, position) { continue }
        guard let next = try self.nearest(side, to: position, on: query) else { break }
        found.insert(next.number)
        last = next.position
      }
      return found
    }
  }

  /// Returns the nearest post on one side of a position in a list.
  private func nearest(
    _ side: Side, to position: ListedPost.Position, on query: PostQuery
  ) throws(Archive.Failure) -> (number: PostNumber, position: ListedPost.Position)? {
    let (sortDate, arrival) = (query.sortDate, query.arrival)
    let posts = "SELECT \(query.post), \(sortDate), \(arrival) FROM \(source(of: query, .time))"
    // Two queries that use the index: for a comparison of pairs, SQLite would scan all posts of one second.
    let beside =
      "\(posts) AND \(sortDate) = ? AND \(arrival) \(side.comparison) ? ORDER BY \(arrival) \(side.order) LIMIT 1"
    let beyond =
      "\(posts) AND \(sortDate) \(side.comparison) ? ORDER BY \(sortDate) \(side.order), \(arrival) \(side.order) LIMIT 1"
    let arguments = query.arguments(.time)
    return try archive.read { database in
      let row =
        try Row.fetchOne(
          database.cachedStatement(sql: beside), arguments: arguments + [position.sortDate, position.arrival])
        ?? Row.fetchOne(database.cachedStatement(sql: beyond), arguments: arguments + [position.sortDate])
      return try row.map { try (PostNumber(rawValue: $0[0]), ListedPost.Position(sortDate: $0[1], arrival: $0[2])) }
    }
  }

  /// Returns the neighbours of some posts.
  package func neighbours(of numbers: [PostNumber]) throws(Archive.Failure) -> [PostNumber: Neighbours] {
    let unread = unread.replacing("post.", with: "next.")
    // Two queries, for the same reason.
    func next(_ side: Side, in list: String) -> String {
      """
      ifnull((SELECT next.id FROM post AS next WHERE \(list)\(unread) AND next.sortDate = post.sortDate
      AND next.arrival \(side.comparison) post.arrival ORDER BY next.arrival \(side.order) LIMIT 1),
      (SELECT next.id FROM post AS next WHERE \(list)\(unread) AND next.sortDate \(side.comparison) post.sortDate
      ORDER BY next.sortDate \(side.order), next.arrival \(side.order) LIMIT 1))
      """
    }
    let (all, feed) = ("next.shown = 1", "next.feed = post.feed AND next.shown > 0")
    let sql = """
      SELECT post.id, \(next(.newer, in: all)), \(next(.older, in: all)),
      \(next(.newer, in: feed)), \(next(.older, in: feed))
      FROM post WHERE post.id IN \(Self.listed)
      """
    let select = "SELECT \(Neighbour.columns) FROM post \(Neighbour.joins) WHERE post.id IN \(Self.listed)"
    return try archive.read { database in
      let rows = try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [Self.list(numbers)])
      let wanted = try Set(rows.flatMap { row in try (1...4).compactMap { try row[$0] as Int64? } }).map {
        PostNumber(rawValue: $0)
      }
      let found = try Row.fetchCursor(database.cachedStatement(sql: select), arguments: [Self.list(wanted)])
      var links: [Int64: Neighbour] = [:]
      while let row = try found.next() { try links[row[0]] = Neighbour(row) }
      var neighbours: [PostNumber: Neighbours] = [:]
      for row in rows {
        func link(_ column: Int) throws -> Neighbour? { try (row[column] as Int64?).flatMap { links[$0] } }
        let (ofAll, ofFeed) = try ((link(1), link(2)), (link(3), link(4)))
        try neighbours[PostNumber(rawValue: row[0])] = Neighbours(ofAll, inFeed: ofFeed)
      }
      return neighbours
    }
  }

  /// An SQL subquery: the numbers of the argument that ``list(_:)`` made.
  ///
  /// Numbers in the statement itself would make each list a statement of its own, and GRDB caches all of them.
  static let listed = "(SELECT value FROM json_each(?))"

  static func list(_ numbers: some Sequence<PostNumber>) -> String {
    "[" + numbers.map { String($0.rawValue) }.joined(separator: ",") + "]"
  }

  /// Returns some canonical posts, after a number.
  package func posts(after number: PostNumber, count: Int) throws(Archive.Failure) -> [ListedPost] {
    let posts = try read("WHERE post.id > ? AND post.shown = 1 ORDER BY post.id LIMIT ?", [number, count])
    memory?.remember(posts)
    return posts
  }

  /// Returns posts that were changed after the day on which they were published, the last changed first.
  package func updated(_ count: Int) throws(Archive.Failure) -> [ListedPost] {
    try select(
      "post.id",
      from: """
        card AS changed JOIN post ON post.id = changed.post WHERE changed.updated IS NOT NULL AND post.shown = 1
        AND changed.updated >= ifnull(changed.published + 86400, changed.updated)\(unread)
        """, orderedBy: "changed.updated DESC, post.sortDate DESC, post.arrival DESC LIMIT ?", arguments: [count]
    ) {
      let (left, right) = ($0.card.updated ?? 0, $1.card.updated ?? 0)
      return left == right ? $0.position > $1.position : left > right
    }
  }

  /// Returns the canonical posts among some posts, by number.
  package func posts(_ numbers: [PostNumber]) throws(Archive.Failure) -> [ListedPost] {
    try read("WHERE post.id IN \(Self.listed) AND post.shown = 1 ORDER BY post.id", [Self.list(numbers)])
  }

  /// Returns the posts that are folded into a post, by feed and page.
  package func copies(of number: PostNumber) throws(Archive.Failure) -> [ListedPost] {
    try read(
      "WHERE post.fold = ? AND post.fold <> 0 AND post.shown = 2 ORDER BY feed.key, post.pid", [number.rawValue])
  }

  /// Returns the stored bodies of some posts.
  package func bodies(of numbers: [PostNumber]) throws(Archive.Failure) -> [PostNumber: PackedBody] {
    let sql = "SELECT post, content FROM body WHERE post IN \(Self.listed)"
    return try archive.readLongRows { database in
      let rows = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: [Self.list(numbers)])
      var bodies: [PostNumber: PackedBody] = [:]
      while let row = try rows.next() {
        try bodies[PostNumber(rawValue: row[0])] = PackedBody(row[1])
      }
      return bodies
    }
  }

  // MARK: - Pages that have moved

  /// Returns some posts, after a number, that were canonical once and are folded now.
  ///
  /// The pages of these posts redirect to the canonical post.
  package func moved(after number: PostNumber, count: Int) throws(Archive.Failure) -> [MovedPost] {
    try moved(where: "post.id > ? AND post.fold <> 0", rest: "ORDER BY post.id LIMIT \(count)", arguments: [number])
  }

  /// Returns a post that was canonical once and is folded now; nil when it is not one.
  package func moved(_ number: PostNumber) throws(Archive.Failure) -> MovedPost? {
    try moved(where: "post.id = ?", rest: "", arguments: [number]).first
  }

  private func moved(where condition: String, rest: String, arguments: StatementArguments) throws(Archive.Failure)
    -> [MovedPost]
  {
    let sql = """
      SELECT post.id, feed.slug, post.name, otherFeed.slug, other.name FROM post JOIN feed ON feed.id = post.feed
      JOIN post AS other ON other.id = post.fold JOIN feed AS otherFeed ON otherFeed.id = other.feed
      WHERE \(condition) AND post.shown = 2 AND post.first < max(other.first, post.since, other.since) \(rest)
      """
    return try archive.read { database in
      try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments).map { row in
        try MovedPost(
          number: PostNumber(rawValue: row[0]), from: PagePath(ofPost: row[2], feedSlug: row[1]),
          to: PagePath(ofPost: row[4], feedSlug: row[3]))
      }
    }
  }

  /// Returns the names of the pages of posts that are hidden, or no longer have a page of their own.
  package func pages(of numbers: [PostNumber]) throws(Archive.Failure) -> [PostNumber: PagePath] {
    let sql = """
      SELECT post.id, feed.slug, post.name FROM post JOIN feed ON feed.id = post.feed WHERE post.id IN \(Self.listed)
      """
    return try archive.read { database in
      let rows = try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [Self.list(numbers)])
      return Dictionary(
        try rows.map { try (PostNumber(rawValue: $0[0]), PagePath(ofPost: $0[2], feedSlug: $0[1])) }
      ) { first, _ in first }
    }
  }
}
