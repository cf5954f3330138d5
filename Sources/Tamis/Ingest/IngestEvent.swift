public import TamisArchive
public import TamisCore

extension SiteBuild {
  /// The decision on a post of a document.
  public struct Event: Sendable, Hashable {
    /// The key of the post's feed.
    package var feed: Feed.Key
    /// The title of the post; may be empty.
    public var title: String
    /// The location of the post, with the file as the user would write it.
    public var location: Finding.Location
    /// The decision.
    public var decision: Archive.Decision
    /// The rule by which the post was recognized; `none` for a new post.
    public var rule: String
    /// The path of the post's page; nil for a duplicate.
    package var page: PagePath?
    /// The location of the post that is kept, for a duplicate.
    public var kept: Finding.Location?
    /// The page of the canonical post into which a new post is folded; nil when it is canonical.
    package var folded: PagePath?

    /// The decision as a word: `new`, `backfill`, `known`, `updated`, `revived`, `duplicate`, `buried`, `cut-off`,
    /// `held-back` or `folded`.
    public var word: String {
      switch decision {
      case .new: folded == nil ? "new" : "folded"
      case .backfill: "backfill"
      case .known: "known"
      case .updated: "updated"
      case .revived: "revived"
      case .duplicate: "duplicate"
      case .buried: "buried"
      case .cutOff: "cut-off"
      case .heldBack: "held-back"
      }
    }
  }
}

extension JSONWriter {
  /// Writes an event as one object.
  package mutating func event(_ event: SiteBuild.Event) {
    object { writer in
      writer.member("feed", event.feed.text)
      writer.member("file", event.location.file)
      writer.member("title", event.title)
      writer.member("line", event.location.line)
      writer.member("decision", event.word)
      if case .updated(let change) = event.decision { writer.member("change", change.rawValue) }
      if let page = event.page { writer.member("page", page.text) }
      if let of = event.kept?.description ?? event.folded?.text { writer.member("of", of) }
      writer.member("rule", event.rule)
    }
  }
}
