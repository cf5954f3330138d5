package import TamisCore

/// The data extracted from an entry, without any request.
package struct Extraction: Sendable, Hashable {
  /// The post.
  package var post: Post
  /// The thumbnail candidates, the chosen one first, each with its outcome.
  package var pictures: [PictureCandidate]
  /// The links that the feed gives for the entry, with http(s) URLs.
  ///
  /// Those of link elements come first, in document order, then others.
  package var links: [Feed.Link]
  /// The links in the body, in document order.
  package var bodyLinks: [BodyLink]
  /// The pictures, audio and video that the feed names for the entry, in document order.
  package var media: [MediaFile]
  /// The number of comments; nil when the feed does not give it.
  package var commentCount: Int?
  /// The feed's data about the episode; nil when there is none.
  package var podcast: PodcastFacts?
  /// The counts of the text.
  package var text: TextFacts

  /// The first link in the body that leads to another site; nil when there is none.
  package var firstExternalLink: BodyLink? { bodyLinks.first { $0.kind == .external } }
}
