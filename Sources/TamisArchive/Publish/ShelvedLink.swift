import GRDB

/// A post as its neighbours name it.
public struct ShelvedLink: Sendable, Hashable {
  /// Its number in the archive.
  public var number: PostNumber
  /// Its title, empty when it has neither a headline nor a text.
  public var title: String
  /// The page on which it can be read.
  public var page: ShelvedPost.PageName
  /// Where it stands in time, seconds since 1970-01-01T00:00:00Z; nil when that is not known.
  public var place: Int64?

  static let columns =
    "post.id, card.title, ifnull(otherFeed.slug, feed.slug), ifnull(other.name, post.name), post.place"
  static let joins = ShelvedPost.joins

  init(_ row: Row) {
    number = PostNumber(rawValue: row[0])
    title = row[1]
    page = ShelvedPost.PageName(feedSlug: row[2], name: row[3])
    place = row[4] == CardStore.undated ? nil : CardStore.time(row[4])
  }
}

/// A post whose page leads to that of another.
public struct MovedPost: Sendable, Hashable {
  /// Its number in the archive.
  public var number: PostNumber
  /// The page that it had.
  public var from: ShelvedPost.PageName
  /// The page of the post that stands for it.
  public var to: ShelvedPost.PageName
}
