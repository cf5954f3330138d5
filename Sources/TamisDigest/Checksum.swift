import CSodium

/// A digest of 64 bits (SipHash-2-4 with a fixed key, by libsodium), by which a change that nobody hides is noticed.
package struct Checksum: Sendable, Hashable {
  private let bytes: [UInt8]

  /// Digests bytes.
  package init(_ data: [UInt8]) {
    var digest = [UInt8](repeating: 0, count: 8)
    let key = [UInt8](repeating: 0, count: 16)
    _ = unsafe crypto_shorthash(&digest, data, UInt64(data.count), key)
    bytes = digest
  }

  /// The digest in hexadecimal, lower case.
  package var hex: String { Hexadecimal.text(bytes) }
}

/// Bytes as hexadecimal digits, lower case.
enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
