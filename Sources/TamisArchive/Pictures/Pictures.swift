import GRDB
package import TamisCore

/// A post that has not been scanned for pictures.
package struct UnlookedPost: Sendable {
  /// The number in the archive.
  package let number: PostNumber
  /// The URL of its thumbnail; nil when there is none.
  package let thumbnail: String?
  /// The stored body; nil when there is none.
  package let body: PackedBody?
  let content: Int64
}

/// A picture that is to be fetched.
package struct MissingPicture: WantedThing, Hashable {
  package let number: Int64
  package let address: String
  package let failures: Int
}

/// The stored file of a picture.
package struct StoredPicture: Sendable, Hashable {
  /// The SHA-256 digest of the file, in hexadecimal.
  package var digest: String
  /// The extension of its file name, without the dot.
  package var ending: String
  /// The width in pixels.
  package var width: Int
  /// The height in pixels.
  package var height: Int
  /// The size in bytes.
  package var size: Int
  /// The digest of the published file.
  package var checksum: Int64

  /// Creates a file.
  package init(digest: String, ending: String, width: Int, height: Int, size: Int, checksum: Int64) {
    (self.digest, self.ending, self.width, self.height) = (digest, ending, width, height)
    (self.size, self.checksum) = (size, checksum)
  }

  /// The path in a site.
  package var path: PagePath { KeptPicture.path(digest: digest, ending: ending) }

  /// The path in the folder of stored pictures.
  package var pathInFolder: String { String(path.text.dropFirst(KeptPicture.folder.count)) }
}

/// The pictures of posts and feeds.
extension Archive {
  /// Returns some shown posts, after a number, that have not been scanned for pictures since they changed.
  ///
  /// - Parameters:
  ///   - rules: a digest of the rules by which bodies become pages.
  ///   - number: the number after which the posts begin.
  ///   - count: the maximum number of posts.
  /// - Returns: the posts in the order of their numbers; empty when there are no more.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read.
  package func unlookedPosts(
    rules: Int64, after number: PostNumber, count: Int
  ) throws(Archive.Failure) -> [UnlookedPost] {
    let sql = """
      SELECT post.id, card.thumbnail, body.content, post.content FROM post LEFT JOIN looked ON looked.post = post.id
      JOIN card ON card.post = post.id LEFT JOIN body ON body.post = post.id
      WHERE post.id > ? AND +post.shown > 0 AND (looked.content IS NOT post.content OR looked.rules IS NOT ?)
      ORDER BY post.id LIMIT ?
      """
    return try readLongRows { database in
      try Row.fetchAll(database, sql: sql, arguments: [number, rules, count]).map { row in
        try UnlookedPost(
          number: row[0],
          thumbnail: CheckedValue.address((row[1] as String?).flatMap { Post.Thumbnail(stored: $0) }?.url),
          body: row[2] == nil ? nil : PackedBody(row[2]), content: row[3])
      }
    }
  }

  /// Records which pictures posts show.
  package func look(through posts: [(post: UnlookedPost, pictures: [String])], rules: Int64) throws(Archive.Failure) {
    try write { database in
      let (store, changes) = (PictureStore(database: database), try ChangeLog(database))
      let look = try database.cachedStatement(sql: "INSERT OR REPLACE INTO looked VALUES (?, ?, ?)")
      for (post, pictures) in posts {
        let pictures = pictures.filter { $0.utf8.count <= Limits.standard.linkBytes }
        try store.write(pictures, of: post.number, changes)
        try look.execute(arguments: [post.number, post.content, rules])
      }
    }
  }

