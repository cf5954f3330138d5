extension Feed {
  /// Text from a feed, with its type, base URL and language.
  ///
  /// The type marks its value as unsafe: only the sanitizer turns it into ``SanitizedHTML``, and only the escaping of
  /// templates makes it text that a page may show.
  public struct Markup: Sendable, Hashable, Encodable {
    /// The type of the text in ``Feed/Markup/value``.
    public enum Kind: String, Sendable, Hashable, Encodable {
      /// Plain text without markup.
      case text = "text/plain"
      /// HTML, possibly malformed.
      case html = "text/html"
      /// The serialized children of an XHTML element.
      case xhtml = "application/xhtml+xml"
    }

    /// The text, exactly as given except for white space at both ends.
    public var value: String
    /// The type of the text.
    public var kind: Kind
    /// The base URL in force (`xml:base` resolved); nil when the feed gave none.
    public var base: String?
    /// The language in force (BCP 47); nil when the feed gave none.
    public var language: String?
    /// The URL of content outside the feed (Atom `src`), resolved; nil when the content is in the feed.
    public var source: String?
    /// The media type of that content; nil when not given.
    public var sourceType: String?

    /// Makes a piece of unsafe text.
    public init(_ value: String, kind: Kind, base: String? = nil, language: String? = nil) {
      self.value = value
      self.kind = kind
      self.base = base
      self.language = language
    }
  }
}
