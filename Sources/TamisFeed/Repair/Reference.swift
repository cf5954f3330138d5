import TamisCore

/// The reference that begins at an ampersand in an XML document.
enum Reference: Equatable {
  /// `&name;`, with the name.
  case named(Range<Int>)
  /// `&#1;` or `&#x1;`, or `&#X1;`, which only HTML has; what stands there, and whether XML writes it so.
  case numeric(Range<Int>, number: UInt32, isWritten: Bool)
  /// No reference: the ampersand is text.
  case none

  /// The longest that is looked for, in bytes.
  static let longest = 64

  /// The length of one of XML's own five references, which nearly all are; nil for any other.
  static func lengthOfCommon(_ input: borrowing Span<UInt8>, at start: Int, end: Int) -> Int? {
    // The name and the semicolon in one number.
    var name: UInt64 = 0
    for index in start + 1..<max(start + 1, min(start + 6, end)) {
      let byte = input[index]
      name = name << 8 | UInt64(byte)
      if byte == UInt8(ascii: ";") { break }
    }
    switch name {
    case 0x6C_743B, 0x67_743B: return 4  // lt; gt;
    case 0x616D_703B: return 5  // amp;
    case 0x71_756F_743B, 0x61_706F_733B: return 6  // quot; apos;
    default: return nil
    }
  }

  /// Looks at the ampersand at `start`, no further than `end`.
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
