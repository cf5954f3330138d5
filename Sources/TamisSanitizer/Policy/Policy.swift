import TamisCore

/// The rules for the sanitizer's output.
///
/// A policy is a value: begin with ``reading``, ``strict``, ``text``, ``universalFeedParser``, ``browserDefault`` or an
/// empty policy, and change it.
///
///     var policy = Policy.reading
///     policy.allow("search")
///     policy.urls.schemes.insert("gemini")
///     let sanitizer = try Sanitizer(policy: policy)
///
/// The ``Policy/Floor`` limits every policy: a ``Sanitizer`` cannot be made from one that crosses it. Rules files
/// (`Rules/*.yaml`) are another way to make a policy, see ``init(yaml:file:)``, and so are configurations of the
/// browsers' own sanitizer, see ``SanitizerConfig``.
public struct Policy: Sendable, Hashable {
  /// The vocabularies to which an element can belong; a name is allowed in one of them, never in all.
  public enum Namespace: String, Sendable, Hashable, CaseIterable {
    /// HTML.
    case html
    /// SVG, below an `svg` element.
    case svg
    /// MathML, below a `math` element.
    case math
  }

  /// The condition on which libtidy repairs the filtered markup.
  public enum TidyMode: String, Sendable, Hashable, CaseIterable {
    /// libtidy never repairs.
    case never
    /// libtidy repairs markup whose elements are not nested as its tags are, if a block is in what may hold none, or a
    /// list has content in no item, as of `<h2><b>a<p>b</h2>c</p>`.
    case broken
    /// libtidy repairs all markup.
    case always
  }

  /// The name of the rules in messages.
  public var name: String
  /// The condition on which libtidy repairs.
  public var tidy = TidyMode.never
  /// The allowed elements, by namespace; names are in lower case.
  ///
  /// In ``Namespace/html``, `my-*` allows all custom elements that begin so.
  public var elements: [Namespace: Set<String>] = [:]
  /// The elements that are removed with their content, in any namespace; `*` means all that are not allowed.
  ///
  /// Other elements that are not allowed lose only their tags.
  public var droppedElements: Set<String> = []
  /// The elements that lose only their tags where ``droppedElements`` has `*`.
  public var unwrappedElements: Set<String> = []
  /// Whether elements and texts that inline styles or attributes hide are removed, see ``Removal/Rule/hidden``.
  ///
  /// Without their `style` and `hidden` attributes, they would be seen. Bold and italics that are none by their style
  /// (`<b style="font-weight:normal">`, of Google Docs) lose their tags.
  public var dropsHidden = false
  /// The allowed attributes, by namespace and by element; names are in lower case.
  ///
  /// The attributes under `*` are allowed on every element; `data-*` allows all attributes that begin so.
  public var attributes: [Namespace: [String: Set<String>]] = [:]
  /// The allowed values of attributes, by element, or `*` for every element, and by attribute.
  ///
  /// Such an attribute is removed when its value is another; the classes of `class` are removed one by one. The
  /// attribute has to be allowed besides.
  public var values: [String: [String: Set<String>]] = [:]
  /// The attributes that every element of a name has in the output, with their values, whatever the source says.
  ///
  /// They need not be allowed besides.
  public var forcedAttributes: [String: [String: String]] = [:]
  /// The rules for URL attributes.
  public var urls = URLRules()
  /// The rules for the `style` attribute.
  public var styles = StyleRules()
  /// The improvements of the output, beyond its safety.
  public var improvements = Improvements()

  /// Makes a policy that allows nothing and changes nothing.
  public init(name: String = "custom") { self.name = name }

  /// Allows elements, without any attribute that is not allowed on every element.
  ///
  /// - Parameters:
  ///   - elements: the names of the elements.
  ///   - namespace: the namespace of the elements.
  public mutating func allow(_ elements: String..., in namespace: Namespace = .html) {
    self.elements[namespace, default: []].formUnion(elements)
  }

  /// Allows a list of elements, without any attribute that is not allowed on every element.
  ///
  /// - Parameters:
  ///   - elements: the names of the elements.
  ///   - namespace: the namespace of the elements.
  public mutating func allow(_ elements: some Sequence<String>, in namespace: Namespace = .html) {
    self.elements[namespace, default: []].formUnion(elements)
  }

