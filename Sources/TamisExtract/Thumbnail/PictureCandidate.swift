import TamisCore

/// A candidate for a post's thumbnail, with its outcome.
public struct PictureCandidate: Sendable, Hashable {
  /// The source of a picture whose URL is derived from that of a video in a frame.
  static let embedSource = "embed"

  /// The rank of a candidate, the best first (Tamis.docc/HowAThumbnailIsPicked.md, T5: what a feed names beats what is
  /// found, but small yields to large).
  public enum Class: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Named by the feed, at least 640 pixels wide, or a `media:content` of unknown size.
    case namedLarge
    /// Named by the feed, of unknown size, or an attached picture.
    case named
    /// Named by the article's page.
    case page
    /// In the body, at least 320 pixels wide, in a figure with a caption, or at the beginning.
    case lead
    /// Named by the feed, but smaller.
    case namedSmall
    /// Elsewhere in the body.
    case body
    /// The preview picture of a video.
    case poster

    /// The class in a few words.
    public var words: String {
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

    /// The best first.
    public static func < (lhs: Class, rhs: Class) -> Bool {
      allCases.firstIndex(of: lhs) ?? 0 < allCases.firstIndex(of: rhs) ?? 0
    }
  }

  /// The URL: absolute and http(s), or an inline picture, unless it was rejected.
  public var url: String
  /// The field it came from, such as `media:content` or `img`.
  public var source: String
  /// Alternative text; empty when not said.
  public var alternative = ""
  /// Declared width in pixels, nil when not said.
  public var width: Int?
  /// Declared height in pixels, nil when not said.
  public var height: Int?
  /// Its rank.
  public var `class`: Class
  /// Whether it is in a figure.
  public var isInFigure = false
  /// Whether the body shows it.
  public var isInBody = false
  /// Why it can never be chosen; nil when it can.
  public var rejection: PictureRejection?
  /// The `src` of the picture in the body, of which ``url`` may be another file; nil for others.
  var shownSource: String?
  /// Whether the body hides it.
  var isHidden = false
  /// Class names, by which icons, avatars and the like are recognized.
  var classes: [String] = []

  init(url: String, source: String, class: Class) {
    self.url = url
    self.source = source
    self.class = `class`
  }

  /// Replaces the declared size by the real one, and the class accordingly.
  mutating func measure(_ size: PictureSize) {
    (width, height) = (size.width, size.height)
    switch `class` {
    case .namedLarge, .named, .namedSmall: `class` = size.width >= 640 ? .namedLarge : .namedSmall
    case .body: if size.width >= 320 { `class` = .lead }
    case .page, .lead, .poster: break
    }
  }

  /// Width times height; for a missing size that of an ordinary picture is assumed.
  var area: Int {
    let width = width ?? height.map { $0 * 3 / 2 } ?? 320
    return width * (height ?? width * 2 / 3)
  }
}

/// The real size of a picture.
public struct PictureSize: Sendable, Hashable {
  /// Width in pixels.
  public var width: Int
  /// Height in pixels.
  public var height: Int

  /// Makes a size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// Why a picture cannot be the thumbnail of a post (Tamis.docc/HowAThumbnailIsPicked.md, T4).
public enum PictureRejection: String, Sendable, Hashable, CaseIterable {
  /// It is not an http(s) URL.
  case address
  /// It is a tracking picture.
  case tracker
  /// It is hidden.
  case hidden
  /// It shows a person, not what the post is about.
  case avatar
  /// It is the icon of a site.
  case icon
  /// It is the picture of a character.
  case emoji
  /// It is a button, a badge or a counter.
  case badge
  /// It is replaced by a script.
  case placeholder
  /// Several posts of the feed have it.
  case furniture
  /// It is smaller than 50 pixels on one side, or than 7,500 in all.
  case small
  /// One side is more than four times the other.
  case narrow
  /// It is of a type that is not a photograph: SVG, an icon, a document.
  case type

  /// The reason in a few words.
  public var words: String {
    switch self {
    case .address: "its address is not an http(s) URL"
    case .tracker: "it is a tracking picture"
    case .hidden: "it is hidden"
    case .avatar: "it is an avatar"
    case .icon: "it is a site icon"
    case .emoji: "it is an emoji"
    case .badge: "it is a button, a badge or a counter"
    case .placeholder: "it is a placeholder"
    case .furniture: "several posts of the feed have it"
    case .small: "it is too small"
    case .narrow: "it is too long and thin"
    case .type: "it is not a photograph"
    }
  }
}
