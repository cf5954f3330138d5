/// What a sanitized fragment contains, collected while it was written, so that no later stage has to parse the markup
/// again.
public struct MarkupFacts: Sendable, Hashable {
  /// A link that is in the output.
  public struct Link: Sendable, Hashable {
    /// The URL.
    public var href: String
    /// Its visible text, white space collapsed.
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
    /// The files that a browser may choose from, of `srcset` and of the `source` elements of a `picture`.
    public var candidates: [Candidate] = []
    /// Alternative text; nil when not said.
    public var alternative: String?
    /// Declared width in CSS pixels, nil when not said or unreadable.
    public var width: Int?
    /// Declared height in CSS pixels, nil when not said or unreadable.
    public var height: Int?
    /// Class names of the source, lower case, whether they stay or not.
    public var classes: [String] = []
    /// Whether it is in a `figure`.
    public var isInFigure = false
    /// Whether that figure has a caption.
    public var hasCaption = false
    /// Whether it is hidden or transparent.
    public var isHidden = false
    /// Number of visible characters before it.
    public var textOffset: Int

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
  public struct Candidate: Sendable, Hashable {
    /// The URL.
    public var url: String
    /// Its width in pixels, nil when not said.
    public var width: Int?
    /// Its density, in image pixels for each CSS pixel; nil when not said.
    public var density: Double?

    /// Makes a candidate.
    public init(url: String, width: Int? = nil, density: Double? = nil) {
      self.url = url
      self.width = width
      self.density = density
    }
  }

  /// Links in document order.
  public var links: [Link] = []
  /// Pictures in document order.
  public var images: [Image] = []
  /// URLs of audio, video and their sources and posters, in document order.
  public var media: [String] = []
  /// URLs of the preview pictures of videos, in document order; they are in ``media`` too.
  public var posters: [String] = []
  /// URLs of frames that were replaced by links, in document order; they are in ``links`` too.
  public var embeds: [String] = []
  /// The words of the first heading that has any, white space collapsed; nil when there is none.
  public var heading: String?
  /// The visible text, white space collapsed, one space where a block begins or ends; no markup.
  public var text = ""
  /// Whether a content model was violated: something unclosed or misnested, a block inside phrasing, table parts out of
  /// place, nested links.
  public var isUntidy = false

  /// Makes empty facts.
  public init() {}
}
