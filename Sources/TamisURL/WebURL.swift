import TamisCore

/// A URL as the WHATWG URL Standard defines it, parsed and serialized the way browsers do.
///
/// The value is its serialization: the bytes of `href` plus the offsets of the components. Two URLs are equal when
/// their serializations are, byte for byte, fragment included ("URL equivalence", section 4.6). Parsing takes time
/// linear in the input. An input that the standard rejects gives nil, and so does one whose length, together with the
/// base's, is above ``maximumLength``.
public struct WebURL: Sendable {
  /// The serialization ("URL serializer", section 4.5), always ASCII, as bytes.
  public let utf8: [UInt8]

  /// The offsets of the components in `utf8`.
  let layout: Layout

  /// The maximum length of an input, including its base, in bytes: 256 MiB.
  ///
  /// The standard has no limit; this one keeps every offset of the (at most threefold) serialization in 32 bits.
  public static let maximumLength = 1 << 28

  init(utf8: [UInt8], layout: Layout) {
    self.utf8 = utf8
    self.layout = layout
  }

  /// Parses a string, resolving it against `base` when it is relative (section 4.4, "basic URL parser").
  ///
  /// C0 controls and spaces at both ends are ignored, tabs and newlines everywhere. The result is nil when the standard
  /// returns failure: for a relative reference without a base, an invalid host or port, and the like.
  ///
  /// - Parameters:
  ///   - input: the URL, or a reference relative to `base`.
  ///   - base: the base URL.
  public init?(_ input: String, base: WebURL? = nil) {
    self.init(utf8: input.utf8.span, base: base)
  }

  /// Parses UTF-8 bytes, resolving them against `base` when they are relative (section 4.4, "basic URL parser").
  ///
  /// This is ``init(_:base:)`` for bytes. Sequences that are not valid UTF-8 are read as U+FFFD.
  ///
  /// - Parameters:
  ///   - input: the URL, or a reference relative to `base`.
  ///   - base: the base URL.
  public init?(utf8 input: Span<UInt8>, base: WebURL? = nil) {
    guard let url = WebURL(canonical: input, base: base) ?? WebURL(parsing: input, base: base) else { return nil }
    self = url
  }

  /// The byte offsets of the components in the serialization.
  ///
  ///     https://user:pass@example.org:8080/a/b?q#f
  ///          |            |          |    |   | |
  ///          schemeEnd    hostStart  |    |   | fragmentStart
  ///                            hostEnd    |   queryStart
  ///                                       authorityEnd, pathStart
  ///
  /// The path starts after `authorityEnd` only for URLs such as `web:/.//a`, where the `/.` belongs to no component.
  /// A query or fragment that is missing starts where the next component does, or at the end.
  struct Layout: Sendable {
    var scheme: Scheme
    var schemeEnd: UInt32 = 0
    var hostStart: UInt32 = 0
    var hostEnd: UInt32 = 0
    var authorityEnd: UInt32 = 0
    var pathStart: UInt32 = 0
    var queryStart: UInt32 = 0
    var fragmentStart: UInt32 = 0

    /// Whether there is a host, including the empty host, with `//` between it and the scheme.
    var hasHost: Bool { hostStart > schemeEnd + 1 }
  }
}

extension WebURL: Hashable {
  /// Compares the serializations byte for byte.
  public static func == (left: WebURL, right: WebURL) -> Bool { left.utf8 == right.utf8 }

  /// Hashes the serialization.
  public func hash(into hasher: inout Hasher) { hasher.combine(utf8) }
}

extension WebURL: Comparable {
  /// Compares the bytes of the serializations.
  public static func < (left: WebURL, right: WebURL) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }
}

extension WebURL: CustomStringConvertible {
  /// The serialization, same as ``href``.
  public var description: String { href }
}

extension WebURL {
  /// The serialized URL (section 4.5), always ASCII.
  public var href: String { String(decoding: utf8, as: UTF8.self) }

  /// The scheme in lowercase, without the colon (section 4.1).
  public var scheme: String { string(from: 0, to: layout.schemeEnd) }

