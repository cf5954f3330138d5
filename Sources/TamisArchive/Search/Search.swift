import GRDB
import TamisCore
import TamisFoundation

/// Searches titles and texts by words, with SQLite's full-text index (https://www.sqlite.org/fts5.html).
///
/// The index is made at the first search and updated at each one, so that archives that are never searched do not carry
/// it: it takes about half of the space of the compressed posts.
extension Archive {
  /// A post whose words are not in the index yet.
  package struct UnindexedPost: Sendable, Hashable {
    /// The number of the post.
    package var number: PostNumber
    /// The title of the post.
    package var title: String
    /// The body of the post; nil when it was deleted.
    package var body: PackedBody?
    let content: Int64
  }

  /// A post with its words.
  package struct PostText: Sendable, Hashable {
    let post: UnindexedPost
    let text: String

    /// Creates a post with its words.
    ///
    /// - Parameters:
    ///   - post: the post.
    ///   - text: the visible text of the post's body.
    package init(_ post: UnindexedPost, text: String) { (self.post, self.text) = (post, text) }
  }

  /// A search result.
  public struct FoundPost: Sendable, Hashable {
    /// The title of the post's feed, or the feed's address or path if it has none.
    public var feed: String
    /// The file name of the post's page, without folder and extension.
    public var name: String
    /// The title of the post.
    public var title: String
    /// The publication date, in seconds since 1970; nil when it is not known.
    public var published: Int64?
    /// The excerpt of the post.
    public var excerpt: String
  }

  /// The tables of the index, which are created at the first search.
  static let searchTables = """
    CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (title, text, content = '', tokenize = 'unicode61 remove_diacritics 2');
    -- Which row of the index is which post's, and which content of it; rows of no post are of earlier contents.
    CREATE TABLE IF NOT EXISTS indexed (id INTEGER PRIMARY KEY, post INTEGER NOT NULL UNIQUE, content INTEGER NOT NULL) STRICT;
    """

  /// Returns some posts whose present wording is not in the index.
  ///
  /// - Throws: ``Archive/Failure`` when the archive cannot be written.
  package func unindexed(count: Int) throws(Archive.Failure) -> [UnindexedPost] {
    try write { database in
      try database.execute(sql: Self.searchTables)
      let sql = """
        SELECT post.id, card.title, body.content, post.content FROM post JOIN card ON card.post = post.id
        LEFT JOIN body ON body.post = post.id LEFT JOIN indexed ON indexed.post = post.id
        WHERE indexed.content IS NOT post.content LIMIT ?
        """
      return try Row.fetchAll(database, sql: sql, arguments: [count]).map { row in
        UnindexedPost(
          number: PostNumber(rawValue: row[0]), title: row[1], body: (row[2] as Data?).map { PackedBody($0) },
          content: row[3])
      }
    }
  }

  /// Adds the words of posts to the index.
  ///
  /// - Throws: ``Archive/Failure`` when the archive cannot be written.
  package func index(_ texts: [PostText]) throws(Archive.Failure) {
    try write { database in
      for text in texts {
        let number = text.post.number
        try database.cachedStatement(sql: "DELETE FROM indexed WHERE post = ?").execute(arguments: [number])
        // Row numbers of deleted posts are never reused, since the table keeps those rows.
        let next = try Int64.fetchOne(database, sql: "SELECT ifnull(max(id), 0) + 1 FROM indexed") ?? 1
        let last = try Int64.fetchOne(database, sql: "SELECT ifnull(max(rowid), 0) + 1 FROM words_docsize") ?? 1
        let row = max(next, last)
        try database.cachedStatement(sql: "INSERT INTO words (rowid, title, text) VALUES (?, ?, ?)")
          .execute(arguments: [row, SearchText.spaced(text.post.title), SearchText.spaced(text.text)])
        try database.cachedStatement(sql: "INSERT INTO indexed VALUES (?, ?, ?)")
          .execute(arguments: [row, number, text.post.content])
      }
    }
  }

  /// Returns the posts that contain all of some words, the best match first.
  ///
  /// - Parameters:
  ///   - words: whole words, or prefixes with a `*`; words between quotation marks have to be adjacent.
  ///   - count: the maximum number of results.
  /// - Returns: the posts; empty when nothing is found or there are no words.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read.
  package func search(_ words: String, count: Int) throws(Archive.Failure) -> [FoundPost] {
    let query = Self.query(words)
    if query.isEmpty { return [] }
    let sql = """
      SELECT coalesce(nullif(feed.title, ''), feed.location, feed.key), post.name, card.title, card.published, card.excerpt FROM words
      JOIN indexed ON indexed.id = words.rowid JOIN post ON post.id = indexed.post
      JOIN card ON card.post = post.id JOIN feed ON feed.id = post.feed
      WHERE words.words MATCH ? AND post.forgotten = 0 AND post.purged = 0 ORDER BY bm25(words.words, 4.0, 1.0), post.id LIMIT ?
      """
    return try read { database in
      try Row.fetchAll(database, sql: sql, arguments: [query, count]).map {
        var card = Post.Card()
        (card.title, card.excerpt) = ($0[2], $0[4])
        return FoundPost(
          feed: $0[0], name: $0[1], title: card.heading, published: CheckedValue.time($0[3]), excerpt: card.excerpt)
      }
    }
  }

  /// Returns the words as an FTS5 query: each word is quoted, so that none is an operator.
  private static func query(_ words: String) -> String {
    var terms: [String] = []
    for (index, part) in words.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
      if index % 2 == 1 {
        if !part.allSatisfy(\.isWhitespace) { terms.append("\"\(SearchText.spaced(String(part)))\"") }
      } else {
        terms += part.split(whereSeparator: \.isWhitespace).compactMap { word in
          let isBeginning = word.hasSuffix("*")
          let plain = word.filter { $0 != "*" }
          return plain.isEmpty ? nil : "\"\(SearchText.spaced(plain))\"" + (isBeginning ? "*" : "")
        }
      }
    }
    return terms.joined(separator: " ")
  }
}