  /// Records the pictures of feeds, and deletes those that are no longer shown.
  ///
  /// - Returns: the number of deleted pictures with files.
  /// - Throws: ``Archive/Failure`` when the archive cannot be written.
  package func tidyPictures() throws(Archive.Failure) -> Int {
    try write { database in
      let hidden =
        "SELECT looked.post FROM looked LEFT JOIN post ON post.id = looked.post WHERE ifnull(post.shown, 0) = 0"
      try database.execute(
        sql: "DELETE FROM showing WHERE post IN (\(hidden)); DELETE FROM looked WHERE post IN (\(hidden))")
      try database.execute(
        sql: """
          INSERT OR IGNORE INTO picture (address) SELECT address FROM
          (SELECT image AS address FROM feed WHERE isRemoved = 0 UNION SELECT face FROM feed WHERE isRemoved = 0)
          WHERE address GLOB 'http://*' OR address GLOB 'https://*' ORDER BY address
          """)
      let unused = "FROM picture WHERE NOT \(PictureStore.isShown)"
      let count = try database.count("SELECT count(digest) \(unused)")
      try database.execute(
        sql: "DELETE \(unused); DELETE FROM stalePicture WHERE picture NOT IN (SELECT id FROM picture)")
      return count
    }
  }

  /// Returns the pictures that are to be fetched, in the order in which they were recorded.
  ///
  /// - Parameter now: the time, in seconds since 1970; nil when all are due except those that were given up.
  /// - Returns: the pictures that are due.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read.
  package func missingPictures(now: Int64?) throws(Archive.Failure) -> [MissingPicture] {
    let sql = """
      SELECT id, address, failures FROM picture WHERE digest IS NULL AND \(Database.isDue(now: now))
        OR id IN (SELECT picture FROM stalePicture) ORDER BY id
      """
    return try read { database in
      try Row.fetchAll(database, sql: sql, arguments: now.map { ["now": $0] } ?? []).map {
        try MissingPicture(number: $0[0], address: $0[1], failures: $0[2])
      }
    }
  }

  /// Stores the results of fetching pictures; pages that show new pictures are made again.
  package func remember(
    _ outcomes: [(picture: MissingPicture, outcome: RequestOutcome<StoredPicture>)], asked: Int64?
  ) throws(Archive.Failure) {
    guard !outcomes.isEmpty else { return }
    try write { database in
      let (store, changes) = (PictureStore(database: database), try ChangeLog(database))
      let keep = try database.cachedStatement(
        sql: """
          UPDATE picture SET digest = ?, ending = ?, width = ?, height = ?, size = ?, checksum = ?, asked = ?, next = NULL,
            failures = 0, problem = NULL WHERE id = ?
          """)
      let settle = try database.cachedStatement(sql: "DELETE FROM stalePicture WHERE picture = ?")
      for (picture, outcome) in outcomes {
        try settle.execute(arguments: [picture.number])
        guard case .came(let file) = outcome else {
          try database.note(outcome, of: picture.number, in: "picture", asked: asked)
          continue
        }
        try store.noteShowing(picture.number, changes)
        try keep.execute(arguments: [
          file.digest, file.ending, file.width, file.height, file.size, file.checksum, asked, picture.number,
        ])
      }
    }
  }

  /// Returns the files of all shown pictures, each digest once.
  package func storedPictures() throws(Archive.Failure) -> [StoredPicture] {
    let sql = """
      SELECT digest, ending, min(width), min(height), min(size), min(checksum) FROM picture
      WHERE digest IS NOT NULL AND \(PictureStore.isShown) GROUP BY digest, ending ORDER BY digest, ending
      """
    return try read { database in
      try Row.fetchAll(database, sql: sql).compactMap { row in
        guard try PictureStore.isValid(digest: row[0], ending: row[1]) else { return nil }
        return try StoredPicture(
          digest: row[0], ending: row[1], width: row[2], height: row[3], size: row[4], checksum: row[5])
      }
    }
  }

  /// Records that files of pictures are lost: they are fetched again.
  ///
  /// - Throws: ``Archive/Failure`` when the archive cannot be written.
  package func forgetPictures(_ digests: [String]) throws(Archive.Failure) {
    guard !digests.isEmpty else { return }
    try write { database in
      let (store, changes) = (PictureStore(database: database), try ChangeLog(database))
      for digest in digests {
        for picture in try Int64.fetchAll(database, sql: "SELECT id FROM picture WHERE digest = ?", arguments: [digest])
        {
          try store.noteShowing(picture, changes)
          try database.execute(
            sql: "UPDATE picture SET digest = NULL, next = NULL, failures = 0 WHERE id = ?", arguments: [picture])
        }
      }
    }
  }
}
