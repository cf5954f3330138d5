import GRDB
import TamisCore
import TamisSystem

extension Archive {
  /// Computes the decisions that are derived from the observations: which posts are canonical, the order of arrival,
  /// which posts are shown and under which tags, and the slugs of feeds.
  ///
  /// The result depends on the content of the archive, not on how it was added; only changes are computed.
  ///
  /// - Throws: ``Archive/Failure`` when the archive cannot be written.
  package func settle() throws(Archive.Failure) {
    let sql = """
      SELECT EXISTS (SELECT 1 FROM unsettled) OR EXISTS (SELECT 1 FROM unlabelled)
      OR EXISTS (SELECT 1 FROM feed WHERE slug = '')
      """
    guard try read({ try $0.isTrue(sql) }) else { return }
    try write { database in
      var state = DerivedState(database: database)
      try state.run()
    }
  }
}

/// Computes the decisions that are derived from the observations.
private struct DerivedState {
  let database: Database

  /// The number of posts in a batch.
  private static let batch: Int64 = 1000

  mutating func run() throws {
    try date()
    try nameFeeds()
    try fold()
    try number()
    try show()
    try label()
  }

  // MARK: - Days

  /// Assigns a day to posts that were there when one archive first read their feed, when another joined archive saw the
  /// feed without them: the time at which they were first seen.
  private func date() throws {
    let unseen = "card.day = \(SortDate.unseen) AND card.post IN (SELECT post FROM unsettled)"
    guard try database.isTrue("SELECT EXISTS (SELECT 1 FROM card WHERE \(unseen))") else {
      return
    }
    let came = """
      card.post = post.id AND post.flags & \(StoredPost.Flags.backfill.rawValue) = 0
      AND post.first > (SELECT min(moment) FROM observation WHERE observation.feed = post.feed)
      AND post.first > \(Moment.firstClock)
      """
    try database.execute(
      sql: """
        UPDATE post SET arrivalDate = NULL,
            sortDate = CASE WHEN card.published <= post.first + \(SortDate.aDay) THEN card.published ELSE post.first END
          FROM card WHERE \(came) AND \(unseen);
        UPDATE card SET day = post.first FROM post WHERE \(came) AND \(unseen)
        """)
  }

  // MARK: - Names of feeds

  /// Assigns slugs to feeds: of feeds that prefer the same slug, the first gets it, and the others get it with a part
  /// of their key's digest appended.
  private func nameFeeds() throws {
    let preferred = try String.fetchAll(database, sql: "SELECT DISTINCT preferredSlug FROM feed WHERE slug = ''")
    for slug in preferred {
      let feeds = try Row.fetchAll(
        database, sql: "SELECT id, key, slug FROM feed WHERE preferredSlug = ? ORDER BY first, key", arguments: [slug])
      for (index, row) in feeds.enumerated() {
        let (number, key, before): (Int64, String, String) = try (row[0], row[1], row[2])
        let slug = index == 0 ? slug : "\(slug)-\(SHA256(key).hex.prefix(8))"
        if slug == before { continue }
        // All pages of the feed move; the old ones are deleted like those of a removed feed.
        if !before.isEmpty { try database.execute(sql: "UPDATE site SET isCurrent = 0") }
        try database.execute(sql: "UPDATE feed SET slug = ? WHERE id = ?", arguments: [slug, number])
      }
    }
  }

  // MARK: - Folds

  private func fold() throws {
    let unsettled = try database.count("SELECT count(*) FROM unsettled")
    let posts = try database.count("SELECT max(id) FROM post")
    var source = "SELECT post FROM unsettled"
    if unsettled * 10 > posts {
      // With this many new posts, reading all keys once is cheaper than looking up each.
      let most = PostStore.mostForSharedKey
      try database.execute(
        sql: """
          CREATE TEMP TABLE sharing (post INTEGER PRIMARY KEY);
          INSERT OR IGNORE INTO sharing SELECT post FROM key WHERE digest IN
            (SELECT digest FROM key GROUP BY digest HAVING count(*) BETWEEN 2 AND \(most));
          INSERT OR IGNORE INTO sharing SELECT post FROM same;
          INSERT OR IGNORE INTO sharing SELECT id FROM post WHERE fold <> 0;
          """)
      source = "SELECT post FROM unsettled WHERE post IN (SELECT post FROM sharing)"
    }
    var folding = try Folding(database)
    try forEachBatch(of: source) { numbers in
      try folding.fold(numbers)
      folding.trim()
    }
    try database.execute(sql: "DROP TABLE IF EXISTS temp.sharing")
  }

