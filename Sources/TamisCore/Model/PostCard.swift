/// A post as lists show it: all that is known of it but its body and what only its own page has.
public struct PostCard: Sendable, Hashable {
  /// Headline as plain text; of a post without one the beginning of its text, empty when it has none.
  public var title = ""
  /// Whether the post has no headline of its own.
  public var isUntitled = false
  /// A few sentences of plain text; may be empty.
  public var excerpt = ""
  /// When it was published, seconds since 1970-01-01T00:00:00Z; nil when the feed did not say.
  public var published: Int64?
  /// How many seconds the clock by which that was written is ahead of UTC; nil when the feed names no zone.
  public var publishedOffset: Int?
  /// When it was last changed, likewise; nil when the feed did not say or it is the same time.
  public var updated: Int64?
  /// Where it stands in time, likewise; nil when that is not known.
  ///
  /// Not its own date when it has none, or says that it comes from the future: then where it was seen first.
  public var place: Int64?
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
  /// Language (BCP 47), nil when not said.
  public var language: String?
  /// The direction its text runs in.
  public var direction = TextDirection.leftToRight
  /// The picture that stands for it; nil when there is none.
  public var thumbnail: Picture?
  /// Its tags, each once.
  public var tags: [String] = []
  /// Names of its authors.
  public var authors: [String] = []
  /// The page of the post elsewhere, http or https; nil when there is none that is safe to follow.
  public var original: String?

  /// A card of which nothing is known yet.
  public init() {}

  /// A picture in a list.
  public struct Picture: Sendable, Hashable {
    /// Where it is: http, https or data.
    public var url: String
    /// Text for those who cannot see it; empty when not said.
    public var alternative: String
    /// Declared width in pixels, nil when not said.
    public var width: Int?
    /// Declared height in pixels, nil when not said.
    public var height: Int?
    /// The file that the site has of it; nil when it has none, or none is to be shown.
    public var kept: KeptPicture?

    /// Makes a picture.
    public init(url: String, alternative: String, width: Int?, height: Int?) {
      (self.url, self.alternative, self.width, self.height) = (url, alternative, width, height)
    }
  }

  /// Its tags that may have pages: each costs four files.
  public var listedTags: ArraySlice<String> { tags.prefix(Limits.standard.listedTags) }

  /// Whether it was changed after it was published: on the same day that is no news.
  public var wasUpdated: Bool {
    guard let updated else { return false }
    guard let published else { return true }
    // Where times come from, one may be the last that there is.
    let (nextDay, isBeyond) = published.addingReportingOverflow(86_400)
    return !isBeyond && updated >= nextDay
  }
}

/// What only the page of a post shows of it, besides its card and its body.
public struct PostDetails: Sendable, Hashable, Codable {
  /// Attached files with safe addresses.
  public var enclosures: [File] = []
  /// Chapters of its film or sound, in order.
  public var chapters: [Mark] = []
  /// Its pictures, besides the one of the card, that the body does not show.
  public var pictures: [PostPicture] = []
  /// What is to be read below the picture of the card; empty when there is nothing.
  public var pictureCaption = ""
  /// Pages elsewhere that it points to.
  public var references: [Reference] = []
  /// Who takes part in it.
  public var people: [String] = []
  /// Where its film can be seen, http or https; nil when it has none, or the film itself is attached.
  public var film: String?
  /// What is said in its sound or film, in files.
  public var transcripts: [File] = []
  /// Page with the comments, http or https; nil when there is none that is safe to follow.
  public var comments: String?
  /// What may be done with it, as plain text; empty when not said.
  public var rights = ""
  /// Whether the body shows the picture of the card too, so that a page need not show it twice.
  public var showsPicture = false
  /// Fields of the feed that the model has no place for, by name, as plain text.
  public var fields: [String: String] = [:]

  /// No details.
  public init() {}

  /// An attached file.
  public struct File: Sendable, Hashable, Codable {
    /// Where it is, http or https.
    public var url: String
    /// Media type, nil when not said.
    public var type: String?
    /// Size in bytes; nil when not said.
    public var length: Int?

    /// Makes a file.
    public init(url: String, type: String?, length: Int?) { (self.url, self.type, self.length) = (url, type, length) }
  }

  /// The beginning of a chapter.
  public struct Mark: Sendable, Hashable, Codable {
    /// When it begins, in seconds; nil when it cannot be read.
    public var seconds: Double?
    /// When it begins, as the feed has it.
    public var start: String
    /// What it is called; nil when not said.
    public var title: String?
    /// A page about it; nil when there is none.
    public var link: String?

    /// Makes a mark.
    public init(seconds: Double?, start: String, title: String?, link: String?) {
      (self.seconds, self.start, self.title, self.link) = (seconds, start, title, link)
    }
  }
}
