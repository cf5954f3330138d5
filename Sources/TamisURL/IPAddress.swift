import TamisLibC

/// An IP address; an IPv4 address inside an IPv6 one counts as that IPv4 address.
package struct IPAddress: Sendable, Hashable {
  /// The address as a number; an IPv4 address is in the last 32 bits.
  package let bits: UInt128
  /// Whether this is an IPv4 address.
  package let isV4: Bool

  /// Creates an IPv4 address.
  package init(v4 bits: UInt32) { (self.bits, isV4) = (UInt128(bits), true) }

  /// Creates an IPv6 address.
  ///
  /// IPv6 addresses that lead to an IPv4 address become the latter: mapped ones (RFC 4291, section 2.5.5.2) and those
  /// that a gateway translates (RFC 6052, section 2.1).
  package init(v6 bits: UInt128) {
    let prefix = bits >> 32
    let isV4 = prefix == 0xFFFF || prefix == 0x64_FF9B << 64
    (self.bits, self.isV4) = (isV4 ? bits & 0xFFFF_FFFF : bits, isV4)
  }

  /// Parses an address such as `192.0.2.1` or `2001:db8::1`, without brackets; nil when it is not valid.
  package init?(_ text: String) {
    var v4 = in_addr()
    if inet_pton(AF_INET, text, &v4) == 1 {
      self.init(v4: UInt32(bigEndian: v4.s_addr))
      return
    }
    var v6 = in6_addr()
    guard inet_pton(AF_INET6, text, &v6) == 1 else { return nil }
    self.init(v6: withUnsafeBytes(of: v6) { bytes in bytes.prefix(16).reduce(UInt128(0)) { $0 << 8 | UInt128($1) } })
  }
}

extension IPAddress: CustomStringConvertible {
  /// The address as text (RFC 5952).
  package var description: String {
    if isV4 { return (0..<4).map { String(bits >> UInt128(24 - 8 * $0) & 255) }.joined(separator: ".") }
    let pieces = (0..<8).map { String(bits >> UInt128(112 - 16 * $0) & 0xFFFF, radix: 16) }
    let host = WebURL("http://[\(pieces.joined(separator: ":"))]/")?.hostname ?? ""
    return String(host.dropFirst().dropLast())
  }
}

/// A range of addresses that share their first bits.
package struct IPRange: Sendable, Hashable, CustomStringConvertible {
  private let first: IPAddress
  private let length: Int

  /// Parses a range such as `10.0.0.0/8` or `fc00::/7`, or one address; nil when it is not valid, or has bits set after
  /// its length.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let head = parts.first, let first = IPAddress(String(head)) else { return nil }
    let most = first.isV4 ? 32 : 128
    var length = most
    if parts.count > 1 {
      guard let number = Int(parts[1]), (0...most).contains(number) else { return nil }
      length = number
    }
    let rest = UInt128(most - length)
    guard (first.bits >> rest) << rest == first.bits else { return nil }
    (self.first, self.length) = (first, length)
  }

  /// The range as text, as in `10.0.0.0/8`; a single address has no length.
  package var description: String { length == (first.isV4 ? 32 : 128) ? "\(first)" : "\(first)/\(length)" }

  /// Returns whether the range contains an address.
  package func contains(_ address: IPAddress) -> Bool {
    guard address.isV4 == first.isV4 else { return false }
    let rest = UInt128((first.isV4 ? 32 : 128) - length)
    // A shift by all bits gives 0.
    return address.bits >> rest == first.bits >> rest
  }
}
