import TamisCore

/// Reads the forms of ISO 8601 that are not W3CDTF.
///
/// These are `20031231`, `2003-335`, `2003-W01-1`, `03-12-31`, `03335`, `-0312`, with or without a time. As in
/// Universal Feed Parser, whatever follows the date or the time is ignored, and parts beyond their range carry over
/// into the next larger one.
enum ISO8601Date {
  /// The accepted forms.
  ///
  /// `Y` is a year of four digits and `y` one of two, `M` a month, `D` a day, `O` a day of the year, `W` a week with
  /// its `W`, `d` a day of the week; `?` is an optional hyphen.
  private static let templates = ["Y?W?d", "Y?W", "Y?M?D", "Y-M", "Y?O", "y?M?D", "y?O", "Y", "-y?M", "-y"]

  /// Returns the date in a text, or nil when it has none of these forms.
  static func read(_ bytes: [UInt8]) -> DateParser.Reading? {
    if isDayFirst(bytes) { return nil }
    for template in templates {
      var scanner = DateScanner(bytes)
      guard var time = read(template, &scanner), template.hasSuffix("D") || !scanner.isInDate else {
        continue
      }
      var offset: Int?
      var clock = scanner
      _ = clock.skip("T") || clock.skip(" ")
      if let hour = clock.number(digits: 2...2), clock.skip(":") || clock.isAtDigit,
        let minute = clock.number(digits: 2...2)
      {
        time.hour = hour
        time.minute = minute
        if clock.skip(":") || clock.isAtDigit { time.second = clock.number(digits: 2...2) ?? 0 }
        if clock.skip(".") { _ = clock.number(digits: 0...12) }
        offset = zone(&clock)
      } else if !template.hasSuffix("D"), !scanner.rest.allSatisfy(\.isWhitespace) {
        // A year or a month with words behind it is no date of this form.
        return nil
      }
      return time.rolledSeconds(offset: offset ?? 0).map { DateParser.Reading(seconds: $0, offset: offset) }
    }
    return nil
  }

  /// Whether a text begins like `24-11-2026`: whether the day or the month comes first is not known.
  private static func isDayFirst(_ bytes: [UInt8]) -> Bool {
    var scanner = DateScanner(bytes)
    return scanner.number(digits: 2...2) != nil && scanner.skip("-") && scanner.number(digits: 2...2) != nil
      && scanner.skip("-") && scanner.number(digits: 4...4) != nil
  }

  private static func read(_ template: String, _ scanner: inout DateScanner) -> CivilTime? {
    var time = CivilTime(year: 0, month: 1, day: 1, hour: 0, minute: 0, second: 0)
    var (week, weekday) = (0, 1)
    // Hyphens are either everywhere or nowhere.
    var hasHyphens: Bool?
    for part in template {
      switch part {
      case "-": guard scanner.skip("-") else { return nil }
      case "?":
        let isThere = scanner.skip("-")
        if let hasHyphens, hasHyphens != isThere { return nil }
        hasHyphens = isThere
      case "Y":
        guard let year = scanner.number(digits: 4...4) else { return nil }
        time.year = year
      case "y":
        guard let year = scanner.number(digits: 2...2) else { return nil }
        time.year = 2000 + year
      case "M":
        guard let month = scanner.number(digits: 2...2), (1...19).contains(month) else { return nil }
        time.month = month
      case "W":
        guard scanner.skip("W"), let value = scanner.number(digits: 2...2), (1...53).contains(value) else { return nil }
        week = value
      case "d":
        guard let value = scanner.number(digits: 1...1), (1...7).contains(value) else { return nil }
        weekday = value
      default:
        guard let day = scanner.number(digits: part == "O" ? 3...3 : 2...2), day < 400 else { return nil }
        time.day = day
      }
    }
    if week > 0 {
      // Week 1 contains 4 January; weeks begin on Monday.
      var fourth = time
      fourth.day = 4
      time.day = 4 - fourth.weekday + 7 * (week - 1) + weekday - 1
    }
    return time
  }

  /// Reads `Z`, `+02` or `+02:00`; nothing else is a zone.
  private static func zone(_ scanner: inout DateScanner) -> Int? {
    if scanner.skip("Z") { return 0 }
    let sign = scanner.skip("+") ? 1 : scanner.skip("-") ? -1 : 0
    guard sign != 0, let hours = scanner.number(digits: 2...2) else { return nil }
    let minutes = scanner.skip(":") ? scanner.number(digits: 2...2) ?? 0 : 0
    return sign * (hours * 3600 + minutes * 60)
  }
}
