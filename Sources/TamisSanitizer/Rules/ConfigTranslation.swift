import TamisCore

/// Makes the policy that allows what a ``SanitizerConfig`` allows, as far as the floor permits it.
///
/// A configuration may be a list of what is removed; the policy then allows all other names that are known.
struct ConfigTranslation {
  /// What the policy cannot say.
  private(set) var findings: [Finding] = []
  private let config: SanitizerConfig
  private let locations: [SanitizerConfig.Name: Finding.Location]
  private let file: String

  init(of config: SanitizerConfig, locations: [SanitizerConfig.Name: Finding.Location], file: String) {
    (self.config, self.locations, self.file) = (config, locations, file)
  }

  /// Returns the policy.
  ///
  /// What a configuration does not speak of is as in other shipped rules: the schemes of URLs are those of `reading`,
  /// and the properties of styles those of `universal-feed-parser`.
  mutating func policy() -> Policy {
    var policy = Policy(name: file.hasSuffix(".json") ? String(file.dropLast(5)) : file)
    policy.urls.schemes = Policy.reading.urls.schemes
    policy.urls.allowsDataImages = true
    policy.styles = Policy.universalFeedParser.styles
    readElements(into: &policy)
    for namespace in Policy.Namespace.allCases { readAttributes(in: namespace, into: &policy) }
    if config.comments == true { note("comments are never kept; set it to false") }
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
      guard let (name, namespace) = Self.element(element.name) else {
        warn("no element is called '\(element.name.name)' in its namespace; names have their case", element.name)
        continue
      }
      if let objection = Policy.objection(toElement: name, in: namespace) {
        warn(objection, element.name)
        if Self.showsContent.contains(name) { policy.unwrappedElements.insert(name) }
      } else {
        policy.elements[namespace, default: []].insert(name)
      }
    }
    // A policy has one list of what loses its tags, for all namespaces.
    for (name, namespace) in replaced {
      for other in Policy.Namespace.allCases where other != namespace && policy.elements[other]?.isEmpty == false {
        let isMeant = replaced.contains { $0 == (name, other) } || policy.elements[other]?.contains(name) == true
        if !isMeant, KnownNames.elements(other).contains(name) {
          note("'\(name)' loses its tags in \(other.rawValue) too")
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
    let listed = (config.removeElements ?? []) + (config.replaceWithChildrenElements ?? [])
    policy.droppedElements.formUnion((config.removeElements ?? []).compactMap(Self.element).map(\.name))
    let removed = Set(listed.compactMap { Self.element($0).map { Place(name: $0.name, namespace: $0.namespace) } })
    for namespace in Policy.Namespace.allCases {
      let allowed = KnownNames.elements(namespace).filter {
        Policy.objection(toElement: $0, in: namespace) == nil
          && !removed.contains(Place(name: $0, namespace: namespace))
      }
      policy.elements[namespace] = allowed
    }
  }

  private struct Place: Hashable {
    let name: String
    let namespace: Policy.Namespace
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
      let isOwn = namespace == .html || !ForeignNames.isQualified(lowercase)
      return isOwn && name.name == ForeignNames.spelling(ofAttribute: lowercase, in: namespace) ? lowercase : nil
    }
    guard namespace != .html, let prefix = ForeignNames.attributePrefixes[uri] else { return nil }
    let qualified = "\(prefix):\(name.name)"
    return ForeignNames.isQualified(qualified) ? qualified : nil
  }

  // MARK: - Findings

  private mutating func warn(_ message: String, _ name: SanitizerConfig.Name) {
    let finding = Finding(
      .warning, "rules.doubtful", message, at: locations[name] ?? Finding.Location(file: file))
    // A name that is allowed everywhere is looked at for each namespace.
    if !findings.contains(finding) { findings.append(finding) }
  }

  private mutating func note(_ message: String) {
    findings.append(Finding(.note, "rules.doubtful", message, at: Finding.Location(file: file)))
  }
}
