import TamisCore

/// Makes the policy that allows what a ``SanitizerConfig`` allows, as far as the floor permits it.
///
/// A configuration may be a list of what is removed; the policy then allows all other names that are known.
struct ConfigTranslation {
  /// What the policy cannot say.
  private(set) var findings: [Finding] = []
  private let config: SanitizerConfig
  private let file: String
  /// The findings for lookup: a name that is allowed everywhere is looked at for each namespace.
  private var said: Set<Finding> = []

  init(of config: SanitizerConfig, file: String) { (self.config, self.file) = (config, file) }

  /// Returns the policy.
  ///
  /// What a configuration does not speak of is as in other shipped rules: the schemes of URLs are those of `reading`,
  /// and the properties of styles those of `universal-feed-parser`.
  mutating func policy() -> Policy {
    var policy = Policy(name: SanitizerConfig.isFile(named: file) ? String(file.dropLast(5)) : file)
    policy.urls.schemes = Policy.reading.urls.schemes
    policy.urls.allowsDataImages = true
    readElements(into: &policy)
    for namespace in Policy.Namespace.allCases { readAttributes(in: namespace, into: &policy) }
    if policy.attributes.values.contains(where: { $0.values.contains { $0.contains("style") } }) {
      policy.styles = Policy.universalFeedParser.styles
    }
    warnAboutNames()
    if config.comments == true { note("comments are never kept; leave it out") }
    return policy
  }

  // MARK: - Elements

  private mutating func readElements(into policy: inout Policy) {
    let replaced = (config.replaceWithChildrenElements ?? []).compactMap(Self.element)
    policy.unwrappedElements = Set(replaced.map(\.name))
    policy.droppedElements = Policy.Floor.elements.subtracting(Self.showsContent)
    guard let elements = config.elements else { return allowKnown(in: &policy) }
    policy.droppedElements.insert("*")
    for element in elements {
      guard let (name, namespace) = Self.element(element.name) else { continue }
      if let objection = Policy.objection(toElement: name, in: namespace) {
        warn(objection, element.name)
        if Self.showsContent.contains(name) { policy.unwrappedElements.insert(name) }
      } else {
        policy.elements[namespace, default: []].insert(name)
      }
    }
    noteSharedNames(replaced.map(Place.init), policy) { "'\($0)' loses its tags in \($1.rawValue) too" }
  }

  /// Notes names of a list that mean elements of other namespaces too: a policy has one list for all.
  private mutating func noteSharedNames(
    _ places: [Place], _ policy: Policy, _ message: (String, Policy.Namespace) -> String
  ) {
    let listed = Set(places)
    for other in Policy.Namespace.allCases {
      guard let allowed = policy.elements[other], !allowed.isEmpty else { continue }
      let known = KnownNames.elements(other)
      for place in places where place.namespace != other && known.contains(place.name) {
        if !allowed.contains(place.name), !listed.contains(Place(place.name, other)) {
          note(message(place.name, other))
        }
      }
    }
  }

  /// Elements of the floor whose content browsers show, so that it stays where the element was meant to be kept.
  private static let showsContent: Set<String> = [
    "applet", "basefont", "bgsound", "body", "dialog", "discard", "foreignobject", "html", "noscript", "object",
    "plaintext", "slot", "xmp",
  ]

  /// Allows all known elements but those that the configuration removes or replaces.
  private mutating func allowKnown(in policy: inout Policy) {
    note("without 'elements', elements that are not known lose their tags and keep their content")
    let removed = (config.removeElements ?? []).compactMap(Self.element).map(Place.init)
    let replaced = (config.replaceWithChildrenElements ?? []).compactMap(Self.element).map(Place.init)
    policy.droppedElements.formUnion(removed.map(\.name))
    let listed = Set(removed + replaced)
    for namespace in Policy.Namespace.allCases {
      policy.elements[namespace] = KnownNames.elements(namespace).filter {
        Policy.objection(toElement: $0, in: namespace) == nil && !listed.contains(Place($0, namespace))
      }
    }
    noteSharedNames(removed, policy) { "'\($0)' goes with its content in \($1.rawValue) too" }
    noteSharedNames(replaced, policy) { "'\($0)' loses its tags in \($1.rawValue) too" }
  }

