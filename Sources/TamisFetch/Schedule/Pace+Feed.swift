package import TamisCore

extension FetchState.Pace {
  /// Creates a pace from what a document says about how often it changes.
  ///
  /// - Parameters:
  ///   - feed: the feed, with `ttl`, `skipHours` and `skipDays` of RSS 2.0, and `sy:updatePeriod` and
  ///     `sy:updateFrequency` of the syndication module of RSS 1.0.
  ///   - dates: the publication dates of its entries, in seconds since 1970, in any order.
  ///   - now: the time, in seconds since 1970.
  package init(_ feed: Feed, dates: [Int64], now: Int64) {
    self.init()
    gap = Self.gap(dates, now: now)
    var (period, frequency, ttl): (Int64?, Int64, Int64) = (nil, 1, 0)
    for element in feed.extensions {
      let text = element.text.trimmed().asciiLowercased()
      switch element.name {
      case "ttl": ttl = Int64(text).map { $0 > 0 ? min($0, Self.mostMinutes) * 60 : 0 } ?? 0
      case "sy_updateperiod": period = Self.periods[text]
      case "sy_updatefrequency": frequency = max(1, Int64(text) ?? 1)
      case "hour":
        // Some feeds count from 1 to 24, as RSS 0.91 did.
        if let hour = UInt32(text), hour <= 24 { skippedHours |= 1 << (hour % 24) }
      case "day":
        if let day = Self.days.firstIndex(where: { text.hasPrefix($0) }) { skippedDays |= 1 << UInt8(day) }
      default: break
      }
    }
    let lifetime = max(ttl, (period ?? 0) / frequency)
    self.lifetime = lifetime > 0 ? lifetime : nil
  }

  private static let mostMinutes: Int64 = 1 << 20
  private static let periods: [String: Int64] = [
    "hourly": 3600, "daily": 86_400, "weekly": 7 * 86_400, "monthly": 30 * 86_400, "yearly": 365 * 86_400,
  ]
  private static let days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
  /// The number of newest entries that determine the typical time between posts.
  private static let sample = 10

  /// Returns the median of the times between the newest entries, or half of the time since the latest one if that is
  /// longer.
  ///
  /// The result is nil for fewer than two entries.
  private static func gap(_ dates: [Int64], now: Int64) -> Int64? {
    let newest = Array(dates.filter { $0 <= now }.sorted(by: >).prefix(sample))
    guard let latest = newest.first, newest.count > 1 else { return nil }
    let gaps = zip(newest, newest.dropFirst()).map { $0 - $1 }.sorted()
    return max(gaps[gaps.count / 2], (now - latest) / 2)
  }
}
