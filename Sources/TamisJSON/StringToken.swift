import TamisCore

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

  /// Replaces each lone surrogate escape with U+FFFD, as `"\ud83d"` in text that was cut within an emoji.
  ///
  /// yajl would write a question mark, swallow the escape after it, or pass on invalid UTF-8.
  static func replaceLoneSurrogates(_ token: inout [UInt8]) {
    var index = 0
    while index < token.count {
      guard token[index] == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      switch unit(token.span, at: index) {
      case nil: index += 2
      case .some(0xD800...0xDBFF):
        if case .some(0xDC00...0xDFFF) = unit(token.span, at: index + 6) {
          index += 12
        } else {
          fallthrough
        }
      case .some(0xDC00...0xDFFF):
        token.replaceSubrange(index + 2..<index + 6, with: "fffd".utf8)
        index += 6
      default: index += 6
      }
    }
  }

  /// Decodes the content of a quoted string; returns false for an invalid escape or a lone surrogate.
  static func decode(_ token: borrowing Span<UInt8>, into text: inout [UInt8]) -> Bool {
    text.removeAll(keepingCapacity: true)
    text.reserveCapacity(token.count)
    var index = 1
    let end = token.count - 1
    while true {
      let next = min(end, ByteScan.indexOfJSONEscape(in: token, from: index))
      text.append(token, index..<next)
      if next == end { return true }
      guard token[next] == UInt8(ascii: "\\"), next + 1 < end else { return false }
      index = next + 2
      switch token[next + 1] {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(token[next + 1])
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0C)
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "u"):
        guard let scalar = scalar(token, at: next) else { return false }
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        index = next + (scalar.value > 0xFFFF ? 12 : 6)
      default: return false
      }
    }
  }

  /// Returns the code point of the escape, or of the surrogate pair, at an index; nil when it is invalid.
  private static func scalar(_ bytes: borrowing Span<UInt8>, at index: Int) -> Unicode.Scalar? {
    guard let high = unit(bytes, at: index) else { return nil }
    guard case 0xD800...0xDBFF = high else { return Unicode.Scalar(high) }
    guard let low = unit(bytes, at: index + 6), case 0xDC00...0xDFFF = low else { return nil }
    return Unicode.Scalar(0x10000 + (UInt32(high & 0x3FF) << 10 | UInt32(low & 0x3FF)))
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
