public import TamisURL

extension Sanitizer {
  /// Functions of the caller that change elements, text or URLs during sanitizing.
  ///
  ///     var hooks = Sanitizer.Hooks(version: "proxy 1")
  ///     hooks.rewriteURL = { url, use in use.purpose.isRequested ? proxied(url) : url }
  ///     let sanitizer = try Sanitizer(policy: .reading, hooks: hooks)
  ///
  /// Hooks can bypass neither the ``Policy/Floor`` nor the policy: their output is sanitized once more, without them.
  /// Each may be called several times for one tag, and by several tasks at once: it must give the same result each
  /// time, and soon, since nothing ends it. What hooks return for one fragment has at most ``Limits/fragmentBytes`` in
  /// all; what is beyond is not used, and counted under ``Removal/Rule/limit``.
  public struct Hooks: Sendable {
    /// The version of the hooks' behaviour; a change of it makes a build generate pages again.
    public var version: String
    /// Rewrites an absolute URL; nil removes the attribute, or the candidate of a `srcset`.
    ///
    /// The hook is called last, with the URL that is to be written: resolved, and without tracking parameters. It is
    /// not called for links inside the fragment (`#note`), for relative URLs that stay because there is no base URL,
    /// nor for `data:` URLs, which contain their resource.
    public var rewriteURL: URLRewriter?
    /// Changes an element of the source, or decides about it, whether the policy allows it or not.
    ///
    /// The element as the hook leaves it is given to the policy: with another name, with attributes added, changed or
    /// removed. Every attribute that the source has can be replaced, so that a value can be forced.
    public var handleElement: (@Sendable (_ element: inout Element) -> ElementAction)?
    /// Replaces text of the source; the hook sees each run of text between two tags.
    public var handleText: (@Sendable (_ text: Text) -> TextAction)?

    /// Makes hooks that do nothing.
    public init(version: String) { self.version = version }

    /// Whether no hook is set.
    var isEmpty: Bool { rewriteURL == nil && handleElement == nil && handleText == nil }
  }

  /// Rewrites a URL that is to be written; nil removes it.
  public typealias URLRewriter = @Sendable (_ url: WebURL, _ use: URLUse) -> WebURL?

  /// The use of a URL: its element and attribute.
  public struct URLUse: Sendable, Hashable {
    /// The element's name in lower case, such as `img`.
    public let element: String
    /// The attribute's name in lower case, such as `srcset`.
    public let attribute: String
    /// The purpose for which browsers use the URL.
    public var purpose: URLPurpose { URLPurpose(element: element, attribute: attribute) }

    /// Describes a use of a URL.
    ///
    /// - Parameters:
    ///   - element: the element's name in lower case.
    ///   - attribute: the attribute's name in lower case.
    public init(element: String, attribute: String) { (self.element, self.attribute) = (element, attribute) }
  }

  /// The purpose for which browsers use a URL (HTML Standard, index of attributes; SVG 2, 15; MathML 3, 2.1.6).
  public enum URLPurpose: String, Sendable, Hashable, CaseIterable {
    /// A URL that browsers show as an image.
    ///
    /// These are `src` and `srcset` of `img`, `srcset` of `source`, `poster` of `video`, and `href` of SVG's `image`.
    case image
    /// A URL that browsers play, or show as captions: `src` of `audio`, `video`, `source` and `track`.
    case media
    /// A URL that browsers load as a part of the page: frames, objects, parts of SVG.
    case embedded
    /// A URL to which browsers navigate when the reader follows it: `href` of `a` and `area`, and forms.
    case link
    /// A URL that browsers do not use: `cite`, `longdesc`, `itemid`, `itemtype` and others.
    case citation

    /// Whether browsers request the URL when the page is shown or played, which reveals the reader to its server.
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
}

extension Sanitizer.Hooks {
  /// An attribute of an element.
  public struct Attribute: Sendable, Hashable {
    /// The name in lower case.
    public var name: String
    /// The value, with character references decoded.
    public var value: String

    /// Makes an attribute.
    public init(name: String, value: String) { (self.name, self.value) = (name, value) }
  }

  /// An element of the source, before the policy is applied.
  public struct Element: Sendable, Hashable {
    /// The name in lower case, such as `iframe`.
    ///
    /// Another name renames the element, and its content stays. An element that has no content by its kind, such as
    /// `img`, keeps its name, and no other element can take such a name.
    public var name: String
    /// The attributes in document order, the first of several with one name.
    public var attributes: [Attribute]

    /// Makes an element.
    ///
    /// - Parameters:
    ///   - name: the name in lower case.
    ///   - attributes: the attributes in document order.
    public init(name: String, attributes: [Attribute] = []) { (self.name, self.attributes) = (name, attributes) }

    /// The value of an attribute; nil when the element has none of that name.
    ///
    /// An assignment changes, adds or, with nil, removes the attribute.
    public subscript(attribute: String) -> String? {
      get { attributes.first { $0.name == attribute }?.value }
      set {
        let index = attributes.firstIndex { $0.name == attribute }
        switch (index, newValue) {
        case (let index?, let value?): attributes[index].value = value
        case (let index?, nil): attributes.remove(at: index)
        case (nil, let value?): attributes.append(Attribute(name: attribute, value: value))
        case (nil, nil): break
        }
      }
    }
  }

  /// The treatment of an element of the source.
  public enum ElementAction: Sendable, Hashable {
    /// Apply the policy to the element as the hook has left it.
    case followPolicy
    /// Remove the tags, keep the content.
    case unwrap
    /// Remove the element with its content.
    case drop
    /// Replace the element and its content with this markup, which the policy filters.
    case replace(html: String)
  }

  /// A run of text of the source.
  public struct Text: Sendable, Hashable {
    /// The text, with character references decoded.
    public var string: String
    /// Whether the text is in a link.
    public var isInLink: Bool

    /// Makes a run of text.
    ///
    /// - Parameters:
    ///   - string: the text.
    ///   - isInLink: whether the text is in a link.
    public init(_ string: String, isInLink: Bool = false) { (self.string, self.isInLink) = (string, isInLink) }
  }

  /// The treatment of text of the source.
  public enum TextAction: Sendable, Hashable {
    /// Keep the text.
    case keep
    /// Replace the text with this markup, which the policy filters; see ``SanitizedHTML/init(escaping:)`` for text in
    /// it.
    case replace(html: String)
  }
}
