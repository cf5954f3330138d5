import TamisLibC

/// The name by which a client asked for the server.
///
/// A page of another site can have its name resolve to this machine (DNS rebinding), and would read the answers as its
/// own. Its requests carry its name, so only requests for a number or for `localhost` are answered.
enum RequestHost {
  /// Returns whether a request with this `Host` is answered; nil stands for a request without the field.
  static func isTrusted(_ field: String?) -> Bool {
    guard var host = field?.lowercased() else { return false }
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]"), isPort(host[host.index(after: end)...]) else { return false }
      return isAddress(String(host[host.index(after: host.startIndex)..<end]), AF_INET6)
    }
    if let colon = host.firstIndex(of: ":") {
      guard isPort(host[colon...]) else { return false }
      host = String(host[..<colon])
    }
    return host == "localhost" || isAddress(host, AF_INET)
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.isEmpty || text.first == ":" && text.dropFirst().utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func isAddress(_ text: String, _ family: Int32) -> Bool {
    var address = in6_addr()
    return unsafe inet_pton(family, text, &address) == 1
  }
}
