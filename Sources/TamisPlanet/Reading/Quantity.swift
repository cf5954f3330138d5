import TamisCore

/// Durations and sizes as people write them.
enum Quantity {
  private static let seconds: [String: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
  /// The units of sizes in bytes; the first that divides a size writes it.
  private static let sizes: KeyValuePairs = [
    "GB": 1_000_000_000, "GiB": 1 << 30, "MB": 1_000_000, "MiB": 1 << 20, "KB": 1000, "KiB": 1 << 10, "B": 1,
  ]
  private static let bytes = Dictionary(uniqueKeysWithValues: sizes.map { ($0.key.asciiLowercased(), $0.value) })

  /// Returns the seconds of `30s`, `15m`, `2h`, `7d`, `1w` or several of them (`1h 30m`).
  ///
  /// Nil for anything else, and for more than a hundred years.
  static func duration(_ text: String) -> Int? {
    parts(text, units: seconds).flatMap { $0 <= 100 * 366 * 86_400 ? $0 : nil }
  }

  /// Returns the bytes of `500 KB`, `20 MB` or `1 GiB`; nil for anything else, and for more than 2^40.
  static func size(_ text: String) -> Int? {
    let parts = text.split { $0 == " " }
    guard parts.count <= 2 else { return nil }
    return self.parts(text, units: bytes).flatMap { $0 <= 1 << 40 ? $0 : nil }
  }

  /// Returns a duration in the format of ``duration(_:)``, with as few units as possible.
  static func text(of duration: Duration) -> String {
    var rest = Int(duration.components.seconds)
    if rest == 0 { return "0s" }
    var parts: [String] = []
    for (unit, length) in [("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)] where rest >= length {
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
