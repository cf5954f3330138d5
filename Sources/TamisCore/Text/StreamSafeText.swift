/// The Stream-Safe Text Process of Unicode (UAX #15, section 13.3): a combining grapheme joiner (U+034F) after every 30
/// combining marks in a row.
///
/// Strings are compared and hashed in their normal form, for which the marks of a letter are sorted: the square of the
/// number of marks. Real writing has fewer than 30 on a letter, and the joiner is invisible.
@usableFromInline package enum StreamSafeText {
  /// The number of combining marks in a row that are left as they are.
  package static let mostMarks = 30

  /// The length in bytes of the shortest run of marks that is too long: each has two bytes or more.
  private static let shortestRun = 2 * (mostMarks + 1)

  /// Returns the text with joiners; nil when it needs none.
  ///
  /// - Parameters:
  ///   - bytes: the text, in UTF-8.
  ///   - start: the index before which all bytes are ASCII.
  /// - Returns: the bytes of the text with joiners.
  @usableFromInline static func joined(_ bytes: borrowing Span<UInt8>, from start: Int) -> [UInt8]? {
    guard hasLongRun(bytes, from: start) else { return nil }
    let text = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    var joined: [UInt8] = []
    joined.reserveCapacity(bytes.count + 64)
    var (marks, hasJoiner) = (0, false)
    for scalar in text.unicodeScalars {
      marks = isMark(scalar) ? marks + 1 : 0
      if marks > mostMarks {
        joined += [0xCD, 0x8F]
        (marks, hasJoiner) = (1, true)
      }
      joined += UTF8.encode(scalar).unsafelyUnwrapped
    }
    return hasJoiner ? joined : nil
  }

  /// Whether so many bytes in a row are not ASCII that they may be too many marks.
  ///
  /// Such a run contains the byte at the end of a window of its length, so that most bytes of a text are not looked at.
  private static func hasLongRun(_ bytes: borrowing Span<UInt8>, from start: Int) -> Bool {
    var end = start + shortestRun - 1
    while end < bytes.count {
      var last = end
      while last > end - shortestRun, bytes[last] >= 0x80 { last -= 1 }
      if last == end - shortestRun { return true }
      end = last + shortestRun
    }
    return false
  }

  /// Whether a character has a combining class, so that its place among others is not fixed.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // No character of these blocks has one: ASCII to spacing modifiers, and Han, Yi and Hangul, which are frequent.
    case 0..<0x300, 0x3400..<0xA000, 0xAC00..<0xD7A4: false
    default: scalar.properties.canonicalCombiningClass != .notReordered
    }
  }
}

extension String {
  /// Decodes bytes of others' making, with joiners among too many combining marks; bytes that are not UTF-8 become
  /// U+FFFD.
  package init(streamSafe bytes: some Collection<UInt8>) { self = String(decoding: bytes, as: UTF8.self).streamSafe }

  /// The text with joiners among too many combining marks.
  package var streamSafe: String {
    var text = self
    return text.withUTF8 { StreamSafeText.joined($0.span, from: 0) }.map { String(decoding: $0, as: UTF8.self) } ?? self
  }
}