  /// Allows attributes on an element, or on every element with `*`.
  ///
  /// - Parameters:
  ///   - attributes: the names of the attributes.
  ///   - element: the name of the element, or `*`.
  ///   - namespace: the namespace of the element.
  public mutating func allow(attributes: String..., on element: String, in namespace: Namespace = .html) {
    self.attributes[namespace, default: [:]][element, default: []].formUnion(attributes)
  }

  /// Allows a list of attributes on an element, or on every element with `*`.
  ///
  /// - Parameters:
  ///   - attributes: the names of the attributes.
  ///   - element: the name of the element, or `*`.
  ///   - namespace: the namespace of the element.
  public mutating func allow(attributes: some Sequence<String>, on element: String, in namespace: Namespace = .html) {
    self.attributes[namespace, default: [:]][element, default: []].formUnion(attributes)
  }

  /// Disallows elements: their tags are removed, and their content stays.
  ///
  /// - Parameters:
  ///   - elements: the names of the elements.
  ///   - namespace: the namespace of the elements.
  public mutating func disallow(_ elements: String..., in namespace: Namespace = .html) {
    self.elements[namespace]?.subtract(elements)
  }

  /// Disallows attributes on an element, or with `*` those that are allowed on every element.
  ///
  /// - Parameters:
  ///   - attributes: the names of the attributes.
  ///   - element: the name of the element, or `*`.
  ///   - namespace: the namespace of the element.
  public mutating func disallow(attributes: String..., on element: String, in namespace: Namespace = .html) {
    self.attributes[namespace]?[element]?.subtract(attributes)
  }

  /// Makes the sanitizer remove elements with their content, also those that were allowed.
  public mutating func drop(_ elements: String...) {
    droppedElements.formUnion(elements)
    for namespace in Namespace.allCases { self.elements[namespace]?.subtract(elements) }
  }

  /// Returns the same rules with another setting for libtidy.
  public func with(tidy: TidyMode) -> Policy {
    var policy = self
    policy.tidy = tidy
    return policy
  }
}

extension Policy {
  /// Rules for URL attributes.
  public struct URLRules: Sendable, Hashable {
    /// The schemes that a URL may have, in lower case, without the colon.
    public var schemes: Set<String> = []
    /// The schemes of single attributes, in place of ``schemes``, by element, or `*` for every element, and attribute.
    public var schemesByAttribute: [String: [String: Set<String>]] = [:]
    /// Whether `data:` pictures (PNG, JPEG, GIF, WebP, AVIF, BMP) may be the source of an image.
    public var allowsDataImages = false
    /// Whether a relative URL is kept when there is no base URL to resolve it against.
    public var keepsRelative = true
    /// Whether an attribute with a refused URL is kept with an empty value, as Universal Feed Parser does.
    public var leavesRefusedEmpty = false

    /// Makes rules that allow no scheme.
    public init() {}
  }

  /// Rules for the `style` attribute.
  ///
  /// A declaration stays when its property is allowed and its value consists only of words, numbers, colours and quoted
  /// names.
  public struct StyleRules: Sendable, Hashable {
    /// The properties that may have any such value.
    public var properties: Set<String> = []
    /// The families of properties whose values must consist of ``keywords``, colours and lengths.
    ///
    /// `border` includes `border-left-width`.
    public var families: Set<String> = []
    /// The words that such values may use.
    public var keywords: Set<String> = []
    /// The additional properties that are allowed below an `svg` element.
    public var svgProperties: Set<String> = []

    /// Makes rules that allow nothing.
    public init() {}
  }

