import TamisCore
import TamisURL

/// The metadata of a page, each fact with its source; nil rather than guessed.
public struct PageFacts: Sendable, Hashable {
  /// A fact and its source.
  public struct Fact: Sendable, Hashable {
    /// The fact.
    public var value: String
    /// The source in the page, such as `json-ld`, `og:title` or `h1`.
    public var source: String
  }

  /// The headline.
  public var title: Fact?
  /// The authors, separated by commas.
  public var byline: Fact?
  /// When it was published: a date, or a date and time as RFC 3339 has them.
  public var published: Fact?
  /// When it was changed last, likewise.
  public var updated: Fact?
  /// The address of its picture.
  public var image: Fact?
  /// Its language (BCP 47).
  public var language: Fact?
  /// A description in a sentence or two.
  public var description: Fact?
  /// The name of the site.
  public var site: Fact?
  /// The canonical URL.
  public var canonical: Fact?
  /// The text in its JSON-LD; empty when there is none.
  package var linkedBody = ""

  /// Makes empty facts.
  init() {}
}
