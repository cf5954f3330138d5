/// Operations on the raw bytes of a JSON string.
enum StringToken {
  /// Returns the number of bytes of a string that have to be kept to cut it between two characters.
  static func mostBytes(_ limits: Limits) -> Int { bytes(limits) + 16 }

  /// Returns ``Limits/fieldBytes``, clamped so that a few bytes can be added without overflow.
  private static func bytes(_ limits: Limits) -> Int { min(max(0, limits.fieldBytes), .max / 2) }

  /// Cuts a raw string that is longer than a field may be, between two characters; returns whether it did.
  static func cut(_ token: inout [UInt8], _ limits: Limits) -> Bool {
    // The limit includes the two quotation marks.
    let most = bytes(limits) + 2
    guard token.count > most else { return false }
    var end = 1
    while end < most {
      let next = end + length(token.span, at: end)
      if next >= most { break }
      end = next
    }
    token.removeSubrange(end...)
    token.append(UInt8(ascii: "\""))
    return true
  }

  /// A fault in a string, at the index of a byte.
  struct Fault {
    var index: Int
    var message: String
  }

  /// Decodes the content of a quoted string.
  ///
  /// A lone surrogate, as in `"\ud83d"` of text that was cut within an emoji, becomes U+FFFD. Of an escape that JSON
  /// does not have, a reader that mends keeps the character, and before letters the backslash too: `C:\dir`, `it\'s`.
  ///
  /// - Parameters:
  ///   - token: the string, with its quotation marks.
  ///   - mends: whether to go on after a fault.
  ///   - text: the buffer for the text.
  /// - Returns: the first fault; nil when there is none.
  static func decode(_ token: borrowing Span<UInt8>, mends: Bool, into text: inout [UInt8]) -> Fault? {
    text.removeAll(keepingCapacity: true)
    text.reserveCapacity(token.count)
    var first: Fault?
    var index = 1
    let end = token.count - 1
    while true {
      let next = min(end, ByteScan.indexOfJSONEscape(in: token, from: index))
      text.append(token, index..<next)
      if next == end { return first }
      index = next + 1
      var fault: Fault?
      if token[next] == UInt8(ascii: "\\"), index < end {
        fault = decodeEscape(token, &index, into: &text)
      } else {
        text.append(ASCII.space)
        fault = Fault(index: next, message: "a control character in a string must be written as an escape")
      }
      if first == nil { first = fault }
      if fault != nil, !mends { return first }
    }
  }

  /// Decodes the escape whose backslash is before an index, which moves behind it; returns its fault.
  private static func decodeEscape(_ token: borrowing Span<UInt8>, _ index: inout Int, into text: inout [UInt8])
    -> Fault?
  {
    let byte = token[index]
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      guard let unit = unit(token, at: index - 1) else {
        text.append(UInt8(ascii: "\\"))
        let digits = (1...4).prefix { index + $0 < token.count && token[index + $0].hexDigitValue != nil }.count
        return Fault(
          index: index + 1 + digits, message: "\\u needs four hexadecimal digits; write \\\\ for a backslash")
      }
      let scalar = scalar(unit, followedBy: self.unit(token, at: index + 5))
      text.append(scalar: scalar)
      index += scalar.value > 0xFFFF ? 11 : 5
      return nil
    default:
      if byte.isASCIILetter { text.append(UInt8(ascii: "\\")) }
      return Fault(index: index, message: "a backslash before this character must be written as two")
    }
    index += 1
    return nil
  }

  /// Returns the code point of an escape, which can be a surrogate pair with the next one.
  private static func scalar(_ unit: UInt16, followedBy next: UInt16?) -> Unicode.Scalar {
    guard case 0xD800...0xDBFF = unit else { return Unicode.Scalar(unit) ?? "\u{FFFD}" }
    guard let next, case 0xDC00...0xDFFF = next else { return "\u{FFFD}" }
    return Unicode.Scalar(0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(next & 0x3FF))) ?? "\u{FFFD}"
  }

  /// Returns the length of the character or escape at an index.
  private static func length(_ bytes: borrowing Span<UInt8>, at index: Int) -> Int {
    if bytes[index] != UInt8(ascii: "\\") { return max(1, UTF8Sequence.length(bytes, at: index)) }
    return index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "u") ? 6 : 2
  }

  /// Returns the UTF-16 code unit of the escape (`\u00e9`) at an index; nil when there is none.
  private static func unit(_ bytes: borrowing Span<UInt8>, at start: Int) -> UInt16? {
    guard start + 6 <= bytes.count, bytes[start] == UInt8(ascii: "\\"), bytes[start + 1] == UInt8(ascii: "u") else {
      return nil
    }
    var unit: UInt16 = 0
    for index in start + 2..<start + 6 {
      guard let digit = bytes[index].hexDigitValue else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}