  /// The improvements of the output, beyond its safety.
  public struct Improvements: Sendable, Hashable {
    /// The prefix of each `id`, and of the fragment of links inside the fragment; nil leaves them unchanged.
    public var idPrefix: String?
    /// The link relations that are written on every link that leaves the page, in this order.
    public var linkRelations: [String] = []
    /// Whether images get `loading="lazy"`.
    public var loadsImagesLazily = false
    /// Whether images that a script would load get their real source.
    public var repairsLazyImages = false
    /// Whether images of a pixel or two, and hidden ones, are removed.
    public var removesTrackingPixels = false
    /// The tracking parameters, which are removed from the query of links; `utm_*` means all that begin with `utm_`.
    public var trackingParameters: Set<String> = []
    /// The tracking hosts, whose pictures are removed; each includes all hosts below it.
    public var trackingHosts: Set<String> = []
    /// Whether a frame, a plug-in, an image map, or a script that shows something is replaced by a link to it.
    ///
    /// Sound and films get controls then, since they do not play by themselves.
    public var linksEmbeds = false
    /// Whether AMP elements are read as the corresponding HTML elements.
    public var readsAMP = false
    /// Whether pictures beside which text flows get `align`, and no others.
    public var alignsPictures = false
    /// Whether boxes with pictures and their captions become figures.
    public var makesFigures = false
    /// The names of frame providers by host, which includes all hosts below it; for others the host is shown.
    public var embedProviders: [String: String] = [:]
    /// Whether a space replaces the tags of a removed block, so that its words stay separated from those beside it.
    public var separatesBlocks = false
    /// Whether emphasis by inline styles becomes that of elements, and `<b style="font-weight:normal">` none.
    ///
    /// It has no effect where `style` is kept on an element.
    public var readsStyledEmphasis = false
    /// Whether the numbers of lines of code and the links for editing headings go, and boxes of tasks become `☑` and
    /// `☐`.
    public var dropsControls = false
    /// Whether `use` and `style` in a drawing are replaced by copies and attributes of the elements that they draw.
    public var readsDrawings = false
    /// Whether formulas in TeX, which a script or a picture would show, become MathML where ``elements`` has `math`,
    /// and MathML its TeX where it has not; likewise `10<sup>6</sup>` becomes `10⁶` where `sup` and `sub` do not stay.
    public var setsFormulas = false
    /// The prefixes of class names that are kept; nil keeps every class name.
    public var classPrefixes: [String]?

    /// Makes improvements that change nothing.
    public init() {}
  }
}

/// The mistakes that a policy can have: crossing the ``Policy/Floor``, and names that no document can contain.
extension Policy {
  /// Returns the same rules with names in lower case, as parsers report them.
  ///
  /// - Throws: ``InvalidRules`` with all mistakes.
  func checked() throws(InvalidRules) -> Policy {
    var policy = self
    policy.elements = elements.mapValues(Self.lowercased)
    policy.attributes = attributes.mapValues { Self.lowercasedKeys($0.mapValues(Self.lowercased)) { $0.union($1) } }
    for setting in PolicySetting.all {
      switch setting.value {
      case .names(let names, _): policy[keyPath: names] = Self.lowercased(self[keyPath: names])
      case .listsByAttribute(let lists, let isLowercase):
        policy[keyPath: lists] = Self.lowercasedByAttribute(
          self[keyPath: lists].mapValues { $0.mapValues { isLowercase ? Self.lowercased($0) : $0 } })
      case .textsByAttribute(let texts): policy[keyPath: texts] = Self.lowercasedByAttribute(self[keyPath: texts])
      default: break
      }
    }
    let mistakes = policy.mistakes
    if !mistakes.isEmpty {
      let location = Finding.Location(file: "policy '\(name)'")
      throw InvalidRules(findings: mistakes.map { Finding(.error, "rules.invalid", $0, at: location) })
    }
    return policy
  }

  private static func lowercased(_ names: Set<String>) -> Set<String> {
    names.allSatisfy { !$0.utf8.contains { (0x41...0x5A).contains($0) } }
      ? names : Set(names.map { $0.asciiLowercased() })
  }

  private static func lowercasedByAttribute<Value>(_ rules: [String: [String: Value]]) -> [String: [String: Value]] {
    lowercasedKeys(rules.mapValues { lowercasedKeys($0) { first, _ in first } }) {
      $0.merging($1) { first, _ in first }
    }
  }

  /// Returns values by names in lower case; those of names that differ in case alone are combined in the names' order.
  private static func lowercasedKeys<Value>(
    _ values: [String: Value], combine: (Value, Value) -> Value
  ) -> [String: Value] {
    Dictionary(
      values.sorted { $0.key < $1.key }.map { ($0.key.asciiLowercased(), $0.value) }, uniquingKeysWith: combine)
  }

