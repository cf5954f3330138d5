import TamisCore

/// Repairs UTF-8 that was read as Latin-1 and encoded again.
enum DoubleEncoding {
  /// UTF-8 in place of its bytes' Latin-1 characters (`â€¦` for `…`), and windows-1252 in place of C1 controls.
  static func undone(_ text: String) -> String {
    var copy = text
    return copy.withUTF8 { undone($0.span) } ?? text
  }

  /// Nil when there is nothing to undo.
  private static func undone(_ text: borrowing Span<UInt8>) -> String? {
    // What was Latin-1 is below U+0100, which UTF-8 begins with C2 or C3.
    var latin: [UInt8]? = []
    var hasControls = false
    var index = ByteScan.indexOfHighByte(in: text, from: 0)
    if index == text.count { return nil }
    latin?.append(text, 0..<index)
    while index < text.count {
      let byte = text[index]
      if byte == 0xC2, text[index + 1] < 0xA0 { hasControls = true }
      if byte < 0x80 {
        latin?.append(byte)
        index += 1
      } else if byte < 0xC4 {
        latin?.append((byte & 0x03) << 6 | text[index + 1] & 0x3F)
        index += 2
      } else {
        latin = nil
        index += 1
      }
      // From here on only controls are of interest.
      if latin == nil { index = ByteScan.index(of: 0xC2, or: 0xC2, in: text, from: index) }
    }
    if let latin, UTF8Sequence.isWellFormed(latin.span) { return String(decoding: latin, as: UTF8.self) }
    guard hasControls else { return nil }
    var output = String.UnicodeScalarView()
    for scalar in text.withUnsafeBufferPointer({ String(decoding: $0, as: UTF8.self) }).unicodeScalars {
      output.append(0x80...0x9F ~= scalar.value ? Windows1252.scalar(for: UInt8(scalar.value)) : scalar)
    }
    return String(output)
  }
}
