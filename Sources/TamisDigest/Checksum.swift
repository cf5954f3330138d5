import CXXHash

/// A digest of 64 bits (XXH3 by xxHash, seed 0), by which a change that nobody hides is noticed.
package struct Checksum: Sendable, Hashable {
  private let value: UInt64

  /// Digests bytes.
  package init(_ data: [UInt8]) {
    value = unsafe XXH3_64bits(data, data.count)
  }

  /// The digest in hexadecimal, 16 digits, lower case.
  package var hex: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}

extension Checksum: Decodable {
  /// Reads what ``Checksum/hex`` says.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let value = UInt64(try container.decode(String.self), radix: 16) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "a digest is 16 hexadecimal digits")
    }
    self.value = value
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
