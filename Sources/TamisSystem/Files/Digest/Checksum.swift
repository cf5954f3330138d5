import CXXHash

/// A 64-bit digest (XXH3 by xxHash, seed 0) for detecting changes, not manipulation.
package struct Checksum: Sendable, Hashable {
  /// The digest as a number.
  package let value: UInt64

  /// Creates a digest from its stored value.
  package init(value: UInt64) { self.value = value }

  /// Creates a digest from the number that databases store (``shortened``).
  package init(stored number: Int64) { value = UInt64(bitPattern: number) }

  /// Digests bytes.
  package init(_ data: [UInt8]) { value = unsafe XXH3_64bits(data, data.count) }

  /// The digest as a signed number, as databases store it.
  package var shortened: Int64 { Int64(bitPattern: value) }

  /// The digest as 16 lower-case hexadecimal digits.
  package var hex: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}

/// Conversion of bytes to lower-case hexadecimal digits.
enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.count)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
