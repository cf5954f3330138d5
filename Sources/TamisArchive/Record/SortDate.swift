/// The sort date of a post (Tamis.docc/HowAPostIsRecognized.md, K8): its own date, unless it has none or that is more than a
/// day in the future; then the day on which it was first seen with it.
struct SortDate {
  /// The day of a post that nobody saw come, and whose own date says nothing: it has no sort date.
  static let unseen = ValidValue.dates.lowerBound

  static let aDay: Int64 = 86_400

  /// Seconds since 1970-01-01T00:00:00Z; nil when that is not known.
  let seconds: Int64?

  /// - Parameter day: nil when there was no clock.
  init(_ published: Int64?, day: Int64?) {
    if day == Self.unseen {
      seconds = nil
    } else if Self.isBelieved(published, on: day) {
      seconds = published
    } else {
      seconds = day
    }
  }

  /// Whether a post is sorted by its own date; without a clock every date is believed.
  static func isBelieved(_ published: Int64?, on day: Int64?) -> Bool {
    guard let published else { return false }
    return day.map { published <= $0 + aDay } ?? true
  }

  /// The day to remember for a post that was there before anybody looked: in the first document of a feed, or in a backfill.
  ///
  /// A date of the coming week is taken for an appointment or a wrong clock, and such a post for one of today.
  static func day(ofOld published: Int64?, seen day: Int64?) -> Int64? {
    day.map { isBelieved(published, on: $0 + 6 * aDay) ? $0 : unseen }
  }

  /// The earliest of the days on which two archives first saw a post.
  static func earliest(_ one: Int64?, _ other: Int64?) -> Int64? {
    let days = [one, other].compactMap { $0 }
    return days.filter { $0 != unseen }.min() ?? days.first
  }
}
