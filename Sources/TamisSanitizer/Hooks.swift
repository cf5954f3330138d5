public import TamisURL

extension Sanitizer {
  /// Functions of the caller that change elements, attributes or URLs during sanitizing.
  ///
  ///     var hooks = Sanitizer.Hooks(version: "proxy 1")
  ///     hooks.rewriteURL = { url, use in use.element == "img" ? proxied(url) : url }
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
    /// called for links inside the fragment (`#note`), nor for relative URLs that stay because there is no base.
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

  /// The element and the attribute of a URL.
  public struct URLUse: Sendable, Hashable {
    /// The element's name in lower case, such as `img`.
    public let element: String
    /// The attribute's name in lower case, such as `srcset`.
    public let attribute: String
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
