extension Post {
  /// The main kind of a post's content.
  public enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
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
}

/// An entry ready to be shown: text that templates escape, and markup that the sanitizer wrote.
///
/// A post has a card, which lists show, details, which only its own page shows, and a body. The members of the first
/// two are members of the post too: `post.title` is `post.card.title`.
@dynamicMemberLookup
public struct Post: Sendable, Hashable {
  /// The part that lists show.
  @inlinable public var card: Card {
    _read { yield storedCard.wrappedValue }
    _modify { yield &storedCard.wrappedValue }
  }
  /// The part that only the page of the post shows, besides the body.
  @inlinable public var details: Details {
    _read { yield storedDetails.wrappedValue }
    _modify { yield &storedDetails.wrappedValue }
  }
  /// The body.
  public var content: SanitizedHTML
  /// The links in the body.
  public var links: [SanitizedHTML.Facts.Link]
  /// The feed's own id for the post; nil when it gives none.
  public var id: String?
  /// The location of the entry in its document.
  public var location: Finding.Location

  @usableFromInline var storedCard: Indirect<Card>
  @usableFromInline var storedDetails: Indirect<Details>

  /// Makes a post.
  ///
  /// - Parameters:
  ///   - card: the part that lists show.
  ///   - details: the part that only the page of the post shows.
  ///   - content: the body.
  ///   - links: the links in the body.
  ///   - id: the feed's own id for the post; nil when it gives none.
  ///   - location: the location of the entry in its document.
  public init(
    card: Card, details: Details = Details(), content: SanitizedHTML = .empty, links: [SanitizedHTML.Facts.Link] = [],
    id: String? = nil, location: Finding.Location = Finding.Location(file: "")
  ) {
    (storedCard, storedDetails) = (Indirect(wrappedValue: card), Indirect(wrappedValue: details))
    self.content = content
    (self.links, self.id, self.location) = (links, id, location)
  }

  /// A member of the card.
  @inlinable
  public subscript<Value>(dynamicMember path: WritableKeyPath<Card, Value>) -> Value {
    get { card[keyPath: path] }
    set { card[keyPath: path] = newValue }
  }

  /// A member of the card that follows from others.
  @inlinable
  public subscript<Value>(dynamicMember path: KeyPath<Card, Value>) -> Value { card[keyPath: path] }

  /// A member of the details.
  @inlinable
  public subscript<Value>(dynamicMember path: WritableKeyPath<Details, Value>) -> Value {
    get { details[keyPath: path] }
    set { details[keyPath: path] = newValue }
  }
}

extension Post {
  /// The part of a post that lists show.
  ///
  /// ``visit(_:)`` has a line for each member. Storing, comparing and exporting a card, its values in templates, and
  /// additional members of its JSON follow from that.
  public struct Card: Sendable, Hashable, Codable {
    /// The title as plain text, white space collapsed; empty when the entry has none.
    public var title = "" {
      didSet { isUntitled = title.isEmpty || StandInTitle.isOne(title) }
    }
    /// Whether the post has no title of its own: none at all, or one that a publishing system inserts.
    public package(set) var isUntitled = true
    /// A few sentences of plain text; may be empty.
    public var excerpt = ""
    /// The time of publication, in seconds since 1970-01-01T00:00:00Z; nil when not given.
    public var published: Int64?
    /// The offset of that time from UTC, in seconds; nil when the feed names no time zone.
    public var publishedOffset: Int?
    /// The time of the last change, in seconds since 1970-01-01T00:00:00Z; nil when not given or equal to
    /// ``published``.
    public var updated: Int64?
    /// The main kind of the content.
    public var kind = Post.Kind.article
    /// The reading time in minutes, at least 1; nil when it is less, or the post is not a text.
    public var readingMinutes: Int?
    /// The playing time of its audio or video, in seconds, at least 1; nil when not given.
    public var playingSeconds: Int?
    /// The number of the season that the episode belongs to; nil when not given.
    public var season: Int?
    /// The number of the episode; nil when not given.
    public var episode: Int?
    /// The language (BCP 47); nil when not given.
    public var language: String?
    /// The writing direction of the text.
    public var direction = TextDirection.leftToRight
    /// The thumbnail; nil when there is none.
    public var thumbnail: Post.Thumbnail?
    /// The labels of its categories, each once.
    public var tags: [String] = []
    /// The names of the authors.
    public var authors: [String] = []
    /// The page of the post on its own site; nil when the feed has none that is an http(s) URL.
    public var permalink: Post.Permalink?

    /// Makes an empty card.
    public init() {}
  }

