import TamisLibC
import TamisURL

/// Conversion from socket addresses.
extension IPAddress {
  /// Returns the port of a socket address, which is at the same offset in both versions.
  static func port(of address: UnsafePointer<sockaddr>) -> UInt16 {
    UInt16(bigEndian: unsafe UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self).sin_port)
  }

  /// Creates an address from a socket address; nil when it is of another family.
  init?(_ address: UnsafePointer<sockaddr>, family: Int32) {
    let raw = unsafe UnsafeRawPointer(address)
    if family == AF_INET {
      self.init(v4: UInt32(bigEndian: unsafe raw.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr))
    } else if family == AF_INET6 {
      let address = unsafe raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
      let bits = unsafe withUnsafeBytes(of: address) { bytes in
        unsafe bytes.prefix(16).reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
      }
      self.init(v6: bits)
    } else {
      return nil
    }
  }
}
