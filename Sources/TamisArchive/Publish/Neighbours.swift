import GRDB
package import TamisCore

/// The link to a post as the archive reads it.
extension Neighbour {
  static let columns =
    "post.id, card.title, CASE WHEN card.isUntitled THEN card.excerpt ELSE '' END, ifnull(otherFeed.slug, feed.slug), ifnull(other.name, post.name), post.sortDate"
  static let joins = ListedPost.joins

  init(_ row: Row) throws {
    var card = Post.Card()
    (card.title, card.excerpt) = try (ValidValue.name(row[1]), ValidValue.name(row[2]))
    try self.init(
      title: card.heading, page: PagePath(ofPost: row[4], feedSlug: row[3]), sortDate: CardStore.sortDate(row[5]))
  }
}

/// A post whose page redirects to that of another.
package struct MovedPost: Sendable, Hashable {
  /// The number in the archive.
  package var number: PostNumber
  /// The former page of the post.
  package var from: PagePath
  /// The page of the canonical post.
  package var to: PagePath
}
