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

  /// The largest input, base included, that is parsed at all, in bytes: 256 MiB.
  ///
  /// The standard knows no limit; this one keeps every offset of the (at most threefold) serialization in 32 bits.
  public static let maximumLength = 1 << 28

  init(utf8: [UInt8], layout: Layout) {
    self.utf8 = utf8
    self.layout = layout
  }

  /// Parses a string, resolving it against `base` when it is relative (section 4.4, "basic URL parser").
  ///
  /// C0 controls and spaces at both ends are ignored, tabs and newlines everywhere. The result is nil when the
  /// standard says failure: a relative reference without a base, a bad host or port, and the like.
  public init?(_ input: String, base: WebURL? = nil) {
    self.init(utf8: input.utf8.span, base: base)
  }

  /// Parses UTF-8 bytes, resolving them against `base` when they are relative (section 4.4, "basic URL parser").
  ///
  /// Same as ``init(_:base:)`` without the string. Sequences that are not valid UTF-8 are read as U+FFFD.
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

    /// Whether there is a host, the empty host included: `//` stands between the scheme and where it starts.
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
  /// Orders by the bytes of the serializations.
  public static func < (left: WebURL, right: WebURL) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }
}

extension WebURL: CustomStringConvertible {
  /// The serialization, same as ``href``.
  public var description: String { href }
}