  /// The part of a post that only its own page shows, besides the body.
  ///
  /// ``allFields`` has a row for each member, from which changes are detected.
  public struct Details: Sendable, Hashable, Codable {
    /// The enclosures with http(s) URLs.
    public var enclosures: [File] = []
    /// The audio, video and documents that the feed names besides enclosures (Media RSS), with one of several versions
    /// of an object.
    public var media: [File] = []
    /// The chapters of its audio or video, in order.
    public var chapters: [Feed.Chapter] = []
    /// The pictures, besides the thumbnail, that the body does not show, in document order.
    public var pictures: [Post.Picture] = []
    /// The caption of the thumbnail; empty when the feed has none.
    public var thumbnailCaption = ""
    /// The other pages that the post is about, or where its author found it, with http(s) URLs.
    public var references: [Post.Reference] = []
    /// The names of participants.
    public var people: [String] = []
    /// The page of its video, http(s); nil when there is none, or the video itself is attached.
    public var videoPage: String?
    /// The transcripts, with http(s) URLs.
    public var transcripts: [File] = []
    /// The page with the comments; nil when there is none that is safe to follow.
    public var comments: String?
    /// The copyright notice, as plain text; empty when not given.
    public var rights = ""
    /// The fields of the feed for which the model has no member, by name, as plain text.
    public var fields: [String: String] = [:]
    /// What the sanitizer removed from the post, by rule; empty unless it is to be shown.
    package var removals: [FeedStatus.Removals] = []

    /// Makes empty details.
    public init() {}

    /// The enclosures, and the files that the feed names besides.
    package var files: [File] { enclosures + media }
  }

  /// A file of a post.
  public struct File: Sendable, Hashable, Codable {
    /// The URL, http(s).
    public var url: String
    /// The media type; nil when not given.
    public var type: String?
    /// The size in bytes; nil when not given or unreadable.
    public var length: Int?
    /// The title, as plain text; nil when not given.
    public var title: String?

    /// Makes a file.
    public init(url: String, type: String? = nil, length: Int? = nil, title: String? = nil) {
      (self.url, self.type, self.length, self.title) = (url, type, length, title)
    }
  }
}

extension Post.Card {
  /// The title in lists: the post's own, without one the beginning of the text; empty when there is no text.
  ///
  /// The property is inlined because a shared card would be copied for a call.
  @inlinable package var heading: String { isUntitled ? Self.beginning(of: excerpt) : title }

  @usableFromInline static func beginning(of excerpt: String) -> String {
    let words = excerpt.split(separator: " ")
    let beginning = words.prefix(12).joined(separator: " ")
    if beginning.count <= 120 { return words.count > 12 ? beginning + "…" : beginning }
    // The text is cut inside a word only if it contains no space.
    let head = beginning.prefix(120)
    return "\(head.lastIndex(of: " ").map { head[..<$0] } ?? head)…"
  }

  /// The tags that may have pages, limited because each costs four files.
  package var listedTags: ArraySlice<String> { tags.prefix(Limits.standard.listedTags) }

  /// Whether the post was changed at least a day after it was published.
  ///
  /// The property is inlined because a shared card would be copied for a call.
  @inlinable package var wasUpdated: Bool {
    guard let updated else { return false }
    guard let published else { return true }
    // The date may be the maximum of its type.
    let (nextDay, isBeyond) = published.addingReportingOverflow(86_400)
    return !isBeyond && updated >= nextDay
  }
}

extension Post {
  /// A picture that a feed names for a post.
  public struct Picture: Sendable, Hashable, Codable {
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
}

extension Post {
  /// Another page that a post refers to.
  public struct Reference: Sendable, Hashable, Codable {
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
}

extension Post {
  /// The canonical URL of a post, and the field that gave it.
  public struct Permalink: Sendable, Hashable, Codable {
    /// The URL, http(s).
    public var url: String
    /// The field that gave it, such as `feedburner:origLink`; nil for a post from an archive.
    public var source: String?
    /// The URL in that field, when it is a redirector's or has tracking parameters; nil when it equals ``url``.
    public var original: String?

    /// Makes a permalink.
    public init(url: String, source: String? = nil, original: String? = nil) {
      self.url = url
      self.source = source
      self.original = original
    }
  }
}

extension Post {
  /// The thumbnail of a post, with the reason for the choice.
  public struct Thumbnail: Sendable, Hashable, Codable {
    /// The URL.
    public var url: String
    /// The alternative text; empty when not given.
    public var alternative: String
    /// The declared width in pixels; nil when not given.
    public var width: Int?
    /// The declared height in pixels; nil when not given.
    public var height: Int?
    /// Whether the body shows the picture too, so that a page need not show it twice.
    public var isInBody: Bool
    /// The field that gave it, such as `media:content` or `img`; nil for a post from an archive.
    public var source: String?
    /// The reason for the choice, in a few words; nil for a post from an archive.
    public var reason: String?

    /// Makes a thumbnail.
    public init(
      url: String, alternative: String = "", width: Int? = nil, height: Int? = nil, isInBody: Bool = false,
      source: String? = nil, reason: String? = nil
    ) {
      self.url = url
      self.alternative = alternative
      self.width = width
      self.height = height
      self.isInBody = isInBody
      self.source = source
      self.reason = reason
    }
  }
}
