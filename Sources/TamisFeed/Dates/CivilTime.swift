import TamisCore

/// A date and time of day in the Gregorian calendar.
struct CivilTime {
  var year: Int
  var month: Int
  var day: Int
  var hour: Int
  var minute: Int
  var second: Int

  /// Seconds since 1970-01-01T00:00:00Z when the clock is `offset` seconds ahead of UTC; nil when a part is out of range.
  func seconds(offset: Int) -> Int64? {
    guard (1...9999).contains(year), (1...12).contains(month), (1...daysInMonth).contains(day),
      (0...24).contains(hour), (0...59).contains(minute), (0...60).contains(second), hour < 24 || minute + second == 0
    else { return nil }
    let time = hour * 3600 + minute * 60 + second - offset
    return Int64(daysSince1970) * 86_400 + Int64(time)
  }

  private var isLeapYear: Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  private var daysInMonth: Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: isLeapYear ? 29 : 28
    default: 31
    }
  }

  /// Counted in eras of 400 years that begin on a 1 March, so that the leap day is the last of its year.
  private var daysSince1970: Int {
    let marchYear = month <= 2 ? year - 1 : year
    let era = marchYear / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

/// Time zones as feeds name them.
enum TimeZoneName {
  private static let hours: [String: Int] = [
    "ut": 0, "gmt": 0, "utc": 0, "z": 0, "adt": -3, "ast": -4, "at": -4, "edt": -4, "est": -5, "et": -5, "cdt": -5,
    "cst": -6, "ct": -6, "mdt": -6, "mst": -7, "mt": -7, "pdt": -7, "pst": -8, "pt": -8, "a": -1, "n": 1, "m": -12,
    "y": 12, "met": 1, "mest": 2, "cet": 1, "cest": 2, "bst": 1, "jst": 9,
  ]

  /// Seconds ahead of UTC: `+0200`, `+02:00`, `-5`, `GMT+1`, a name; an unknown name counts as UTC.
  ///
  /// Nil when it is no zone.
  static func offset(_ text: String) -> Int? {
    var name = text.asciiLowercased().trimmed()
    if name.hasPrefix("etc/") { name.removeFirst(4) }
    if let known = hours[name] { return known * 3600 }
    for prefix in ["gmt", "utc"] where name.hasPrefix(prefix) { name.removeFirst(3) }
    guard let sign = name.first, sign == "+" || sign == "-" else {
      return name.utf8.allSatisfy(\.isASCIILetter) ? 0 : nil
    }
    let digits = name.dropFirst().filter { $0 != ":" }
    guard let number = Int(digits), digits.utf8.allSatisfy(\.isASCIIDigit), digits.count <= 4 else { return nil }
    let seconds = digits.count <= 2 ? number * 3600 : number / 100 * 3600 + number % 100 * 60
    return sign == "-" ? -seconds : seconds
  }
}
