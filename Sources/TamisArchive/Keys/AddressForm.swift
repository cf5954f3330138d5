import TamisCore
package import TamisURL

/// The normal form of a URL, the same for its different spellings (Tamis.docc/HowAPostIsRecognized.md, K1).
///
/// The form is for comparison only; it is not a URL to open.
package struct AddressForm: Sendable, Hashable {
  /// The form without a fragment, unless the fragment is a route of a script.
  package let text: String
  /// The fragment that was left out; nil when there was none.
  package let fragment: String?

  /// Creates the form of a URL.
  ///
  /// - Returns: nil when the address is not an http(s) URL, or is longer than ``Limits/linkBytes``.
  package init?(_ address: String, tracking: TrackingParameters) {
    guard address.utf8.count <= Limits.standard.linkBytes, let parsed = WebURL(address), parsed.isHTTP,
      let host = parsed.hostname, !host.isEmpty
    else { return nil }
    let url = tracking.removed(from: parsed)
    var text = Self.host(host) + (url.port.map { ":\($0)" } ?? "") + Self.path(url)
    if let query = Self.query(url.query) { text += "?" + query }
    let isRoute = url.fragment.map { $0.hasPrefix("!") || $0.hasPrefix("/") } ?? false
    if isRoute, let route = url.fragment { text += "#" + route }
    self.text = text
    fragment = isRoute ? nil : url.fragment.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the host without first labels that denote the same site, such as `www`.
  private static func host(_ host: String) -> String {
    for prefix in ["www.", "m.", "amp."] where host.hasPrefix(prefix) {
      let rest = host.dropFirst(prefix.count)
      // A remainder without a dot is a top-level domain: `m.example` is a site, not its mobile version.
      if rest.utf8.contains(UInt8(ascii: ".")) { return String(rest) }
    }
    return host
  }

  /// Returns the path without doubled and trailing slashes, names of index files, AMP's ending, and unnecessary
  /// escapes.
  private static func path(_ url: WebURL) -> String {
    var parts = url.pathParts.map { unescaped(Array($0.utf8)) }
    if let last = parts.last, ["index.html", "index.htm", "index.php", "amp"].contains(last) { parts.removeLast() }
    return parts.map { "/" + $0 }.joined()
  }

  /// Decodes escapes of letters, digits, `-`, `.`, `_` and `~` (RFC 3986, 6.2.2.2); other escapes are written in
  /// capitals.
  private static func unescaped(_ bytes: [UInt8]) -> String {
    guard bytes.contains(UInt8(ascii: "%")) else { return String(decoding: bytes, as: UTF8.self) }
    var output: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let value = UInt8(String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
      {
        if value.isASCIIAlphanumeric || "-._~".utf8.contains(value) {
          output.append(value)
        } else {
          output += String(decoding: bytes[index...(index + 2)], as: UTF8.self).uppercased().utf8
        }
        index += 3
      } else {
        output.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns the parameters, sorted.
  private static func query(_ query: String?) -> String? {
    guard let query else { return nil }
    let parts = query.split(separator: "&").map(String.init)
    return parts.isEmpty ? nil : parts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: "&")
  }
}
