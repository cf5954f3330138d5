public import TamisCore

/// All that can be said about an entry without asking anybody else.
public struct Extraction: Sendable, Hashable {
  /// What may be shown of it.
  public var post: Post
  /// All pictures that could stand for it, the chosen one first, each with what became of it.
  public var pictures: [PictureCandidate]
  /// The links that the feed gives for it, with safe addresses: those of link elements in document order, then others.
  public var links: [Link]
  /// The links in its body, in document order.
  public var bodyLinks: [BodyLink]
  /// The pictures, sounds and films that the feed names for it, in document order.
  public var media: [MediaFile]
  /// How many comments there are; nil when the feed does not say.
  public var commentCount: Int?
  /// What the feed says about the episode, nil when it says nothing of the kind.
  public var podcast: PodcastFacts?
  /// What its text comes to.
  public var text: TextFacts

  /// The first link in its body that leads to another site, nil when there is none.
  public var firstExternalLink: BodyLink? { bodyLinks.first { $0.kind == .external } }
}
