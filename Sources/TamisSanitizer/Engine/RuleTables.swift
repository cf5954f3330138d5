import TamisCore

/// A policy compiled for the walker: a number for each name, and a row of plain values for each number.
///
/// The policy's names have the lowest numbers; other names get numbers as they appear, and lose them when there are too
/// many. Each engine has its own tables, which are never shared between tasks.
struct RuleTables: ~Copyable {
  /// The decision about an element.
  enum Verdict: UInt8 {
    /// The element is kept.
    case keep
    /// The tags are removed, and the content stays.
    case unwrap
    /// The element is removed with its content.
    case drop
  }

  /// An element, in plain values that are cheap to copy.
  struct Element {
    let number: Int
    let traits: ElementTraits
    let role: ElementRole
    let html: Verdict
    let svg: Verdict
    let math: Verdict
    /// The namespace that this element begins, for `svg` and `math`.
    let root: Policy.Namespace?
    let isTextOnlyInSVG: Bool
    let isTextOnlyInMath: Bool
    /// Whether the element is SVG's `desc`, inside which browsers read HTML.
    let isDescription: Bool
    /// Whether SVG draws the element only where others refer to it, and whether it does so at each vertex of a line.
    let isDefinition: Bool
    /// Whether the element is SVG's `foreignObject`.
    let holdsHTMLInSVG: Bool
    /// The kind of embedded content.
    let embed: EmbedElement
    /// The HTML element that replaces the element, if it is an AMP element and the policy reads those.
    let standsFor: StandIn?
    /// The cost of the element by ``Limits/costlyElements``.
    let cost: Int
    /// The possible role of the element for the pictures in it.
    let boxKind: BoxKind

    func verdict(in namespace: Policy.Namespace) -> Verdict {
      switch namespace {
      case .html: html
      case .svg: svg
      case .math: math
      }
    }
  }

  /// An attribute, in plain values that are cheap to copy.
  struct Attribute {
    private let html: AttributeKind
    private let svg: AttributeKind
    private let math: AttributeKind
    /// The index among all allowed attributes, in the order of names in which they are written.
    let rank: Int
    /// Whether the policy has rules for its values or URLs alone.
    let hasValueRules: Bool
    /// Whether the value is the number of columns or rows that a cell or column takes.
    let isSpan: Bool
    /// Whether the attribute is `xml:base`, which may only stay inside the document.
    let isBase: Bool

    init(_ name: String, rank: Int, hasValueRules: Bool) {
      self.hasValueRules = hasValueRules
      html = .of(name, in: .html)
      svg = .of(name, in: .svg)
      math = .of(name, in: .math)
      self.rank = rank
      isSpan = ["colspan", "columnspan", "rowspan", "span"].contains(name)
      isBase = name == "xml:base"
    }

    func kind(in namespace: Policy.Namespace) -> AttributeKind {
      switch namespace {
      case .html: html
      case .svg: svg
      case .math: math
      }
    }
  }

  /// The parts of ``RuleTables/written`` that are the tags of an element: `<name` and `</name>`.
  struct TagText {
    let start: Range<Int>
    let end: Range<Int>
  }

  /// An element's tags in HTML and MathML, and in SVG.
  private struct ElementText {
    let html: TagText
    let svg: TagText
  }

  /// The parts of ``RuleTables/written`` that come before an attribute's value in each namespace: ` name="`.
  private struct AttributeText {
    let html: Range<Int>
    let svg: Range<Int>
    let math: Range<Int>
  }

  private let settings: WalkerSettings
  private(set) var elements: [Element] = []
  private(set) var attributes: [Attribute] = []
  private(set) var known = AttributeNumbers()
  private var elementNames: [String] = []
  private var attributeNames: [String] = []
  /// The written forms of the names, one after the other.
  private(set) var written: [UInt8] = []
  private var elementTexts: [ElementText] = []
  private var attributeTexts: [AttributeText] = []
  private var elementIndex = NameIndex()
  private var attributeIndex = NameIndex()
  private let ranks: [String: Int]
  /// The number of elements and attributes that the policy itself names.
  private var ownElements = 0
  private var ownAttributes = 0
  /// The own elements on which each own attribute is allowed, by namespace.
  private var scopes: [Policy.Namespace: [Scope]] = [:]
  private var htmlScopes: [Scope] = []
  private let patterns: NamePatterns
  private let hasPatterns: Bool
  /// The attributes with rules for their values or URLs alone.
  private let ruledAttributes: Set<String>
  /// The rules for values and URLs of single attributes.
  private(set) var valueRules: ValueRules

