import GRDB
public import TamisCore

/// Some of the posts that stand for themselves: those of a part of time, of a tag, of feeds.
public struct PostChoice: Sendable, Hashable {
  /// When they are from, seconds since 1970-01-01T00:00:00Z; nil for any time, and for those of which nobody knows.
  public var times: Range<Int64>?
  /// The word by which the pages of a tag are named that they have.
  public var tag: String?
  /// The word by which the pages of a category are named in which their feeds are.
  public var category: String?
  /// Their feed; with it those also count for which posts of other feeds stand.
  public var feed: FeedKey?
  /// How many of the newest at most; nil for all.
  public var most: Int?

  /// All posts.
  public init() {}
}

extension Shelves {
  /// The posts of a choice by their numbers, the oldest first.
  public func chosen(_ choice: PostChoice) throws(ArchiveError) -> [PostNumber] {
    var conditions = [choice.feed == nil ? "post.shown = 1" : "post.shown > 0"]
    var arguments: StatementArguments = []
    func add(_ condition: String, _ values: StatementArguments) {
      conditions.append(condition)
      arguments += values
    }
    if let times = choice.times { add("post.place >= ? AND post.place < ?", [times.lowerBound, times.upperBound]) }
    if let tag = choice.tag {
      add("EXISTS (SELECT 1 FROM tag WHERE tag.slug = ? AND tag.post = post.id)", [tag])
    }
    if let category = choice.category {
      add("post.feed IN (SELECT feed FROM category WHERE slug = ?)", [category])
    }
    if let feed = choice.feed { add("post.feed IN (SELECT id FROM feed WHERE key = ?)", [feed.text]) }
    arguments += [choice.most ?? -1]
    let sql = """
      SELECT post.id FROM post WHERE \(conditions.joined(separator: " AND "))\(unread)
      ORDER BY post.place DESC, post.arrival DESC, post.id DESC LIMIT ?
      """
    return try archive.read { try PostNumber.fetchAll($0, sql: sql, arguments: arguments).reversed() }
  }

  /// Posts by their numbers, in the same order, also those for which others stand; those that are not shown are not there.
  public func chosen(_ numbers: [PostNumber]) throws(ArchiveError) -> [ShelvedPost] {
    let sql = """
      SELECT \(ShelvedPost.columns) FROM post \(ShelvedPost.joins) WHERE post.id IN (\(Self.list(numbers))) AND post.shown > 0
      """
    let posts = Dictionary(try read(sql, []).map { ($0.number, $0) }) { first, _ in first }
    return numbers.compactMap { posts[$0] }
  }
}
