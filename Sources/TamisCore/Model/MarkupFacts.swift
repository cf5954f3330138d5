/// What the sanitizer saw while it wrote a fragment, so that no later stage has to parse the markup again.
public struct MarkupFacts: Sendable, Hashable {
  /// A link that is in the output.
  public struct Link: Sendable, Hashable {
    /// Where it points.
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
    /// Where it is.
    public var source: String
    /// The `srcset` attribute as written to the output; nil when there is none.
    public var srcset: String?
    /// Text for those who cannot see it; nil when not said.
    public var alternative: String?
    /// Declared width in CSS pixels, nil when not said or unreadable.
    public var width: Int?
    /// Declared height in CSS pixels, nil when not said or unreadable.
    public var height: Int?
    /// Number of visible characters before it.
    public var textOffset: Int

    /// Makes an image.
    public init(
      source: String, srcset: String? = nil, alternative: String? = nil, width: Int? = nil, height: Int? = nil,
      textOffset: Int = 0
    ) {
      self.source = source
      self.srcset = srcset
      self.alternative = alternative
      self.width = width
      self.height = height
      self.textOffset = textOffset
    }
  }

  /// Links in document order.
  public var links: [Link] = []
  /// Pictures in document order.
  public var images: [Image] = []
  /// URLs of audio, video and their sources and posters, in document order.
  public var media: [String] = []
  /// The visible text, white space collapsed, one space where a block begins or ends; no markup.
  public var text = ""
  /// Whether a content model was violated: something unclosed or misnested, a block inside phrasing, table parts out of
  /// place, nested links.
  public var isUntidy = false

  /// Makes empty facts.
  public init() {}
}
