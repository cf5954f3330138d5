public import TamisArchive
public import TamisCore

/// What was decided about a post.
public struct IngestEvent: Sendable, Hashable {
  /// The key of its feed.
  public var feed: FeedKey
  /// Its title; may be empty.
  public var title: String
  /// Where it stands, with the file as the user would write it.
  public var location: SourceLocation
  /// What was decided.
  public var decision: Decision
  /// By what it was recognized; `none` for what is new.
  public var rule: String
  /// The path of its page; nil for a duplicate.
  public var page: PagePath?
  /// Of a duplicate where the one stands that is kept.
  public var kept: SourceLocation?
  /// Of a new post the page of the one that stands for it; nil when it stands for itself.
  public var folded: PagePath?

  /// What was decided in a word: `new`, `backfill`, `known`, `updated`, `revived`, `duplicate`, `buried`, `held-back` or `folded`.
  public var word: String {
    switch decision {
    case .new: folded == nil ? "new" : "folded"
    case .backfill: "backfill"
    case .known: "known"
    case .updated: "updated"
    case .revived: "revived"
    case .duplicate: "duplicate"
    case .buried: "buried"
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
