/// A post as lists show it: without its body and the details of its own page.
package struct PostCard: Sendable, Hashable {
  /// Headline as plain text; without one, the beginning of the text; empty without text.
  package var title = ""
  /// Whether the post has no headline of its own.
  package var isUntitled = false
  /// A few sentences of plain text; may be empty.
  package var excerpt = ""
  /// When it was published, seconds since 1970-01-01T00:00:00Z; nil when the feed did not say.
  package var published: Int64?
  /// The offset of that date from UTC, in seconds; nil when the feed names no time zone.
  package var publishedOffset: Int?
  /// When it was last changed, likewise; nil when the feed did not say or it is the same time.
  package var updated: Int64?
  /// The sort date, likewise; nil when there is none.
  ///
  /// This is its own date unless it has none or a date in the future: then the day on which it was first seen.
  package var sortDate: Int64?
  /// The main kind of its content.
  package var kind = PostKind.article
  /// Reading time in minutes, at least 1; nil when it is read in less, or is not a text.
  package var readingMinutes: Int?
  /// How long its audio or video plays, in seconds, at least 1; nil when not said.
  package var playingSeconds: Int?
  /// The number of the season that it is an episode of; nil when not said.
  package var season: Int?
  /// The number of the episode; nil when not said.
  package var episode: Int?
  /// Language (BCP 47), nil when not said.
  package var language: String?
  /// The direction its text runs in.
  package var direction = TextDirection.leftToRight
  /// Its thumbnail; nil when there is none.
  package var thumbnail: Picture?
  /// Its tags, each once.
  package var tags: [String] = []
  /// Names of its authors.
  package var authors: [String] = []
  /// The page of the post elsewhere, http or https; nil when there is none that is safe to follow.
  package var original: String?

  /// Makes an empty card.
  package init() {}

  /// A picture in a list.
  package struct Picture: Sendable, Hashable {
    /// The URL: http, https or data.
    package var url: String
    /// Alternative text; empty when not said.
    package var alternative: String
    /// Declared width in pixels, nil when not said.
    package var width: Int?
    /// Declared height in pixels, nil when not said.
    package var height: Int?
    /// The stored file; nil when there is none, or it is not to be shown.
    package var kept: KeptPicture?

    /// Makes a picture.
    package init(url: String, alternative: String, width: Int?, height: Int?) {
      (self.url, self.alternative, self.width, self.height) = (url, alternative, width, height)
    }
  }

  /// Its tags that may have pages: each costs four files.
  package var listedTags: ArraySlice<String> { tags.prefix(Limits.standard.listedTags) }

  /// Whether it was changed at least a day after it was published.
  package var wasUpdated: Bool {
    guard let updated else { return false }
    guard let published else { return true }
    // The date may be the greatest number.
    let (nextDay, isBeyond) = published.addingReportingOverflow(86_400)
    return !isBeyond && updated >= nextDay
  }
}

/// The details of a post that only its page shows, besides its card and its body.
package struct PostDetails: Sendable, Hashable, Codable {
  /// Attached files with safe addresses.
  package var enclosures: [File] = []
  /// Chapters of its video or audio, in order.
  package var chapters: [Mark] = []
  /// Its pictures, besides the one of the card, that the body does not show.
  package var pictures: [PostPicture] = []
  /// The caption of the card's picture; empty when there is none.
  package var pictureCaption = ""
  /// Other pages that it refers to.
  package var references: [PostReference] = []
  /// Who takes part in it.
  package var people: [String] = []
  /// The page of its video, http(s); nil when there is none, or the video itself is attached.
  package var film: String?
  /// Transcripts of its audio or video.
  package var transcripts: [File] = []
  /// Page with the comments, http or https; nil when there is none that is safe to follow.
  package var comments: String?
  /// Its copyright notice, as plain text; empty when not said.
  package var rights = ""
  /// Whether the body shows the picture of the card too, so that a page need not show it twice.
  package var showsPicture = false
  /// Fields of the feed that the model has no member for, by name, as plain text.
  package var fields: [String: String] = [:]

  /// No details.
  package init() {}

  /// An attached file.
  package struct File: Sendable, Hashable, Codable {
    /// Its URL, http(s).
    package var url: String
    /// Media type, nil when not said.
    package var type: String?
    /// Size in bytes; nil when not said.
    package var length: Int?
    /// The title, as plain text; nil when not said.
    package var title: String?

    /// Makes a file.
    package init(url: String, type: String?, length: Int?, title: String? = nil) {
      (self.url, self.type, self.length, self.title) = (url, type, length, title)
    }

    /// Makes a file of an enclosure.
    package init(_ enclosure: Enclosure) {
      self.init(url: enclosure.url, type: enclosure.type, length: enclosure.length, title: enclosure.title)
    }
  }

  /// The beginning of a chapter.
  package struct Mark: Sendable, Hashable, Codable {
    /// The start time, in seconds; nil when it cannot be read.
    package var seconds: Double?
    /// The start time, as the feed has it.
    package var start: String
    /// The title; nil when not said.
    package var title: String?
    /// A page about it; nil when there is none.
    package var link: String?

    /// Makes a mark.
    package init(seconds: Double?, start: String, title: String?, link: String?) {
      (self.seconds, self.start, self.title, self.link) = (seconds, start, title, link)
    }
  }
}