  /// The allowed names that are likely misspelled or have no effect, one sentence each, in a fixed order.
  ///
  /// Without an effect are attributes of elements that are not allowed, and URL attributes without an allowed scheme.
  /// A doubt is not a mistake, since a policy may be built in steps.
  public var doubts: [String] {
    var doubts = RuleLint(policy: self, parent: nil, file: "").findings(mentions).map(\.message)
    let patterns = NamePatterns(self)
    for namespace in Namespace.allCases {
      let allowed = elements[namespace] ?? []
      for (element, names) in (attributes[namespace] ?? [:]).sorted(by: { $0.key < $1.key }) where !names.isEmpty {
        if element != "*", !allowed.contains(element), !patterns.allow(element, in: namespace) {
          doubts.append("'\(element)' is not an allowed element; its attributes have no effect")
        } else if urls.schemes.isEmpty {
          doubts += names.sorted().filter { AttributeKind.of($0, in: namespace) == .url }.map {
            "'\($0)' of '\(element)' is removed wherever it is an absolute URL: no scheme is allowed"
          }
        }
      }
    }
    let ruled = Set(values.keys).union(urls.schemesByAttribute.keys).union(forcedAttributes.keys).subtracting(["*"])
    doubts += ruled.sorted().compactMap { element in
      Namespace.allCases.contains { elements[$0]?.contains(element) == true || patterns.allow(element, in: $0) }
        ? nil : "'\(element)' is not an allowed element; the rules for its attributes have no effect"
    }
    let allowsID = attributes.values.contains { $0.values.contains { $0.contains("id") || $0.contains("name") } }
    if allowsID, improvements.idPrefix == nil {
      doubts.append("'id' or 'name' is allowed without a prefix: a fragment can take names that the page uses itself")
    }
    return doubts
  }

  /// The names of elements, attributes and properties, sorted.
  private var mentions: [RuleMention] {
    var mentions: [RuleMention] = []
    func add(_ kind: RuleMention.Kind, _ names: Set<String>) {
      mentions += names.sorted().map {
        RuleMention(kind: kind, name: $0, isRemoved: false, location: Finding.Location(file: ""))
      }
    }
    for namespace in Namespace.allCases {
      add(.element(namespace), elements[namespace] ?? [])
      for (element, names) in (attributes[namespace] ?? [:]).sorted(by: { $0.key < $1.key }) {
        add(.attribute(namespace, of: element), names)
      }
    }
    add(.property, styles.properties)
    return mentions
  }

  /// The maximum number of forced attributes of a policy.
  private static let mostForced = 100

  /// The mistakes, in a fixed order.
  private var mistakes: [String] {
    var mistakes: [String] = []
    for namespace in Namespace.allCases {
      for name in (elements[namespace] ?? []).sorted() {
        mistakes += Self.objection(toElement: name, in: namespace).map { [$0] } ?? []
      }
      for (element, names) in (attributes[namespace] ?? [:]).sorted(by: { $0.key < $1.key }) {
        mistakes += NamePattern(element)?.objection(toElementsOf: namespace).map { [$0] } ?? []
        mistakes += names.sorted().compactMap(Self.objection(toAttribute:))
      }
    }
    if NamePatterns(self).count > NamePattern.mostPatterns {
      mistakes.append("more than \(NamePattern.mostPatterns) names end with '*'; list what they stand for")
    }
    if forcedAttributes.values.reduce(0, { $0 + $1.count }) > Self.mostForced {
      mistakes.append("force: more than \(Self.mostForced) attributes; each is written on every element of its name")
    }
    for setting in PolicySetting.all {
      mistakes += setting.objections(in: self).map { "\(setting.path): \($0)" }
    }
    mistakes += improvements.embedProviders.keys.sorted().compactMap { host in
      PolicySetting.objection(toLabel: improvements.embedProviders[host] ?? "").map { "improve.embed-providers: \($0)" }
    }
    return mistakes
  }

  // MARK: - Names

  /// Returns the reason why a name cannot be an element of a namespace; nil when it can.
  static func objection(toElement name: String, in namespace: Namespace) -> String? {
    if let pattern = NamePattern(name) { return pattern.objection(toElementsOf: namespace) }
    if !isName(name) { return "'\(name)' is not an element name: letters, digits, '-', '_', '.' and ':' only" }
    return Policy.Floor.objection(toElement: name, in: namespace).map { "'\(name)' can never be allowed: \($0)" }
  }

  /// Returns the reason why a name cannot be an attribute; nil when it can.
  static func objection(toAttribute name: String) -> String? {
    if let pattern = NamePattern(name) { return pattern.objectionToAttributes }
    if !isName(name) { return "'\(name)' is not an attribute name: letters, digits, '-', '_', '.' and ':' only" }
    return Policy.Floor.objection(toAttribute: name).map { "'\(name)' can never be allowed: \($0)" }
  }

  /// Whether every parser reads the text as one name, and writing it cannot end a tag or an attribute.
  static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, first.isASCIILetter || first == UInt8(ascii: "_") else { return false }
    return name.utf8.allSatisfy { $0.isASCIIAlphanumeric || [0x2D, 0x2E, 0x3A, 0x5F].contains($0) }
  }
}
