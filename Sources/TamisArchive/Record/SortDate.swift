import TamisCore

/// The sort date of a post (Tamis.docc/HowAPostIsRecognized.md, K8).
///
/// This is the post's own date. If it has none, or one more than a day in the future, it is the day on which the post
/// was first seen with it.
struct SortDate {
  /// The day of a post whose arrival was not observed and whose own date is implausible: it has no sort date.
  static let unseen = CheckedValue.times.lowerBound

  static let aDay: Int64 = 86_400

  /// The date in seconds since 1970-01-01T00:00:00Z; nil when it is not known.
  let seconds: Int64?

  /// Creates the sort date of a post.
  ///
  /// - Parameters:
  ///   - published: the date of the post, in seconds since 1970; nil when it has none.
  ///   - day: the day on which the post was first seen with its date; nil when there was no clock.
  init(_ published: Int64?, day: Int64?) {
    if day == Self.unseen {
      seconds = nil
    } else if Self.isBelieved(published, on: day) {
      seconds = published
    } else {
      seconds = day
    }
  }

  /// Whether a post is sorted by its own date; without a clock every date is accepted.
  static func isBelieved(_ published: Int64?, on day: Int64?) -> Bool {
    guard let published else { return false }
    return day.map { published <= $0 + aDay } ?? true
  }

  /// Returns the day to store for a post that existed before the feed was observed: in the first document of a feed, or
  /// in a backfill.
  ///
  /// A date within the coming week is taken for an appointment or a wrong clock, and the post for one of today.
  static func day(ofOld published: Int64?, seen day: Int64?) -> Int64? {
    day.map { isBelieved(published, on: $0 + 6 * aDay) ? $0 : unseen }
  }

  /// Returns the earlier of the days on which two archives first saw a post.
  static func earliest(_ one: Int64?, _ other: Int64?) -> Int64? {
    let days = [one, other].compactMap { $0 }
    return days.filter { $0 != unseen }.min() ?? days.first
  }
}
