import GRDB

/// A post as its neighbours link to it.
package struct ListedLink: Sendable, Hashable {
  /// Its number in the archive.
  package var number: PostNumber
  /// Its title, empty when it has neither a headline nor a text.
  package var title: String
  /// The page on which it can be read.
  package var page: ListedPost.PageName
  /// The sort date, seconds since 1970-01-01T00:00:00Z; nil when that is not known.
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
  /// Its number in the archive.
  package var number: PostNumber
  /// The page that it had.
  package var from: ListedPost.PageName
  /// The page of the canonical post.
  package var to: ListedPost.PageName
}
