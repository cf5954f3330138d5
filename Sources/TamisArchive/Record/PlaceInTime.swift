/// Where a post stands in time (rule K8 of the design): at its date, unless it has none or that lies more than a day ahead; then on
/// the day on which it was seen first with it.
struct PlaceInTime {
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
