import TamisLibC
import TamisURL

/// The address of a proxy.
///
/// Connections to it may be opened wherever it is, because the user has named it.
struct ProxyAddress: Sendable {
  private let addresses: Set<IPAddress>
  private let port: UInt16

  /// Resolves the address of a proxy; nil when it has none.
  ///
  /// - Parameter proxy: the proxy in libcurl's notation.
  init?(_ proxy: String) {
    // A proxy without a scheme is an HTTP proxy, at libcurl's default port.
    let text = proxy.contains("://") ? proxy : "http://" + proxy
    guard let url = WebURL(text), let host = url.hostname, !host.isEmpty else { return nil }
    let isPortless = url.port == nil && !text.hasSuffix(":80") && !text.hasSuffix(":80/")
    port = url.port ?? (text.hasPrefix("https:") ? 443 : isPortless ? 1080 : 80)
    addresses = Self.addresses(of: host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host)
    if addresses.isEmpty { return nil }
  }

  /// Returns whether a socket address is that of the proxy.
  func isAt(_ address: IPAddress, port: UInt16) -> Bool { port == self.port && addresses.contains(address) }

  private static func addresses(of host: String) -> Set<IPAddress> {
    var found: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, nil, nil, &found) == 0 else { return [] }
    defer { unsafe freeaddrinfo(found) }
    var addresses: Set<IPAddress> = []
    var next = unsafe found
    while let info = unsafe next {
      if let socket = unsafe info.pointee.ai_addr,
        let address = unsafe IPAddress(socket, family: info.pointee.ai_family)
      {
        addresses.insert(address)
      }
      unsafe next = info.pointee.ai_next
    }
    return addresses
  }
}
