import TamisCore

/// A candidate for a post's thumbnail, with its outcome.
package struct PictureCandidate: Sendable, Hashable {
  /// The source name of a picture whose URL is derived from that of a video in a frame.
  static let embedSource = "embed"

  /// The rank of a candidate, the best first (Tamis.docc/HowAThumbnailIsPicked.md, T5).
  ///
  /// Pictures that a feed names beat those that are found, but small ones yield to large ones.
  package enum Class: String, Sendable, Hashable, CaseIterable, Comparable {
    /// A picture named by the feed that is at least 640 pixels wide, or a `media:content` of unknown size.
    case namedLarge
    /// A picture named by the feed that is of unknown size, or an enclosure.
    case named
    /// A picture named by the article's page.
    case page
    /// A picture in the body that is at least 320 pixels wide, in a figure with a caption, or at the beginning.
    case lead
    /// A smaller picture named by the feed.
    case namedSmall
    /// A picture elsewhere in the body.
    case body
    /// The poster of a video.
    case poster

    /// The class in a few words.
    package var words: String {
      switch self {
      case .namedLarge: "named by the feed, large"
      case .named: "named by the feed"
      case .page: "named by the article's page"
      case .lead: "large, captioned or at the beginning of the body"
      case .namedSmall: "named by the feed, small"
      case .body: "in the body"
      case .poster: "the preview of a film"
      }
    }

    /// Whether the first class is better than the second.
    package static func < (lhs: Class, rhs: Class) -> Bool {
      allCases.firstIndex(of: lhs) ?? 0 < allCases.firstIndex(of: rhs) ?? 0
    }
  }

  /// The URL: absolute and http(s), or an inline picture, unless it was rejected.
  package var url: String
  /// The field that gave it, such as `media:content` or `img`.
  package var source: String
  /// The alternative text; empty when not given.
  package var alternative = ""
  /// The declared width in pixels; nil when not given.
  package var width: Int?
  /// The declared height in pixels; nil when not given.
  package var height: Int?
  /// The rank.
  package var `class`: Class
  /// Whether the picture is in a figure.
  package var isInFigure = false
  /// Whether the body shows the picture.
  package var isInBody = false
  /// The reason why the picture can never be chosen; nil when it can.
  package var rejection: PictureRejection?
  /// The `src` of the picture in the body, which may differ from ``url``; nil for other pictures.
  var shownSource: String?
  /// Whether the body hides the picture.
  var isHidden = false
  /// The class names, by which icons, avatars and the like are recognized.
  var classes: [String] = []

  init(url: String, source: String, class: Class) {
    self.url = url
    self.source = source
    self.class = `class`
  }

  /// Replaces the declared size with the real one and updates the class.
  mutating func measure(_ size: PictureSize) {
    (width, height) = (size.width, size.height)
    switch `class` {
    case .namedLarge, .named, .namedSmall: `class` = size.width >= 640 ? .namedLarge : .namedSmall
    case .body: if size.width >= 320 { `class` = .lead }
    case .page, .lead, .poster: break
    }
  }

  /// The width times the height; a missing side is estimated from an ordinary picture.
  var area: Int {
    let width = width ?? height.map { $0 * 3 / 2 } ?? 320
    return width * (height ?? width * 2 / 3)
  }
}

/// The real size of a picture.
package struct PictureSize: Sendable, Hashable {
  /// Width in pixels.
  package var width: Int
  /// Height in pixels.
  package var height: Int

  /// Makes a size.
  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// The reason why a picture cannot be the thumbnail of a post (Tamis.docc/HowAThumbnailIsPicked.md, T4).
package enum PictureRejection: String, Sendable, Hashable, CaseIterable {
  /// The URL is not an http(s) URL.
  case address
  /// The picture is a tracking pixel.
  case tracker
  /// The picture is hidden.
  case hidden
  /// The picture shows a person, not the subject of the post.
  case avatar
  /// The picture is the icon of a site.
  case icon
  /// The picture is an emoji.
  case emoji
  /// The picture is a button, a badge or a counter.
  case badge
  /// The picture is a placeholder that a script replaces.
  case placeholder
  /// The picture is in several posts of the feed.
  case repeated
  /// The picture has a side below 50 pixels, or fewer than 7,500 pixels in all.
  case small
  /// One side is more than four times the other.
  case narrow
  /// The type is not that of a photograph: SVG, an icon, a document.
  case type

  /// The reason in a few words.
  package var words: String {
    switch self {
    case .address: "its address is not an http(s) URL"
    case .tracker: "it is a tracking picture"
    case .hidden: "it is hidden"
    case .avatar: "it is an avatar"
    case .icon: "it is a site icon"
    case .emoji: "it is an emoji"
    case .badge: "it is a button, a badge or a counter"
    case .placeholder: "it is a placeholder"
    case .repeated: "several posts of the feed have it"
    case .small: "it is too small"
    case .narrow: "it is too long and thin"
    case .type: "it is not a photograph"
    }
  }
}