  /// Whether the scheme is http or https, whose URLs a browser opens as pages.
  public var isHTTP: Bool { layout.scheme == .https || layout.scheme == .http }

  /// The username, percent-encoded; empty when there is none (section 4.1).
  public var username: String {
    String(decoding: credentials.prefix { $0 != URLByte.colon }, as: UTF8.self)
  }

  /// The password, percent-encoded; empty when there is none (section 4.1).
  public var password: String {
    String(decoding: credentials.drop { $0 != URLByte.colon }.dropFirst(), as: UTF8.self)
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

  /// Returns bytes with each `%XX` decoded ("percent-decode", section 1.3).
  ///
  /// Browsers look up the anchor of a fragment this way.
  package static func percentDecoded(_ bytes: [UInt8]) -> [UInt8] { bytes.percentDecoded() }

  /// The fragment, percent-encoded and without its `#` (section 4.1); nil when there is none, empty after a lone `#`.
  public var fragment: String? {
    let end = UInt32(utf8.count)
    return layout.fragmentStart < end ? string(from: layout.fragmentStart + 1, to: end) : nil
  }

  /// Whether the scheme is http, https, ws, wss, ftp or file ("is special", section 4.1).
  package var isSpecial: Bool { layout.scheme.isSpecial }

  /// Whether the path is opaque, so that no path can be resolved against the URL (section 4.1).
  ///
  /// True for `mailto:`, `data:`, `javascript:` and the like: a URL without a host whose path has no first slash.
  package var hasOpaquePath: Bool {
    !layout.hasHost && (layout.pathStart == layout.queryStart || utf8[Int(layout.pathStart)] != URLByte.slash)
  }

  /// The origin of a URL on the network, as in `https://example.org` (section 4.7); nil for an opaque origin.
  ///
  /// Only http, https, ws, wss and ftp URLs have one. The standard also looks inside `blob:` URLs; here these are
  /// opaque.
  public var origin: String? {
    switch layout.scheme {
    case .file, .other: nil
    case .http, .https, .ws, .wss, .ftp: scheme + "://" + string(from: layout.hostStart, to: layout.authorityEnd)
    }
  }

  /// The part between `//` and `@`: a username and possibly a password, in which every colon is encoded.
  var credentials: ArraySlice<UInt8> {
    let start = Int(layout.schemeEnd) + 3
    return Int(layout.hostStart) > start ? utf8[start..<(Int(layout.hostStart) - 1)] : []
  }

  private func string(from start: UInt32, to end: UInt32) -> String {
    String(decoding: utf8[Int(start)..<Int(end)], as: UTF8.self)
  }
}

/// One `name=value` of a query, as "application/x-www-form-urlencoded parsing" splits it (section 5.1).
public struct QueryParameter: Sendable, Hashable {
  /// The name as it is in the URL, percent-encoded.
  public let rawName: String

  /// The value as it is in the URL, percent-encoded; nil when the parameter has no `=`.
  public let rawValue: String?

  /// The name, decoded: `+` is a space, `%XX` a byte, and invalid UTF-8 becomes U+FFFD.
  public var name: String { Self.decode(rawName.utf8) }

  /// The value, decoded like ``name``; empty when the parameter has no `=`.
  public var value: String { Self.decode((rawValue ?? "").utf8) }

  init(_ bytes: ArraySlice<UInt8>) {
    let name = bytes.prefix { $0 != URLByte.equals }
    rawName = String(decoding: name, as: UTF8.self)
    let value = bytes.dropFirst(name.count + 1)
    rawValue = name.count < bytes.count ? String(decoding: value, as: UTF8.self) : nil
  }

  /// Appends a name or a value as forms encode it: letters, digits and `*-._` stay, a space is `+` (section 5.2).
  fileprivate static func encode(_ text: String, to output: inout [UInt8]) {
    for byte in text.utf8 {
      if byte.isASCIIAlphanumeric || "*-._".utf8.contains(byte) {
        output.append(byte)
      } else if byte == ASCII.space {
        output.append(URLByte.plus)
      } else {
        PercentEncoding.appendEncoded(byte, to: &output)
      }
    }
  }

