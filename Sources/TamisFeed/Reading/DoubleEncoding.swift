import TamisCore

/// Repairs text that was taken for Latin-1 once too often.
enum DoubleEncoding {
  /// UTF-8 in place of its bytes' Latin-1 characters (`â€¦` for `…`), and windows-1252 in place of C1 controls.
  static func undone(_ text: String) -> String {
    // Both need a character of U+0080 to U+00FF, which UTF-8 begins with C2 or C3.
    guard text.utf8.contains(where: { $0 == 0xC2 || $0 == 0xC3 }) else { return text }
    let scalars = text.unicodeScalars
    if scalars.allSatisfy({ $0.value < 0x100 }) {
      let bytes = scalars.map { UInt8(truncatingIfNeeded: $0.value) }
      if UTF8Sequence.firstFault(bytes.span) == nil { return String(decoding: bytes, as: UTF8.self) }
    }
    guard scalars.contains(where: { 0x80...0x9F ~= $0.value }) else { return text }
    var output = String.UnicodeScalarView()
    for scalar in scalars {
      output.append(0x80...0x9F ~= scalar.value ? Windows1252.scalar(for: UInt8(scalar.value)) : scalar)
    }
    return String(output)
  }
}