  init(_ settings: WalkerSettings) {
    self.settings = settings
    let policy = settings.policy
    patterns = NamePatterns(policy)
    hasPatterns = patterns.count > 0
    let ruled = [policy.values, policy.urls.schemesByAttribute]
    ruledAttributes = Set(ruled.flatMap { $0.values.flatMap(\.keys) } + policy.forcedAttributes.values.flatMap(\.keys))
    valueRules = ValueRules()
    let names = Set(policy.attributes.values.flatMap(\.values).flatMap { $0 }).union(AttributeNumbers.attributes)
      .union(ruledAttributes).filter { NamePattern($0) == nil }
    let sorted = names.sorted()
    ranks = Dictionary(uniqueKeysWithValues: sorted.enumerated().map { ($1, $0) })
    let scoped = policy.attributes.values.flatMap(\.keys)
    let own = Set(policy.elements.values.flatMap { $0 }).union(scoped)
      .union(ruled.flatMap(\.keys)).union(policy.forcedAttributes.keys).filter { $0 != "*" && NamePattern($0) == nil }
    for name in own.sorted() { add(element: name) }
    for name in sorted { add(attribute: name) }
    valueRules = ValueRules(
      policy, element: { self.elementIndex.number(of: $0) }, attribute: { self.attributeIndex.number(of: $0) })
    (ownElements, ownAttributes) = (elements.count, attributes.count)
    for namespace in Policy.Namespace.allCases {
      scopes[namespace] = scopes(in: namespace, sorted)
    }
    htmlScopes = scopes[.html] ?? []
    known = AttributeNumbers { self.attributeIndex.number(of: $0) }
  }

  // MARK: - Names

  /// Returns the number of an element; a new one is added.
  mutating func number(ofElement name: String) -> Int {
    if let known = elementIndex.number(of: name) { return known }
    add(element: name)
    return elements.count - 1
  }

  /// Returns the number of an attribute; a new one is added.
  mutating func number(ofAttribute name: String) -> Int {
    if let known = attributeIndex.number(of: name) { return known }
    add(attribute: name)
    return attributes.count - 1
  }

