/// A bound on the marks of a letter: those behind the 30th are left out, as the Stream-Safe Text Process of Unicode
/// (UAX #15, section 13.3) bounds them by joiners, which browsers draw across.
///
/// Strings are compared and hashed in their normal form, for which the marks of a letter are sorted: the square of the
/// number of marks. Browsers stack them, over all that is above. Real writing has fewer than 30 on a letter.
@usableFromInline package enum StreamSafeText {
  /// The number of combining marks in a row that are kept.
  package static let mostMarks = 30

  /// The length in bytes of the shortest run of marks that is too long: each has two bytes or more.
  @usableFromInline static let shortestRun = 2 * (mostMarks + 1)

  /// Returns the text without the marks that are too many; nil when there are none.
  ///
  /// - Parameters:
  ///   - bytes: the text, in UTF-8.
  ///   - start: the index before which all bytes are ASCII.
  /// - Returns: the bytes of the text that is kept.
  @usableFromInline static func bounded(_ bytes: borrowing Span<UInt8>, from start: Int) -> [UInt8]? {
    guard hasLongRun(bytes, from: start) else { return nil }
    let text = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    var kept: [UInt8] = []
    kept.reserveCapacity(bytes.count)
    var (marks, isShorter) = (0, false)
    for scalar in text.unicodeScalars {
      let isMark = isMark(scalar)
      // Joiners and variation selectors are not drawn, and marks are stacked across them.
      if isMark { marks += 1 } else if !scalar.properties.isDefaultIgnorableCodePoint { marks = 0 }
      if isMark, marks > mostMarks {
        isShorter = true
      } else {
        kept += UTF8.encode(scalar).unsafelyUnwrapped
      }
    }
    return isShorter ? kept : nil
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

  /// Whether a character is drawn on the one before it.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // No character of these blocks is: ASCII to spacing modifiers, and Han, Yi and Hangul, which are frequent.
    case 0..<0x300, 0x3400..<0xA000, 0xAC00..<0xD7A4: false
    default:
      scalar.properties.canonicalCombiningClass != .notReordered
        || [.nonspacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
          && !scalar.properties.isDefaultIgnorableCodePoint
    }
  }
}

extension String {
  /// Decodes bytes of others' making, without marks that are too many (``StreamSafeText``); bytes that are not UTF-8
  /// become U+FFFD.
  @inlinable package init(streamSafe bytes: some Collection<UInt8>) {
    self = String(decoding: bytes, as: UTF8.self).streamSafe
  }

  /// The text without marks that are too many (``StreamSafeText``).
  @usableFromInline package var streamSafe: String {
    if utf8.count < StreamSafeText.shortestRun { return self }
    var text = self
    return text.withUTF8 { StreamSafeText.bounded($0.span, from: 0) }.map { String(decoding: $0, as: UTF8.self) }
      ?? self
  }
}
