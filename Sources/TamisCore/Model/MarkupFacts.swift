extension SanitizedHTML {
  /// The facts about a sanitized fragment that the sanitizer collects while it writes the output.
  ///
  /// Later stages use them instead of parsing the markup again.
  public struct Facts: Sendable, Hashable {
    /// A link that is in the output.
    public struct Link: Sendable, Hashable, Encodable {
      /// The URL.
      public var href: String
      /// The visible text, white space collapsed.
      public var text: String

      /// Makes a link.
      public init(href: String, text: String) {
        self.href = href
        self.text = text
      }
    }

    /// A picture that is in the output.
    public struct Image: Sendable, Hashable {
      /// The URL.
      public var source: String
      /// The files from which a browser may choose, from `srcset` and from the `source` elements of a `picture`.
      package var candidates: [Candidate] = []
      /// The alternative text; nil when not given.
      public var alternative: String?
      /// The declared width in CSS pixels; nil when not given or unreadable.
      public var width: Int?
      /// The declared height in CSS pixels; nil when not given or unreadable.
      public var height: Int?
      /// The class names of the source, in lower case, whether they are kept or not.
      package var classes: [String] = []
      /// Whether the picture is in a `figure`.
      package var isInFigure = false
      /// Whether that figure has a caption.
      package var hasCaption = false
      /// Whether the picture is hidden or transparent.
      package var isHidden = false
      /// The number of visible characters before the picture.
      package var textOffset: Int

      /// Makes an image.
      public init(
        source: String, alternative: String? = nil, width: Int? = nil, height: Int? = nil,
        textOffset: Int = 0
      ) {
        self.source = source
        self.alternative = alternative
        self.width = width
        self.height = height
        self.textOffset = textOffset
      }
    }

    /// One file of a picture (HTML Standard, 4.8.4.2.2, "image source").
    package struct Candidate: Sendable, Hashable {
      /// The URL.
      package var url: String
      /// The width in pixels; nil when not given.
      package var width: Int?
      /// The density, in image pixels for each CSS pixel; nil when not given.
      package var density: Double?

      /// Makes a candidate.
      package init(url: String, width: Int? = nil, density: Double? = nil) {
        self.url = url
        self.width = width
        self.density = density
      }
    }

    /// The links, in document order.
    public var links: [Link] = []
    /// The pictures, in document order.
    public var images: [Image] = []
    /// The URLs of audio, video and their sources and posters, in document order.
    public var media: [String] = []
    /// The URLs of the posters of videos, in document order; they are in ``media`` too.
    package var posters: [String] = []
    /// The URLs of frames that were replaced by links, in document order; they are in ``links`` too.
    public var embeds: [String] = []
    /// The text of the first heading that has any, white space collapsed; nil when there is none.
    public var heading: String?
    /// The visible text without markup, white space collapsed, with one space where a block begins or ends.
    public var text = ""

    /// Makes empty facts.
    public init() {}
  }
}
