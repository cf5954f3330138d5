import TamisCore
import TamisURL

/// Decides about one URL: parsed like in a browser, resolved, and accepted only with an allowed scheme.
struct URLFilter {
  /// A policy's rules for URLs, prepared for frequent lookups.
  ///
  /// The type is a class, so that each filter refers to the rules instead of copying their lists.
  final class Rules: Sendable {
    let rules: Policy.URLRules
    /// The prefix of the fragment of links that stay inside the fragment.
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
      if InvisibleCharacters.mayBeIn(value) { return false }
      return switch WebURL.plainWebAddress(value) {
      case .http: allowsHTTP
      case .https: allowsHTTPS
      case nil: false
      }
    }

    /// Returns a link without tracking parameters; nil when it has none.
    func withoutTracking(_ link: borrowing Span<UInt8>) -> [UInt8]? { tracking.withoutParameters(link) }

    /// Returns a page's URL without tracking parameters.
    func withoutTracking(_ page: WebURL) -> WebURL { tracking.withoutParameters(page) }

    /// Whether a picture is on a tracking host.
    func isTracker(_ picture: borrowing Span<UInt8>) -> Bool { tracking.isTracker(picture) }
  }

  let rules: Policy.URLRules
  let schemes: Set<String>
  let base: WebURL?
  /// The prefix of the fragment of links that stay inside the fragment.
  let fragmentPrefix: String?
  let allowsImageData: Bool

  init(rules: Rules, schemes: Set<String>, base: WebURL?, allowsImageData: Bool) {
    self.rules = rules.rules
    self.schemes = schemes
    self.base = base
    fragmentPrefix = rules.fragmentPrefix
    self.allowsImageData = allowsImageData
  }

  /// The base URL that stands for the unknown page when the fragment has none.
  private static let unknownBase = WebURL("http://base.invalid/")

  /// Returns the URL as it is to be written; nil when it is refused.
  ///
  /// The invisible characters of a link are removed. Those of a picture's URL are percent-encoded, as browsers ask for
  /// it: the picture may be stored under that very name.
  func filter(_ value: [UInt8]) -> [UInt8]? {
    if allowsImageData { return accepted(value).map { InvisibleCharacters.encoded(in: $0) ?? $0 } }
    // A tab or a line break, which are ignored in URLs, can stand inside of a percent-encoded character.
    let text = Self.withoutIgnored(value)
    guard let url = accepted(InvisibleCharacters.removed(from: text) ?? text) else { return nil }
    // A base can have such characters too. Without them the URL is another one, which is judged anew.
    return InvisibleCharacters.removed(from: url).map(accepted) ?? url
  }

  private func accepted(_ value: [UInt8]) -> [UInt8]? {
    let text = Self.withoutIgnored(value)
    // An empty value is the result of a refused one.
    if text.isEmpty, rules.leavesRefusedEmpty { return text }
    // An empty source loads nothing; resolved, it would be the URL of the page.
    if text.isEmpty, allowsImageData { return nil }
    if text.first == UInt8(ascii: "#"), let prefix = fragmentPrefix {
      let name = text.dropFirst()
      // `#top` is the top of any page (HTML Standard, 7.4.6.3).
      let isTop = name.lazy.map(\.asciiLowercased).elementsEqual("top".utf8)
      // Browsers look for the name as it is written, and then percent-decoded (HTML Standard, 7.4.6.3).
      let isPrefixed = WebURL.percentDecoded(Array(name)).starts(with: prefix.utf8)
      return name.isEmpty || isTop || isPrefixed ? text : [UInt8(ascii: "#")] + prefix.utf8 + name
    }
    if WebURL.isRelativeToItsScheme(text.span) {
      guard base != nil || rules.keepsRelative, let url = WebURL(utf8: text.span, base: base), allows(url) else {
        return nil
      }
      // The URL must not stay as it was: its target depends on the page that contains it.
      return written(url)
    }
    if let absolute = WebURL(utf8: text.span) {
      guard allows(absolute) else { return nil }
      // The parser reads the URL like browsers do, so the checked URL is the one they open; other parsers read slashes
      // differently.
      return losesCredentials(absolute) || Self.hasOddSlashes(text, absolute) ? written(absolute) : text
    }
    if let base {
      guard let resolved = WebURL(utf8: text.span, base: base), allows(resolved) else { return nil }
      return written(resolved)
    }
    guard rules.keepsRelative, let resolved = WebURL(utf8: text.span, base: Self.unknownBase) else { return nil }
    // A URL with credentials has a host, and only its scheme is not known.
    if losesCredentials(resolved) { return Array(written(resolved).dropFirst("http:".utf8.count)) }
    // Only some parsers read a backslash as a slash.
    let end = text.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? text.endIndex
    return text[..<end].map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 } + text[end...]
  }

  /// Whether a URL is that of a picture, audio or video and has a username or a password.
  ///
  /// No engine loads such a URL, and readers of the page would see the password.
  private func losesCredentials(_ url: WebURL) -> Bool {
    allowsImageData && url.isHTTP && url.removingCredentials != url
  }

  private func written(_ url: WebURL) -> [UInt8] { losesCredentials(url) ? url.removingCredentials.utf8 : url.utf8 }

  /// Whether a URL with a host contains a backslash, or more than two slashes after its scheme.
  private static func hasOddSlashes(_ text: [UInt8], _ url: WebURL) -> Bool {
    let slash = UInt8(ascii: "/")
    guard url.isSpecial, let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return false }
    return text.contains(UInt8(ascii: "\\")) || (text.count > colon + 3 && text[colon + 3] == slash)
  }

  private func allows(_ url: WebURL) -> Bool {
    let scheme = url.scheme
    if scheme == "feed", !Self.isOfWeb(url) { return false }
    if schemes.contains(scheme) { return !allowsImageData || !Self.schemesOfPrograms.contains(scheme) }
    guard scheme == "data", allowsImageData, rules.allowsDataImages else { return false }
    let path = url.path.asciiLowercased()
    return ["png", "jpeg", "jpg", "gif", "webp", "avif", "bmp"].contains {
      path.hasPrefix("image/\($0);") || path.hasPrefix("image/\($0),")
    }
  }

  /// Whether a `feed:` URL has a host, or is followed by a URL of the web; old browsers opened whatever followed.
  private static func isOfWeb(_ url: WebURL) -> Bool {
    let path = url.path.asciiLowercased()
    return url.hostname?.isEmpty == false || path.hasPrefix("http://") || path.hasPrefix("https://")
  }

  /// Schemes that open a program when a reader follows a link and load nothing, so that no picture has them.
  private static let schemesOfPrograms: Set = [
    "aim", "callto", "facetime", "irc", "irc6", "ircs", "magnet", "mailto", "sip", "sips", "skype", "sms", "tel",
    "xmpp",
  ]

  /// Returns the value without what the URL Standard ignores.
  ///
  /// Ignored are C0 controls and spaces at both ends, and tabs and line breaks anywhere.
  private static func withoutIgnored(_ value: [UInt8]) -> [UInt8] {
    guard let first = value.firstIndex(where: { $0 > ASCII.space }),
      let last = value.lastIndex(where: { $0 > ASCII.space })
    else { return [] }
    return value[first...last].filter { $0 != ASCII.tab && $0 != ASCII.lineFeed && $0 != ASCII.carriageReturn }
  }
}
