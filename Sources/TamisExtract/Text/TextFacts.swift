package import TamisCore

/// The counts of a post's text, its first heading and its kind.
package struct TextFacts: Sendable, Hashable {
  /// The number of words between spaces, without scripts that use no spaces.
  package var words: Int
  /// The number of characters of scripts without spaces.
  package var ideographs: Int
  /// The text of the first heading; nil when there is none.
  package var heading: String?
  /// The main kind of the content.
  package var kind: Post.Kind

  init(_ facts: SanitizedHTML.Facts, _ counts: WordCount, kind: Post.Kind) {
    (words, ideographs) = (counts.words, counts.characters)
    heading = facts.heading
    self.kind = kind
  }
}
