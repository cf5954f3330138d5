extension WebURL {
  /// The URL with another fragment, or without one when `fragment` is nil.
  ///
  /// The text comes without `#`. It is percent-encoded by the fragment percent-encode set, tabs and newlines left out,
  /// as the `hash` setter does (section 6.1); an empty fragment leaves a lone `#`.
  public func replacingFragment(_ fragment: String?) -> WebURL {
    guard let fragment else { return removingFragment }
    var bytes = Array(utf8[..<Int(layout.fragmentStart)])
    bytes.append(ASCII.hash)
    PercentEncoding.append(Self.withoutTabs(fragment)[...], encoding: .fragment, to: &bytes)
    return WebURL(utf8: bytes, layout: layout)
  }

  /// The URL without its fragment, and the same URL when it has none (section 4.1).
  public var removingFragment: WebURL {
    guard Int(layout.fragmentStart) < utf8.count else { return self }
    return WebURL(utf8: Array(utf8[..<Int(layout.fragmentStart)]), layout: layout)
  }

  /// The URL without the name and the password in it, and the same URL when it has none (section 4.1).
  public var removingCredentials: WebURL {
    guard !username.isEmpty || !password.isEmpty else { return self }
    let bytes = utf8[..<Int(layout.schemeEnd)] + Array("://".utf8) + utf8[Int(layout.hostStart)...]
    return WebURL(utf8: Array(bytes).span) ?? self
  }

  /// The URL with the name and the password of another one; the same URL when that is of another origin or has none, or this one has
  /// its own.
  public func takingCredentials(of other: WebURL) -> WebURL {
    guard let origin, origin == other.origin, credentials.isEmpty, !other.credentials.isEmpty else { return self }
    let start = utf8[..<Int(layout.schemeEnd)] + Array("://".utf8) + other.credentials
    let bytes = start + [UInt8(ascii: "@")] + utf8[Int(layout.hostStart)...]
    return WebURL(utf8: Array(bytes).span) ?? self
  }

  /// The URL with another query, or without one when `query` is nil.
  ///
  /// The text comes without `?`. It is percent-encoded by the query percent-encode set, the special one for a special
  /// scheme, tabs and newlines left out, as the `search` setter does (section 6.1). Existing `%XX` stay; a `#` becomes
  /// `%23`; an empty query leaves a lone `?`.
  public func replacingQuery(_ query: String?) -> WebURL {
    guard let query else { return replacingQuery(bytes: nil) }
    var encoded: [UInt8] = []
    PercentEncoding.append(Self.withoutTabs(query)[...], encoding: isSpecial ? .specialQuery : .query, to: &encoded)
    return replacingQuery(bytes: encoded)
  }

  /// Puts an encoded query in place of the present one.
  func replacingQuery(bytes query: [UInt8]?) -> WebURL {
    var bytes = Array(utf8[..<Int(layout.queryStart)])
    var layout = layout
    if let query {
      bytes.append(ASCII.question)
      bytes.append(contentsOf: query)
    }
    layout.fragmentStart = UInt32(bytes.count)
    bytes.append(contentsOf: utf8[Int(self.layout.fragmentStart)...])
    return WebURL(utf8: bytes, layout: layout)
  }

  private static func withoutTabs(_ text: String) -> [UInt8] { text.utf8.filter { !$0.isTabOrNewline } }
}
