public import TamisCore

/// The counts of a post's text, its first heading and its kind.
public struct TextFacts: Sendable, Hashable {
  /// The number of words between spaces, without scripts that use no spaces.
  public var words: Int
  /// The number of characters of scripts without spaces.
  public var ideographs: Int
  /// The text of the first heading; nil when there is none.
  public var heading: String?
  /// The main kind of the content.
  public var kind: Post.Kind

  init(_ facts: SanitizedHTML.Facts, _ counts: ReadingTime.Counts, kind: Post.Kind) {
    (words, ideographs) = counts
    heading = facts.heading
    self.kind = kind
  }
}
