public import TamisCore

extension Archive {
  /// A policy for recognizing posts.
  public enum KeyPolicy: String, Sendable, Hashable, CaseIterable {
    /// Posts are recognized by the best of their usable keys (Tamis.docc/HowAPostIsRecognized.md, K3).
    case ladder
    /// Posts are recognized by the feed's id, otherwise the link, and by nothing else.
    case guidOrLink = "guid-or-link"
  }
}

extension Archive {
  /// The options for recognizing and storing posts.
  public struct IngestOptions: Sendable, Hashable {
    /// The policy for recognizing posts.
    public var keys = Archive.KeyPolicy.ladder
    /// The policy for posts that have left their feed.
    public var purge = PurgePolicy.keep
    /// Whether duplicates of posts in other feeds are folded into them.
    public var folds = true
    /// Whether the archive is a shard: one of several among which the feeds are distributed.
    package var isShard = false

    /// Creates options that recognize posts by the best of their keys and keep all posts.
    public init() {}
  }
}
