import TamisCore
import TamisURL

/// Decides about one URL: read as a browser reads it, resolved, and let through only with a scheme on the list.
struct URLFilter {
  /// What a policy says about URLs, made ready to be asked often; a class, as each filter of a URL refers to it instead of copying its
  /// lists.
  final class Rules: Sendable {
    let rules: Policy.URLRules
    /// Put before the fragment of links that stay inside the fragment.
    let fragmentPrefix: String?
    private let tracking: TrackingRules
    private let allowsHTTP: Bool
    private let allowsHTTPS: Bool

    init(_ policy: Policy) {
      rules = policy.urls
      fragmentPrefix = policy.improvements.idPrefix
      tracking = TrackingRules(policy.improvements)
      allowsHTTP = policy.urls.schemes.contains("http")
      allowsHTTPS = policy.urls.schemes.contains("https")
    }

    /// Whether a value is an absolute http(s) URL that can be written as it is.
    func isPlain(_ value: borrowing Span<UInt8>) -> Bool {
      switch WebURL.plainWebAddress(value) {
      case .http: allowsHTTP
      case .https: allowsHTTPS
      case nil: false
      }
    }

    /// A link without the parameters that only follow readers; nil when it has none.
    func withoutTracking(_ link: borrowing Span<UInt8>) -> [UInt8]? { tracking.withoutParameters(link) }

    /// A page's address without them.
    func withoutTracking(_ page: WebURL) -> WebURL { tracking.withoutParameters(page) }

    /// Whether a picture comes from where readers are only counted.
    func isTracker(_ picture: borrowing Span<UInt8>) -> Bool { tracking.isTracker(picture) }
  }

  let rules: Policy.URLRules
  let base: WebURL?
  /// Put before the fragment of links that stay inside the fragment.
  let fragmentPrefix: String?
  let allowsImageData: Bool

  init(rules: Rules, base: WebURL?, allowsImageData: Bool) {
    self.rules = rules.rules
    self.base = base
    fragmentPrefix = rules.fragmentPrefix
    self.allowsImageData = allowsImageData
  }

  /// Stands in for the page's address when the fragment has no base.
  private static let unknownBase = WebURL("http://base.invalid/")

  /// The URL as it is to be written; nil when it is refused.
  func filter(_ value: [UInt8]) -> [UInt8]? {
    let text = Self.withoutIgnored(value)
    // An empty value is what a refused one has become.
    if text.isEmpty, rules.leavesRefusedEmpty { return text }
    // An empty source loads nothing; resolved, it would be the page.
    if text.isEmpty, allowsImageData { return nil }
    if text.first == UInt8(ascii: "#"), let prefix = fragmentPrefix {
      let name = text.dropFirst()
      // `#top` is the top of whichever page it is (HTML Standard, 7.4.6.3).
      let isTop = name.lazy.map(\.asciiLowercased).elementsEqual("top".utf8)
      return name.isEmpty || isTop || name.starts(with: prefix.utf8) ? text : [UInt8(ascii: "#")] + prefix.utf8 + name
    }
    if WebURL.isRelativeToItsScheme(text.span) {
      guard base != nil || rules.keepsRelative, let url = WebURL(utf8: text.span, base: base), allows(url) else {
        return nil
      }
      // Never as it was: where it leads depends on the page that it stands in.
      return url.utf8
    }
    if let absolute = WebURL(utf8: text.span) {
      guard allows(absolute) else { return nil }
      // No engine loads a picture, a sound or a film with a password in its URL; those who read the page would see it.
      if allowsImageData, absolute.isHTTP, absolute.removingCredentials != absolute {
        return absolute.removingCredentials.utf8
      }
      // The parser reads it as browsers do, so what was checked is what they will open; other parsers read slashes
      // differently.
      return Self.hasOddSlashes(text, absolute) ? absolute.utf8 : text
    }
    if let base {
      guard let resolved = WebURL(utf8: text.span, base: base), allows(resolved) else { return nil }
      return resolved.utf8
    }
    guard rules.keepsRelative, WebURL(utf8: text.span, base: Self.unknownBase) != nil else { return nil }
    return text
  }

  /// Whether slashes that are none elsewhere, or more than two of them, begin or divide a URL with a host.
  private static func hasOddSlashes(_ text: [UInt8], _ url: WebURL) -> Bool {
    let slash = UInt8(ascii: "/")
    guard url.isSpecial, let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return false }
    return text.contains(UInt8(ascii: "\\")) || (text.count > colon + 3 && text[colon + 3] == slash)
  }

  private func allows(_ url: WebURL) -> Bool {
    let scheme = url.scheme
    if rules.schemes.contains(scheme) { return !allowsImageData || !Self.schemesOfPrograms.contains(scheme) }
    guard scheme == "data", allowsImageData, rules.allowsDataImages else { return false }
    let path = url.path.asciiLowercased()
    return ["png", "jpeg", "jpg", "gif", "webp", "avif", "bmp"].contains {
      path.hasPrefix("image/\($0);") || path.hasPrefix("image/\($0),")
    }
  }

  /// Schemes that open a program when a reader follows a link, and load nothing: no picture has them.
  private static let schemesOfPrograms: Set = [
    "aim", "callto", "facetime", "irc", "irc6", "ircs", "magnet", "mailto", "sip", "sips", "skype", "sms", "tel",
    "xmpp",
  ]

  /// Without what the URL Standard ignores: C0 controls and spaces at both ends, tabs and line breaks anywhere.
  private static func withoutIgnored(_ value: [UInt8]) -> [UInt8] {
    guard let first = value.firstIndex(where: { $0 > ASCII.space }),
      let last = value.lastIndex(where: { $0 > ASCII.space })
    else { return [] }
    return value[first...last].filter { $0 != ASCII.tab && $0 != ASCII.lineFeed && $0 != ASCII.carriageReturn }
  }
}
