/// What the archive decided about a post of a document.
public enum PostDecision: Sendable, Hashable {
  /// It was never seen in this feed.
  case new
  /// It was never seen, but it came with many others into a stored feed, and is older than the stored posts.
  case backfill
  /// It was seen before, and is unchanged.
  case known
  /// It was seen before, and has changed.
  case updated(Change)
  /// It was seen, had left its feed, and is back.
  case revived
  /// The document has it twice; the one at this index is kept.
  case duplicate(of: Int)
  /// The user does not want it, or it was purged and has nothing new to say.
  case buried
  /// The document ends before it says which post it is; the next one that is complete has it.
  case cutOff
  /// A filter excludes it.
  case heldBack

  /// How much a post has changed (Tamis.docc/HowAPostIsRecognized.md, K6).
  public enum Change: String, Sendable, Hashable, CaseIterable {
    /// Its words are the same; its markup, punctuation or addresses are not.
    case cosmetic
    /// A few words have changed, or only words of the title.
    case minor
    /// More than that.
    case major
  }

  /// Whether the post is to be shown.
  public var isShown: Bool {
    switch self {
    case .new, .backfill, .known, .updated, .revived: true
    case .duplicate, .buried, .cutOff, .heldBack: false
    }
  }
}

/// A decision with the rule that it follows from.
package struct Verdict: Sendable, Hashable {
  /// What was decided.
  package var decision: PostDecision
  /// The rule by which the post was recognized: `guid`, `guid-form`, `link`, `whole`, `file`, `title-day`, `text`, `guid-or-link`;
  /// `none` for a new post, `cut-off` for an unknown post that was cut off before its id was complete.
  package var rule: String
  /// The post's number in the archive; 0 when it is not in the archive.
  package var post = PostNumber(rawValue: 0)
  /// The file name of its page, without folder and extension; empty when it is not in the archive.
  package var name = ""
}
