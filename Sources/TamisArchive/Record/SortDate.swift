/// The sort date of a post (Tamis.docc/HowAPostIsRecognized.md, K8): its own date, unless it has none or that is more than a
/// day in the future; then the day on which it was first seen with it.
struct SortDate {
  /// Seconds since 1970-01-01T00:00:00Z; nil when that is not known.
  let seconds: Int64?

  /// - Parameter day: nil when there was no clock.
  init(_ published: Int64?, day: Int64?) {
    guard let published, let day else {
      seconds = published ?? day
      return
    }
    seconds = published > day + 86_400 ? day : published
  }
}
