import TamisCore

/// The configuration of a policy.
extension SanitizerConfig {
  /// Makes the configuration that allows what a policy allows.
  ///
  /// The ``findings`` name what a configuration cannot say: rules for values, URLs and styles, improvements, and names
  /// that end with `*`, other than `data-*` on every element.
  ///
  /// - Parameter policy: the policy, whose names are in lower case.
  public init(_ policy: Policy) {
    self.init(beside: policy)
    let namespaces = Policy.Namespace.allCases.filter { policy.elements[$0]?.isEmpty == false }
    let lists = namespaces.map { namespace in
      Set((policy.attributes[namespace]?["*"] ?? []).compactMap { Self.attribute($0, in: namespace) })
    }
    let everywhere = lists.dropFirst().reduce(lists.first ?? []) { $0.intersection($1) }
    attributes = everywhere.sorted()
    comments = false
    dataAttributes =
      !namespaces.isEmpty && namespaces.allSatisfy { policy.attributes[$0]?["*"]?.contains("data-*") == true }
    if dataAttributes == true { attributes?.removeAll(where: \.isDataAttribute) }
    elements = namespaces.flatMap { namespace in
      (policy.elements[namespace] ?? []).sorted().filter { NamePattern($0) == nil }.map {
        element($0, in: namespace, everywhere)
      }
    }
    replaceWithChildrenElements = Self.unwrapped(policy)
    findings = losses
  }

  private func element(_ name: String, in namespace: Policy.Namespace, _ everywhere: Set<Name>) -> Element {
    let lists = policy.attributes[namespace] ?? [:]
    let names = Set((lists["*"] ?? []).union(lists[name] ?? []).compactMap { Self.attribute($0, in: namespace) })
      .subtracting(everywhere).filter { dataAttributes != true || !$0.isDataAttribute }
    return Element(
      name: Name(name: ForeignNames.spelling(ofElement: name, in: namespace), namespace: Self.uri(namespace)),
      attributes: names.isEmpty ? nil : names.sorted())
  }

  /// Returns an attribute's name in a configuration; nil for a pattern.
  private static func attribute(_ name: String, in namespace: Policy.Namespace) -> Name? {
    if NamePattern(name) != nil { return nil }
    if namespace != .html, name == "xmlns" { return Name(name: name, namespace: ForeignNames.xmlns) }
    if namespace != .html, ForeignNames.isQualified(name), let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) {
      let prefix = name[..<colon]
      let uri = ForeignNames.attributePrefixes.first { $0.value == prefix }?.key
      return Name(name: String(name[name.utf8.index(after: colon)...]), namespace: uri)
    }
    return Name(name: ForeignNames.spelling(ofAttribute: name, in: namespace), namespace: nil)
  }

  /// Returns the elements whose tags are removed, which a browser has to be told by name.
  private static func unwrapped(_ policy: Policy) -> [Name] {
    Policy.Namespace.allCases.flatMap { namespace in
      let known = KnownNames.elements(namespace)
      let candidates: Set<String>
      if policy.droppedElements.contains("*") {
        candidates = namespace == .html ? policy.unwrappedElements : policy.unwrappedElements.intersection(known)
      } else if namespace == .html || policy.elements[namespace]?.isEmpty == false {
        candidates = known.subtracting(policy.droppedElements)
      } else {
        // What a vocabulary holds of which nothing is allowed needs no list: its root goes with its content.
        candidates = []
      }
      let removed = Policy.Floor.droppedWithContent.union(namespace == .svg ? ForeignNames.neverRendered : [])
        .union(Policy.Namespace.allCases.map(\.rawValue))
      let names = candidates.subtracting(policy.elements[namespace] ?? []).subtracting(removed)
      return names.filter(Policy.isName).sorted().map {
        Name(name: ForeignNames.spelling(ofElement: $0, in: namespace), namespace: uri(namespace))
      }
    }
  }

  // MARK: - Losses

  private var losses: [Finding] {
    let changed = PolicySetting.all.filter { $0.isSet(in: policy) && !["drop", "unwrap"].contains($0.path) }
    var losses =
      changed.isEmpty ? [] : ["not part of a sanitizer configuration: \(changed.map(\.path).joined(separator: ", "))"]
    let patterns = policy.elements.values.joined() + policy.attributes.values.flatMap { $0.values.joined() }
    losses += Set(patterns.filter { NamePattern($0) != nil && !($0 == "data-*" && dataAttributes == true) }).sorted()
      .map { "'\($0)' is not part of a sanitizer configuration; list what it stands for" }
    if policy.tidy != .never { losses.append("'tidy' is not part of a sanitizer configuration") }
    if !policy.droppedElements.contains("*") {
      losses.append("a browser removes elements that it does not know with their content")
    }
    return losses.map { Finding(.note, "rules.doubtful", $0, at: Finding.Location(file: policy.name)) }
  }
}

extension SanitizerConfig.Name: Comparable {
  /// Returns whether a name is before another: by namespace, those in none first, and then by name.
  static func < (lhs: Self, rhs: Self) -> Bool { (lhs.namespace ?? "", lhs.name) < (rhs.namespace ?? "", rhs.name) }
}