  private struct Place: Hashable {
    let name: String
    let namespace: Policy.Namespace

    init(_ name: String, _ namespace: Policy.Namespace) { (self.name, self.namespace) = (name, namespace) }

    init(_ place: (name: String, namespace: Policy.Namespace)) { self.init(place.name, place.namespace) }
  }

  // MARK: - Attributes

  private mutating func readAttributes(in namespace: Policy.Namespace, into policy: inout Policy) {
    guard let elements = policy.elements[namespace], !elements.isEmpty else { return }
    let everywhere = attributesEverywhere(in: namespace)
    var lists: [String: Set<String>] = [:]
    for element in config.elements ?? [] {
      guard let place = Self.element(element.name), place.namespace == namespace, elements.contains(place.name),
        element.attributes != nil || element.removeAttributes != nil
      else { continue }
      lists[place.name] = attributes(of: element, in: namespace, everywhere)
    }
    // What every element allows is listed once; elements with removals of their own list what is left.
    let shared = lists.values.reduce(everywhere) { $0.intersection($1) }
    if shared != everywhere {
      for element in elements where lists[element] == nil { lists[element] = everywhere }
    }
    var attributes = lists.mapValues { $0.subtracting(shared) }.filter { !$0.value.isEmpty }
    if !shared.isEmpty { attributes["*"] = shared }
    policy.attributes[namespace] = attributes
  }

  /// Returns the attributes that are allowed on an element without lists of its own.
  private mutating func attributesEverywhere(in namespace: Policy.Namespace) -> Set<String> {
    if let attributes = config.attributes {
      var allowed = allowed(attributes, in: namespace)
      if config.dataAttributes == true { allowed.insert("data-*") }
      return allowed
    }
    // Declarations of namespaces would be added to each root where they are allowed.
    let known = Policy.Namespace.allCases.reduce(into: Set<String>()) { $0.formUnion(KnownNames.attributes($1)) }
    var allowed = known.subtracting(["xmlns", "xmlns:xlink"]).filter { Policy.objection(toAttribute: $0) == nil }
    allowed.formUnion(["aria-*", "data-*"])
    remove(config.removeAttributes ?? [], in: namespace, from: &allowed)
    return allowed
  }

  private mutating func attributes(
    of element: SanitizerConfig.Element, in namespace: Policy.Namespace, _ everywhere: Set<String>
  ) -> Set<String> {
    var attributes = config.attributes == nil && element.attributes != nil ? [] : everywhere
    attributes.formUnion(allowed(element.attributes ?? [], in: namespace))
    remove(element.removeAttributes ?? [], in: namespace, from: &attributes)
    return attributes
  }

  private mutating func remove(
    _ names: [SanitizerConfig.Name], in namespace: Policy.Namespace, from attributes: inout Set<String>
  ) {
    for name in names {
      guard let attribute = Self.attribute(name, in: namespace) else { continue }
      attributes.remove(attribute)
      // A pattern has no exceptions.
      for pattern in ["aria-*", "data-*"] where NamePattern(pattern)?.matches(attribute) == true {
        if attributes.remove(pattern) != nil { warn("'\(name.name)' cannot go alone; all '\(pattern)' go", name) }
      }
    }
  }

  private mutating func allowed(_ names: [SanitizerConfig.Name], in namespace: Policy.Namespace) -> Set<String> {
    var allowed: Set<String> = []
    for name in names {
      guard let attribute = Self.attribute(name, in: namespace) else { continue }
      if let objection = Policy.objection(toAttribute: attribute) {
        warn(objection, name)
      } else {
        allowed.insert(attribute)
      }
    }
    return allowed
  }

  // MARK: - Names

