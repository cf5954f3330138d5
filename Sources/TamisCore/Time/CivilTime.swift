/// A date and time of day in the Gregorian calendar.
package struct CivilTime: Equatable {
  package var year: Int
  /// The month, 1 to 12.
  package var month: Int
  /// The day of the month, 1 to 31.
  package var day: Int
  package var hour: Int
  package var minute: Int
  package var second: Int

  package init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// The languages in which the month comes first in a date such as `03/11/2026`; empty for one that is not known.
  package static let monthFirst: Set = ["", "en", "en-us", "en-ca", "es-us", "en-ph", "fil", "tl"]

  /// The number of months from the beginning of the year 0.
  package var monthNumber: Int64 { Int64(year * 12 + month - 1) }

  /// Returns the first second of a month of UTC, in seconds since 1970-01-01T00:00:00Z.
  ///
  /// - Parameter number: the month, see ``monthNumber``; one before the year 0 or after January 10000 counts as the
  ///   nearest of these.
  /// - Returns: the second.
  package static func start(ofMonth number: Int64) -> Int64 {
    let number = Int(min(max(number, 0), 10_000 * 12))
    let first = CivilTime(year: number / 12, month: number % 12 + 1, day: 1, hour: 0, minute: 0, second: 0)
    return Int64(first.daysSince1970) * 86_400
  }

  /// Makes the UTC time at a number of seconds after 1970-01-01T00:00:00Z.
  package init(seconds: Int64) {
    let days = Int(seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400)
    let time = Int(seconds - Int64(days) * 86_400)
    // Days are counted from 0000-03-01 in eras of 400 years, which makes the leap day the last day of a year.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    self.init(
      year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
      day: dayOfYear - (153 * monthFromMarch + 2) / 5 + 1,
      hour: time / 3600, minute: time / 60 % 60, second: time % 60)
  }

  /// Returns the seconds since 1970-01-01T00:00:00Z; nil when a part is out of range.
  ///
  /// Midnight may be written as 24:00:00 of the day before, and a minute may have a leap second.
  ///
  /// - Parameter offset: the seconds by which the clock is ahead of UTC.
  /// - Returns: the seconds in UTC; nil when a part is out of range.
  package func seconds(offset: Int) -> Int64? {
    guard (1...9999).contains(year), (1...12).contains(month), (1...daysInMonth).contains(day),
      (0...24).contains(hour), (0...59).contains(minute), (0...60).contains(second), hour < 24 || minute + second == 0
    else { return nil }
    return Self.inRange(Int64(daysSince1970) * 86_400 + Int64(hour * 3600 + minute * 60 + second - offset))
  }

  /// Returns the same as ``CivilTime/seconds(offset:)``, with parts beyond their range carried over.
  ///
  /// The excess is carried into the next larger part, as C's `mktime` does.
  package func rolledSeconds(offset: Int) -> Int64? {
    guard (1...9999).contains(year), (1...99).contains(month) else { return nil }
    let first = CivilTime(
      year: year + (month - 1) / 12, month: (month - 1) % 12 + 1, day: 1, hour: 0, minute: 0, second: 0)
    let time = hour * 3600 + minute * 60 + second - offset
    return Self.inRange(Int64(first.daysSince1970 + day - 1) * 86_400 + Int64(time))
  }

  /// Returns the seconds if they are in the years 1 to 9999 of UTC, for which dates can be written; else nil.
  private static func inRange(_ seconds: Int64) -> Int64? {
    (-62_135_596_800..<253_402_300_800).contains(seconds) ? seconds : nil
  }

  /// The date and time as `2026-11-21T08:30:00Z`, taken as UTC (RFC 3339).
  package var text: String {
    "\(year.padded(to: 4))-\(month.padded())-\(day.padded())T\(hour.padded()):\(minute.padded()):\(second.padded())Z"
  }

  /// The day of the week, 0 for Monday to 6 for Sunday.
  package var weekday: Int { ((daysSince1970 + 3) % 7 + 7) % 7 }

  /// The day of the year, 1 for 1 January.
  package var dayOfYear: Int {
    daysSince1970 - CivilTime(year: year, month: 1, day: 1, hour: 0, minute: 0, second: 0).daysSince1970 + 1
  }

  private var isLeapYear: Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  private var daysInMonth: Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: isLeapYear ? 29 : 28
    default: 31
    }
  }

  private var daysSince1970: Int {
    let marchYear = month <= 2 ? year - 1 : year
    let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
