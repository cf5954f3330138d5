/// A post as lists show it, without its body and the details of its own page.
package struct PostCard: Sendable, Hashable {
  /// The title as plain text; without one, the beginning of the text; empty when there is no text.
  package var title = ""
  /// Whether the post has no title of its own.
  package var isUntitled = false
  /// A few sentences of plain text; may be empty.
  package var excerpt = ""
  /// The time of publication, in seconds since 1970-01-01T00:00:00Z; nil when not given.
  package var published: Int64?
  /// The offset of that time from UTC, in seconds; nil when the feed names no time zone.
  package var publishedOffset: Int?
  /// The time of the last change, in seconds since 1970-01-01T00:00:00Z; nil when not given or equal to ``published``.
  package var updated: Int64?
  /// The time by which the post is sorted, in seconds since 1970-01-01T00:00:00Z; nil when there is none.
  ///
  /// The value is the post's own date. When the post has no date, or one in the future, it is the day on which the post
  /// was first seen.
  package var sortDate: Int64?
  /// The main kind of the content.
  package var kind = PostKind.article
  /// The reading time in minutes, at least 1; nil when it is less, or the post is not a text.
  package var readingMinutes: Int?
  /// The playing time of its audio or video, in seconds, at least 1; nil when not given.
  package var playingSeconds: Int?
  /// The number of the season that the episode belongs to; nil when not given.
  package var season: Int?
  /// The number of the episode; nil when not given.
  package var episode: Int?
  /// The language (BCP 47); nil when not given.
  package var language: String?
  /// The writing direction of the text.
  package var direction = TextDirection.leftToRight
  /// The thumbnail; nil when there is none.
  package var thumbnail: Picture?
  /// The tags, each once.
  package var tags: [String] = []
  /// The names of the authors.
  package var authors: [String] = []
  /// The page of the post on its own site, http or https; nil when there is none that is safe to follow.
  package var original: String?

  /// Makes an empty card.
  package init() {}

  /// A picture in a list.
  package struct Picture: Sendable, Hashable {
    /// The URL: http, https or data.
    package var url: String
    /// The alternative text; empty when not given.
    package var alternative: String
    /// The declared width in pixels; nil when not given.
    package var width: Int?
    /// The declared height in pixels; nil when not given.
    package var height: Int?
    /// The stored file; nil when there is none, or it is not to be shown.
    package var kept: KeptPicture?

    /// Makes a picture.
    package init(url: String, alternative: String, width: Int?, height: Int?) {
      (self.url, self.alternative, self.width, self.height) = (url, alternative, width, height)
    }
  }

  /// The tags that may have pages, limited because each costs four files.
  package var listedTags: ArraySlice<String> { tags.prefix(Limits.standard.listedTags) }

  /// Whether the post was changed at least a day after it was published.
  package var wasUpdated: Bool {
    guard let updated else { return false }
    guard let published else { return true }
    // The date may be the maximum of its type.
    let (nextDay, isBeyond) = published.addingReportingOverflow(86_400)
    return !isBeyond && updated >= nextDay
  }
}

/// The details of a post that only its page shows, besides its card and its body.
package struct PostDetails: Sendable, Hashable, Codable {
  /// The enclosures with safe URLs.
  package var enclosures: [File] = []
  /// The chapters of its audio or video, in order.
  package var chapters: [Mark] = []
  /// The pictures, besides the one of the card, that the body does not show.
  package var pictures: [PostPicture] = []
  /// The caption of the card's picture; empty when there is none.
  package var pictureCaption = ""
  /// The other pages that the post refers to.
  package var references: [PostReference] = []
  /// The names of participants.
  package var people: [String] = []
  /// The page of its video, http(s); nil when there is none, or the video itself is attached.
  package var film: String?
  /// The transcripts of its audio or video.
  package var transcripts: [File] = []
  /// The page with the comments, http or https; nil when there is none that is safe to follow.
  package var comments: String?
  /// The copyright notice, as plain text; empty when not given.
  package var rights = ""
  /// Whether the body shows the picture of the card too, so that a page need not show it twice.
  package var showsPicture = false
  /// The fields of the feed for which the model has no member, by name, as plain text.
  package var fields: [String: String] = [:]

  /// Makes empty details.
  package init() {}

  /// An attached file.
  package struct File: Sendable, Hashable, Codable {
    /// The URL, http(s).
    package var url: String
    /// The media type; nil when not given.
    package var type: String?
    /// The size in bytes; nil when not given.
    package var length: Int?
    /// The title, as plain text; nil when not given.
    package var title: String?

    /// Makes a file.
    package init(url: String, type: String?, length: Int?, title: String? = nil) {
      (self.url, self.type, self.length, self.title) = (url, type, length, title)
    }

    /// Makes a file from an enclosure.
    package init(_ enclosure: Enclosure) {
      self.init(url: enclosure.url, type: enclosure.type, length: enclosure.length, title: enclosure.title)
    }
  }

  /// The beginning of a chapter.
  package struct Mark: Sendable, Hashable, Codable {
    /// The start time, in seconds; nil when it cannot be read.
    package var seconds: Double?
    /// The start time, as the feed gives it.
    package var start: String
    /// The title; nil when not given.
    package var title: String?
    /// A page about the chapter; nil when there is none.
    package var link: String?

    /// Makes a mark.
    package init(seconds: Double?, start: String, title: String?, link: String?) {
      (self.seconds, self.start, self.title, self.link) = (seconds, start, title, link)
    }
  }
}
