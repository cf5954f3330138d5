import GRDB
package import TamisCore
import TamisFoundation
import TamisSystem

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

  /// A search result.
  public struct FoundPost: Sendable, Hashable {
    /// The title of the post's feed, or the feed's address or path if it has none.
    public var feed: String
    /// The subscribed address of the post's feed, or the path of its file.
    public var feedAddress: String
    /// The file name of the post's page, without folder and extension.
    public var name: String
    /// The title of the post.
    public var title: String
    /// The names of the authors.
    public var authors: [String]
    /// The publication date, in seconds since 1970; nil when it is not known.
    public var published: Int64?
    /// The URL of the post's own page, http(s); nil when it is not known.
    public var link: String?
    /// The excerpt of the post.
    public var excerpt: String
    /// The part of the post's text where the words are; its beginning when they are in the title only.
    public var snippet: Snippet
  }

  /// A choice among the posts that a search finds.
  public struct SearchFilter: Sendable, Hashable {
    /// The feed of the posts; nil for all.
    package var feed: Feed.Key?
    /// A part of an author's name, without regard to case and accents; empty for all posts.
    public var author = ""
    /// The publication dates, in seconds since 1970; nil for all, also for posts without a date.
    public var times: Range<Int64>?

    /// Makes a filter that lets all posts through.
    public init() {}
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
        try UnindexedPost(
          number: PostNumber(rawValue: row[0]), title: row[1], body: (row[2] as Data?).map { PackedBody($0) },
          content: row[3])
      }
    }
  }

  /// Adds the words of posts to the index.
  ///
  /// - Throws: ``Archive/Failure`` when the archive cannot be written.
  package func index(_ texts: [(post: UnindexedPost, text: String)]) throws(Archive.Failure) {
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

  /// Returns the posts that contain all of some words, the best match first; those that are held back are left out.
  ///
  /// - Parameters:
  ///   - terms: the words.
  ///   - filter: the posts that are shown.
  ///   - count: the maximum number of results.
  ///   - text: a function that returns the visible text of a body.
  /// - Returns: the posts; empty when nothing is found or there are no words.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read.
  package func search(
    _ terms: SearchTerms, in filter: SearchFilter, count: Int, text: (PackedBody) -> String
  ) throws(Archive.Failure) -> [FoundPost] {
    if terms.query.isEmpty { return [] }
    let author = UnicodeText.folded(filter.author)
    let found = try read { database in
      var found: [(post: FoundPost, body: PackedBody?)] = []
      let rows = try Row.fetchCursor(
        database, sql: Self.searchQuery,
        arguments: [
          "query": terms.query, "feed": filter.feed?.text, "from": filter.times?.lowerBound,
          "to": filter.times?.upperBound,
        ])
      while found.count < count, let row = try rows.next() {
        let authors = try StoredList.parts(row[6])
        guard author.isEmpty || authors.contains(where: { UnicodeText.folded($0).contains(author) }) else { continue }
        let body = try CardStore(database: database).body(of: PostNumber(rawValue: row[8]))
        found.append((try Self.found(row, authors), body))
      }
      return found
    }
    return found.map { post, body in
      var post = post
      post.snippet = terms.snippet(of: body.map(text) ?? post.excerpt)
      return post
    }
  }

  private static let searchQuery = """
    SELECT coalesce(nullif(feed.title, ''), feed.location, feed.key), ifnull(feed.location, feed.key), post.name, card.title,
      card.published, card.excerpt, card.authors, card.permalink, post.id FROM words
    JOIN indexed ON indexed.id = words.rowid JOIN post ON post.id = indexed.post
    JOIN card ON card.post = post.id JOIN feed ON feed.id = post.feed
    WHERE words.words MATCH :query AND post.forgotten = 0 AND post.purged = 0
      AND post.flags & \(StoredPost.Flags.heldBack.rawValue) = 0
      AND (:feed IS NULL OR feed.key = :feed) AND (:from IS NULL OR card.published >= :from)
      AND (:to IS NULL OR card.published < :to)
    ORDER BY bm25(words.words, 4.0, 1.0), post.id
    """

  private static func found(_ row: Row, _ authors: [String]) throws -> FoundPost {
    var card = Post.Card()
    (card.title, card.excerpt) = try (row[3], row[5])
    return try FoundPost(
      feed: row[0], feedAddress: row[1], name: row[2], title: card.heading, authors: authors,
      published: CheckedValue.time(row[4]), link: (row[7] as String?).flatMap { CheckedValue.address($0) },
      excerpt: card.excerpt, snippet: Snippet())
  }
}
