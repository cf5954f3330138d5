import TamisCore

/// Reads the parts of a date from left to right.
struct DateScanner {
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The part that has not been read.
  var rest: String { String(decoding: bytes[index...], as: UTF8.self) }

  /// Whether a digit comes next.
  var isAtDigit: Bool { index < bytes.count && bytes[index].isASCIIDigit }

  /// Whether the next byte may continue a date.
  var isInDate: Bool { isAtDigit || (index < bytes.count && bytes[index] == UInt8(ascii: "-")) }

  /// Whether a letter comes next.
  private var isAtLetter: Bool { index < bytes.count && bytes[index].isASCIILetter }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  /// Skips ASCII letters and returns their number.
  mutating func skipLetters() -> Int {
    let start = index
    while index < bytes.count, bytes[index].isASCIILetter { index += 1 }
    return index - start
  }

  /// Reads an English month of three letters as 1 to 12.
  mutating func month() -> Int? {
    guard index + 3 <= bytes.count else { return nil }
    let name = bytes[index..<index + 3].reduce(0) { $0 << 8 | UInt32($1.asciiLowercased) }
    guard let position = Self.months.firstIndex(of: name) else { return nil }
    index += 3
    return position + 1
  }

  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    .map { $0.utf8.reduce(0) { $0 << 8 | UInt32($1) } }

  mutating func skipSpaces() {
    while index < bytes.count, bytes[index].isHTMLSpace { index += 1 }
  }

  mutating func number(digits: ClosedRange<Int>) -> Int? {
    var value = 0
    var count = 0
    while index < bytes.count, count < digits.upperBound, bytes[index].isASCIIDigit {
      value = value * 10 + Int(bytes[index] - 0x30)
      index += 1
      count += 1
    }
    return count >= digits.lowerBound ? value : nil
  }

  /// Reads `am`, `pm`, `a.m.` or `p.m.` behind a time, also after a space, and changes the hour if it is one of twelve.
  mutating func half(of time: inout (hour: Int, minute: Int, second: Int)) {
    var probe = self
    probe.skipSpaces()
    guard let letter = ["a", "p"].first(where: { probe.skip($0) || probe.skip(Unicode.Scalar($0.value - 0x20) ?? $0) })
    else { return }
    _ = probe.skip(".")
    guard probe.skip("m") || probe.skip("M") else { return }
    _ = probe.skip(".")
    if probe.isAtLetter { return }
    if (1...12).contains(time.hour) { time.hour = time.hour % 12 + (letter == "p" ? 12 : 0) }
    self = probe
  }

  /// Reads `10`, `10:20`, `10:20:30` or `10:20:30.25`; fractions of a second are dropped.
  mutating func time() -> (hour: Int, minute: Int, second: Int)? {
    guard let hour = number(digits: 1...2) else { return nil }
    var (minute, second) = (0, 0)
    if skip(":") {
      guard let value = number(digits: 1...2) else { return nil }
      minute = value
      if skip(":") {
        guard let value = number(digits: 1...2) else { return nil }
        second = value
        if skip(".") || skip(",") { _ = number(digits: 0...12) }
      }
    }
    return (hour, minute, second)
  }
}
