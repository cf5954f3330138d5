import TamisCore

/// A picture that could stand for a post, and what became of it.
public struct PictureCandidate: Sendable, Hashable {
  /// The source of a picture whose address follows from that of a film in a frame.
  static let embedSource = "embed"

  /// How good a candidate is, the best first (rule T5 of the design: what a feed names beats what is found, but small
  /// yields to large).
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
    /// What stands for a film before it plays.
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
      case .poster: "stands for a film"
      }
    }

    /// The best first.
    public static func < (lhs: Class, rhs: Class) -> Bool {
      allCases.firstIndex(of: lhs) ?? 0 < allCases.firstIndex(of: rhs) ?? 0
    }
  }

  /// Where it is: an absolute http or https address or an inline picture, unless it was rejected.
  public var url: String
  /// The field it came from, such as `media:content` or `img`.
  public var source: String
  /// Text for those who cannot see it; empty when not said.
  public var alternative = ""
  /// Declared width in pixels, nil when not said.
  public var width: Int?
  /// Declared height in pixels, nil when not said.
  public var height: Int?
  /// How good it is.
  public var `class`: Class
  /// Whether it stands in a figure.
  public var isInFigure = false
  /// Whether the body shows it.
  public var isInBody = false
  /// Why it can never be chosen; nil when it can.
  public var rejection: PictureRejection?
  /// The `src` of the picture in the body, of which ``url`` may be another file; nil for others.
  var shownSource: String?
  /// Whether the body hides it.
  var isHidden = false
  /// Class names, by which furniture is known.
  var classes: [String] = []

  init(url: String, source: String, class: Class) {
    self.url = url
    self.source = source
    self.class = `class`
  }

  /// Takes a real size for the declared one, and the class that follows from it.
  mutating func measure(_ size: PictureSize) {
    (width, height) = (size.width, size.height)
    switch `class` {
    case .namedLarge, .named, .namedSmall: `class` = size.width >= 640 ? .namedLarge : .namedSmall
    case .body: if size.width >= 320 { `class` = .lead }
    case .page, .lead, .poster: break
    }
  }

  /// Width times height, as far as they are declared: what is not is taken for that of an ordinary picture.
  var area: Int {
    let width = width ?? height.map { $0 * 3 / 2 } ?? 320
    return width * (height ?? width * 2 / 3)
  }
}

/// The real size of a picture.
public struct PictureSize: Sendable, Hashable {
  /// Pixels from left to right.
  public var width: Int
  /// Pixels from top to bottom.
  public var height: Int

  /// Makes a size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// Why a picture can never stand for a post (rule T4 of the design).
public enum PictureRejection: String, Sendable, Hashable, CaseIterable {
  /// Its address is none of the web.
  case address
  /// It counts readers.
  case tracker
  /// It is not to be seen.
  case hidden
  /// It shows a person, not what the post is about.
  case avatar
  /// It stands for a site.
  case icon
  /// It stands for a character.
  case emoji
  /// It is a button, a badge or a counter.
  case badge
  /// It is there until something else is.
  case placeholder
  /// Several posts of the feed have it.
  case furniture
  /// It is smaller than 50 pixels on one side, or than 7,500 in all.
  case small
  /// One side is more than four times the other.
  case narrow
  /// It is no photograph: SVG, an icon, a document.
  case type

  /// The reason in a few words.
  public var words: String {
    switch self {
    case .address: "its address is none of the web"
    case .tracker: "it counts readers"
    case .hidden: "it is not to be seen"
    case .avatar: "it shows a person"
    case .icon: "it stands for a site"
    case .emoji: "it stands for a character"
    case .badge: "it is a button, a badge or a counter"
    case .placeholder: "it is there until something else is"
    case .furniture: "several posts of the feed have it"
    case .small: "it is too small"
    case .narrow: "it is too long and thin"
    case .type: "it is no photograph"
    }
  }
}
