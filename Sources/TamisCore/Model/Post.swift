/// What a post mostly is.
public enum PostKind: String, Sendable, Hashable, CaseIterable {
  /// Words to read.
  case article
  /// A few words about another page.
  case link
  /// Pictures with few words.
  case photo
  /// Something to hear.
  case podcast
  /// Something to see.
  case video
}

/// What may be shown of an entry: text that templates escape, and markup that the sanitizer wrote.
public struct Post: Sendable, Hashable {
  /// Headline as plain text, white space collapsed; empty when the entry has none.
  public var title: String
  /// A few sentences of plain text.
  public var excerpt: String
  /// The body.
  public var content: SanitizedHTML
  /// The canonical page of the post, nil when the feed named none that is safe to follow.
  public var permalink: Permalink?
  /// Links in the body.
  public var links: [MarkupFacts.Link]
  /// The picture that stands for the post.
  public var thumbnail: Thumbnail?
  /// Attached files with safe addresses.
  public var enclosures: [Enclosure]
  /// Names of the authors.
  public var authors: [String]
  /// Category labels, each once.
  public var categories: [String]
  /// When it was published, seconds since 1970-01-01T00:00:00Z; nil when the feed did not say.
  public var published: Int64?
  /// How many seconds the clock by which that was written is ahead of UTC; nil when the feed names no zone.
  public var publishedOffset: Int?
  /// When it was last changed, nil when the feed did not say or it is the same time.
  public var updated: Int64?
  /// Page with the comments, nil when there is none that is safe to follow.
  public var comments: String?
  /// Language (BCP 47), nil when not said.
  public var language: String?
  /// The direction its text runs in.
  public var direction: TextDirection
  /// What it mostly is.
  public var kind = PostKind.article
  /// Reading time in minutes, at least 1; nil when it is read in less, or not there to be read.
  public var readingMinutes: Int?
  /// How long its sound or film plays, in seconds, at least 1; nil when not said.
  public var playingSeconds: Int?
  /// The number of the season that it is an episode of; nil when not said.
  public var season: Int?
  /// The number of the episode; nil when not said.
  public var episode: Int?
  /// Its pictures, besides the one that stands for it, that the body does not show, in document order.
  public var pictures: [PostPicture] = []
  /// What is to be read below the picture that stands for it; empty when the feed does not say.
  public var thumbnailCaption = ""
  /// Sounds and films that the feed names besides attached files (Media RSS), of several forms of one thing one.
  public var films: [Enclosure] = []
  /// Pages elsewhere that it is about, or that led its author to them, with safe addresses.
  public var references: [Reference] = []
  /// Who takes part in it.
  public var people: [String] = []
  /// Where its film can be seen, http or https; nil when it has none, or the film itself is attached.
  public var film: String?
  /// What is said in it, in files: with safe addresses.
  public var transcripts: [Enclosure] = []
  /// Chapters of its film or sound, in order.
  public var chapters: [Chapter] = []
  /// What may be done with it, as plain text; empty when not said.
  public var rights = ""
  /// The feed's own id for the post; nil when it gives none.
  public var id: String?
  /// Fields of the feed that the model has no place for, by name, as plain text.
  public var fields: [String: String]
  /// Where the entry stands in its document.
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
  /// Its address.
  public var url: String
  /// What it shows and who made it, as plain text; empty when not said.
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

/// A page elsewhere that a post points to.
public struct Reference: Sendable, Hashable, Codable {
  /// What it is to the post.
  public enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
    /// What the post is about: `rel="related"` (RFC 4287, 4.2.7.2), JSON Feed's `external_url`.
    case related
    /// Where its author found that: `rel="via"`.
    case via
  }

  /// What it is to the post.
  public var kind: Kind
  /// Its address, http or https.
  public var url: String
  /// What it is called, as plain text; nil when not said.
  public var title: String?

  /// Makes a reference.
  public init(_ kind: Kind, url: String, title: String?) { (self.kind, self.url, self.title) = (kind, url, title) }
}

/// The canonical address of a post, and which field gave it.
public struct Permalink: Sendable, Hashable {
  /// The address, http or https.
  public var url: String
  /// The field it came from, such as `feedburner:origLink`.
  public var source: String
  /// The address in that field, when it is a redirector's or follows readers; nil when it is ``url``.
  public var original: String?

  /// Makes a permalink.
  public init(url: String, source: String, original: String? = nil) {
    self.url = url
    self.source = source
    self.original = original
  }
}

/// The picture that stands for a post, and why it was picked.
public struct Thumbnail: Sendable, Hashable {
  /// Its address.
  public var url: String
  /// Text for those who cannot see it; empty when not said.
  public var alternative: String
  /// Declared width in pixels, nil when not said.
  public var width: Int?
  /// Declared height in pixels, nil when not said.
  public var height: Int?
  /// The field it came from, such as `media:content` or `img`.
  public var source: String
  /// Why it won, in a few words.
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
