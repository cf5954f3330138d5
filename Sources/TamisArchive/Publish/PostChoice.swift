import GRDB
package import TamisCore

extension Archive {
  /// A selection of the canonical posts: by time, by tag, by feeds.
  public struct PostChoice: Sendable, Hashable {
    /// The range of dates of the posts, in seconds since 1970-01-01T00:00:00Z; nil for any time, which includes posts
    /// without a date.
    public var times: Range<Int64>?
    /// The slug of a tag of the posts.
    public var tag: String?
    /// The slug of a category of the feeds.
    public var category: String?
    /// The feed of the posts; posts of it that are folded into posts of other feeds are then included.
    package var feed: Feed.Key?
    /// The maximum number of posts, of which the newest are selected; nil for all.
    public var most: Int?

    /// Creates a selection of all posts.
    public init() {}
  }
}

extension PostReader {
  /// Returns the numbers of the selected posts, the oldest first.
  package func chosen(_ choice: Archive.PostChoice) throws(Archive.Failure) -> [PostNumber] {
    var conditions = [choice.feed == nil ? "post.shown = 1" : "post.shown > 0"]
    var arguments: StatementArguments = []
    func add(_ condition: String, _ values: StatementArguments) {
      conditions.append(condition)
      arguments += values
    }
    if let times = choice.times {
      add("post.sortDate >= ? AND post.sortDate < ?", [times.lowerBound, times.upperBound])
    }
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
      ORDER BY post.sortDate DESC, post.arrival DESC, post.id DESC LIMIT ?
      """
    return try archive.read { try PostNumber.fetchAll($0, sql: sql, arguments: arguments).reversed() }
  }

  /// Returns posts by number, in the given order, including folded ones; hidden ones are left out.
  package func chosen(_ numbers: [PostNumber]) throws(Archive.Failure) -> [ListedPost] {
    let posts = try read("WHERE post.id IN \(Self.listed) AND post.shown > 0", [Self.list(numbers)])
    let known = Dictionary(posts.map { ($0.number, $0) }) { first, _ in first }
    return numbers.compactMap { known[$0] }
  }
}