  /// Returns an element's name in a policy; nil when no document has an element of the name.
  ///
  /// Parsers write HTML in lower case and SVG in its own spelling; a configuration is compared as it is.
  private static func element(_ name: SanitizerConfig.Name) -> (name: String, namespace: Policy.Namespace)? {
    guard let namespace = SanitizerConfig.namespace(name.namespace), Policy.isName(name.name) else { return nil }
    let lowercase = name.name.asciiLowercased()
    return name.name == ForeignNames.spelling(ofElement: lowercase, in: namespace) ? (lowercase, namespace) : nil
  }

  /// Returns an attribute's name in a policy; nil when no element of the namespace has an attribute of the name.
  private static func attribute(_ name: SanitizerConfig.Name, in namespace: Policy.Namespace) -> String? {
    if !Policy.isName(name.name) { return nil }
    let lowercase = name.name.asciiLowercased()
    guard let uri = name.namespace else {
      let isOwn = namespace == .html || !ForeignNames.isQualified(lowercase) && lowercase != "xmlns"
      return isOwn && name.name == ForeignNames.spelling(ofAttribute: lowercase, in: namespace) ? lowercase : nil
    }
    guard namespace != .html, let prefix = ForeignNames.attributePrefixes[uri] else { return nil }
    if uri == ForeignNames.xmlns, name.name == "xmlns" { return "xmlns" }
    let qualified = "\(prefix):\(name.name)"
    return ForeignNames.isQualified(qualified) ? qualified : nil
  }

  // MARK: - Findings

  /// Warns about names that no document has, and about misspelled ones.
  private mutating func warnAboutNames() {
    let elements = (config.elements ?? []).map(\.name) + (config.removeElements ?? [])
    for name in elements + (config.replaceWithChildrenElements ?? []) {
      guard let namespace = SanitizerConfig.namespace(name.namespace) else {
        warn("the namespace of '\(name.name)' is none of HTML, SVG and MathML", name)
        continue
      }
      warn(about: name, isName: Self.element(name) != nil, "element", KnownNames.elements(namespace))
    }
    let ownLists = (config.elements ?? []).flatMap { ($0.attributes ?? []) + ($0.removeAttributes ?? []) }
    let known = Policy.Namespace.allCases.reduce(into: Set<String>()) { $0.formUnion(KnownNames.attributes($1)) }
    for name in (config.attributes ?? []) + (config.removeAttributes ?? []) + ownLists {
      let isName = Policy.Namespace.allCases.contains { Self.attribute(name, in: $0) != nil }
      warn(about: name, isName: isName, "attribute", known)
    }
  }

  /// The number of names that were compared with the known ones; each comparison scans the whole list.
  private var comparedNames = 0

  private mutating func warn(about name: SanitizerConfig.Name, isName: Bool, _ what: String, _ known: Set<String>) {
    if !isName {
      return warn("no \(what) is called '\(name.name)' in its namespace; names have their case", name)
    }
    let lowercase = name.name.asciiLowercased()
    // The known names of XLink's and XML's attributes have their prefix, which a configuration leaves out.
    let hasPrefix = name.namespace.map { ForeignNames.attributePrefixes[$0] != nil } ?? false
    guard !hasPrefix, !known.contains(lowercase), !lowercase.contains("-"), comparedNames < RuleLint.comparedNames
    else {
      return
    }
    comparedNames += 1
    if let near = KnownNames.near(lowercase, in: known) {
      warn("no \(what) is called '\(name.name)'; did you mean '\(near)'?", name)
    }
  }

  private mutating func warn(_ message: String, _ name: SanitizerConfig.Name) {
    add(Finding(.warning, "rules.doubtful", message, at: name.location ?? Finding.Location(file: file)))
  }

  private mutating func note(_ message: String) {
    add(Finding(.note, "rules.doubtful", message, at: Finding.Location(file: file)))
  }

  private mutating func add(_ finding: Finding) {
    if said.insert(finding).inserted { findings.append(finding) }
  }
}
