/// The main kind of a post's content.
public enum PostKind: String, Sendable, Hashable, CaseIterable {
  /// Text to read.
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
  /// The title as plain text, white space collapsed; empty when the entry has none.
  public var title: String
  /// A few sentences of plain text.
  public var excerpt: String
  /// The body.
  public var content: SanitizedHTML
  /// The canonical page of the post; nil when the feed has none that is an http(s) URL.
  public var permalink: Permalink?
  /// The links in the body.
  public var links: [MarkupFacts.Link]
  /// The thumbnail of the post.
  public var thumbnail: Thumbnail?
  /// The enclosures with http(s) URLs.
  public var enclosures: [Enclosure]
  /// The names of the authors.
  public var authors: [String]
  /// The category labels, each once.
  public var categories: [String]
  /// The time of publication, in seconds since 1970-01-01T00:00:00Z; nil when not given.
  public var published: Int64?
  /// The offset of that time from UTC, in seconds; nil when the feed names no time zone.
  public var publishedOffset: Int?
  /// The time of the last change; nil when not given or equal to the time of publication.
  public var updated: Int64?
  /// The page with the comments; nil when there is none that is safe to follow.
  public var comments: String?
  /// The language (BCP 47); nil when not given.
  public var language: String?
  /// The writing direction of the text.
  public var direction: TextDirection
  /// The main kind of the content.
  public var kind = PostKind.article
  /// The reading time in minutes, at least 1; nil when it is less, or the post is not a text.
  public var readingMinutes: Int?
  /// The playing time of its audio or video, in seconds, at least 1; nil when not given.
  public var playingSeconds: Int?
  /// The number of the season that the episode belongs to; nil when not given.
  public var season: Int?
  /// The number of the episode; nil when not given.
  public var episode: Int?
  /// The pictures, besides the thumbnail, that the body does not show, in document order.
  public var pictures: [PostPicture] = []
  /// The caption of the thumbnail; empty when the feed has none.
  public var thumbnailCaption = ""
  /// The audio and video that the feed names besides enclosures (Media RSS), with one of several versions of an object.
  public var films: [Enclosure] = []
  /// The other pages that the post is about, or where its author found it, with http(s) URLs.
  public var references: [PostReference] = []
  /// The names of participants.
  public var people: [String] = []
  /// The page of its video, http(s); nil when there is none, or the video itself is attached.
  public var film: String?
  /// The transcripts, with http(s) URLs.
  public var transcripts: [Enclosure] = []
  /// The chapters of its audio or video, in order.
  public var chapters: [PodcastChapter] = []
  /// The copyright notice, as plain text; empty when not given.
  public var rights = ""
  /// The feed's own id for the post; nil when it gives none.
  public var id: String?
  /// The fields of the feed for which the model has no member, by name, as plain text.
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
  /// The caption and credit, as plain text; empty when not given.
  public var caption: String
  /// The declared width in pixels; nil when not given.
  public var width: Int?
  /// The declared height in pixels; nil when not given.
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
    /// A page that the post is about: `rel="related"` (RFC 4287, 4.2.7.2), JSON Feed's `external_url`.
    case related
    /// A page where the author found the subject: `rel="via"`.
    case via
  }

  /// The relation to the post.
  public var kind: Kind
  /// The URL, http or https.
  public var url: String
  /// The title, as plain text; nil when not given.
  public var title: String?

  /// Makes a reference.
  public init(_ kind: Kind, url: String, title: String?) { (self.kind, self.url, self.title) = (kind, url, title) }
}

/// The canonical URL of a post, and the field that gave it.
public struct Permalink: Sendable, Hashable {
  /// The URL, http(s).
  public var url: String
  /// The field that gave it, such as `feedburner:origLink`.
  public var source: String
  /// The URL in that field, when it is a redirector's or has tracking parameters; nil when it equals ``url``.
  public var original: String?

  /// Makes a permalink.
  public init(url: String, source: String, original: String? = nil) {
    self.url = url
    self.source = source
    self.original = original
  }
}

/// The thumbnail of a post, with the reason for the choice.
public struct Thumbnail: Sendable, Hashable {
  /// The URL.
  public var url: String
  /// The alternative text; empty when not given.
  public var alternative: String
  /// The declared width in pixels; nil when not given.
  public var width: Int?
  /// The declared height in pixels; nil when not given.
  public var height: Int?
  /// The field that gave it, such as `media:content` or `img`.
  public var source: String
  /// The reason for the choice, in a few words.
  public var reason: String
  /// Whether the body shows the picture too, so that a page need not show it twice.
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