  private static func decode(_ text: some Collection<UInt8>) -> String {
    String(streamSafe: text.percentDecoded(plusIsSpace: true))
  }

  /// Returns the bytes of a raw name or value, decoded like ``name``; most have nothing to decode and are not copied.
  static func decoded(_ raw: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard raw.contains(where: { $0 == URLByte.percent || $0 == URLByte.plus }) else { return raw }
    return raw.percentDecoded(plusIsSpace: true)[...]
  }
}

extension WebURL {
  /// The parameters of the query in order, without empty ones (`&&`) (section 5.1).
  ///
  /// Empty when there is no query. A parameter may occur more than once.
  public var queryParameters: [QueryParameter] {
    queryPieces.filter { !$0.isEmpty }.map { QueryParameter(utf8[$0]) }
  }

  /// Returns the URL without the query parameters whose decoded name satisfies `predicate`.
  ///
  /// The bytes of all others stay as they are, in order. The `?` is removed too when no parameter is left. A URL from
  /// which nothing is removed is returned unchanged.
  ///
  /// - Parameter predicate: whether to remove the parameters of a decoded name.
  /// - Returns: the URL without these parameters.
  public func removingQueryParameters(where predicate: (String) -> Bool) -> WebURL {
    removingQueryParameters(whereName: { predicate(String(streamSafe: $0)) })
  }

  /// Returns the URL without the query parameters whose decoded name, as bytes, satisfies `predicate`.
  func removingQueryParameters(whereName predicate: (ArraySlice<UInt8>) -> Bool) -> WebURL {
    let pieces = queryPieces
    let kept = pieces.filter { piece in
      piece.isEmpty || !predicate(QueryParameter.decoded(utf8[piece].prefix { $0 != URLByte.equals }))
    }
    guard kept.count < pieces.count else { return self }
    guard kept.contains(where: { !$0.isEmpty }) else { return replacingQuery(bytes: nil) }
    var query: [UInt8] = []
    query.reserveCapacity(utf8.count)
    for piece in kept {
      query += utf8[piece]
      query.append(URLByte.ampersand)
    }
    return replacingQuery(bytes: query.dropLast())
  }

  /// The parts of the query between its ampersands.
  private var queryPieces: [Range<Int>] {
    var start = Int(layout.queryStart) + 1
    let end = Int(layout.fragmentStart)
    var pieces: [Range<Int>] = []
    while start <= end {
      let ampersand = utf8[start..<end].firstIndex(of: URLByte.ampersand) ?? end
      pieces.append(start..<ampersand)
      start = ampersand + 1
    }
    return pieces
  }
}

extension WebURL {
  /// Returns the URL with another fragment, or without one when `fragment` is nil.
  ///
  /// The fragment is given without `#`. It is percent-encoded with the fragment percent-encode set, without tabs and
  /// newlines, as the `hash` setter does (section 6.1); an empty fragment leaves a lone `#`.
  public func replacingFragment(_ fragment: String?) -> WebURL {
    guard let fragment else { return removingFragment }
    var bytes = Array(utf8[..<Int(layout.fragmentStart)])
    bytes.append(URLByte.hash)
    PercentEncoding.append(Self.withoutTabs(fragment)[...], encoding: .fragment, to: &bytes)
    return WebURL(utf8: bytes, layout: layout)
  }

  /// The URL without its fragment; unchanged when it has none (section 4.1).
  public var removingFragment: WebURL {
    guard Int(layout.fragmentStart) < utf8.count else { return self }
    return WebURL(utf8: Array(utf8[..<Int(layout.fragmentStart)]), layout: layout)
  }

  /// The URL without its username and password; unchanged when it has none (section 4.1).
  public var removingCredentials: WebURL {
    guard !username.isEmpty || !password.isEmpty else { return self }
    let bytes = utf8[..<Int(layout.schemeEnd)] + Array("://".utf8) + utf8[Int(layout.hostStart)...]
    return WebURL(utf8: Array(bytes).span) ?? self
  }

