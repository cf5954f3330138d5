#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An IP address; an IPv4 address inside an IPv6 one is that IPv4 address.
public struct IPAddress: Sendable, Hashable {
  /// The address as a number; of version 4 the last 32 bits.
  public let bits: UInt128
  /// Whether it is of version 4.
  public let isV4: Bool

  /// An address of version 4.
  public init(v4 bits: UInt32) { (self.bits, isV4) = (UInt128(bits), true) }

  /// An address of version 6.
  ///
  /// IPv6 addresses that lead to an IPv4 address become that: mapped ones (RFC 4291, section 2.5.5.2) and those that a gateway
  /// translates (RFC 6052, section 2.1).
  public init(v6 bits: UInt128) {
    let prefix = bits >> 32
    let isV4 = prefix == 0xFFFF || prefix == 0x64_FF9B << 64
    (self.bits, self.isV4) = (isV4 ? bits & 0xFFFF_FFFF : bits, isV4)
  }

  /// An address as it is written: `192.0.2.1`, `2001:db8::1`, without brackets; nil when it is not valid.
  public init?(_ text: String) {
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
  /// As it is written (RFC 5952).
  public var description: String {
    if isV4 { return (0..<4).map { String(bits >> UInt128(24 - 8 * $0) & 255) }.joined(separator: ".") }
    let pieces = (0..<8).map { String(bits >> UInt128(112 - 16 * $0) & 0xFFFF, radix: 16) }
    let host = WebURL("http://[\(pieces.joined(separator: ":"))]/")?.hostname ?? ""
    return String(host.dropFirst().dropLast())
  }
}

/// A range of addresses: those with the same first bits.
public struct IPRange: Sendable, Hashable, CustomStringConvertible {
  private let first: IPAddress
  private let length: Int

  /// A range as it is written: `10.0.0.0/8`, `fc00::/7`, or one address; nil when it is not valid, or has bits set after its
  /// length.
  public init?(_ text: String) {
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

  /// As in `10.0.0.0/8`; one address without its length.
  public var description: String { length == (first.isV4 ? 32 : 128) ? "\(first)" : "\(first)/\(length)" }

  /// Whether an address is one of them.
  public func contains(_ address: IPAddress) -> Bool {
    guard address.isV4 == first.isV4 else { return false }
    let rest = UInt128((first.isV4 ? 32 : 128) - length)
    // A shift by all bits leaves nothing.
    return address.bits >> rest == first.bits >> rest
  }
}
