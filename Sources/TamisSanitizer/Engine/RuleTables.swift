import TamisXML

/// A policy compiled for the walker: a number for each name, a verdict for each number.
///
/// Names that no rule mentions get numbers as they appear, so a lookup is an index into an array, not a comparison of
/// strings. One per engine; never shared between tasks. Classes, so that handing them around copies nothing.
final class RuleTables {
  /// What becomes of an element.
  enum Verdict: UInt8 {
    /// It stays.
    case keep
    /// Its tags go, its content stays.
    case unwrap
    /// It goes with everything inside.
    case drop
  }

  final class Element {
    let text: String
    let name: [UInt8]
    let svgName: [UInt8]
    let traits: ElementTraits
    let role: ElementRole
    let html: Verdict
    let svg: Verdict
    let math: Verdict
    /// The namespace this element begins, for `svg` and `math`.
    let root: Policy.Namespace?
    let isTextOnlyInSVG: Bool
    let isTextOnlyInMath: Bool

    init(
      text: String, name: [UInt8], svgName: [UInt8], traits: ElementTraits, role: ElementRole, html: Verdict,
      svg: Verdict, math: Verdict, root: Policy.Namespace?, isTextOnlyInSVG: Bool, isTextOnlyInMath: Bool
    ) {
      self.text = text
      self.name = name
      self.svgName = svgName
      self.traits = traits
      self.role = role
      self.html = html
      self.svg = svg
      self.math = math
      self.root = root
      self.isTextOnlyInSVG = isTextOnlyInSVG
      self.isTextOnlyInMath = isTextOnlyInMath
    }

    func verdict(in namespace: Policy.Namespace) -> Verdict {
      switch namespace {
      case .html: html
      case .svg: svg
      case .math: math
      }
    }

    /// The name in the namespace's own spelling.
    func name(in namespace: Policy.Namespace) -> [UInt8] { namespace == .svg ? svgName : name }
  }

  final class Attribute {
    let text: String
    let kind: AttributeKind
    let htmlName: [UInt8]
    let svgName: [UInt8]
    let mathName: [UInt8]
    let html: Scope
    let svg: Scope
    let math: Scope
    /// Its place among all allowed attributes, which are written in the order of their names.
    let rank: Int

    init(
      text: String, kind: AttributeKind, htmlName: [UInt8], svgName: [UInt8], mathName: [UInt8], html: Scope,
      svg: Scope, math: Scope, rank: Int
    ) {
      self.text = text
      self.kind = kind
      self.htmlName = htmlName
      self.svgName = svgName
      self.mathName = mathName
      self.html = html
      self.svg = svg
      self.math = math
      self.rank = rank
    }

    /// The name in the namespace's own spelling.
    func name(in namespace: Policy.Namespace) -> [UInt8] {
      switch namespace {
      case .html: htmlName
      case .svg: svgName
      case .math: mathName
      }
    }

    /// Whether it may be on an element of the namespace.
    func isAllowed(on element: Int, in namespace: Policy.Namespace) -> Bool {
      switch namespace {
      case .html: html.allows(element)
      case .svg: svg.allows(element)
      case .math: math.allows(element)
      }
    }
  }

  /// The elements an attribute may be on.
  struct Scope {
    var isEverywhere = false
    var elements: Set<Int> = []

    func allows(_ element: Int) -> Bool { isEverywhere || elements.contains(element) }
  }

  let policy: Policy
  private(set) var elements: [Element] = []
  private(set) var attributes: [Attribute] = []
  private var elementNumbers: [String: Int] = [:]
  private var attributeNumbers: [String: Int] = [:]
  private let ranks: [String: Int]
  private var implicitEnds: [Int: Bool] = [:]

  init(policy: Policy) {
    self.policy = policy
    let names = Set(policy.attributes.values.flatMap(\.values).flatMap { $0 }).union(["id", "loading", "rel"])
    ranks = Dictionary(uniqueKeysWithValues: names.sorted().enumerated().map { ($1, $0) })
    for name in Set(policy.elements.values.flatMap { $0 }).sorted() { _ = number(ofElement: name) }
  }