  /// Returns the URL with the username and password of another URL of the same origin.
  ///
  /// The URL is unchanged when the other one is of another origin or has no credentials, or when this one has its own.
  package func takingCredentials(of other: WebURL) -> WebURL {
    guard let origin, origin == other.origin, credentials.isEmpty, !other.credentials.isEmpty else { return self }
    let start = utf8[..<Int(layout.schemeEnd)] + Array("://".utf8) + other.credentials
    let bytes = start + [UInt8(ascii: "@")] + utf8[Int(layout.hostStart)...]
    return WebURL(utf8: Array(bytes).span) ?? self
  }

  /// Returns the URL with one more parameter at the end of its query, as `https://proxy.example/?u=a%26b` has `u`.
  ///
  /// Name and value are encoded as those of a form (section 5.2, application/x-www-form-urlencoded), so that whatever
  /// they hold, another URL for example, is read back as it is by ``queryParameters``.
  ///
  /// - Parameters:
  ///   - name: the name, not encoded.
  ///   - value: the value, not encoded.
  /// - Returns: the URL; what its query had stays as it is.
  public func addingQueryParameter(_ name: String, _ value: String) -> WebURL {
    var query = queryPieces.isEmpty ? [] : Array(utf8[Int(layout.queryStart) + 1..<Int(layout.fragmentStart)])
    if !query.isEmpty, query.last != URLByte.ampersand { query.append(URLByte.ampersand) }
    QueryParameter.encode(name, to: &query)
    query.append(URLByte.equals)
    QueryParameter.encode(value, to: &query)
    return replacingQuery(bytes: query[...])
  }

  /// Returns the URL with another query, or without one when `query` is nil.
  ///
  /// The query is given without `?`. It is percent-encoded with the query percent-encode set, the special one for a
  /// special scheme, without tabs and newlines, as the `search` setter does (section 6.1). Existing `%XX` stay; a `#`
  /// becomes `%23`; an empty query leaves a lone `?`.
  public func replacingQuery(_ query: String?) -> WebURL {
    guard let query else { return replacingQuery(bytes: nil) }
    var encoded: [UInt8] = []
    PercentEncoding.append(Self.withoutTabs(query)[...], encoding: isSpecial ? .specialQuery : .query, to: &encoded)
    return replacingQuery(bytes: encoded[...])
  }

  /// Replaces the query with one that is already encoded.
  private func replacingQuery(bytes query: ArraySlice<UInt8>?) -> WebURL {
    var bytes = Array(utf8[..<Int(layout.queryStart)])
    var layout = layout
    if let query {
      bytes.append(URLByte.question)
      bytes.append(contentsOf: query)
    }
    layout.fragmentStart = UInt32(bytes.count)
    bytes.append(contentsOf: utf8[Int(self.layout.fragmentStart)...])
    return WebURL(utf8: bytes, layout: layout)
  }

  private static func withoutTabs(_ text: String) -> [UInt8] { text.utf8.filter { !$0.isTabOrNewline } }
}

extension WebURL {
  /// The error for a text that is no absolute URL.
  public struct Invalid: Error, Sendable, Hashable, CustomStringConvertible {
    /// The text.
    public let text: String

    /// What is wrong, with the beginning of the text.
    public var description: String { "'\(text.prefix(200))' is not an absolute URL" }
  }

  /// Parses an absolute URL as browsers do.
  ///
  /// - Parameter text: the URL.
  /// - Throws: ``Invalid`` when the text is no absolute URL, where ``init(_:base:)`` returns nil.
  public init(validating text: String) throws(Invalid) {
    guard let url = WebURL(text) else { throw Invalid(text: text) }
    self = url
  }
}

extension WebURL: Encodable {
  /// Encodes the serialization as a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(href)
  }
}

extension WebURL {
  /// Whether two URLs are of one site: their hosts end with the same two labels, as those of `blog.example.org` and
  /// `example.org` do.
  ///
  /// No list of public suffixes is used: two hosts below `co.uk` count as one site.
  package func isOnSite(of other: WebURL) -> Bool {
    func labels(_ url: WebURL) -> [Substring] { (url.hostname ?? "").split(separator: ".").suffix(2) }
    return labels(self) == labels(other)
  }
}
