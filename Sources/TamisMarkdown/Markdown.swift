public import TamisCore

/// Sanitized HTML as Markdown: CommonMark (https://spec.commonmark.org/0.31.2) with the tables, the strikethrough and
/// the task lists of GitHub Flavored Markdown.
///
/// Markdown has no raw HTML. What a renderer makes of it, also one that lets HTML through, has no element, link or
/// picture that the HTML does not have: all text is escaped, and only ``SanitizedHTML`` is taken.
///
/// A paragraph is one line. What Markdown has no form for is written as its text: underlining, sizes, colors, boxes,
/// cells that span others.
public struct Markdown: Sendable, Hashable {
  /// The form of the output.
  public struct Options: Sendable, Hashable {
    /// The form of links.
    public enum Links: String, Sendable, CaseIterable {
      /// The URL stands after the text of each link.
      case inline
      /// The URLs stand at the end, by numbers.
      case reference
    }

    /// The form of pictures.
    public enum Pictures: String, Sendable, CaseIterable {
      /// A picture is a picture.
      case keep
      /// A picture is a link with its alternative text.
      case links
      /// A picture is left out.
      case drop
    }

    /// The form of links.
    public var links = Links.inline
    /// The form of pictures.
    public var pictures = Pictures.keep

    /// Creates options: inline links, and pictures.
    public init() {}
  }

  /// The maximum number of lists, quotations and tables in each other; what is deeper stands at this depth.
  ///
  /// Each line begins with the marks of all containers around it, so that the size of the output depends on the depth.
  /// Some renderers leave out what is deeper, such as markdown-it after 20 levels of its own.
  public static let deepest = 8

  /// The Markdown; empty, or with a line feed at its end.
  public let text: String
  /// Whether containers deeper than ``deepest`` were left out.
  public let isFlattened: Bool
  /// The number of pictures, as pictures and not as links, whose address has a query of more than ``longQuery``
  /// characters: who renders the Markdown loads it, and tells its server what is in there.
  public let longQueries: Int

  /// The number of characters of a query beyond which it is counted.
  public static let longQuery = 200

  /// Writes HTML as Markdown.
  ///
  /// - Parameters:
  ///   - html: the HTML, from a sanitizer.
  ///   - options: the form of the output.
  ///   - front: what stands in front, as YAML between two lines of hyphens; nil for nothing.
  public init(_ html: SanitizedHTML, options: Options = Options(), front: FrontMatter? = nil) {
    self.init(MarkdownReader.document(of: html, keepsPictures: options.pictures != .drop), options, front: front)
  }

  init(_ document: MarkdownDocument, _ options: Options, front: FrontMatter? = nil) {
    var writer = BlockWriter(document, options)
    if let front { writer.output += front.text.utf8 }
    writer.write()
    text = String(decoding: writer.output, as: UTF8.self)
    isFlattened = document.isFlattened
    longQueries = options.pictures == .keep ? document.pictures.count { $0.target.hasLongQuery } : 0
  }
}
