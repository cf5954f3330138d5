import GRDB
package import TamisCore

/// A post that is listed.
///
/// The type is a class because a post is on many lists.
package final class ListedPost: Sendable {
  /// The number in the archive.
  package let number: PostNumber
  /// The post as pages show it.
  package let item: CardItem
  /// The file name of its page, without folder and extension.
  package let name: String
  /// The number of its feed.
  package let feedNumber: FeedNumber
  /// The position among all posts.
  package let position: Position
  /// The slugs of its listed tags.
  package let slugs: [String]
  /// Whether it was marked as read since its last change.
  package let isRead: Bool
  /// Whether other posts are folded into it.
  package let hasCopies: Bool

  /// The sort date of a post, and for posts of the same second the order in which they arrived.
  package struct Position: Sendable, Hashable, Comparable {
    /// The sort date, seconds since 1970-01-01T00:00:00Z; far below zero when it is not known.
    package var sortDate: Int64
    /// The number in the order of arrival, from 0.
    package var arrival: Int64

    /// Creates a position.
    package init(sortDate: Int64, arrival: Int64) { (self.sortDate, self.arrival) = (sortDate, arrival) }

    /// Compares by sort date and then by arrival; the older position is less.
    package static func < (lhs: Position, rhs: Position) -> Bool {
      (lhs.sortDate, lhs.arrival) < (rhs.sortDate, rhs.arrival)
    }
  }

  /// The data that lists show of the post.
  package var card: Post.Card { item.card }
  /// The feed of the post; only the members that posts show are set.
  package var feed: FeedCard { item.feed }
  /// The page on which the post can be read: its own, or that of the canonical post that it is folded into.
  package var page: PagePath { item.page }

  static let columns =
    "post.id, post.name, post.sortDate, post.arrival, post.feed, feed.key, feed.slug, feed.title, feed.rights, feed.language, "
    + "feed.direction, feed.face, other.name, otherFeed.slug, "
    + "post.read > 0 AND post.read >= post.changed, EXISTS (SELECT 1 FROM post AS copy WHERE copy.fold = post.id AND copy.fold <> 0), "
    + CardStore.selection
  static let joins = """
    JOIN card ON card.post = post.id JOIN feed ON feed.id = post.feed
    LEFT JOIN post AS other ON post.fold <> 0 AND other.id = post.fold LEFT JOIN feed AS otherFeed ON otherFeed.id = other.feed
    """

  /// Creates a post from a row.
  ///
  /// - Parameters:
  ///   - row: the row.
  ///   - feeds: the cards of the feeds of the rows so far: many posts of a list are of one feed.
  ///   - pictures: the stored files of thumbnails; nil when they are not shown.
  /// - Throws: `DatabaseError` when the stored picture of the post cannot be read.
  init(_ row: Row, feeds: inout [FeedNumber: Indirect<FeedCard>], pictures: PictureStore?) throws {
    number = try PostNumber(rawValue: row[0])
    name = try row[1]
    position = try Position(sortDate: row[2], arrival: (row[3] as Int64?) ?? 0)
    feedNumber = try row[4]
    let feed = try feeds[feedNumber] ?? Indirect(wrappedValue: Self.feed(row, pictures))
    feeds[feedNumber] = feed
    let (otherName, otherSlug): (String?, String?) = try (row[12], row[13])
    (isRead, hasCopies) = try (row[14], row[15])
    let card = try CardStore.card(row, from: 16)
    slugs = try CardStore.slugs(row, from: 16)
    item = CardItem(
      card: Indirect(wrappedValue: card), sortDate: CardStore.sortDate(position.sortDate),
      page: PagePath(ofPost: otherName ?? name, feedSlug: otherSlug ?? feed.wrappedValue.slug), feed: feed,
      keptThumbnail: try card.thumbnail.flatMap { try pictures?.kept($0.url) })
  }

  private static func feed(_ row: Row, _ pictures: PictureStore?) throws -> FeedCard {
    var feed = try FeedCard(key: Feed.Key(row[5]), slug: row[6], title: ValidValue.title(row[7]))
    feed.rights = try ValidValue.title(row[8])
    feed.language = try ValidValue.language(row[9])
    feed.direction = try TextDirection(rawValue: row[10]) ?? .leftToRight
    feed.face = try CheckedValue.address(row[11])
    feed.keptFace = try feed.face.flatMap { try pictures?.kept($0) }
    return feed
  }
}