  /// The number of an element, given to it now if it has none.
  func number(ofElement name: String) -> Int {
    if let known = elementNumbers[name] { return known }
    let number = elements.count
    elementNumbers[name] = number
    elements.append(
      Element(
        text: name, name: Array(name.utf8), svgName: Array((ForeignNames.svgElements[name] ?? name).utf8),
        traits: .of(name), role: .of(name), html: verdict(name, .html), svg: verdict(name, .svg),
        math: verdict(name, .math), root: name == "svg" ? .svg : name == "math" ? .math : nil,
        isTextOnlyInSVG: ForeignNames.svgTextOnly.contains(name),
        isTextOnlyInMath: ForeignNames.mathTextOnly.contains(name)))
    return number
  }

  /// The number of an attribute, given to it now if it has none.
  func number(ofAttribute name: String) -> Int {
    if let known = attributeNumbers[name] { return known }
    let number = attributes.count
    attributeNumbers[name] = number
    attributes.append(
      Attribute(
        text: name, kind: .of(name), htmlName: Array(name.utf8),
        svgName: Array((ForeignNames.svgAttributes[name] ?? name).utf8),
        mathName: Array((ForeignNames.mathAttributes[name] ?? name).utf8),
        html: scope(name, .html), svg: scope(name, .svg), math: scope(name, .math), rank: ranks[name] ?? .max))
    return number
  }

  /// Whether libxml2 would end the element `open` where `next` begins just inside it.
  ///
  /// What the walker writes must not nest so, or the next pass would read it differently.
  func ends(_ open: Int, atStartOf next: Int) -> Bool {
    let key = open << 32 | next
    if let known = implicitEnds[key] { return known }
    let answer = HTMLReader.ends(elements[open].text, atStartOf: elements[next].text)
    implicitEnds[key] = answer
    return answer
  }

  private func verdict(_ name: String, _ namespace: Policy.Namespace) -> Verdict {
    if Floor.droppedWithContent.contains(name) { return .drop }
    if Floor.objection(toElement: name, in: namespace) == nil, policy.elements[namespace]?.contains(name) == true {
      return .keep
    }
    return policy.droppedElements.contains(name) ? .drop : .unwrap
  }

  private func scope(_ name: String, _ namespace: Policy.Namespace) -> Scope {
    guard Floor.objection(toAttribute: name) == nil, let rules = policy.attributes[namespace] else { return Scope() }
    var scope = Scope(isEverywhere: rules["*"]?.contains(name) == true)
    for (element, names) in rules where element != "*" && names.contains(name) {
      scope.elements.insert(number(ofElement: element))
    }
    return scope
  }
}

/// How the value of an attribute is checked.
enum AttributeKind: Hashable {
  /// Any text.
  case text
  /// One URL.
  case url
  /// A list of image candidates.
  case sourceSet
  /// CSS declarations.
  case style
  /// A name in the document.
  case identifier
  /// Class names.
  case classes
  /// A name of an element of the same document, after `#`.
  case localReference
  /// Text without regard to case, written in lower case.
  case keyword
  /// An SVG value that may refer to another element by `url(#…)`.
  case paint

  static func of(_ name: String) -> AttributeKind {
    switch name {
    case "href", "src", "action", "cite", "background", "poster", "longdesc", "data", "codebase", "classid", "profile",
      "dynsrc", "lowsrc", "icon", "manifest", "archive", "xlink:href", "datasrc", "vrml", "urn", "altimg", "template",
      "xml:base", "code", "content":
      .url
    case "srcset", "imagesrcset": .sourceSet
    case "style": .style
    case "id", "name": .identifier
    case "class": .classes
    case "usemap": .localReference
    case "rel", "type": .keyword
    case "fill", "stroke", "filter", "mask", "clip-path", "marker-start", "marker-mid", "marker-end", "marker",
      "cursor",
      "color-profile":
      .paint
    default: .text
    }
  }
}
