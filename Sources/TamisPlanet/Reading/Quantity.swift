import TamisCore

/// Durations, days and sizes as people write them, in files and on the command line.
package enum Quantity {
  /// The units of durations in milliseconds, from the longest; weeks are read and not written.
  private static let times: KeyValuePairs = ["d": 86_400_000, "h": 3_600_000, "m": 60_000, "s": 1000, "ms": 1]
  private static let milliseconds = Dictionary(uniqueKeysWithValues: times.map { ($0.key, $0.value) })
    .merging(["w": 604_800_000]) { $1 }
  /// The units of sizes in bytes; the first that divides a size writes it.
  private static let sizes: KeyValuePairs = [
    "GB": 1_000_000_000, "GiB": 1 << 30, "MB": 1_000_000, "MiB": 1 << 20, "KB": 1000, "KiB": 1 << 10, "B": 1,
  ]
  /// The same in lower case, with the letters that other programs write for powers of 1024.
  private static let bytes = Dictionary(uniqueKeysWithValues: sizes.map { ($0.key.asciiLowercased(), $0.value) })
    .merging(["k": 1 << 10, "m": 1 << 20, "g": 1 << 30]) { $1 }

  /// Returns the duration of `500ms`, `30s`, `15m`, `2h`, `7d`, `1w` or several of them (`1h 30m`).
  ///
  /// - Parameters:
  ///   - text: the text, with a unit after each number.
  ///   - least: the shortest duration that is of use.
  /// - Returns: the duration.
  /// - Throws: ``SettingRefusal`` for anything else, and for more than a hundred years.
  package static func duration(_ text: String, from least: Duration = .zero) throws(SettingRefusal) -> Duration {
    guard let count = parts(text, units: milliseconds), count <= 100 * 366 * 86_400_000 else {
      throw SettingRefusal(
        description: "'\(text)' is not a duration; write it with its unit, as in 500ms, 30s, 15m, 2h or 7d")
    }
    let duration = Duration.milliseconds(count)
    if duration < least {
      throw SettingRefusal(description: "'\(text)' is too short; it has to be \(self.text(of: least)) at least")
    }
    return duration
  }

  /// Returns days, from 1, of a number or a duration: `90`, `90d`, `2w`.
  ///
  /// - Throws: ``SettingRefusal`` for anything else.
  package static func days(_ text: String) throws(SettingRefusal) -> Int {
    if let days = Int(text), (1...36_600).contains(days) { return days }
    let day = 86_400_000
    guard let count = parts(text, units: milliseconds), (day...36_600 * day).contains(count), count.isMultiple(of: day)
    else {
      throw SettingRefusal(description: "'\(text)' is not a number of days; write it as in 90d or 2w")
    }
    return count / day
  }

  /// Returns the bytes of `500 KB`, `20 MB`, `1 GiB` or `16M`.
  ///
  /// - Throws: ``SettingRefusal`` for anything else, for nothing, and for more than 2^40.
  package static func size(_ text: String) throws(SettingRefusal) -> Int {
    guard text.split(separator: " ").count <= 2, let count = parts(text, units: bytes), (1...1 << 40).contains(count)
    else {
      throw SettingRefusal(description: "'\(text)' is not a size; write it with its unit, as in 500 KB or 20 MB")
    }
    return count
  }

  /// Returns a duration in the format of ``duration(_:from:)``, with as few units as possible.
  static func text(of duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    var rest = Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    if rest == 0 { return "0s" }
    var parts: [String] = []
    for (unit, length) in times where rest >= length {
      parts.append("\(rest / length)\(unit)")
      rest %= length
    }
    return parts.joined(separator: " ")
  }

  /// Returns a size in the format of ``size(_:)``.
  static func text(ofBytes count: Int) -> String {
    for (unit, size) in sizes where count >= size && count.isMultiple(of: size) {
      return "\(count / size) \(unit)"
    }
    return "\(count) B"
  }

  private static func parts(_ text: String, units: [String: Int]) -> Int? {
    var rest = Array(text.asciiLowercased().utf8)[...]
    var sum = 0
    var isAny = false
    while true {
      rest = rest.drop { $0 == ASCII.space }
      if rest.isEmpty { return isAny ? sum : nil }
      let digits = rest.prefix(while: \.isASCIIDigit)
      rest = rest.dropFirst(digits.count).drop { $0 == ASCII.space }
      let letters = rest.prefix(while: \.isASCIILetter)
      rest = rest.dropFirst(letters.count)
      guard (1...12).contains(digits.count), let number = Int(String(decoding: digits, as: UTF8.self)),
        let unit = units[String(decoding: letters, as: UTF8.self)]
      else { return nil }
      let (product, isTooLarge) = number.multipliedReportingOverflow(by: unit)
      if isTooLarge || product > 1 << 50 { return nil }
      sum += product
      isAny = true
    }
  }
}
