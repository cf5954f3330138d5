/// The windows-1252 encoding, as the WHATWG Encoding Standard defines it (index-windows-1252).
///
/// Feeds that declare ISO-8859-1 mean this encoding, and bytes 0x80 to 0x9F mean its characters in most broken ones.
package enum Windows1252 {
  private static let upperControls: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D,
    0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
    0x017E, 0x0178,
  ]

  /// Returns the character of a byte.
  package static func scalar(for byte: UInt8) -> Unicode.Scalar {
    guard byte >= 0x80, byte <= 0x9F else { return Unicode.Scalar(byte) }
    return Unicode.Scalar(upperControls[Int(byte) - 0x80]) ?? "\u{FFFD}"
  }

  /// Appends the bytes as UTF-8.
  package static func decode(_ bytes: borrowing Span<UInt8>, into output: inout [UInt8]) {
    output.reserveCapacity(output.count + bytes.count + bytes.count / 8)
    for index in 0..<bytes.count {
      let byte = bytes[index]
      if byte < 0x80 { output.append(byte) } else { output.append(scalar: scalar(for: byte)) }
    }
  }
}
