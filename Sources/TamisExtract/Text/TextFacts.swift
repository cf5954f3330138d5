public import TamisCore

/// Counts of a post's text.
public struct TextFacts: Sendable, Hashable {
  /// Words between spaces, those of scripts without spaces left out.
  public var words: Int
  /// Characters of scripts without spaces.
  public var ideographs: Int
  /// The words of its first heading, nil when it has none.
  public var heading: String?
  /// The main kind of its content.
  public var kind: PostKind

  init(_ facts: MarkupFacts, _ counts: ReadingTime.Counts, kind: PostKind) {
    (words, ideographs) = counts
    heading = facts.heading
    self.kind = kind
  }
}
