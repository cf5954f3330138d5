import GRDB
import TamisCore

/// A link to a post from its neighbours.
package struct ListedLink: Sendable, Hashable {
  /// The number in the archive.
  package var number: PostNumber
  /// The title; empty when the post has neither a headline nor a text.
  package var title: String
  /// The page on which the post can be read.
  package var page: ListedPost.PageName
  /// The sort date, in seconds since 1970-01-01T00:00:00Z; nil when it is not known.
  package var sortDate: Int64?

  static let columns =
    "post.id, card.title, CASE WHEN card.isUntitled THEN card.excerpt ELSE '' END, ifnull(otherFeed.slug, feed.slug), ifnull(other.name, post.name), post.sortDate"
  static let joins = ListedPost.joins

  init(_ row: Row) throws {
    number = try PostNumber(rawValue: row[0])
    var card = Post.Card()
    (card.title, card.excerpt) = try (ValidValue.name(row[1]), ValidValue.name(row[2]))
    title = card.heading
    page = try ListedPost.PageName(feedSlug: row[3], name: row[4])
    sortDate = try CardStore.sortDate(row[5])
  }
}

/// A post whose page redirects to that of another.
package struct MovedPost: Sendable, Hashable {
  /// The number in the archive.
  package var number: PostNumber
  /// The former page of the post.
  package var from: ListedPost.PageName
  /// The page of the canonical post.
  package var to: ListedPost.PageName
}
