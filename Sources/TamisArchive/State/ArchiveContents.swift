import GRDB
package import TamisCore

/// Shows the contents of the archive to people.
extension Archive {
  /// A post for display.
  package struct Entry: Sendable, Hashable {
    /// The key of its feed.
    package var feed: Feed.Key
    /// The subscribed address or the path of the file; the key of a feed that no longer has either.
    package var feedName: String
    /// The file name of its page, without folder and extension.
    package var name: String
    /// The read state of the post.
    package var state: State
    /// Whether the post has left its feed.
    package var isGone: Bool
    /// Whether the post was deleted or purged.
    package var isBuried: Bool
    /// The publication date, in seconds since 1970; nil when the feed has none.
    package var date: Int64?
    /// The number of words.
    package var words: Int
    /// The name of the page of the canonical post into which the post is folded; nil when it is canonical.
    package var foldedInto: String?
  }

  /// Returns the posts of a selection, by feed and name.
  package func entries(_ selection: Selection) throws(Archive.Failure) -> [Entry] {
    try read { database in
      let store = PostStore(database: database)
      let run = try Self.lastRun(database)
      let (condition, arguments) = Self.condition(selection)
      let feeds = try Self.feeds(database)
      return try store.posts(where: condition, arguments).map { post in
        Entry(
          feed: Feed.Key(feeds[post.feed]?.key ?? ""), feedName: feeds[post.feed]?.name ?? "", name: post.name,
          state: Self.state(post, run: run),
          isGone: post.missed != .never && post.missed != feeds[post.feed]?.pending, isBuried: post.isBuried,
          date: post.keys.date,
          words: post.keys.text.words, foldedInto: post.fold.rawValue == 0 ? nil : try store.post(post.fold)?.name)
      }.sorted { ($0.feed, $0.name) < ($1.feed, $1.name) }
    }
  }

  private static func feeds(_ database: Database) throws -> [FeedNumber: (key: String, name: String, pending: Moment)] {
    let rows = try Row.fetchAll(database, sql: "SELECT id, key, ifnull(location, key), pending FROM feed")
    return try Dictionary(rows.map { try ($0[0], ($0[1], $0[2], Moment(rawValue: $0[3]))) }) { first, _ in first }
  }

  /// Returns the reasons why two posts are the same or not, one a line; nil when one of them is not in the archive.
  package func explain(_ one: Selection, _ other: Selection) throws(Archive.Failure) -> [String]? {
    try read { database in
      let store = PostStore(database: database)
      let feeds = try Self.feeds(database)
      func find(_ selection: Selection) throws -> StoredPost? {
        let (condition, arguments) = Self.condition(selection)
        return try store.posts(where: condition + " LIMIT 1", arguments).first
      }
      guard let first = try find(one), let second = try find(other) else { return nil }
      var lines = [first, second].map { post in "\(feeds[post.feed]?.key ?? ""): \(Self.describe(post))" }
      if first.number == second.number { return lines + ["both names are of one post"] }
      lines += Self.comparison(first.keys, second.keys)
      var folding = try Folding(database)
      let decision = try folding.decision(on: first, second)
      let verdict = decision.rule.map { "they are the same post, by the rule '\($0.rawValue)'" } ?? "they are two posts"
      lines.append("\(verdict): \(decision.reasons.joined(separator: "; "))")
      let isShared = first.fold.rawValue != 0 && first.fold == second.fold
      if first.fold == second.number || second.fold == first.number || isShared {
        lines.append("one is folded into the other")
      }
      return lines
    }
  }

  private static func describe(_ post: StoredPost) -> String {
    let date = post.keys.date.map { "published \(DateText($0).iso)" } ?? "no date"
    return "\(post.name), \(post.keys.text.words) words, \(date), first seen at \(DateText(post.first.rawValue).iso)"
  }

