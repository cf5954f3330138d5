public import TamisURL

extension Sanitizer {
  /// Functions of the caller that change elements, attributes or URLs during sanitizing.
  ///
  ///     var hooks = Sanitizer.Hooks(version: "proxy 1")
  ///     hooks.rewriteURL = { url, use in use.purpose.isRequested ? proxied(url) : url }
  ///     let sanitizer = try Sanitizer(policy: .reading, hooks: hooks)
  ///
  /// Hooks can bypass neither the ``Floor`` nor the policy: their output is sanitized once more, without them. Each may
  /// be called several times for one tag, and by several tasks at once: it must give the same result each time.
  public struct Hooks: Sendable {
    /// Identifies what the hooks do; to be changed when that changes, so that a build makes pages again.
    public var version: String
    /// Rewrites an absolute URL; nil removes the attribute, or the candidate of a `srcset`.
    ///
    /// It is called last, with the URL that is to be written: resolved, and without tracking parameters. It is not
    /// called for links inside the fragment (`#note`), for relative URLs that stay because there is no base, nor for `data:`
    /// URLs, which hold what they name.
    public var rewriteURL: URLRewriter?
    /// Changes the value of an attribute of the source; nil removes the attribute.
    public var filterAttribute: (@Sendable (SourceAttribute) -> String?)?
    /// Decides about an element of the source, whether the policy allows it or not.
    public var handleElement: (@Sendable (SourceElement) -> ElementAction)?

    /// Makes hooks that do nothing.
    public init(version: String) { self.version = version }

    /// Whether there are none.
    var isEmpty: Bool { rewriteURL == nil && !seesTags }

    /// Whether any of them is called for tags of the source.
    var seesTags: Bool { filterAttribute != nil || handleElement != nil }
  }

  /// Rewrites a URL that is to be written; nil removes it.
  public typealias URLRewriter = @Sendable (_ url: WebURL, _ use: URLUse) -> WebURL?

  /// Where a URL is used, and what for.
  public struct URLUse: Sendable, Hashable {
    /// The element's name in lower case, such as `img`.
    public let element: String
    /// The attribute's name in lower case, such as `srcset`.
    public let attribute: String
    /// What browsers do with the URL.
    public var purpose: URLPurpose { URLPurpose(element: element, attribute: attribute) }

    /// Describes a use of a URL.
    ///
    /// - Parameters:
    ///   - element: the element's name in lower case.
    ///   - attribute: the attribute's name in lower case.
    public init(element: String, attribute: String) { (self.element, self.attribute) = (element, attribute) }
  }

  /// What browsers do with a URL (HTML Standard, index of attributes; SVG 2, 15; MathML 3, 2.1.6).
  public enum URLPurpose: String, Sendable, Hashable, CaseIterable {
    /// They show it as an image: `src` and `srcset` of `img`, `srcset` of `source`, `poster` of `video`, `href` of SVG's `image`.
    case image
    /// They play it, or show it as captions: `src` of `audio`, `video`, `source` and `track`.
    case media
    /// They load it as a part of the page: frames, objects, parts of SVG.
    case embedded
    /// They go there when the reader follows it: `href` of `a` and `area`, and forms.
    case link
    /// They do nothing with it: `cite`, `longdesc`, `itemid`, `itemtype` and others.
    case citation

    /// Whether browsers request the URL when the page is shown or played, which tells its server who reads.
    public var isRequested: Bool { self == .image || self == .media || self == .embedded }

    init(element: String, attribute: String) {
      self =
        switch (element, attribute) {
        case (_, "srcset"), (_, "imagesrcset"), (_, "poster"), (_, "background"), (_, "lowsrc"), (_, "dynsrc"),
          (_, "icon"), (_, "altimg"), ("img", "src"), ("input", "src"), ("image", _), ("feimage", _):
          .image
        case ("audio", "src"), ("video", "src"), ("source", "src"), ("track", "src"): .media
        case ("a", "href"), ("a", "xlink:href"), ("area", "href"), (_, "action"): .link
        case (_, "cite"), (_, "longdesc"), (_, "itemid"), (_, "itemtype"), (_, "profile"), (_, "definitionurl"),
          (_, "cdgroup"), (_, "urn"), (_, "content"), (_, "xml:base"):
          .citation
        // MathML allows links on every element.
        case (_, "href") where Self.mathElements.contains(element): .link
        default: .embedded
        }
    }

    private static let mathElements: Set<String> = [
      "math", "maction", "merror", "mfrac", "mi", "mmultiscripts", "mn", "mo", "mover", "mpadded", "mphantom", "mroot",
      "mrow", "ms", "mspace", "msqrt", "mstyle", "msub", "msubsup", "msup", "mtable", "mtd", "mtext", "mtr", "munder",
      "munderover", "semantics", "menclose", "mfenced", "mglyph", "mlabeledtr", "mprescripts", "annotation",
      "annotation-xml",
    ]
  }

  /// An attribute of the source, before the policy is applied.
  public struct SourceAttribute: Sendable, Hashable {
    /// The name of its element, in lower case.
    public let element: String
    /// Its name in lower case.
    public let name: String
    /// Its value, with references decoded.
    public let value: String
  }

  /// An element of the source, before the policy is applied.
  public struct SourceElement: Sendable, Hashable {
    /// Its name in lower case, such as `iframe`.
    public let name: String
    /// Its attributes in document order, the first of several with one name; names in lower case, references decoded.
    public let attributes: [SourceAttribute]

    /// The value of an attribute; nil when it has none of that name.
    public subscript(attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }
  }

  /// What is done with an element of the source.
  public enum ElementAction: Sendable, Hashable {
    /// Apply the policy.
    case followPolicy
    /// Remove its tags, keep its content.
    case unwrap
    /// Remove it with its content.
    case drop
    /// Replace it and its content by this markup, which the policy filters.
    case replace(html: String)
  }
}
