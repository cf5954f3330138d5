import GRDB
import TamisCore
import TamisFoundation

/// A wording of a post: a title and a text that it has or had.
struct Wording: Codable, Hashable, Sendable {
  /// The digest of the title and the text (``StoredPost/wording``).
  var digest: Int64
  /// The moment since which the post has the wording, or first had it.
  var since: Int64
  /// The number of words of the text.
  var words: Int
  /// The sketch of the text; nil when it has too few words.
  var sketch: Data?

  init(_ post: StoredPost, since: Moment) {
    (digest, self.since) = (post.wording, since.rawValue)
    (words, sketch) = (post.words, post.sketch.map { Data($0) })
  }

  fileprivate init(row: Row) throws {
    (digest, since) = try (row[0], row[1])
    words = try Int((row[2] as Int64).clamped(to: ValidValue.words))
    sketch = try row[3]
  }

  /// Whether all values are in their valid ranges.
  var isValid: Bool {
    ValidValue.moments.contains(since) && ValidValue.words.contains(Int64(words))
      && (sketch.map { $0.count == Sketch.count / 2 } ?? true)
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

  /// Returns the moment since which a post has said most of what it says: that of the first wording with at least half
  /// of its present text.
  ///
  /// A feed can give an old item the words of another feed's post.
  ///
  /// - Parameter post: the post.
  /// - Returns: the moment; that of first sight for a text that is too short to be compared.
  /// - Throws: `DatabaseError` when the wordings cannot be read.
  func told(_ post: StoredPost) throws -> Moment {
    guard post.since != post.first, let sketch = post.sketch.flatMap({ Sketch(bytes: $0) }) else { return post.first }
    let since = try all(of: post.number).filter { wording in
      guard let earlier = wording.sketch.flatMap({ Sketch(bytes: Array($0)) }) else { return false }
      let common = sketch.similarity(to: earlier)
      return Sameness.isMost(of: post.words, common, and: wording.words)
    }.map(\.since)
    return since.min().map(Moment.init(rawValue:)) ?? post.first
  }
}