  /// Returns the number of an element by its name in lower case; nil when it has none.
  func knownElement(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Int? {
    elementIndex.number(of: bytes, range)
  }

  /// Whether there are so many names that unused ones should be removed.
  var isCrowded: Bool { elements.count + attributes.count > 8192 }

  func text(ofElement number: Int) -> String { elementNames[number] }

  func text(ofAttribute number: Int) -> String { attributeNames[number] }

  /// Returns an element's tags in the namespace's own spelling.
  func tags(ofElement number: Int, in namespace: Policy.Namespace) -> TagText {
    namespace == .svg ? elementTexts[number].svg : elementTexts[number].html
  }

  /// Returns the text before an attribute's value, in the namespace's own spelling.
  func beginning(ofAttribute number: Int, in namespace: Policy.Namespace) -> Range<Int> {
    switch namespace {
    case .html: attributeTexts[number].html
    case .svg: attributeTexts[number].svg
    case .math: attributeTexts[number].math
    }
  }

  // MARK: - Rules

  /// Returns whether an attribute is allowed on an element of the namespace.
  func allows(attribute: Int, on element: Int, in namespace: Policy.Namespace) -> Bool {
    if attribute < ownAttributes, element < ownElements {
      let isListed =
        namespace == .html
        ? htmlScopes[attribute].contains(element) : scopes[namespace]?[attribute].contains(element) ?? false
      if isListed || !hasPatterns { return isListed }
    }
    return hasPatterns && allowsByPattern(attribute, element, namespace)
  }

  /// Returns whether an attribute is written before another: those that the policy names first, each in order of names.
  func isOrdered(attribute: Int, before other: Int) -> Bool {
    let (rank, otherRank) = (attributes[attribute].rank, attributes[other].rank)
    return rank != otherRank || rank < .max
      ? rank < otherRank : attributeNames[attribute].utf8.lexicographicallyPrecedes(attributeNames[other].utf8)
  }

  /// Returns whether an attribute is allowed on an element, for one of which a pattern of the policy stands.
  private func allowsByPattern(_ attribute: Int, _ element: Int, _ namespace: Policy.Namespace) -> Bool {
    if attribute < ownAttributes, scopes[namespace]?[attribute].isEverywhere == true {
      return elements[element].verdict(in: namespace) == .keep
    }
    let name = attributeNames[attribute]
    return patterns.allow(attribute: name, on: elementNames[element], in: namespace)
      && Policy.Floor.objection(toAttribute: name) == nil
  }

  private static let costs = ["audio": 20, "bdi": 1, "q": 1, "track": 20, "video": 20]

  // MARK: - Making

  private mutating func add(element name: String) {
    elementIndex.add(name)
    elementNames.append(name)
    elementTexts.append(ElementText(html: tags(name), svg: tags(ForeignNames.spelling(ofElement: name, in: .svg))))
    elements.append(
      Element(
        number: elements.count, traits: .of(name), role: .of(name), html: verdict(name, .html),
        svg: verdict(name, .svg), math: verdict(name, .math),
        root: name == "svg" ? .svg : name == "math" ? .math : nil,
        isTextOnlyInSVG: ForeignNames.svgTextOnly.contains(name),
        isTextOnlyInMath: ForeignNames.mathTextOnly.contains(name), isDescription: name == "desc",
        isDefinition: DrawingBounds.definitions.contains(name),
        holdsHTMLInSVG: name == "foreignobject",
        embed: .of(name),
        standsFor: settings.policy.improvements.readsAMP ? .of(name) : nil, cost: Self.costs[name] ?? 0,
        boxKind: .of(name)))
  }

  private mutating func add(attribute name: String) {
    attributeIndex.add(name)
    attributeNames.append(name)
    attributeTexts.append(
      AttributeText(
        html: beginning(name), svg: beginning(ForeignNames.spelling(ofAttribute: name, in: .svg)),
        math: beginning(ForeignNames.spelling(ofAttribute: name, in: .math))))
    attributes.append(Attribute(name, rank: ranks[name] ?? .max, hasValueRules: ruledAttributes.contains(name)))
  }

  private mutating func tags(_ name: String) -> TagText {
    TagText(start: write("<\(name)"), end: write("</\(name)>"))
  }

  private mutating func beginning(_ name: String) -> Range<Int> { write(" \(name)=\"") }

  private mutating func write(_ text: String) -> Range<Int> {
    let start = written.count
    written.append(contentsOf: text.utf8)
    return start..<written.count
  }

  private func verdict(_ name: String, _ namespace: Policy.Namespace) -> Verdict {
    if Policy.Floor.droppedWithContent.contains(name) { return .drop }
    // A pattern is no name: an element that is called like one is matched by none.
    let isListed = settings.policy.elements[namespace]?.contains(name) == true && NamePattern(name) == nil
    // Without its table, a browser leaves out the tag of a cell.
    let isPart = namespace == .html && ElementTable.tableParts.contains(name)
    let dropped = settings.policy.droppedElements
    if isListed || hasPatterns && !dropped.contains(name) && patterns.allow(name, in: namespace),
      !isPart || verdict("table", .html) == .keep, Policy.Floor.objection(toElement: name, in: namespace) == nil
    {
      return .keep
    }
    if namespace == .svg, ForeignNames.neverRendered.contains(name) { return .drop }
    if dropped.contains(name) { return .drop }
    return dropped.contains("*") && !settings.policy.unwrappedElements.contains(name) ? .drop : .unwrap
  }

  /// Returns for each of the policy's attributes the elements on which it is allowed.
  private func scopes(in namespace: Policy.Namespace, _ names: [String]) -> [Scope] {
    let rules = settings.policy.attributes[namespace] ?? [:]
    let everywhere = rules["*"] ?? []
    var scopes = names.map { Scope(isEverywhere: everywhere.contains($0)) }
    for (element, allowed) in rules {
      guard element != "*", let number = elementIndex.number(of: element) else { continue }
      for name in allowed {
        if let attribute = attributeIndex.number(of: name) { scopes[attribute].elements.append(number) }
      }
    }
    for (number, name) in names.enumerated() {
      if Policy.Floor.objection(toAttribute: name) != nil { scopes[number] = Scope(isEverywhere: false) }
      scopes[number].elements.sort()
    }
    return scopes
  }

  /// The elements on which an attribute is allowed; its size is that of the rules for the attribute.
  private struct Scope {
    var isEverywhere: Bool
    /// The numbers of the elements, in order.
    var elements: [Int] = []

    func contains(_ element: Int) -> Bool {
      if isEverywhere { return true }
      var (low, high) = (0, elements.count)
      while low < high {
        let middle = (low + high) / 2
        if elements[middle] < element { low = middle + 1 } else { high = middle }
      }
      return low < elements.count && elements[low] == element
    }
  }
}

/// The numbers of attributes that the walker looks up by name.
struct AttributeNumbers {
  private(set) var href = 0
  private(set) var src = 0
  private(set) var srcset = 0
  private(set) var rel = 0
  private(set) var loading = 0
  private(set) var width = 0
  private(set) var height = 0
  private(set) var alt = 0
  private(set) var align = 0
  private(set) var poster = 0
  private(set) var title = 0
  private(set) var style = 0
  private(set) var `class` = 0
  private(set) var hidden = 0
  private(set) var popover = 0
  private(set) var id = 0
  private(set) var colspan = 0
  /// The attribute of MathML that is HTML's `colspan`.
  private(set) var columnspan = 0
  private(set) var rowspan = 0
  private(set) var span = 0
  private(set) var value = 0
  private(set) var xmlns = 0
  private(set) var xmlnsXlink = 0
  /// The attributes in which scripts keep the real source of an image, most specific first.
  private(set) var lazySources: [Int] = []

