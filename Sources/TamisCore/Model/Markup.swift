/// Text from a feed, with its type, base URL and language.
///
/// Unsafe by type: only the sanitizer turns it into ``SanitizedHTML``, and only the escaping of templates makes it text
/// that a page may show.
public struct Markup: Sendable, Hashable {
  /// How ``Markup/value`` is to be read.
  public enum Kind: String, Sendable, Hashable {
    /// Characters, none of which is markup.
    case text = "text/plain"
    /// HTML tag soup.
    case html = "text/html"
    /// The serialized children of an XHTML element.
    case xhtml = "application/xhtml+xml"
  }

  /// The text, exactly as given but for white space at both ends.
  public var value: String
  /// How to read it.
  public var kind: Kind
  /// The base URL in force (`xml:base` resolved); nil when the feed gave none.
  public var base: String?
  /// The language in force (BCP 47); nil when the feed gave none.
  public var language: String?
  /// The URL of content that is not in the feed (Atom `src`), resolved; nil when it is in the feed.
  public var source: String?
  /// The media type of that content; nil when not said.
  public var sourceType: String?

  /// Makes a piece of unsafe text.
  public init(_ value: String, kind: Kind, base: String? = nil, language: String? = nil) {
    self.value = value
    self.kind = kind
    self.base = base
    self.language = language
  }
}
