import CXXHash

/// A digest of 64 bits (XXH3 by xxHash, seed 0), for detecting changes, not manipulation.
package struct Checksum: Sendable, Hashable {
  /// The digest, to be kept.
  package let value: UInt64

  /// A digest as it was kept.
  package init(value: UInt64) { self.value = value }

  /// Digests bytes.
  package init(_ data: [UInt8]) { value = unsafe XXH3_64bits(data, data.count) }

  /// The digest as a signed number, as databases keep them.
  package var shortened: Int64 { Int64(bitPattern: value) }

  /// The digest in hexadecimal, 16 digits, lower case.
  package var hex: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}

/// Bytes as hexadecimal digits, lower case.
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
