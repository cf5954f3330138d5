import GRDB
public import TamisCore

/// A post that has to be looked through for pictures.
public struct UnlookedPost: Sendable {
  /// Its number in the archive.
  public let number: PostNumber
  /// The address of the picture that stands for it; nil when there is none.
  public let thumbnail: String?
  /// Its body, as it was kept; nil when there is none.
  public let body: PackedBody?
  let content: Int64
}

/// A picture that is to be asked for.
public struct MissingPicture: Sendable, Hashable {
  /// Its number in the archive.
  public let number: Int64
  /// Where it is.
  public let address: String
  /// How often it could not be had.
  public let failures: Int
}

/// The file of a picture that was stored.
public struct StoredPicture: Sendable, Hashable {
  /// SHA-256 of its bytes, in hexadecimal.
  public var digest: String
  /// With what the name of its file ends, without the dot.
  public var ending: String
  /// Pixels from left to right.
  public var width: Int
  /// Pixels from top to bottom.
  public var height: Int
  /// In bytes.
  public var size: Int
  /// The digest by which published files are known.
  public var checksum: Int64

  /// Makes a file.
  public init(digest: String, ending: String, width: Int, height: Int, size: Int, checksum: Int64) {
    (self.digest, self.ending, self.width, self.height) = (digest, ending, width, height)
    (self.size, self.checksum) = (size, checksum)
  }

  /// Where it is in a site.
  public var path: PagePath { KeptPicture.path(digest: digest, ending: ending) }

  /// Where it is in the folder in which pictures are kept.
  public var place: String { String(path.text.dropFirst(KeptPicture.folder.count)) }
}

/// What came of asking for a picture.
public enum PictureOutcome: Sendable, Hashable {
  /// It is stored.
  case stored(StoredPicture)
  /// It could not be had, and why; asked for again at a time, or when all are due.
  case failed(String, next: Int64?)
  /// It will not be asked for again, and why.
  case givenUp(String)
}

/// The pictures of posts and feeds.
extension Archive {
  /// Posts that are shown and were not looked through for pictures as they are now, some of them, behind a number.
  ///
  /// - Parameter rules: a digest of how bodies become pages.
  public func unlookedPosts(
    rules: Int64, after number: PostNumber, count: Int
  ) throws(ArchiveError) -> [UnlookedPost] {
    let sql = """
      SELECT post.id, card.picture, body.content, post.content FROM post LEFT JOIN looked ON looked.post = post.id
      JOIN card ON card.post = post.id LEFT JOIN body ON body.post = post.id
      WHERE post.id > ? AND +post.shown > 0 AND (looked.content IS NOT post.content OR looked.rules IS NOT ?)
      ORDER BY post.id LIMIT ?
      """
    return try read { database in
      try Row.fetchAll(database, sql: sql, arguments: [number, rules, count]).map { row in
        UnlookedPost(
          number: row[0], thumbnail: CardStore.address((row[1] as String?).flatMap(CardStore.picture)?.url),
          body: row[2] == nil ? nil : PackedBody(row[2]), content: row[3])
      }
    }
  }

  /// Notes which pictures posts show.
  public func look(
    through posts: [(post: UnlookedPost, pictures: [String])], rules: Int64
  ) throws(ArchiveError) {
    try write { database in
      let (store, changes) = (PictureStore(database: database), try ChangeLog(database))
      let look = try database.cachedStatement(sql: "INSERT OR REPLACE INTO looked VALUES (?, ?, ?)")
      for (post, pictures) in posts {
        try store.write(pictures, of: post.number, changes)
        try look.execute(arguments: [post.number, post.content, rules])
      }
    }
  }

  /// Notes the pictures of feeds, and lets go of all that nothing shows any more.
  ///
  /// - Returns: how many of these have files.
  public func tidyPictures() throws(ArchiveError) -> Int {
    try write { database in
      let hidden =
        "SELECT looked.post FROM looked LEFT JOIN post ON post.id = looked.post WHERE ifnull(post.shown, 0) = 0"
      try database.execute(
        sql: "DELETE FROM showing WHERE post IN (\(hidden)); DELETE FROM looked WHERE post IN (\(hidden))")
      try database.execute(
        sql: """
          INSERT OR IGNORE INTO picture (address) SELECT image FROM feed
          WHERE isOut = 0 AND (image GLOB 'http://*' OR image GLOB 'https://*')
          """)
      let unused = "FROM picture WHERE NOT \(PictureStore.isShown)"
      let count = try Int.fetchOne(database, sql: "SELECT count(digest) \(unused)") ?? 0
      try database.execute(sql: "DELETE \(unused)")
      return count
    }
  }

  /// The pictures that are to be asked for, in the order in which they became known.
  ///
  /// - Parameter now: the time, seconds since 1970; nil when all are due that are not given up.
  public func missingPictures(now: Int64?) throws(ArchiveError) -> [MissingPicture] {
    // What would be due within a minute is due, and a clock that was set back must not silence one.
    let due = now == nil ? "1" : "(next IS NULL OR next <= :now + 60 OR asked > :now + 60)"
    let sql = """
      SELECT id, address, failures FROM picture WHERE digest IS NULL AND isGivenUp = 0 AND \(due) ORDER BY id
      """
    return try read { database in
      try Row.fetchAll(database, sql: sql, arguments: now.map { ["now": $0] } ?? []).map {
        MissingPicture(number: $0[0], address: $0[1], failures: $0[2])
      }
    }
  }

  /// Remembers what came of asking for pictures; what shows those that came is to be made again.
  public func remember(
    _ outcomes: [(picture: MissingPicture, outcome: PictureOutcome)], asked: Int64?
  ) throws(ArchiveError) {
    guard !outcomes.isEmpty else { return }
    try write { database in
      let (store, changes) = (PictureStore(database: database), try ChangeLog(database))
      let keep = try database.cachedStatement(
        sql: """
          UPDATE picture SET digest = ?, ending = ?, width = ?, height = ?, size = ?, checksum = ?, asked = ?, next = NULL,
            failures = 0, problem = NULL WHERE id = ?
          """)
      let fail = try database.cachedStatement(
        sql:
          "UPDATE picture SET failures = failures + 1, problem = ?, next = ?, isGivenUp = ?, asked = ? WHERE id = ?")
      for (picture, outcome) in outcomes {
        switch outcome {
        case .stored(let file):
          try store.noteShowing(picture.number, changes)
          try keep.execute(arguments: [
            file.digest, file.ending, file.width, file.height, file.size, file.checksum, asked, picture.number,
          ])
        case .failed(let problem, let next):
          try fail.execute(arguments: [problem, next, false, asked, picture.number])
        case .givenUp(let problem): try fail.execute(arguments: [problem, nil, true, asked, picture.number])
        }
      }
    }
  }

  /// The files of all pictures that are known and shown, by their digests, each once.
  public func storedPictures() throws(ArchiveError) -> [StoredPicture] {
    let sql = """
      SELECT digest, ending, min(width), min(height), min(size), min(checksum) FROM picture
      WHERE digest IS NOT NULL AND \(PictureStore.isShown) GROUP BY digest, ending ORDER BY digest, ending
      """
    return try read { database in
      try Row.fetchAll(database, sql: sql).compactMap { row in
        guard PictureStore.isSound(row[0], row[1]) else { return nil }
        return StoredPicture(
          digest: row[0], ending: row[1], width: row[2], height: row[3], size: row[4], checksum: row[5])
      }
    }
  }

  /// Forgets the files of pictures, which are lost: they are asked for again.
  public func forgetPictures(_ digests: [String]) throws(ArchiveError) {
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
