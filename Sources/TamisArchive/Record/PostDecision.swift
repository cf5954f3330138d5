extension Archive {
  /// The archive's decision on a post of a document.
  public enum Decision: Sendable, Hashable {
    /// The post was never seen in this feed.
    case new
    /// The post was never seen, but came with many others into a stored feed and is older than the stored posts.
    case backfill
    /// The post was seen before and is unchanged.
    case known
    /// The post was seen before and has changed.
    case updated(Change)
    /// The post was seen before, had left its feed, and has returned.
    case revived
    /// The document contains the post twice; the one at this index is kept.
    case duplicate(of: Int)
    /// The post was deleted by the user, or was purged and has no new content.
    case buried
    /// The document ends before the post can be identified; the next complete document has it.
    case cutOff
    /// A filter excludes the post.
    case heldBack

    /// The extent of a post's change (Tamis.docc/HowAPostIsRecognized.md, K6).
    public enum Change: String, Sendable, Hashable, CaseIterable {
      /// The words are the same; the markup, punctuation or addresses are not.
      case cosmetic
      /// A few words have changed, or only words of the title.
      case minor
      /// More words have changed.
      case major
    }

    /// Whether the post is to be shown.
    package var isShown: Bool {
      switch self {
      case .new, .backfill, .known, .updated, .revived: true
      case .duplicate, .buried, .cutOff, .heldBack: false
      }
    }
  }
}

/// A decision with the rule that it follows from.
package struct Verdict: Sendable, Hashable {
  /// The decision.
  package var decision: Archive.Decision
  /// The rule by which the post was recognized.
  ///
  /// The value is one of `guid`, `guid-form`, `link`, `whole`, `file`, `title-day`, `text`, `moved` and `guid-or-link`;
  /// `none` for a new post, `cut-off` for an unknown post that was cut off before its id was complete.
  package var rule: String
  /// The post's number in the archive; 0 when the post is not in the archive.
  package var post = PostNumber(rawValue: 0)
  /// The file name of the post's page, without folder and extension; empty when the post is not in the archive.
  package var name = ""
  /// Whether the document lacks words of the post, which keeps those that it had.
  package var keepsBody = false
}
