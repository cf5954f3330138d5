/// Formats dates for programs: in UTC, independent of the machine's clock and locale.
package struct DateText: Sendable {
  private let time: CivilTime

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private let seconds: Int64

  /// Makes a date.
  ///
  /// - Parameter seconds: seconds since 1970-01-01T00:00:00Z; clamped to the years 1 to 9999.
  package init(_ seconds: Int64) {
    self.seconds = Self.bounded(seconds)
    time = CivilTime(seconds: self.seconds)
  }

  /// Returns the nearest second in the years 1 to 9999.
  package static func bounded(_ seconds: Int64) -> Int64 { min(max(seconds, -62_135_596_800), 253_402_300_799) }

  /// Returns the year in four digits: `2026`.
  package static func year(_ year: Int) -> String { year.padded(to: 4) }

  /// Returns the year and the month: `2026-11`.
  package static func month(_ year: Int, _ month: Int) -> String { "\(year.padded(to: 4))-\(month.padded())" }

  /// The date and time as `2026-11-14T08:30:00Z` (RFC 3339).
  package var iso: String {
    var text = Array("0000-00-00T00:00:00Z".utf8)
    func set(_ index: Int, _ number: Int) {
      text[index] += UInt8(number / 10)
      text[index + 1] += UInt8(number % 10)
    }
    set(0, time.year / 100)
    set(2, time.year % 100)
    set(5, time.month)
    set(8, time.day)
    set(11, time.hour)
    set(14, time.minute)
    set(17, time.second)
    return String(decoding: text, as: UTF8.self)
  }

  /// The date and time as `Sat, 14 Nov 2026 08:30:00 GMT` (RFC 822 with a four-digit year).
  package var rfc822: String {
    let day = Int((seconds >= 0 ? seconds : seconds - 86_399) / 86_400) % 7
    return "\(Self.days[(day + 7) % 7]), \(time.day.padded()) \(Self.months[time.month - 1]) "
      + "\(time.year.padded(to: 4)) \(time.hour.padded()):\(time.minute.padded()):\(time.second.padded()) GMT"
  }
}
