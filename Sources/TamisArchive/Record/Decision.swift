/// What the archive decided about a post of a document.
public enum Decision: Sendable, Hashable {
  /// It was never seen in this feed.
  case new
  /// It was never seen, but it came with many others into a feed that is known, and is older than what is known.
  case backfill
  /// It was seen, and it says the same.
  case known
  /// It was seen, and it says something else now.
  case updated(Change)
  /// It was seen, had left its feed, and is back.
  case revived
  /// The document has it twice; the one at this place in the list is kept.
  case duplicate(of: Int)
  /// The user does not want it, it was purged and has nothing new to say, or the document ends before it says anything.
  case buried
  /// A filter holds it back.
  case heldBack

  /// How much a post has changed (rule K6 of the design).
  public enum Change: String, Sendable, Hashable, CaseIterable {
    /// Its words are the same; its markup, punctuation or addresses are not.
    case cosmetic
    /// A few words are others, or only those of the title.
    case minor
    /// More than that.
    case major
  }

  /// Whether the post is to be shown.
  public var isShown: Bool {
    switch self {
    case .new, .backfill, .known, .updated, .revived: true
    case .duplicate, .buried, .heldBack: false
    }
  }
}

/// A decision with the rule that it follows from.
public struct Verdict: Sendable, Hashable {
  /// What was decided.
  public var decision: Decision
  /// By what the post was recognized: `guid`, `guid-form`, `link`, `whole`, `file`, `title-day`, `text`, `seed`; `none` for
  /// what is new, `cut-off` for an unknown post of which there is nothing but the beginning of its id.
  public var rule: String
  /// The post's number in the archive; 0 for what is not in it.
  public var post = PostNumber(rawValue: 0)
  /// The name of its page, without folder and ending; empty for what is not in the archive.
  public var name = ""
}
