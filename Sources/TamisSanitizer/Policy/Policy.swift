/// What may be in the sanitizer's output.
///
/// Immutable, made once and shared by all tasks; the engine that enforces it is ``Sanitizer``, the files it is read
/// from are in `Rules/`.
///
/// Whatever a policy says, ``Floor`` stands below it.
public struct Policy: Sendable, Hashable {
  /// The vocabularies an element can belong to; a name is allowed in one of them, never in all.
  public enum Namespace: String, Sendable, Hashable, CaseIterable {
    /// HTML.
    case html
    /// SVG, below an `svg` element.
    case svg
    /// MathML, below a `math` element.
    case math
  }

  /// When libtidy repairs the filtered markup.
  public enum TidyMode: String, Sendable, Hashable, CaseIterable {
    /// Never.
    case never
    /// When a content model is violated.
    case `repair`
    /// Always.
    case always
  }

  /// The name by which the rules are asked for.
  public let name: String
  /// When libtidy repairs.
  public let tidy: TidyMode
  /// Allowed elements, lower case, by namespace.
  public let elements: [Namespace: Set<String>]
  /// HTML and SVG elements that go with everything inside; any other element that is not allowed loses only its tags.
  public let droppedElements: Set<String>
  /// Allowed attributes, lower case, by namespace and by element; those under `*` go with every element.
  public let attributes: [Namespace: [String: Set<String>]]
  /// Rules for URL attributes.
  public let urls: URLRules
  /// Rules for the `style` attribute.
  public let styles: StyleRules
  /// What is made better, beyond being made safe.
  public let improvements: Improvements

  package init(
    name: String, tidy: TidyMode, elements: [Namespace: Set<String>], droppedElements: Set<String>,
    attributes: [Namespace: [String: Set<String>]], urls: URLRules, styles: StyleRules, improvements: Improvements
  ) {
    self.name = name
    self.tidy = tidy
    self.elements = elements
    self.droppedElements = droppedElements
    self.attributes = attributes
    self.urls = urls
    self.styles = styles
    self.improvements = improvements
  }

  /// The same rules with another answer to when libtidy repairs.
  public func with(tidy: TidyMode) -> Policy {
    Policy(
      name: name, tidy: tidy, elements: elements, droppedElements: droppedElements, attributes: attributes, urls: urls,
      styles: styles, improvements: improvements)
  }

  /// The same rules for a page of one's own: URLs that stay relative for want of a base would point into that page's
  /// site, so they go.
  public func droppingRelativeURLs() -> Policy {
    var urls = urls
    urls.keepsRelative = false
    return Policy(
      name: name, tidy: tidy, elements: elements, droppedElements: droppedElements, attributes: attributes, urls: urls,
      styles: styles, improvements: improvements)
  }
}

/// Rules for URL attributes.
public struct URLRules: Sendable, Hashable {
  /// Schemes a URL may have, lower case, without the colon.
  public var schemes: Set<String>
  /// Whether `data:` pictures (PNG, JPEG, GIF, WebP, AVIF, BMP) may be the source of an image.
  public var allowsDataImages: Bool
  /// Whether a URL that is relative, with no base to resolve it against, stays.
  public var keepsRelative: Bool
  /// Whether an attribute whose URL is refused stays, empty, as Universal Feed Parser has it.
  public var leavesRefusedEmpty: Bool

  /// Makes URL rules.
  public init(
    schemes: Set<String>, allowsDataImages: Bool = false, keepsRelative: Bool = true, leavesRefusedEmpty: Bool = false
  ) {
    self.schemes = schemes
    self.allowsDataImages = allowsDataImages
    self.keepsRelative = keepsRelative
    self.leavesRefusedEmpty = leavesRefusedEmpty
  }
}

/// Rules for the `style` attribute.
///
/// A declaration stays when its property is allowed and its value is made of words, numbers, colours and quoted names
/// only.
public struct StyleRules: Sendable, Hashable {
  /// Properties with any such value.
  public var properties: Set<String>
  /// Families (`border` stands for `border-left-width` too) whose values must be made of ``StyleRules/keywords``, colours
  /// and lengths.
  public var families: Set<String>
  /// Words that such values may use.
  public var keywords: Set<String>
  /// Properties that are allowed below an `svg` element besides.
  public var svgProperties: Set<String>

  /// Makes style rules; by default nothing is allowed.
  public init(
    properties: Set<String> = [], families: Set<String> = [], keywords: Set<String> = [],
    svgProperties: Set<String> = []
  ) {
    self.properties = properties
    self.families = families
    self.keywords = keywords
    self.svgProperties = svgProperties
  }
}

/// What is made better, beyond being made safe.
public struct Improvements: Sendable, Hashable {
  /// Put before each `id`, and before the fragment of links inside the fragment; nil leaves them alone.
  public var idPrefix: String?
  /// Link relations written on every link that leaves the page, in this order.
  public var linkRelations: [String]
  /// Whether images get `loading="lazy"`.
  public var loadsImagesLazily: Bool
  /// Whether images that were meant to be loaded by script get their real source back.
  public var repairsLazyImages: Bool
  /// Whether images of a pixel or two, or hidden ones, go.
  public var removesTrackingPixels: Bool
  /// Query parameters that only follow readers, taken out of links; `utm_*` stands for all that begin so.
  public var trackingParameters: Set<String>
  /// Hosts, with all below them, whose pictures only count readers: these pictures go.
  public var trackingHosts: Set<String>
  /// Whether a frame, a plug-in, or a script that shows something becomes a link to that.
  public var linksEmbeds: Bool
  /// Whether elements of AMP are read as the elements of HTML that they stand for.
  public var readsAMP: Bool
  /// Whether pictures beside which text is to run say so by `align`, and no others.
  public var alignsPictures: Bool
  /// Whether boxes of pictures with the words below them become figures.
  public var makesFigures: Bool
  /// The names of those whose frames are known, by host, which stands for all below it; of others the host is named.
  public var embedProviders: [String: String]
  /// Whether a space is left where the tags of a block go, so that its words stand apart from those beside it.
  public var separatesBlocks: Bool
  /// Beginnings of class names that stay; nil leaves every class name.
  public var classPrefixes: [String]?

  /// Makes improvements; by default nothing is changed.
  public init(
    idPrefix: String? = nil, linkRelations: [String] = [], loadsImagesLazily: Bool = false,
    repairsLazyImages: Bool = false, removesTrackingPixels: Bool = false, trackingParameters: Set<String> = [],
    trackingHosts: Set<String> = [], linksEmbeds: Bool = false,
    embedProviders: [String: String] = [:], separatesBlocks: Bool = false, classPrefixes: [String]? = nil,
    readsAMP: Bool = false, alignsPictures: Bool = false, makesFigures: Bool = false
  ) {
    self.idPrefix = idPrefix
    self.linkRelations = linkRelations
    self.loadsImagesLazily = loadsImagesLazily
    self.repairsLazyImages = repairsLazyImages
    self.removesTrackingPixels = removesTrackingPixels
    self.trackingParameters = trackingParameters
    self.trackingHosts = trackingHosts
    self.linksEmbeds = linksEmbeds
    self.embedProviders = embedProviders
    self.separatesBlocks = separatesBlocks
    self.classPrefixes = classPrefixes
    self.readsAMP = readsAMP
    self.alignsPictures = alignsPictures
    self.makesFigures = makesFigures
  }
}
