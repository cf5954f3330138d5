import TamisCore

/// The reference that begins at an ampersand in an XML document.
enum Reference: Equatable {
  /// `&name;`, with the name.
  case named(Range<Int>)
  /// `&#1;`, `&#x1;` or `&#X1;`, which only HTML allows: its range and number, and whether XML allows it as written.
  case numeric(Range<Int>, number: UInt32, isWritten: Bool)
  /// No reference; the ampersand is text.
  case none

  /// The maximum length of a reference, in bytes.
  static let longest = 64

  /// Returns one of XML's five predefined references (XML 1.0, 4.6), which nearly all are, or nil for any other.
  static func common(_ input: borrowing Span<UInt8>, at start: Int, end: Int) -> (character: UInt8, length: Int)? {
    guard start + 1 < end else { return nil }
    let input = input.extracting(..<end)
    switch input[start + 1] {
    case UInt8(ascii: "l"): return ByteScan.stands("&lt;", in: input, at: start) ? (UInt8(ascii: "<"), 4) : nil
    case UInt8(ascii: "g"): return ByteScan.stands("&gt;", in: input, at: start) ? (UInt8(ascii: ">"), 4) : nil
    case UInt8(ascii: "q"): return ByteScan.stands("&quot;", in: input, at: start) ? (UInt8(ascii: "\""), 6) : nil
    case UInt8(ascii: "a"):
      if ByteScan.stands("&amp;", in: input, at: start) { return (UInt8(ascii: "&"), 5) }
      return ByteScan.stands("&apos;", in: input, at: start) ? (UInt8(ascii: "'"), 6) : nil
    default: return nil
    }
  }

  /// Returns the reference at `start` that ends before `end`.
  static func at(_ start: Int, in input: borrowing Span<UInt8>, end: Int) -> Reference {
    let end = min(end, start + longest)
    var index = start + 1
    guard index < end else { return .none }
    if input[index] != UInt8(ascii: "#") {
      guard input[index].isASCIILetter || input[index] == UInt8(ascii: "_") || input[index] >= 0x80 else {
        return .none
      }
      while index < end, isNameByte(input[index]) { index += 1 }
      return index < end && input[index] == UInt8(ascii: ";") ? .named(start + 1..<index) : .none
    }
    index += 1
    let mark = index < end ? input[index] : 0
    let isHex = mark | 0x20 == UInt8(ascii: "x")
    if isHex { index += 1 }
    let digits = index
    var number: UInt32 = 0
    while index < end, let digit = input[index].hexDigitValue, isHex || digit < 10 {
      number = min(number * (isHex ? 16 : 10) + UInt32(digit), 0x110000)
      index += 1
    }
    guard index > digits, index < end, input[index] == UInt8(ascii: ";") else { return .none }
    return .numeric(
      start..<index + 1, number: number, isWritten: mark != UInt8(ascii: "X") && XMLCharacter.isAllowed(number))
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || byte >= 0x80 || byte == UInt8(ascii: "_") || (0x2D...0x2E).contains(byte)
      || byte == UInt8(ascii: ":")
  }
}
