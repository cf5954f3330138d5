public import TamisCore
public import TamisFoundation

extension Feed.Timestamp {
  /// The point in time; nil when the text is not a date that can be read.
  public var date: Date? { seconds.map { Date(timeIntervalSince1970: TimeInterval($0)) } }
}

extension Post {
  /// The point in time at which the post was published; nil when its feed does not tell.
  public var publishedDate: Date? { card.published.map { Date(timeIntervalSince1970: TimeInterval($0)) } }

  /// The point in time of the last change; nil when there was none.
  public var updatedDate: Date? { card.updated.map { Date(timeIntervalSince1970: TimeInterval($0)) } }
}
