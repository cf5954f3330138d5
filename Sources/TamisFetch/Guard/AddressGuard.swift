package import TamisCore
import TamisSystem
package import TamisURL

/// The rules for the addresses that may be requested: the public Internet, and an allowlist.
///
/// Feeds, redirects and the answers of name servers are written by others: they must not make a machine request what
/// only it can reach.
package struct AddressGuard: Sendable, Hashable {
  /// The allowlist: ranges that may be requested although they are not public.
  package var allowed: [IPRange] = []

  /// Creates rules with an empty allowlist.
  package init() {}

  /// A digest of the allowlist: a refused address is requested again when it changes.
  package var digest: Int64 {
    Checksum(Array(allowed.map(\.description).sorted().joined(separator: " ").utf8)).shortened
  }

  /// Returns whether connections to an address are allowed.
  package func allows(_ address: IPAddress) -> Bool {
    if allowed.contains(where: { $0.contains(address) }) { return true }
    if Self.special.contains(where: { $0.contains(address) }) { return false }
    return address.isV4 || Self.global.contains { $0.contains(address) }
  }

  /// Returns the reason why a URL must not be requested, without any lookup; nil when it may be.
  ///
  /// Except for the names of the machine itself (RFC 6761, section 6.3), names are resolved later: their IP addresses
  /// are checked when the connection is opened.
  package func objection(to url: WebURL) -> FetchProblem? {
    guard url.isHTTP else {
      return FetchProblem(.address, "only http and https addresses are fetched, and this is one of \(url.scheme)")
    }
    guard let host = url.hostname, !host.isEmpty else { return FetchProblem(.address, "the address names no host") }
    if let port = url.port, Self.otherPorts.contains(port) {
      return FetchProblem(.forbidden, "port \(port) belongs to another protocol")
    }
    let name = host.hasSuffix(".") ? String(host.dropLast()) : host
    if name == "localhost" || name.hasSuffix(".localhost"), let own = IPAddress("127.0.0.1"), !allows(own) {
      return Self.problem(own)
    }
    let literal = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    if let address = IPAddress(literal), !allows(address) { return Self.problem(address) }
    return nil
  }

  /// Returns the problem for an address to which connections are not allowed.
  static func problem(_ address: IPAddress) -> FetchProblem {
    var problem = FetchProblem(.forbidden, "\(address) is not a public address")
    problem.advice = "if you mean it, allow it (fetch: allow: [\(address)], or --allow)"
    return problem
  }

  /// The public IPv6 addresses; all others have not been assigned.
  ///
  /// See https://www.iana.org/assignments/ipv6-unicast-address-assignments.
  private static let global = ["2000::/3"].compactMap(IPRange.init)

  /// The addresses that are not public, multicast addresses, and the one at which Azure answers its virtual machines.
  ///
  /// See https://www.iana.org/assignments/iana-ipv4-special-registry and -ipv6-.
  private static let special = [
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
    "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
    "224.0.0.0/4", "240.0.0.0/4", "168.63.129.16", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
  ].compactMap(IPRange.init)

  /// The ports to which browsers send no requests, because servers of other protocols listen there.
  ///
  /// See https://fetch.spec.whatwg.org/#port-blocking.
  private static let otherPorts: Set<UInt16> = [
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109,
    110,
    111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
    540,
    548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000,
    6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
  ]
}
