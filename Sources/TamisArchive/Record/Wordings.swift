import GRDB
import TamisCore
import TamisFoundation

/// A wording of a post: a title and a text that it has or had.
struct Wording: Codable, Hashable, Comparable, Sendable {
  /// The digest of the title and the text (``StoredPost/wording``).
  var digest: Int64
  /// The moment since which the post has the wording, or first had it.
  var since: Int64
  /// The number of words of the text.
  var words: Int
  /// The sketch of the text; nil when it has too few words.
  var sketch: Data?

  init(digest: Int64, since: Int64, words: Int, sketch: Data?) {
    (self.digest, self.since, self.words, self.sketch) = (digest, since, words, sketch)
  }

  init(_ post: StoredPost, since: Moment) {
    self.init(
      digest: post.wording, since: since.rawValue, words: post.keys.text.words,
      sketch: post.keys.text.sketch.map { Data($0.bytes) })
  }

  fileprivate init(row: Row) throws {
    let words = try (row[2] as Int64).clamped(to: ValidValue.words)
    try self.init(digest: row[0], since: row[1], words: Int(words), sketch: row[3])
  }

  /// The order by which one of two is taken: the earlier; a wording has one sketch, unless it was edited by hand.
  static func < (lhs: Wording, rhs: Wording) -> Bool {
    if (lhs.since, lhs.words) != (rhs.since, rhs.words) { return (lhs.since, lhs.words) < (rhs.since, rhs.words) }
    return (lhs.sketch ?? Data()).lexicographicallyPrecedes(rhs.sketch ?? Data())
  }

  /// Whether all values are in their valid ranges.
  var isValid: Bool {
    ValidValue.moments.contains(since) && ValidValue.words.contains(Int64(words))
      && (sketch.map { $0.count == Sketch.count } ?? true)
  }
}

/// Reads and writes the wordings of posts that have had several.
struct Wordings {
  let database: Database

  /// Returns the wordings of a post, by their digests; none when it has had only one.
  func all(of post: PostNumber) throws -> [Wording] {
    let find = try database.cachedStatement(
      sql: "SELECT digest, since, words, sketch FROM wording WHERE post = ? ORDER BY digest")
    return try Row.fetchAll(find, arguments: [post]).map { try Wording(row: $0) }
  }

  /// Writes a wording of a post in place of one with the same digest.
  func write(_ wording: Wording, of post: PostNumber) throws {
    try database.cachedStatement(sql: "INSERT OR REPLACE INTO wording VALUES (?, ?, ?, ?, ?)").execute(
      arguments: [post, wording.digest, wording.since, wording.words, wording.sketch])
  }

  /// Records the earlier wording of a post, and returns the moment since which it has had the present one.
  ///
  /// A wording that returns keeps its first date.
  func change(_ post: StoredPost, from before: StoredPost, at moment: Moment) throws -> Moment {
    let known = try all(of: post.number)
    if !known.contains(where: { $0.digest == before.wording }) {
      try write(Wording(before, since: before.since), of: post.number)
    }
    if let again = known.first(where: { $0.digest == post.wording }) { return Moment(rawValue: again.since) }
    try write(Wording(post, since: moment), of: post.number)
    return moment
  }

  /// Adds its wordings to a post that has had several.
  func add(to post: inout StoredPost) throws {
    guard post.since != post.first else { return }
    post.wordings = try all(of: post.number)
  }
}
