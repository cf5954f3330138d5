import TamisCore

/// What may be in the sanitizer's output.
///
/// A value: begin with ``reading``, ``strict``, ``text``, ``universalFeedParser`` or with nothing, and change it.
///
///     var policy = Policy.reading
///     policy.allow("search")
///     policy.urls.schemes.insert("gemini")
///     let sanitizer = try Sanitizer(policy: policy)
///
/// The ``Floor`` limits every policy: a ``Sanitizer`` cannot be made of one that crosses it. Rules files
/// (`Rules/*.yaml`) are another way to make a policy, see ``init(yaml:file:)``.
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

  /// The name of the rules in messages.
  public var name: String
  /// When libtidy repairs.
  public var tidy = TidyMode.never
  /// Allowed elements, by namespace; names in lower case.
  public var elements: [Namespace: Set<String>] = [:]
  /// HTML and SVG elements that are removed with their content; any other element that is not allowed loses only its
  /// tags.
  public var droppedElements: Set<String> = []
  /// Allowed attributes, by namespace and by element; names in lower case, and those under `*` go with every element.
  public var attributes: [Namespace: [String: Set<String>]] = [:]
  /// Rules for URL attributes.
  public var urls = URLRules()
  /// Rules for the `style` attribute.
  public var styles = StyleRules()
  /// What is made better, beyond being made safe.
  public var improvements = Improvements()

  /// Makes a policy that allows nothing and changes nothing.
  public init(name: String = "custom") { self.name = name }

  /// Allows elements, without any attribute that is not allowed on every element.
  public mutating func allow(_ elements: String..., in namespace: Namespace = .html) {
    self.elements[namespace, default: []].formUnion(elements)
  }

  /// Allows attributes on an element, or on every element with `*`.
  public mutating func allow(attributes: String..., on element: String, in namespace: Namespace = .html) {
    self.attributes[namespace, default: [:]][element, default: []].formUnion(attributes)
  }

  /// Disallows elements: their tags are removed, their content stays.
  public mutating func disallow(_ elements: String..., in namespace: Namespace = .html) {
    self.elements[namespace]?.subtract(elements)
  }

  /// Disallows attributes on an element, or with `*` those that are allowed on every element.
  public mutating func disallow(attributes: String..., on element: String, in namespace: Namespace = .html) {
    self.attributes[namespace]?[element]?.subtract(attributes)
  }

  /// Has elements removed with their content.
  public mutating func drop(_ elements: String...) { droppedElements.formUnion(elements) }

  /// The same rules with another setting for libtidy.
  public func with(tidy: TidyMode) -> Policy {
    var policy = self
    policy.tidy = tidy
    return policy
  }
}

extension Policy {
  /// Rules for URL attributes.
  public struct URLRules: Sendable, Hashable {
    /// Schemes a URL may have, lower case, without the colon.
    public var schemes: Set<String> = []
    /// Whether `data:` pictures (PNG, JPEG, GIF, WebP, AVIF, BMP) may be the source of an image.
    public var allowsDataImages = false
    /// Whether a relative URL is kept when there is no base to resolve it against.
    public var keepsRelative = true
    /// Whether an attribute with a refused URL is kept with an empty value, as Universal Feed Parser does.
    public var leavesRefusedEmpty = false

    /// Makes rules that allow no scheme.
    public init() {}
  }

  /// Rules for the `style` attribute.
  ///
  /// A declaration stays when its property is allowed and its value is made of words, numbers, colours and quoted names
  /// only.
  public struct StyleRules: Sendable, Hashable {
    /// Properties with any such value.
    public var properties: Set<String> = []
    /// Families (`border` stands for `border-left-width` too) whose values must be made of ``keywords``, colours and
    /// lengths.
    public var families: Set<String> = []
    /// Words that such values may use.
    public var keywords: Set<String> = []
    /// Additional properties that are allowed below an `svg` element.
    public var svgProperties: Set<String> = []

    /// Makes rules that allow nothing.
    public init() {}
  }

  /// What is made better, beyond being made safe.
  public struct Improvements: Sendable, Hashable {
    /// The prefix of each `id`, and of the fragment of links inside the fragment; nil leaves them unchanged.
    public var idPrefix: String?
    /// Link relations written on every link that leaves the page, in this order.
    public var linkRelations: [String] = []
    /// Whether images get `loading="lazy"`.
    public var loadsImagesLazily = false
    /// Whether images that a script would load get their real source.
    public var repairsLazyImages = false
    /// Whether images of a pixel or two, and hidden ones, are removed.
    public var removesTrackingPixels = false
    /// Tracking parameters, which are removed from the query of links; `utm_*` means all that begin with `utm_`.
    public var trackingParameters: Set<String> = []
    /// Tracking hosts, with all below them: pictures from there are removed.
    public var trackingHosts: Set<String> = []
    /// Whether a frame, a plug-in, or a script that shows something is replaced by a link to it.
    public var linksEmbeds = false
    /// Whether elements of AMP are read as the corresponding HTML elements.
    public var readsAMP = false
    /// Whether pictures beside which text is to flow get `align`, and no others.
    public var alignsPictures = false
    /// Whether boxes with pictures and their captions become figures.
    public var makesFigures = false
    /// The names of providers of frames, by host, which includes all hosts below it; for others the host is shown.
    public var embedProviders: [String: String] = [:]
    /// Whether a space replaces the tags of a removed block, so that its words stay separated from those beside it.
    public var separatesBlocks = false
    /// Prefixes of class names that are kept; nil keeps every class name.
    public var classPrefixes: [String]?

