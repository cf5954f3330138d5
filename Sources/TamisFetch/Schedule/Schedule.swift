package import TamisCore
import TamisFiles

/// When feeds are asked again: seldom where seldom something is new, later where that is asked for, and never sooner than allowed.
///
/// Nothing in it is left to chance: feeds are spread in time by their addresses.
package struct Schedule: Sendable, Hashable {
  /// Least seconds between two requests for a feed (default a quarter of an hour).
  package var shortest: Int64 = 15 * 60
  /// Most seconds between two requests for a feed that does not fail (default a day).
  package var longest: Int64 = day

  /// The defaults.
  package init() {}

  static let day: Int64 = 24 * 60 * 60
  /// A feed that fails is asked at least so often, seconds: a week.
  package static let longestFailing = 7 * day
  /// What servers and feeds ask for is followed for so many seconds, a week: a year is a slip of the pen.
  package static let longestAsked = 7 * day
  /// So many requests fall to one typical time between two posts.
  private static let requestsPerPost: Int64 = 8

  /// Whether a feed is to be asked now.
  ///
  /// What would be due within a minute is due: runs come in whole minutes.
  package func isDue(_ state: FetchState, now: Int64) -> Bool {
    if state.isGone { return false }
    guard let next = state.next, let asked = state.asked else { return true }
    // A clock that was set back must not silence a feed.
    return next - 60 <= now || asked > now + 60
  }

  /// When to ask again for a feed that has answered.
  ///
  /// - Parameters:
  ///   - fields: the header fields of its answer.
  ///   - name: what the feed is spread by.
  func next(after now: Int64, _ pace: FetchState.Pace, _ fields: [HeaderField], of name: String) -> Int64 {
    let own = (pace.gap.map { $0 / Self.requestsPerPost } ?? grown(4 * shortest, times: pace.quiet))
    var interval = min(max(own, shortest), longest)
    let freshness = Freshness(fields, now: now)
    for asked in [freshness.lifetime, freshness.retryAfter, pace.lifetime] {
      // A lifetime is how long it is the same for sure: longer than our longest only a server that means it says.
      interval = max(interval, min(asked ?? 0, Self.longestAsked))
    }
    return Self.unskipped(now + spread(interval, by: name), pace)
  }

  /// When to ask again for a feed that has failed, for the `count`th time in a row.
  func next(after now: Int64, failures count: Int, _ fields: [HeaderField], of name: String) -> Int64 {
    let interval = min(grown(2 * shortest, times: count - 1), Self.longestFailing)
    let asked = min(Freshness(fields, now: now).retryAfter ?? 0, Self.longestAsked)
    return now + spread(max(interval, asked), by: name)
  }

  private func grown(_ seconds: Int64, times: Int) -> Int64 { seconds << Int64(min(max(times, 0), 16)) }

  /// Up to a tenth longer, by the name: feeds that came on one day do not stay together for ever.
  private func spread(_ interval: Int64, by name: String) -> Int64 {
    interval + Int64(Checksum(Array(name.utf8)).value % 1024) * interval / 10 / 1024
  }

  /// The first full hour from a time on in which the feed does not mind; the time itself when it does not.
  private static func unskipped(_ time: Int64, _ pace: FetchState.Pace) -> Int64 {
    guard pace.skippedHours != 0 || pace.skippedDays != 0 else { return time }
    var hour = time
    // A feed that skips all hours is not believed.
    for _ in 0..<(7 * 24) {
      let hours = hour / 3600
      // 1970 began on a Thursday.
      let isSkipped =
        pace.skippedHours >> UInt32(hours % 24) & 1 == 1 || pace.skippedDays >> UInt8((hours / 24 + 4) % 7) & 1 == 1
      if !isSkipped { return hour }
      hour = (hours + 1) * 3600
    }
    return time
  }
}