  /// Calls `body` with the posts in the order of their numbers; posts that are added meanwhile are included if their
  /// numbers are greater.
  private func forEachBatch(of sql: String, _ body: ([PostNumber]) throws -> Void) throws {
    var last: Int64 = 0
    let statement = try database.makeStatement(
      sql: "SELECT post FROM (\(sql)) WHERE post > ? ORDER BY post LIMIT \(Self.batch)")
    while true {
      let numbers = try PostNumber.fetchAll(statement, arguments: [last])
      guard let end = numbers.last else { return }
      try body(numbers)
      last = end.rawValue
    }
  }

  // MARK: - Order

  /// Numbers the new posts in the order of arrival; posts of the same moment are ordered by date, the oldest first.
  private func number() throws {
    try database.execute(
      sql: """
        UPDATE post SET arrivalDate = ifnull(arrivalDate, sortDate),
          arrival = counted.number + (SELECT ifnull(max(arrival), -1) + 1 FROM post) FROM (
          SELECT post.id, row_number() OVER (ORDER BY post.first, ifnull(post.arrivalDate, post.sortDate), feed.key, post.position DESC, post.pid) - 1 AS number
          FROM unsettled JOIN post ON post.id = unsettled.post JOIN feed ON feed.id = post.feed WHERE post.arrival IS NULL
        ) AS counted WHERE post.id = counted.id
        """)
  }

  // MARK: - What is shown

  /// Decides whether and how posts are shown, and lists the canonical ones under their tags.
  private func show() throws {
    let changes = try ChangeLog(database)
    var source = "SELECT post FROM unsettled"
    // If no changes have to be recorded, posts that were never shown are decided in one step.
    if !changes.isKept {
      source += " WHERE NOT EXISTS (SELECT 1 FROM post WHERE post.id = unsettled.post AND post.shown = 0)"
    }
    try forEachBatch(of: source) { numbers in
      for number in numbers { try show(number, changes) }
    }
    if !changes.isKept { try showNew() }
    try database.execute(sql: "DELETE FROM unsettled")
  }

  /// An SQL condition: a post is hidden.
  private static let isHidden = """
    (post.forgotten > 0 OR post.purged > 0 OR post.flags & \(StoredPost.Flags.heldBack.rawValue)
      OR post.feed IN (SELECT id FROM feed WHERE isRemoved))
    """

  /// Decides on the posts that are not shown yet, which have no tags so far.
  private func showNew() throws {
    let select = """
      SELECT post.id, sortDate, arrival, tags, slugs FROM unsettled JOIN post ON post.id = unsettled.post JOIN card ON card.post = post.id
      WHERE shown = 0 AND fold = 0 AND slugs <> '' AND NOT \(Self.isHidden)
      """
    let tags = try RowWriter(database, sql: "INSERT OR IGNORE INTO tag VALUES (?, ?, ?, ?, ?)")
    var unlabelled: Set<String> = []
    let rows = try Row.fetchCursor(database, sql: select)
    while let row = try rows.next() {
      let (number, sortDate, arrival): (Int64, Int64, Int64) = try (row[0], row[1], row[2])
      for (tag, slug) in try zip(StoredList.parts(row[3]), StoredList.parts(row[4])) {
        try tags.write { row in
          row.append(slug)
          row.append(sortDate)
          row.append(arrival)
          row.append(number)
          row.append(tag)
        }
        if unlabelled.insert(slug).inserted { try unlabel(slug) }
      }
      if unlabelled.count > Self.mostSlugs { unlabelled.removeAll() }
    }
    let time = "sortDate, 'unixepoch'"
    try database.execute(
      sql: """
        UPDATE post SET shown = CASE WHEN \(Self.isHidden) THEN 0 WHEN fold = 0 THEN 1 ELSE 2 END,
          month = CASE WHEN sortDate BETWEEN \(CheckedValue.times.lowerBound) AND \(CheckedValue.times.upperBound)
            THEN CAST(strftime('%Y', \(time)) AS INTEGER) * 12 + CAST(strftime('%m', \(time)) AS INTEGER) - 1 END
        WHERE shown = 0 AND id IN (SELECT post FROM unsettled)
        """)
  }

