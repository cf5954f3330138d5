import GRDB
package import TamisCore

/// Reads and writes the pictures of posts and feeds, by URL.
struct PictureStore {
  let database: Database

  /// An SQL condition: a picture is shown by a post, or as the picture of a feed or of its author.
  static let isShown = """
    (EXISTS (SELECT 1 FROM showing WHERE showing.picture = picture.id)
    OR EXISTS (SELECT 1 FROM feed WHERE feed.image = picture.address AND feed.isRemoved = 0)
    OR EXISTS (SELECT 1 FROM feed WHERE feed.face = picture.address AND feed.isRemoved = 0))
    """

  private static let columns = "picture.digest, picture.ending, picture.width, picture.height"
  /// The characters of digests, which become paths in a site.
  ///
  /// They are checked, since the archive's file may be damaged or hostile.
  private static let digits = Set("0123456789abcdef".utf8)

  // MARK: - What sites show

  /// Returns the file of a picture; nil when there is none, or its stored values are impossible.
  func kept(_ address: String) throws -> KeptPicture? {
    let find = try database.cachedStatement(
      sql: "SELECT \(Self.columns) FROM picture WHERE address = ? AND digest IS NOT NULL")
    return try Row.fetchOne(find, arguments: [address]).flatMap { try Self.kept($0, from: 0) }
  }

  /// Returns the files of the pictures that a post shows, by URL.
  func kept(of post: PostNumber) throws -> [String: KeptPicture] {
    let find = try database.cachedStatement(
      sql: """
        SELECT picture.address, \(Self.columns) FROM showing JOIN picture ON picture.id = showing.picture
        WHERE showing.post = ? AND picture.digest IS NOT NULL
        """)
    var pictures: [String: KeptPicture] = [:]
    for row in try Row.fetchAll(find, arguments: [post]) {
      try pictures[row[0]] = Self.kept(row, from: 1)
    }
    return pictures
  }

  static func kept(_ row: Row, from first: Int) throws -> KeptPicture? {
    let (digest, ending): (String, String) = try (row[first], row[first + 1])
    guard isValid(digest: digest, ending: ending) else { return nil }
    return try KeptPicture(
      path: KeptPicture.path(digest: digest, ending: ending), width: row[first + 2], height: row[first + 3])
  }

  static func isValid(digest: String, ending: String) -> Bool {
    digest.utf8.count == 64 && digest.utf8.allSatisfy(digits.contains) && (1...5).contains(ending.utf8.count)
      && ending.utf8.allSatisfy { (0x61...0x7A).contains($0) }
  }

  /// Returns the feeds with the files of their pictures.
  func filled(_ feeds: [FeedRow]) throws -> [FeedRow] {
    var feeds = feeds
    for index in feeds.indices {
      feeds[index].card.keptImage = try feeds[index].card.image.flatMap(kept)
      feeds[index].card.keptFace = try feeds[index].card.face.flatMap(kept)
    }
    return feeds
  }

  // MARK: - What is shown

  /// Records which pictures a post shows; if they have changed, its page is made again.
  func write(_ addresses: [String], of post: PostNumber, _ changes: ChangeLog) throws {
    let insert = try database.cachedStatement(sql: "INSERT OR IGNORE INTO picture (address) VALUES (?)")
    let find = try database.cachedStatement(sql: "SELECT id FROM picture WHERE address = ?")
    var pictures: Set<Int64> = []
    for address in addresses {
      try insert.execute(arguments: [address])
      if let id = try Int64.fetchOne(find, arguments: [address]) { pictures.insert(id) }
    }
    let select = try database.cachedStatement(sql: "SELECT picture FROM showing WHERE post = ?")
    let before = Set(try Int64.fetchAll(select, arguments: [post]))
    if pictures == before { return }
    try changes.note(post)
    let delete = try database.cachedStatement(sql: "DELETE FROM showing WHERE post = ? AND picture = ?")
    for picture in before.subtracting(pictures).sorted() { try delete.execute(arguments: [post, picture]) }
    let add = try database.cachedStatement(sql: "INSERT INTO showing VALUES (?, ?)")
    for picture in pictures.subtracting(before).sorted() {
      try askAgain(for: picture, shownBy: post)
      try add.execute(arguments: [post, picture])
    }
  }

  /// Has a picture asked for again that a post begins to show: another feed may have named it before there was one.
  private func askAgain(for picture: Int64, shownBy post: PostNumber) throws {
    let again = "UPDATE picture SET isGivenUp = 0, failures = 0, next = NULL WHERE id = ? AND failures > 0"
    try database.cachedStatement(sql: again).execute(arguments: [picture])
    let claims = StoredPost.Flags.own.union(.hosted).rawValue
    try database.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO stalePicture SELECT picture.id FROM picture JOIN post ON post.id = ?
        WHERE picture.id = ? AND digest IS NOT NULL AND post.flags & ? <> 0 AND EXISTS (
          SELECT 1 FROM showing JOIN post AS other ON other.id = showing.post
          WHERE showing.picture = picture.id AND other.feed <> post.feed)
        """
    ).execute(arguments: [post, picture, claims])
  }

  /// Marks all pages that show a picture to be made again.
  func noteShowing(_ picture: Int64, _ changes: ChangeLog) throws {
    let posts = try database.cachedStatement(sql: "SELECT post FROM showing WHERE picture = ?")
    for post in try PostNumber.fetchAll(posts, arguments: [picture]) { try changes.note(post) }
    // The picture of an author stands on the pages of posts.
    for (column, isOfPosts) in [("image", false), ("face", true)] {
      let feeds = try database.cachedStatement(
        sql: "SELECT feed.id FROM feed JOIN picture ON feed.\(column) = picture.address WHERE picture.id = ?")
      for feed in try FeedNumber.fetchAll(feeds, arguments: [picture]) {
        try changes.note(feed: feed, ofPosts: isOfPosts, isRelisted: false)
      }
    }
  }
}

extension PostReader {
  /// Returns the stored files of the pictures that some posts show, by URL; empty when the archive's pictures are not
  /// used.
  package func pictures(of numbers: [PostNumber]) throws(Archive.Failure) -> [PostNumber: [String: KeptPicture]] {
    guard keepsPictures else { return [:] }
    return try archive.read { database in
      let store = PictureStore(database: database)
      var pictures: [PostNumber: [String: KeptPicture]] = [:]
      for number in numbers { pictures[number] = try store.kept(of: number) }
      return pictures
    }
  }
}
