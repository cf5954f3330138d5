extension WebURL {
  /// The serialized URL (section 4.5), always ASCII.
  public var href: String { String(decoding: utf8, as: UTF8.self) }

  /// The scheme in lowercase, without the colon (section 4.1).
  public var scheme: String { string(from: 0, to: layout.schemeEnd) }

  /// Whether it is an http or https URL: one that a browser opens as a page.
  public var isHTTP: Bool { scheme == "https" || scheme == "http" }

  /// The username, percent-encoded; empty when there is none (section 4.1).
  public var username: String {
    String(decoding: credentials.prefix { $0 != ASCII.colon }, as: UTF8.self)
  }

  /// The password, percent-encoded; empty when there is none (section 4.1).
  public var password: String {
    String(decoding: credentials.drop { $0 != ASCII.colon }.dropFirst(), as: UTF8.self)
  }

  /// The serialized host, without the port (section 3.6); nil when there is none, empty for `file:///`.
  ///
  /// Domains are ASCII (`xn--` labels for others), IPv4 addresses four decimal numbers, IPv6 addresses in brackets.
  public var hostname: String? { layout.hasHost ? string(from: layout.hostStart, to: layout.hostEnd) : nil }

  /// The port; nil when there is none or it is the scheme's default (section 4.1).
  public var port: UInt16? {
    guard layout.hostEnd < layout.authorityEnd else { return nil }
    return UInt16(string(from: layout.hostEnd + 1, to: layout.authorityEnd))
  }

  /// The path, percent-encoded ("URL path serializer", section 4.5).
  ///
  /// It begins with a slash unless it is empty (`web://host`) or opaque (`mailto:a@example.org`).
  public var path: String { string(from: layout.pathStart, to: layout.queryStart) }

  /// The segments of ``path`` between its slashes, without empty ones.
  package var pathParts: [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
  }

  /// The query, percent-encoded and without its `?` (section 4.1); nil when there is none, empty after a lone `?`.
  public var query: String? {
    layout.queryStart < layout.fragmentStart ? string(from: layout.queryStart + 1, to: layout.fragmentStart) : nil
  }

  /// Bytes with each `%XX` decoded ("percent-decode", section 1.3): so browsers look up the anchor of a fragment.
  public static func percentDecoded(_ bytes: [UInt8]) -> [UInt8] { PercentEncoding.decode(bytes) }

  /// The fragment, percent-encoded and without its `#` (section 4.1); nil when there is none, empty after a lone `#`.
  public var fragment: String? {
    let end = UInt32(utf8.count)
    return layout.fragmentStart < end ? string(from: layout.fragmentStart + 1, to: end) : nil
  }

  /// Whether the scheme is http, https, ws, wss, ftp or file ("is special", section 4.1).
  public var isSpecial: Bool { layout.scheme.isSpecial }

  /// Whether the path is opaque, so that no path can be resolved against the URL (section 4.1).
  ///
  /// True for `mailto:`, `data:`, `javascript:` and the like: a URL without a host whose path has no first slash.
  public var hasOpaquePath: Bool {
    !layout.hasHost && (layout.pathStart == layout.queryStart || utf8[Int(layout.pathStart)] != ASCII.slash)
  }

  /// The origin of a URL on the network, as in `https://example.org` (section 4.7); nil for an opaque origin.
  ///
  /// That is http, https, ws, wss and ftp. The standard also looks inside `blob:` URLs; here these are opaque.
  public var origin: String? {
    switch layout.scheme {
    case .file, .other: nil
    case .http, .https, .ws, .wss, .ftp: scheme + "://" + string(from: layout.hostStart, to: layout.authorityEnd)
    }
  }

  /// What stands between `//` and `@`: a username and perhaps a password, in which every colon is encoded.
  var credentials: ArraySlice<UInt8> {
    let start = Int(layout.schemeEnd) + 3
    return Int(layout.hostStart) > start ? utf8[start..<(Int(layout.hostStart) - 1)] : []
  }

  private func string(from start: UInt32, to end: UInt32) -> String {
    String(decoding: utf8[Int(start)..<Int(end)], as: UTF8.self)
  }
}
