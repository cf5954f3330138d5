import Synchronization
import TamisCore

/// Posts that were read for a list, for the other lists that they are on: a post is on the pages of its feed, of its month, of its
/// tags and of all posts, and in the search data.
final class PostCache: Sendable {
  /// The most posts that are remembered, which takes about 20 MB; of more the first.
  private static let most = 10_000

  private let known = Mutex<[PostNumber: ListedPost]>([:])

  /// Posts by their numbers, in their order; without those that are not there.
  ///
  /// - Parameter read: reads posts that are not remembered, in any order.
  func posts(
    _ numbers: [PostNumber], reading read: ([PostNumber]) throws(ArchiveError) -> [ListedPost]
  ) throws(ArchiveError) -> [ListedPost] {
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
