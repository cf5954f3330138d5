import TamisCore
import TamisURL

/// What a page says of itself, each fact with the place where it says so; absent rather than made up.
public struct PageFacts: Sendable, Hashable {
  /// A fact and where it is from.
  public struct Fact: Sendable, Hashable {
    /// The fact.
    public var value: String
    /// Where the page says so, such as `json-ld`, `og:title` or `h1`.
    public var source: String
  }

  /// The headline.
  public var title: Fact?
  /// Who wrote it, several separated by commas.
  public var byline: Fact?
  /// When it was published: a date, or a date and time as RFC 3339 has them.
  public var published: Fact?
  /// When it was changed last, likewise.
  public var updated: Fact?
  /// The address of its picture.
  public var image: Fact?
  /// Its language (BCP 47).
  public var language: Fact?
  /// What it is about, in a sentence or two.
  public var description: Fact?
  /// The name of the site.
  public var site: Fact?
  /// The address under which the page wants to be known.
  public var canonical: Fact?
  /// Its text as the data for machines has it; empty when it does not.
  package var linkedBody = ""

  /// Nothing is known.
  init() {}
}
