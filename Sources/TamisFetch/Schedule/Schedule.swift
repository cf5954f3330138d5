package import TamisCore
import TamisSystem

/// The schedule of requests for feeds.
///
/// Feeds that rarely change are requested rarely, later if they ask for that, and never sooner than allowed. The
/// schedule is deterministic: feeds are spread in time by their addresses.
package struct Schedule: Sendable, Hashable {
  /// The minimum seconds between two requests for a feed (default a quarter of an hour).
  package var shortest: Int64 = 15 * 60
  /// The maximum seconds between two requests for a feed that does not fail (default a day).
  package var longest: Int64 = day

  /// Creates the default schedule.
  package init() {}

  static let day: Int64 = 24 * 60 * 60
  /// The maximum seconds between two requests for a feed that fails, before spreading: a week.
  package static let longestFailing = 7 * day
  /// The maximum seconds for which requests of servers and feeds are followed: a week.
  ///
  /// A longer time, such as a year, is usually a mistake.
  package static let longestAsked = 7 * day
  /// The number of requests per typical time between two posts.
  private static let requestsPerPost: Int64 = 8

  /// Returns whether a feed is due for a request.
  ///
  /// A feed that becomes due within a minute is due, because runs start at whole minutes.
  package func isDue(_ state: FetchState, now: Int64) -> Bool {
    if state.isGone { return false }
    guard let next = state.next, let asked = state.asked else { return true }
    // A clock that was set back must not stop requests for a feed.
    return next - 60 <= now || asked > now + 60
  }

  /// Returns the time of the next request for a feed that has answered.
  ///
  /// - Parameters:
  ///   - now: the time, in seconds since 1970.
  ///   - pace: how often the feed changes.
  ///   - fields: the header fields of its answer.
  ///   - name: the name by which the feed is spread in time.
  /// - Returns: the time of the next request, in seconds since 1970.
  func next(after now: Int64, _ pace: FetchState.Pace, _ fields: [HeaderField], of name: String) -> Int64 {
    let own = (pace.gap.map { $0 / Self.requestsPerPost } ?? grown(4 * shortest, times: pace.quiet))
    var interval = min(max(own, shortest), longest)
    let freshness = Freshness(fields, now: now)
    for asked in [freshness.lifetime, freshness.retryAfter, pace.lifetime] {
      // The declared lifetimes may exceed `longest`: only a server that means it declares so much.
      interval = max(interval, min(asked ?? 0, Self.longestAsked))
    }
    return Self.unskipped(now + spread(interval, by: name), pace)
  }

  /// Returns the time of the next request for a feed that has failed for the `count`th time in a row.
  func next(after now: Int64, failures count: Int, _ fields: [HeaderField], of name: String) -> Int64 {
    let interval = min(grown(2 * shortest, times: count - 1), Self.longestFailing)
    let asked = min(Freshness(fields, now: now).retryAfter ?? 0, Self.longestAsked)
    return now + spread(max(interval, asked), by: name)
  }

  private func grown(_ seconds: Int64, times: Int) -> Int64 { seconds << Int64(min(max(times, 0), 16)) }

  /// Returns an interval up to a tenth longer, by name, so that feeds added on the same day drift apart.
  private func spread(_ interval: Int64, by name: String) -> Int64 {
    interval + Int64(Checksum(Array(name.utf8)).value % 1024) * interval / 10 / 1024
  }

  /// Returns the beginning of the first hour from a time on that the feed does not skip; the time itself if it is not
  /// skipped.
  private static func unskipped(_ time: Int64, _ pace: FetchState.Pace) -> Int64 {
    guard pace.skippedHours != 0 || pace.skippedDays != 0 else { return time }
    var hour = time
    // A feed that skips all hours is ignored.
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