  /// The attributes in which scripts keep the real `srcset`.
  private(set) var lazySourceSets: [Int] = []

  private static let lazySourceSetNames = ["data-srcset", "data-lazy-srcset", "data-original-set"]
  private static let lazySourceNames = [
    "data-src", "data-original", "data-lazy-src", "data-lazy", "data-hi-res-src", "data-orig-file", "data-large-file",
    "data-src-retina", "data-flickity-lazyload", "data-echo", "data-actualsrc",
  ]

  private static var namedPaths: [(WritableKeyPath<AttributeNumbers, Int>, String)] {
    [
      (\.href, "href"), (\.src, "src"), (\.srcset, "srcset"), (\.rel, "rel"), (\.loading, "loading"),
      (\.width, "width"), (\.height, "height"), (\.alt, "alt"), (\.align, "align"),
      (\.poster, "poster"), (\.title, "title"),
      (\.style, "style"), (\.class, "class"), (\.hidden, "hidden"), (\.popover, "popover"), (\.colspan, "colspan"),
      (\.columnspan, "columnspan"), (\.rowspan, "rowspan"),
      (\.span, "span"), (\.value, "value"), (\.id, "id"), (\.xmlns, "xmlns"),
      (\.xmlnsXlink, "xmlns:xlink"),
    ]
  }

  /// The names of the attributes.
  static var attributes: [String] { namedPaths.map(\.1) + lazySourceNames + lazySourceSetNames }

  init() {}

  /// Looks up the number of each attribute.
  init(number: (String) -> Int?) {
    for (path, name) in Self.namedPaths { self[keyPath: path] = number(name) ?? 0 }
    lazySources = Self.lazySourceNames.compactMap(number)
    lazySourceSets = Self.lazySourceSetNames.compactMap(number)
  }
}
