public import TamisArchive
public import TamisCore

/// The decision about a post of a document.
public struct IngestEvent: Sendable, Hashable {
  /// The key of its feed.
  package var feed: FeedKey
  /// Its title; may be empty.
  public var title: String
  /// Its location, with the file as the user would write it.
  public var location: SourceLocation
  /// The decision.
  public var decision: PostDecision
  /// The rule by which it was recognized; `none` for a new post.
  public var rule: String
  /// The path of its page; nil for a duplicate.
  package var page: PagePath?
  /// For a duplicate, the location of the one that is kept.
  public var kept: SourceLocation?
  /// For a new post, the page of the canonical post that it is folded into; nil when it is canonical.
  package var folded: PagePath?

  /// The decision in a word: `new`, `backfill`, `known`, `updated`, `revived`, `duplicate`, `buried`, `cut-off`, `held-back` or `folded`.
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

extension JSONWriter {
  /// Writes an event as one object.
  public mutating func event(_ event: IngestEvent) {
    object { writer in
      writer.member("feed", event.feed.text)
      writer.member("file", event.location.file)
      writer.member("title", event.title)
      writer.key("line")
      writer.int(Int64(event.location.line))
      writer.member("decision", event.word)
      if case .updated(let change) = event.decision { writer.member("change", change.rawValue) }
      if let page = event.page { writer.member("page", page.text) }
      if let of = event.kept?.description ?? event.folded?.text { writer.member("of", of) }
      writer.member("rule", event.rule)
    }
  }
}
