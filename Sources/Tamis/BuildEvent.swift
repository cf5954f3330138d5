public import TamisCore
import TamisIndex
import TamisSite

/// What a build decided about a post.
public struct BuildEvent: Sendable, Hashable {
  /// The key of its feed.
  public var feed: FeedKey
  /// The file that it was read from, as the user would write it.
  public var file: String
  /// Its title; may be empty.
  public var title: String
  /// Where it stands.
  public var location: SourceLocation
  /// `new`, `backfill`, `known`, `updated`, `revived`, `duplicate`, `buried` or `folded`.
  public var decision: String
  /// Of an update how much has changed: `cosmetic`, `minor` or `major`.
  public var change: String?
  /// By what it was recognized; `none` for what is new.
  public var rule: String
  /// The path of its page; nil for a duplicate.
  public var page: String?
  /// Of a duplicate the place of the one that is kept, of a folded post the page of the one that stands for it.
  public var of: String?

  /// - Parameter folder: the folder of the feed's posts, with a slash at its end.
  init(feed: FeedKey, file: String, folder: String, post: Post, _ verdict: Verdict) {
    (self.feed, self.file) = (feed, file)
    title = post.title
    location = post.location
    rule = verdict.rule
    page = verdict.name.isEmpty ? nil : "\(folder)\(verdict.name).html"
    switch verdict.decision {
    case .new: decision = "new"
    case .backfill: decision = "backfill"
    case .known: decision = "known"
    case .updated(let change):
      decision = "updated"
      self.change = change.rawValue
    case .revived: decision = "revived"
    case .duplicate: decision = "duplicate"
    case .buried: decision = "buried"
    }
  }
}

extension JSONWriter {
  /// Writes an event as one object.
  public mutating func event(_ event: BuildEvent) {
    object { writer in
      writer.member("feed", event.feed.text)
      writer.member("file", event.file)
      writer.member("title", event.title)
      writer.key("line")
      writer.int(Int64(event.location.line))
      writer.member("decision", event.decision)
      for (name, value) in [("change", event.change), ("page", event.page), ("of", event.of)] {
        if let value { writer.member(name, value) }
      }
      writer.member("rule", event.rule)
    }
  }
}
