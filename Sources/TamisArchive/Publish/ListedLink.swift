import GRDB

/// A link to a post from its neighbours.
package struct ListedLink: Sendable, Hashable {
  /// The number in the archive.
  package var number: PostNumber
  /// The title; empty when the post has neither a headline nor a text.
  package var title: String
  /// The page on which the post can be read.
  package var page: ListedPost.PageName
  /// The sort date, in seconds since 1970-01-01T00:00:00Z; nil when it is not known.
  package var place: Int64?

  static let columns =
    "post.id, card.title, ifnull(otherFeed.slug, feed.slug), ifnull(other.name, post.name), post.place"
  static let joins = ListedPost.joins

  init(_ row: Row) {
    number = PostNumber(rawValue: row[0])
    title = ValidValue.name(row[1])
    page = ListedPost.PageName(feedSlug: row[2], name: row[3])
    place = row[4] == CardStore.undated ? nil : CardStore.time(row[4])
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
