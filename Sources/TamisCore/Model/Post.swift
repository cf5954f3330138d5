/// The main kind of a post's content.
public enum PostKind: String, Sendable, Hashable, CaseIterable {
  /// Words to read.
  case article
  /// A few words about another page.
  case link
  /// Pictures with few words.
  case photo
  /// Audio.
  case podcast
  /// Video.
  case video
}

/// An entry ready to be shown: text that templates escape, and markup that the sanitizer wrote.
public struct Post: Sendable, Hashable {
  /// Headline as plain text, white space collapsed; empty when the entry has none.
  public var title: String
  /// A few sentences of plain text.
  public var excerpt: String
  /// The body.
  public var content: SanitizedHTML
  /// The canonical page of the post, nil when the feed has none that is an http(s) URL.
  public var permalink: Permalink?
  /// Links in the body.
  public var links: [MarkupFacts.Link]
  /// The thumbnail of the post.
  public var thumbnail: Thumbnail?
  /// Attached files with http(s) URLs.
  public var enclosures: [Enclosure]
  /// Names of the authors.
  public var authors: [String]
  /// Category labels, each once.
  public var categories: [String]
  /// When it was published, seconds since 1970-01-01T00:00:00Z; nil when the feed did not say.
  public var published: Int64?
  /// The offset of that date from UTC, in seconds; nil when the feed names no time zone.
  public var publishedOffset: Int?
  /// When it was last changed, nil when the feed did not say or it is the same time.
  public var updated: Int64?
  /// Page with the comments, nil when there is none that is safe to follow.
  public var comments: String?
  /// Language (BCP 47), nil when not said.
  public var language: String?
  /// The writing direction of its text.
  public var direction: TextDirection
  /// The main kind of its content.
  public var kind = PostKind.article
  /// Reading time in minutes, at least 1; nil when it is read in less, or is not a text.
  public var readingMinutes: Int?
  /// How long its audio or video plays, in seconds, at least 1; nil when not said.
  public var playingSeconds: Int?
  /// The number of the season that it is an episode of; nil when not said.
  public var season: Int?
  /// The number of the episode; nil when not said.
  public var episode: Int?
  /// Its other pictures, besides the thumbnail, that the body does not show, in document order.
  public var pictures: [PostPicture] = []
  /// The caption of the thumbnail; empty when the feed has none.
  public var thumbnailCaption = ""
  /// Audio and video that the feed names besides attached files (Media RSS); of several versions of one thing one.
  public var films: [Enclosure] = []
  /// Other pages that it is about, or where its author found it, with http(s) URLs.
  public var references: [PostReference] = []
  /// Who takes part in it.
  public var people: [String] = []
  /// The page of its video, http(s); nil when there is none, or the video itself is attached.
  public var film: String?
  /// Transcripts, with http(s) URLs.
  public var transcripts: [Enclosure] = []
  /// Chapters of its video or audio, in order.
  public var chapters: [PodcastChapter] = []
  /// Its copyright notice, as plain text; empty when not said.
  public var rights = ""
  /// The feed's own id for the post; nil when it gives none.
  public var id: String?
  /// Fields of the feed that the model has no member for, by name, as plain text.
  public var fields: [String: String]
  /// The location of the entry in its document.
  public var location: SourceLocation

  /// Makes a post.
  public init(
    title: String, excerpt: String, content: SanitizedHTML, permalink: Permalink?, links: [MarkupFacts.Link],
    thumbnail: Thumbnail?, enclosures: [Enclosure], authors: [String], categories: [String], published: Int64?,
    updated: Int64?, comments: String?, language: String?, direction: TextDirection, readingMinutes: Int?,
    id: String?,
    fields: [String: String], location: SourceLocation
  ) {
    self.title = title
    self.excerpt = excerpt
    self.content = content
    self.permalink = permalink
    self.links = links
    self.thumbnail = thumbnail
    self.enclosures = enclosures
    self.authors = authors
    self.categories = categories
    self.published = published
    self.updated = updated
    self.comments = comments
    self.language = language
    self.direction = direction
    self.readingMinutes = readingMinutes
    self.id = id
    self.fields = fields
    self.location = location
  }
}

/// A picture that a feed names for a post.
public struct PostPicture: Sendable, Hashable, Codable {
  /// The URL.
  public var url: String
  /// The caption and credit, as plain text; empty when not said.
  public var caption: String
  /// Declared width in pixels, nil when not said.
  public var width: Int?
  /// Declared height in pixels, nil when not said.
  public var height: Int?

  /// Makes a picture.
  public init(url: String, caption: String, width: Int?, height: Int?) {
    (self.url, self.caption, self.width, self.height) = (url, caption, width, height)
  }
}

/// Another page that a post refers to.
public struct PostReference: Sendable, Hashable, Codable {
  /// The relation to the post.
  public enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
    /// What the post is about: `rel="related"` (RFC 4287, 4.2.7.2), JSON Feed's `external_url`.
    case related
    /// Where its author found that: `rel="via"`.
    case via
  }

  /// The relation to the post.
  public var kind: Kind
  /// Its address, http or https.
  public var url: String
  /// The title, as plain text; nil when not said.
  public var title: String?

  /// Makes a reference.
  public init(_ kind: Kind, url: String, title: String?) { (self.kind, self.url, self.title) = (kind, url, title) }
}

/// The canonical URL of a post, and the field that gave it.
public struct Permalink: Sendable, Hashable {
  /// The URL, http(s).
  public var url: String
  /// The field it came from, such as `feedburner:origLink`.
  public var source: String
  /// The URL in that field, when it is a redirector's or has tracking parameters; nil when it is ``url``.
  public var original: String?

  /// Makes a permalink.
  public init(url: String, source: String, original: String? = nil) {
    self.url = url
    self.source = source
    self.original = original
  }
}

/// The thumbnail of a post, and why it was picked.
public struct Thumbnail: Sendable, Hashable {
  /// The URL.
  public var url: String
  /// Alternative text; empty when not said.
  public var alternative: String
  /// Declared width in pixels, nil when not said.
  public var width: Int?
  /// Declared height in pixels, nil when not said.
  public var height: Int?
  /// The field it came from, such as `media:content` or `img`.
  public var source: String
  /// Why it was chosen, in a few words.
  public var reason: String
  /// Whether the body shows it too, so that a page need not show it twice.
  public var isInBody: Bool

  /// Makes a thumbnail.
  public init(
    url: String, alternative: String, width: Int?, height: Int?, source: String, reason: String, isInBody: Bool
  ) {
    self.url = url
    self.alternative = alternative
    self.width = width
    self.height = height
    self.source = source
    self.reason = reason
    self.isInBody = isInBody
  }
}
