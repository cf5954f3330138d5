import TamisCore

/// A repair of UTF-8 that was read as Latin-1 and encoded again.
enum DoubleEncoding {
  /// Returns the text with Latin-1 characters read as the bytes of UTF-8 (`â€¦` for `…`), and C1 controls as
  /// windows-1252.
  static func undone(_ text: String) -> String {
    var copy = text
    return copy.withUTF8 { undone($0.span) } ?? text
  }

  /// Returns the repaired text, or nil when there is nothing to repair.
  private static func undone(_ text: borrowing Span<UInt8>) -> String? {
    var index = ByteScan.indexOfHighByte(in: text, from: 0)
    if index == text.count { return nil }
    if isLatin(text, from: index) { return String(streamSafe: latin(text)) }
    var hasControls = false
    while !hasControls {
      index = ByteScan.index(of: 0xC2, in: text, from: index)
      if index + 1 >= text.count { break }
      hasControls = text[index + 1] < 0xA0
      index += 1
    }
    guard hasControls else { return nil }
    var output = String.UnicodeScalarView()
    for scalar in text.withUnsafeBufferPointer({ String(decoding: $0, as: UTF8.self) }).unicodeScalars {
      output.append(0x80...0x9F ~= scalar.value ? Windows1252.scalar(for: UInt8(scalar.value)) : scalar)
    }
    return String(output)
  }

  /// Whether all non-ASCII characters are Latin-1, and each run of them is UTF-8 when taken as bytes.
  private static func isLatin(_ text: borrowing Span<UInt8>, from start: Int) -> Bool {
    var index = start
    while index < text.count {
      var run: [UInt8] = []
      while index < text.count, text[index] >= 0x80 {
        // Latin-1 is below U+0100, which UTF-8 begins with C2 or C3.
        guard text[index] < 0xC4 else { return false }
        run.append(byte(text, at: index))
        index += 2
      }
      guard UTF8Sequence.isWellFormed(run.span) else { return false }
      index = ByteScan.indexOfHighByte(in: text, from: index)
    }
    return true
  }

  /// Returns the characters, all Latin-1, as bytes.
  private static func latin(_ text: borrowing Span<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    var index = 0
    while index < text.count {
      output.append(text[index] < 0x80 ? text[index] : byte(text, at: index))
      index += text[index] < 0x80 ? 1 : 2
    }
    return output
  }

  /// Returns the code point of the two-byte character at `index`.
  private static func byte(_ text: borrowing Span<UInt8>, at index: Int) -> UInt8 {
    (text[index] & 0x03) << 6 | text[index + 1] & 0x3F
  }
}