  /// Returns a line for each key with both values: equal, different, or missing.
  private static func comparison(_ one: PostKeys, _ other: PostKeys) -> [String] {
    func line(_ name: String, _ first: Int64?, _ second: Int64?) -> String {
      func shown(_ value: Int64?) -> String {
        value.map { "#" + String(UInt64(bitPattern: $0) >> 32, radix: 16) } ?? "none"
      }
      return "\(name): \(shown(first)) and \(shown(second)), \(first == second && first != nil ? "equal" : "not equal")"
    }
    let identifiers = PostIdentifiers.columns.map {
      line($0.label, one.ids[keyPath: $0.path], other.ids[keyPath: $0.path])
    }
    return identifiers + [
      line("title", one.title == 0 ? nil : one.title, other.title == 0 ? nil : other.title),
      line("words", one.text.digest, other.text.digest),
    ]
  }

  /// Returns the number of posts first seen at a moment that are folded into others.
  package func foldedPosts(seenFirstAt moment: Moment) throws(Archive.Failure) -> Int {
    try read { try $0.count("SELECT count(*) FROM post WHERE fold <> 0 AND first = ?", [moment]) }
  }

  /// Returns the name of a post's page; nil when there is no such post.
  package func page(of number: PostNumber) throws(Archive.Failure) -> PagePath? {
    try page("id = ?", number)
  }

  /// Returns the name of the page of the canonical post into which a post is folded; nil when it is canonical.
  package func pageOfFold(_ number: PostNumber) throws(Archive.Failure) -> PagePath? {
    try page("id = (SELECT fold FROM post WHERE id = ?)", number)
  }