    /// Makes improvements that change nothing.
    public init() {}
  }
}

/// The mistakes that a policy can have: crossing the ``Floor``, and names that no document can contain.
extension Policy {
  /// The same rules with names in lower case, as parsers report them; throws all mistakes.
  func checked() throws(InvalidRules) -> Policy {
    var policy = self
    policy.elements = elements.mapValues(Self.lowercased)
    policy.droppedElements = Self.lowercased(droppedElements)
    policy.attributes = attributes.mapValues { byElement in
      var lists: [String: Set<String>] = [:]
      for (element, names) in byElement {
        lists[element.asciiLowercased(), default: []].formUnion(Self.lowercased(names))
      }
      return lists
    }
    for setting in PolicySetting.all {
      if case .names(let names, _) = setting.value { policy[keyPath: names] = Self.lowercased(self[keyPath: names]) }
    }
    let mistakes = policy.mistakes
    if !mistakes.isEmpty {
      let location = SourceLocation(file: "policy '\(name)'")
      throw InvalidRules(findings: mistakes.map { Finding(.error, "rules.invalid", $0, at: location) })
    }
    return policy
  }

  private static func lowercased(_ names: Set<String>) -> Set<String> {
    names.allSatisfy { !$0.utf8.contains { (0x41...0x5A).contains($0) } }
      ? names : Set(names.map { $0.asciiLowercased() })
  }

  /// What is allowed and has no effect, a sentence each, in a fixed order: attributes of elements that are not allowed, and
  /// addresses without an allowed scheme.
  ///
  /// These are no mistakes, since a policy may be built in steps.
  public var doubts: [String] {
    var doubts: [String] = []
    for namespace in Namespace.allCases {
      let allowed = elements[namespace] ?? []
      for (element, names) in (attributes[namespace] ?? [:]).sorted(by: { $0.key < $1.key }) where !names.isEmpty {
        if element != "*", !allowed.contains(element) {
          doubts.append("'\(element)' is not an allowed element; its attributes have no effect")
        } else if urls.schemes.isEmpty {
          doubts += names.sorted().filter { AttributeKind.of($0, in: namespace) == .url }.map {
            "'\($0)' of '\(element)' is removed wherever it is an absolute URL: no scheme is allowed"
          }
        }
      }
    }
    let allowsID = attributes.values.contains { $0.values.contains { $0.contains("id") || $0.contains("name") } }
    if allowsID, improvements.idPrefix == nil {
      doubts.append("'id' or 'name' is allowed without a prefix: a fragment can take names that the page uses itself")
    }
    return doubts
  }

  /// All mistakes, in a fixed order.
  private var mistakes: [String] {
    var mistakes: [String] = []
    for namespace in Namespace.allCases {
      for name in (elements[namespace] ?? []).sorted() {
        mistakes += Self.objection(toElement: name, in: namespace).map { [$0] } ?? []
      }
      for (_, names) in (attributes[namespace] ?? [:]).sorted(by: { $0.key < $1.key }) {
        mistakes += names.sorted().compactMap(Self.objection(toAttribute:))
      }
    }
    for setting in PolicySetting.all {
      guard let objection = setting.objection else { continue }
      mistakes += setting.texts(of: self).compactMap { text in
        objection(text).map { "\(setting.path): \($0)" }
      }
    }
    mistakes += improvements.embedProviders.keys.sorted().compactMap { host in
      PolicySetting.objection(toLabel: improvements.embedProviders[host] ?? "").map { "improve.embed-providers: \($0)" }
    }
    return mistakes
  }

  // MARK: - Names

  /// Why a name cannot be among the elements of a namespace; nil when it can.
  static func objection(toElement name: String, in namespace: Namespace) -> String? {
    if !isName(name) { return "'\(name)' is not an element name: letters, digits, '-', '_', '.' and ':' only" }
    return Floor.objection(toElement: name, in: namespace).map { "'\(name)' can never be allowed: \($0)" }
  }

  /// Why a name cannot be among the attributes; nil when it can.
  static func objection(toAttribute name: String) -> String? {
    if !isName(name) { return "'\(name)' is not an attribute name: letters, digits, '-', '_', '.' and ':' only" }
    return Floor.objection(toAttribute: name).map { "'\(name)' can never be allowed: \($0)" }
  }

  /// Whether every parser reads it as one name, and writing it cannot end a tag or an attribute.
  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, first.isASCIILetter || first == UInt8(ascii: "_") else { return false }
    return name.utf8.allSatisfy { $0.isASCIIAlphanumeric || [0x2D, 0x2E, 0x3A, 0x5F].contains($0) }
  }
}
