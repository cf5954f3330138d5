import TamisURL

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Where a proxy is: connections to it may be opened wherever that is, since the user has named it.
struct ProxyAddress: Sendable {
  private let addresses: Set<IPAddress>
  private let port: UInt16

  /// - Parameter proxy: as libcurl writes it; nil when it has no address.
  init?(_ proxy: String) {
    // Without a scheme it is one of HTTP, at the port that libcurl takes for proxies.
    let text = proxy.contains("://") ? proxy : "http://" + proxy
    guard let url = WebURL(text), let host = url.hostname, !host.isEmpty else { return nil }
    let isPortless = url.port == nil && !text.hasSuffix(":80") && !text.hasSuffix(":80/")
    port = url.port ?? (text.hasPrefix("https:") ? 443 : isPortless ? 1080 : 80)
    addresses = Self.addresses(of: host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host)
    if addresses.isEmpty { return nil }
  }

  /// Whether a socket's address is the proxy's.
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
