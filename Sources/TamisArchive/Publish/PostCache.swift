import Synchronization
import TamisCore

/// A cache of the posts that were read for a list.
///
/// A post is on several lists: on the pages of its feed, of its month, of its tags and of all posts, and in the search
/// data.
final class PostCache: Sendable {
  /// The maximum number of posts in the cache, which takes about 20 MB; further posts are not added.
  private static let most = 10_000

  private let known = Mutex<[PostNumber: ListedPost]>([:])

  /// Returns posts by number, in the given order, without those that do not exist.
  ///
  /// - Parameters:
  ///   - numbers: the numbers of the posts.
  ///   - read: a function that reads posts that are not in the cache, in any order.
  /// - Returns: the posts that exist, in the order of the numbers.
  /// - Throws: ``Archive/Failure`` when `read` throws it.
  func posts(
    _ numbers: [PostNumber], reading read: ([PostNumber]) throws(Archive.Failure) -> [ListedPost]
  ) throws(Archive.Failure) -> [ListedPost] {
    var posts = known.withLock { known in numbers.map { known[$0] } }
    let missing = zip(numbers, posts).filter { $0.1 == nil }.map(\.0)
    if missing.isEmpty { return posts.compactMap { $0 } }
    let new = try read(missing)
    remember(new)
    let byNumber = Dictionary(new.map { ($0.number, $0) }) { first, _ in first }
    for index in posts.indices where posts[index] == nil { posts[index] = byNumber[numbers[index]] }
    return posts.compactMap { $0 }
  }

  func remember(_ posts: [ListedPost]) {
    known.withLock { known in
      for post in posts where known.count < Self.most { known[post.number] = post }
    }
  }
}
