import TamisCore

/// Reads the numbers of an attribute, with white space, commas or nothing between them.
struct NumberScanner {
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether nothing but separators is left.
  var isAtEnd: Bool {
    mutating get {
      skipSeparators()
      return index >= bytes.count
    }
  }

  private mutating func skipSeparators() {
    while index < bytes.count, bytes[index].isHTMLSpace || bytes[index] == UInt8(ascii: ",") { index += 1 }
  }

  /// Reads a letter that is no part of a number.
  mutating func letter() -> UInt8? {
    skipSeparators()
    guard index < bytes.count, bytes[index].isASCIILetter else { return nil }
    index += 1
    return bytes[index - 1]
  }

  /// Skips a flag of an arc, which needs no separator; returns whether there is one.
  mutating func flag() -> Bool {
    skipSeparators()
    guard index < bytes.count, bytes[index] == UInt8(ascii: "0") || bytes[index] == UInt8(ascii: "1") else {
      return false
    }
    index += 1
    return true
  }

  /// Reads a number; nil when none comes next.
  mutating func next() -> Double? {
    skipSeparators()
    let start = index
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") { index += 1 }
    skipDigits()
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      skipDigits()
    }
    if index + 1 < bytes.count, bytes[index].asciiLowercased == UInt8(ascii: "e") {
      let mark = index
      index += 1
      if bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") { index += 1 }
      let digits = index
      skipDigits()
      if index == digits { index = mark }
    }
    return Double(String(decoding: bytes[start..<index], as: UTF8.self))
  }

  private mutating func skipDigits() {
    while index < bytes.count, bytes[index].isASCIIDigit { index += 1 }
  }
}
