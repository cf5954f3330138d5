import TamisCore

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