  private func page(_ condition: String, _ number: PostNumber) throws(Archive.Failure) -> PagePath? {
    let sql = "SELECT feed.slug, post.name FROM post JOIN feed ON feed.id = post.feed WHERE post.\(condition)"
    return try read { database in
      try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [number]).map {
        try PagePath(ofPost: $0[1], feedSlug: $0[0])
      }
    }
  }

  /// Returns the faults of the archive, one a line; empty when there are none.
  ///
  /// - Throws: ``Archive/Failure`` when the archive cannot be read.
  package func verify() throws(Archive.Failure) -> [String] {
    try faults() + read { try PackedValue.faults($0) }
  }

  /// Returns the faults of the archive but for bodies and pages that cannot be unpacked, each of which costs only
  /// itself.
  func faults() throws(Archive.Failure) -> [String] {
    try read { database in
      var problems = try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
      for (name, sql) in Self.checks {
        let count = try database.count(sql)
        if count > 0 { problems.append("\(count) \(name)") }
      }
      return problems
    }
  }

  private static let checks = [
    ("posts without a feed", "SELECT count(*) FROM post WHERE feed NOT IN (SELECT id FROM feed)"),
    ("posts without a card", "SELECT count(*) FROM post WHERE id NOT IN (SELECT post FROM card)"),
    (
      "posts without a body",
      "SELECT count(*) FROM post WHERE forgotten = 0 AND purged = 0 AND id NOT IN (SELECT post FROM body)"
    ),
    ("posts without a key", "SELECT count(*) FROM post WHERE id NOT IN (SELECT post FROM key)"),
    (
      "posts folded into posts that do not exist",
      "SELECT count(*) FROM post WHERE fold <> 0 AND fold NOT IN (SELECT id FROM post)"
    ),
    ("posts folded into folded ones", "SELECT count(*) FROM post WHERE fold IN (SELECT id FROM post WHERE fold <> 0)"),
    ("posts that share a place in the order of arrival", "SELECT count(arrival) - count(DISTINCT arrival) FROM post"),
    (
      "sites with a wrong number of files",
      "SELECT count(*) FROM site WHERE files <> (SELECT count(*) FROM file WHERE file.site = site.id)"
    ),
    ("posts with impossible numbers", "SELECT count(*) FROM post WHERE NOT (\(soundPost))"),
    ("feeds with impossible numbers", "SELECT count(*) FROM feed WHERE NOT (\(soundFeed))"),
    ("wordings with impossible numbers", "SELECT count(*) FROM wording WHERE NOT (\(soundWording))"),
    ("wordings of posts that do not exist", "SELECT count(*) FROM wording WHERE post NOT IN (SELECT id FROM post)"),
    ("posts with impossible names", "SELECT count(*) FROM post WHERE NOT (\(isFileName("name")))"),
    ("posts with impossible tags", "SELECT count(*) FROM card WHERE slugs <> '' AND NOT (\(areFileNames("slugs")))"),
    (
      "feeds with impossible names",
      "SELECT count(*) FROM feed WHERE NOT ((slug = '' OR \(isFileName("slug"))) AND \(isFileName("preferredSlug")))"
    ),
    ("posts with texts that are too long", "SELECT count(*) FROM card WHERE NOT (\(isCardRow))"),
    ("tags of posts that do not exist", "SELECT count(*) FROM tag WHERE post NOT IN (SELECT id FROM post)"),
    ("tags with impossible names", "SELECT count(*) FROM tag WHERE NOT (\(isFileName("slug")))"),
    ("categories with impossible names", "SELECT count(*) FROM category WHERE NOT (\(isFileName("slug")))"),
    (
      "feeds that were never seen",
      "SELECT count(*) FROM feed WHERE latest > 0 AND id NOT IN (SELECT feed FROM observation)"
    ),
    (
      "posts dated after the last run",
      "SELECT count(*) FROM post WHERE first > (SELECT max(moment) + 1000000 FROM run)"
    ),
  ]

  /// Conditions in SQL: the texts of a row are no longer than a row may be, as in ``ValidValue/isRow(_:)``.
  static let isFeedRow = isRow(StoredFeed.exportedColumns.map(\.name) + ["slug", "document", "filterRules"])
  private static let isCardRow = isRow(CardStore.columns)

  private static func isRow(_ columns: [String]) -> String {
    let sum = columns.map { "ifnull(length(CAST(\($0) AS BLOB)), 0)" }.joined(separator: " + ")
    return "\(sum) <= \(longestTexts)"
  }

  /// ``PostRecord/isFileName(_:)`` in SQL.
  private static func isFileName(_ column: String) -> String {
    "\(isVisible(column, without: 31)) AND length(CAST(\(column) AS BLOB)) BETWEEN 1 AND 200"
  }

  /// A condition like ``isFileName(_:)`` for each part of a list, without the check of lengths.
  private static func areFileNames(_ column: String) -> String {
    "\(isVisible(column, without: 30)) AND instr(\(column), char(31) || '.') = 0"
  }

  /// A condition: a text does not begin with a dot and contains no slashes and no control characters up to the given
  /// one.
  private static func isVisible(_ column: String, without last: Int) -> String {
    """
    typeof(\(column)) = 'text' AND substr(\(column), 1, 1) <> '.'
      AND \(column) NOT GLOB '*[/\\' || char(1) || '-' || char(\(last)) || ']*'
    """
  }

  private static func among(_ column: String, _ range: ClosedRange<Int64>) -> String {
    "typeof(\(column)) = 'integer' AND \(column) BETWEEN \(range.lowerBound) AND \(range.upperBound)"
  }

  private static let soundPost = StoredPost.columns.filter { $0.kind == .integer }.map(\.isSound).joined(
    separator: " AND ")

  private static let soundWording = [
    among("since", ValidValue.moments), among("words", ValidValue.words),
    "typeof(digest) = 'integer' AND (sketch IS NULL OR length(sketch) = \(Sketch.count))",
  ].joined(separator: " AND ")

  private static let soundFeed = [
    among("level", ValidValue.levels), among("pending", ValidValue.moments), among("first", ValidValue.moments),
    among("latest", ValidValue.moments),
  ].joined(separator: " AND ")
}

extension Archive {
  /// Returns the number of posts, shown or not.
  ///
  /// - Throws: ``Archive/Failure`` when the archive cannot be read.
  package func countPosts() throws(Archive.Failure) -> Int {
    try read { try $0.count("SELECT count(*) FROM post") }
  }
}
