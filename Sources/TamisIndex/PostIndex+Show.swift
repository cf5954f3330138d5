import GRDB
public import TamisCore

/// What the index knows, for people.
extension PostIndex {
  /// A post as it is shown.
  public struct Entry: Sendable, Hashable {
    /// The key of its feed.
    public var feed: FeedKey
    /// The name of its page, without folder and ending.
    public var name: String
    /// Where it stands with its reader.
    public var state: State
    /// Whether it has left its feed.
    public var isGone: Bool
    /// Whether it is forgotten or purged.
    public var isBuried: Bool
    /// When it was published, in seconds since 1970; nil when the feed did not say.
    public var date: Int64?
    /// How many words it has.
    public var words: Int
    /// The name of the page of the post that stands for it, nil when it stands for itself.
    public var foldedInto: String?
  }

  /// The posts of a selection by feed and name.
  public func entries(_ selection: Selection) throws(IndexError) -> [Entry] {
    try read { database in
      let store = PostStore(database: database)
      let run = try Int64.fetchOne(database, sql: "SELECT max(id) FROM run") ?? 0
      let (condition, arguments) = Self.condition(selection)
      let feeds = try Self.feedKeys(database)
      return try store.posts(where: condition, arguments).map { post in
        Entry(
          feed: FeedKey(feeds[post.feed] ?? ""), name: post.name, state: Self.state(post, run: run),
          isGone: post.gone != 0,
          isBuried: !post.flags.isDisjoint(with: [.forgotten, .purged]), date: post.date, words: post.words,
          foldedInto: post.fold == 0 ? nil : try store.post(post.fold)?.name)
      }.sorted { ($0.feed, $0.name) < ($1.feed, $1.name) }
    }
  }

  static func feedKeys(_ database: Database) throws -> [Int64: String] {
    let rows = try Row.fetchAll(database, sql: "SELECT id, key FROM feed")
    return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
  }

  /// Why two posts are the same or not, a line each; nil when one of them is not in the index.
  public func explain(_ one: Selection, _ other: Selection) throws(IndexError) -> [String]? {
    try read { database in
      let store = PostStore(database: database)
      let feeds = try Self.feedKeys(database)
      func find(_ selection: Selection) throws -> StoredPost? {
        let (condition, arguments) = Self.condition(selection)
        return try store.posts(where: condition + " LIMIT 1", arguments).first
      }
      guard let first = try find(one), let second = try find(other) else { return nil }
      var lines = [first, second].map { post in "\(feeds[post.feed] ?? ""): \(Self.describe(post))" }
      if first.id == second.id { return lines + ["this is one post"] }
      lines += Self.comparison(first, second)
      let isOneFeed = first.feed == second.feed
      let sameness = Sameness(first, second, explains: true)
      let verdict =
        isOneFeed
        ? "they are two posts: they were in one feed with different keys"
        : sameness.rule.map { "they are the same post, by the rule '\($0.rawValue)'" } ?? "they are two posts"
      lines.append("\(verdict): \(sameness.reasons.joined(separator: "; "))")
      if first.fold == second.id || second.fold == first.id || (first.fold != 0 && first.fold == second.fold) {
        lines.append("one is folded into the other")
      }
      return lines
    }
  }

  private static func describe(_ post: StoredPost) -> String {
    "\(post.name), \(post.words) words, \(post.date.map { "published \($0)" } ?? "no date"), first seen in run \(post.first)"
  }

  /// Each key with its values: equal, different, or not there.
  private static func comparison(_ one: StoredPost, _ other: StoredPost) -> [String] {
    func line(_ name: String, _ first: Int64?, _ second: Int64?) -> String {
      func shown(_ value: Int64?) -> String {
        value.map { "#" + String(UInt64(bitPattern: $0) >> 32, radix: 16) } ?? "none"
      }
      return "\(name): \(shown(first)) and \(shown(second)), \(first == second && first != nil ? "equal" : "not equal")"
    }
    return [
      line("id", one.guid, other.guid), line("id's normal form", one.guidForm, other.guidForm),
      line("link", one.link, other.link), line("file", one.file, other.file),
      line("title", one.title == 0 ? nil : one.title, other.title == 0 ? nil : other.title),
      line("words", one.text, other.text),
    ]
  }

  /// What is wrong with the index, a line each; none when all is well.
  public func verify() throws(IndexError) -> [String] {
    try read { database in
      var problems = try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
      let checks = [
        ("posts of no feed", "SELECT count(*) FROM post WHERE feed NOT IN (SELECT id FROM feed)"),
        ("posts folded into none", "SELECT count(*) FROM post WHERE fold <> 0 AND fold NOT IN (SELECT id FROM post)"),
        (
          "posts folded into folded ones",
          "SELECT count(*) FROM post WHERE fold IN (SELECT id FROM post WHERE fold <> 0)"
        ),
        ("pages with one name in one feed", "SELECT count(*) - count(DISTINCT feed || ' ' || name) FROM post"),
        ("posts without a key", "SELECT count(*) FROM post WHERE id NOT IN (SELECT post FROM key)"),
        ("posts with numbers that cannot be", "SELECT count(*) FROM post WHERE NOT (\(Self.soundPost))"),
        ("feeds with numbers that cannot be", "SELECT count(*) FROM feed WHERE NOT (\(Self.soundFeed))"),
        ("runs with numbers that cannot be", "SELECT count(*) FROM run WHERE NOT (\(Self.among("id", Limits.runs)))"),
        ("posts of runs to come", "SELECT count(*) FROM post WHERE first > (SELECT coalesce(max(id), 0) FROM run)"),
      ]
      for (name, sql) in checks {
        let count = try Int.fetchOne(database, sql: sql) ?? 0
        if count > 0 { problems.append("\(count) \(name)") }
      }
      return problems
    }
  }

  private static func among(_ column: String, _ range: ClosedRange<Int64>) -> String {
    "typeof(\(column)) = 'integer' AND \(column) BETWEEN \(range.lowerBound) AND \(range.upperBound)"
  }

  private static let soundPost = [
    among("first", Limits.runs), among("gone", Limits.runs), among("changed", Limits.changes),
    among("words", Limits.words), among("numbers", Limits.numbers), among("flags", Limits.flags),
    "(date IS NULL OR \(among("date", Limits.dates)))",
  ].joined(separator: " AND ")

  private static let soundFeed = [
    among("level", Limits.levels), among("pending", Limits.runs), among("first", Limits.runs),
  ].joined(separator: " AND ")
}
