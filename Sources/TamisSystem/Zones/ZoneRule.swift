import TamisCore

/// The rule by which the clocks of a zone change every year, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// The syntax is that of POSIX's variable `TZ`, with hours of -167 to 167 (RFC 9636, 3.3.1).
package struct ZoneRule: Sendable, Equatable {
  /// The offset of standard time from UTC, in seconds.
  package let standard: Int
  /// The offset of summer time, and when it begins and ends; nil when clocks do not change.
  private let summer: Summer?

  private struct Summer: Equatable {
    var offset: Int
    var begin: Moment
    var end: Moment
  }

  /// A day of each year, and a time of that day by the clocks.
  private struct Moment: Equatable {
    var day: Day
    var seconds: Int
  }

  private enum Day: Equatable {
    /// `Jn`: a day of the year from 1 to 365, in which 29 February is not counted.
    case withoutLeapDay(Int)
    /// `n`: a day of the year from 0 to 365.
    case ofYear(Int)
    /// `Mm.w.d`: the day `weekday`, 0 for Sunday, of a week of a month; the fifth is the last.
    case ofMonth(Int, week: Int, weekday: Int)
  }

  /// Reads a rule; nil when it is none.
  package init?(_ text: String) {
    var scanner = Scanner(rest: Array(text.utf8)[...])
    guard scanner.skipName(), let west = scanner.time(mostHours: 24) else { return nil }
    standard = -west
    if scanner.rest.isEmpty {
      summer = nil
      return
    }
    guard scanner.skipName() else { return nil }
    let offset = scanner.rest.first == UInt8(ascii: ",") ? standard + 3600 : scanner.time(mostHours: 24).map { -$0 }
    guard let offset, let begin = scanner.moment(), let end = scanner.moment(), scanner.rest.isEmpty else { return nil }
    summer = Summer(offset: offset, begin: begin, end: end)
  }

  /// Returns the changes of a year, in order.
  ///
  /// - Parameter year: the year by the clocks, 1 to 9999.
  /// - Returns: two changes; none when clocks do not change.
  package func changes(in year: Int) -> [Zone.Change] {
    guard let summer else { return [] }
    let begin = Zone.Change(time: Self.time(summer.begin, in: year) - Int64(standard), seconds: summer.offset)
    let end = Zone.Change(time: Self.time(summer.end, in: year) - Int64(summer.offset), seconds: standard)
    // Summer that ends when it begins lasts the whole year.
    return end.time <= begin.time ? [end, begin] : [begin, end]
  }

  /// Returns the seconds from 1970-01-01T00:00:00 by the clocks to a moment of a year.
  private static func time(_ moment: Moment, in year: Int) -> Int64 {
    func days(_ month: Int) -> Int {
      let first = CivilTime(year: year, month: month, day: 1, hour: 0, minute: 0, second: 0)
      return Int((first.rolledSeconds(offset: 0) ?? 0) / 86_400)
    }
    let day: Int
    switch moment.day {
    case .ofYear(let number): day = days(1) + number
    case .withoutLeapDay(let number):
      let isLeap = days(13) - days(1) == 366
      day = days(1) + number - (isLeap && number >= 60 ? 0 : 1)
    case .ofMonth(let month, let week, let weekday):
      let first = days(month)
      // 1970-01-01 was a Thursday.
      let found = first + ((weekday - first - 4) % 7 + 7) % 7 + 7 * (week - 1)
      day = found < days(month + 1) ? found : found - 7
    }
    return Int64(day) * 86_400 + Int64(moment.seconds)
  }

  /// Reads the parts of a rule in order.
  private struct Scanner {
    var rest: ArraySlice<UInt8>

    /// Skips an abbreviation: letters, or anything between `<` and `>`; returns whether there is one.
    mutating func skipName() -> Bool {
      if rest.first == UInt8(ascii: "<") {
        guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
        rest = rest[(end + 1)...]
        return true
      }
      let count = rest.prefix(while: \.isASCIILetter).count
      rest = rest.dropFirst(count)
      return count > 0
    }

    /// Reads a time or an offset: hours, minutes and seconds with colons between them, and a sign.
    mutating func time(mostHours: Int) -> Int? {
      let isNegative = skip("-")
      if !isNegative { _ = skip("+") }
      guard let hours = number(most: mostHours) else { return nil }
      var seconds = hours * 3600
      for unit in [60, 1] where skip(":") {
        guard let number = number(most: 59) else { return nil }
        seconds += number * unit
      }
      return isNegative ? -seconds : seconds
    }

    /// Reads a comma, a day and its time, which is two o'clock if there is none.
    mutating func moment() -> Moment? {
      guard skip(","), let day = day() else { return nil }
      if !skip("/") { return Moment(day: day, seconds: 7200) }
      return time(mostHours: 167).map { Moment(day: day, seconds: $0) }
    }

    private mutating func day() -> Day? {
      if skip("J") { return number(most: 365).flatMap { $0 > 0 ? .withoutLeapDay($0) : nil } }
      guard skip("M") else { return number(most: 365).map(Day.ofYear) }
      guard let month = number(most: 12), month > 0, skip("."), let week = number(most: 5), week > 0, skip("."),
        let weekday = number(most: 6)
      else { return nil }
      return .ofMonth(month, week: week, weekday: weekday)
    }

    private mutating func number(most: Int) -> Int? {
      let digits = rest.prefix(while: \.isASCIIDigit)
      guard (1...3).contains(digits.count) else { return nil }
      rest = rest.dropFirst(digits.count)
      let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
      return number <= most ? number : nil
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest = rest.dropFirst()
      return true
    }
  }
}
