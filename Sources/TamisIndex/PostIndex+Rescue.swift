import Foundation
import GRDB
public import TamisCore

/// What to do when an index is damaged.
extension PostIndex {
  /// A post as a site remembers it.
  public struct Remembered: Sendable {
    /// The key of its feed.
    public var feed: FeedKey
    /// The path of its page.
    public var path: String
    /// What a ``Verdict`` gave to be kept beside the page.
    public var memo: String

    /// Makes a post of what a site has kept.
    public init(feed: FeedKey, path: String, memo: String) {
      self.feed = feed
      self.path = path
      self.memo = memo
    }
  }

  /// Opens the index; a damaged one is set aside, and a new one made of what the site remembers.
  ///
  /// What the site does not remember, what was read and what had left its feed, is lost then; pages keep their names.
  ///
  /// - Returns: the index, and what was done in words when it was damaged.
  public static func open(
    file: String, rescuing posts: [Remembered], patience: Int = 30
  ) throws(IndexError) -> (index: PostIndex, notice: String?) {
    do {
      return (try PostIndex(file: file, patience: patience), nil)
    } catch  where error.isDamaged {
      let aside = try setAside(file)
      let index = try PostIndex(file: file, patience: patience)
      let count = try index.takeIn(posts)
      return (
        index,
        "\(error.description); it was set aside as \(aside), and \(count.counted("post")) could be found again by the site's manifest; what was read or forgotten and which posts are copies of others is not known any more"
      )
    }
  }

  /// Gives a damaged file a name that is free.
  private static func setAside(_ file: String) throws(IndexError) -> String {
    for number in 1...1000 {
      let name = "\(file).damaged\(number == 1 ? "" : "-\(number)")"
      if FileManager.default.fileExists(atPath: name) { continue }
      do {
        try FileManager.default.moveItem(atPath: file, toPath: name)
        try? FileManager.default.removeItem(atPath: file + "-journal")
        return name
      } catch {
        throw IndexError(description: "\(file): this index is damaged and cannot be moved away: \(error)")
      }
    }
    throw IndexError(description: "\(file): this index is damaged; move it away")
  }

  private func takeIn(_ posts: [Remembered]) throws(IndexError) -> Int {
    try write { database in
      try database.execute(sql: "INSERT INTO run VALUES (1, 1)")
      let store = PostStore(database: database)
      var count = 0
      var pages: Set<[String]> = []
      for post in posts {
        let feed = try StoredFeed.find(post.feed, database, run: 1)
        let name = Self.name(ofPage: post.path)
        guard pages.insert([post.feed.text, name]).inserted,
          var stored = StoredPost(memo: post.memo, feed: feed.id, name: name)
        else { continue }
        // Without a key it is not found again; it gets the same name when it is seen.
        guard stored.guid != nil || stored.link != nil else { continue }
        stored.id = try store.insert(stored, landmarks: [])
        try store.keepName(of: stored)
        count += 1
      }
      return count
    }
  }
}
