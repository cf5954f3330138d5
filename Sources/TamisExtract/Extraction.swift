public import TamisCore

/// Everything extracted from an entry, without any request.
public struct Extraction: Sendable, Hashable {
  /// The post.
  public var post: Post
  /// All thumbnail candidates, the chosen one first, each with its outcome.
  public var pictures: [PictureCandidate]
  /// The links that the feed gives for it, with http(s) URLs: those of link elements in document order, then others.
  public var links: [FeedLink]
  /// The links in its body, in document order.
  public var bodyLinks: [BodyLink]
  /// The pictures, audio and video that the feed names for it, in document order.
  public var media: [MediaFile]
  /// How many comments there are; nil when the feed has no number.
  public var commentCount: Int?
  /// The feed's data about the episode; nil when there is none.
  public var podcast: PodcastFacts?
  /// The counts of its text.
  public var text: TextFacts

  /// The first link in its body that leads to another site, nil when there is none.
  public var firstExternalLink: BodyLink? { bodyLinks.first { $0.kind == .external } }
}