  /// The maximum number of tags that are collected for renaming.
  private static let mostSlugs = 10_000

  private func show(_ number: PostNumber, _ changes: ChangeLog) throws {
    let select = try database.cachedStatement(
      sql: """
        SELECT post.shown, post.fold,
          post.forgotten > 0 OR post.purged > 0 OR feed.isRemoved OR post.flags & \(StoredPost.Flags.heldBack.rawValue), post.sortDate, post.arrival, card.tags,
          card.slugs, post.feed, post.month
        FROM post JOIN feed ON feed.id = post.feed JOIN card ON card.post = post.id WHERE post.id = ?
        """)
    guard let row = try Row.fetchOne(select, arguments: [number]) else { return try untag(number) }
    let before: Int64 = try row[0]
    // A post that was not shown has no tags to remove.
    if before != 0 { try untag(number) }
    let fold: Int64 = try row[1]
    let isHidden: Bool = try row[2]
    let listing: StoredPost.Listing = isHidden ? .hidden : fold == 0 ? .own : .folded
    let sortDate: Int64 = try row[3]
    let month = CheckedValue.time(sortDate).map { CivilTime(seconds: $0).monthNumber }
    if listing.rawValue != before {
      try changes.note(number)
      try changes.note(feed: row[7], ofPosts: false, isRelisted: false)
    }
    if try listing.rawValue != before || row[8] as Int64? != month {
      try database.cachedStatement(sql: "UPDATE post SET shown = ?, month = ? WHERE id = ?")
        .execute(arguments: [listing.rawValue, month, number])
    }
    guard listing == .own else { return }
    let (tags, slugs) = try (StoredList.parts(row[5]), StoredList.parts(row[6]))
    let arrival: Int64 = try row[4]
    for (tag, slug) in zip(tags, slugs) {
      try database.cachedStatement(sql: "INSERT OR IGNORE INTO tag VALUES (?, ?, ?, ?, ?)")
        .execute(arguments: [slug, sortDate, arrival, number, tag])
      try unlabel(slug)
    }
  }

  private func untag(_ number: PostNumber) throws {
    let find = try database.cachedStatement(sql: "SELECT slug, sortDate, arrival FROM tag WHERE post = ?")
    for row in try Row.fetchAll(find, arguments: [number]) {
      try database.cachedStatement(sql: "DELETE FROM tag WHERE slug = ? AND sortDate = ? AND arrival = ?")
        .execute(arguments: [row[0] as String, row[1] as Int64, row[2] as Int64])
      try unlabel(row[0])
    }
  }

  // MARK: - Tags

  private func unlabel(_ slug: String) throws {
    try database.cachedStatement(sql: "INSERT OR IGNORE INTO unlabelled VALUES (?)").execute(arguments: [slug])
  }

  /// Names tags by their most frequent spelling, and counts their posts.
  private func label() throws {
    try database.execute(
      sql: """
        DELETE FROM label WHERE slug IN (SELECT slug FROM unlabelled);
        INSERT INTO label SELECT slug, name, total FROM (
          SELECT slug, name, sum(uses) OVER (PARTITION BY slug) AS total,
            row_number() OVER (PARTITION BY slug ORDER BY uses DESC, name) AS rank
          FROM (SELECT slug, name, count(*) AS uses FROM tag WHERE slug IN (SELECT slug FROM unlabelled) GROUP BY slug, name)
        ) WHERE rank = 1;
        DELETE FROM unlabelled;
        """)
  }
}
