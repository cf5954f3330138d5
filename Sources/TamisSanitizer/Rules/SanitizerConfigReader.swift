import TamisCore
import TamisYAML

/// Reads a ``SanitizerConfig`` as YAML, in which each node has its line and column.
///
/// YAML includes JSON but for a few escapes, which no name has.
struct SanitizerConfigReader {
  /// What a browser refuses, and what is not a configuration.
  private(set) var mistakes: [Finding] = []
  /// What a browser ignores.
  private(set) var warnings: [Finding] = []
  /// Where each member begins.
  private var members: [String: Finding.Location] = [:]
  private var yaml: YAMLReader
  private var config = SanitizerConfig(beside: Policy())

  init(file: String) { yaml = YAMLReader(file: file, code: "rules.invalid") }

  /// Returns the configuration in a text; it is complete if there are no ``mistakes``.
  mutating func read(_ text: String) -> SanitizerConfig {
    if let root = yaml.root(Array(text.utf8)) {
      for (key, value) in yaml.pairs(root, "a sanitizer configuration") { readMember(key, value) }
      if yaml.findings.isEmpty { checkLists() }
    } else if yaml.findings.isEmpty {
      yaml.report("the file is empty; the least configuration is {}", at: Finding.Location(file: yaml.file))
    }
    mistakes = yaml.findings
    return config
  }

  // MARK: - Members

  private static let memberNames = [
    "elements", "removeElements", "replaceWithChildrenElements", "attributes", "removeAttributes", "comments",
    "dataAttributes",
  ]
  private static let elementMemberNames = ["name", "namespace", "attributes", "removeAttributes"]

  private mutating func readMember(_ key: YAMLKey, _ value: YAMLNode) {
    members[key.text] = key.location
    switch key.text {
    case "elements": config.elements = items(value).compactMap { element($0) }
    case "removeElements": config.removeElements = names(value, in: SanitizerConfig.html)
    case "replaceWithChildrenElements": config.replaceWithChildrenElements = names(value, in: SanitizerConfig.html)
    case "attributes": config.attributes = names(value, in: nil)
    case "removeAttributes": config.removeAttributes = names(value, in: nil)
    case "comments": config.comments = yaml.boolean(value)
    case "dataAttributes": config.dataAttributes = yaml.boolean(value)
    case "processingInstructions", "removeProcessingInstructions": break  // None is ever kept.
    default: ignore(key, Self.memberNames)
    }
  }

  private mutating func ignore(_ key: YAMLKey, _ known: [String]) {
    let hint =
      NearestName.of(key.text, among: known).map { "did you mean '\($0)'?" }
      ?? "known are \(known.joined(separator: ", "))"
    let message = "'\(key.text)' is ignored, as in a browser; \(hint)"
    warnings.append(Finding(.warning, "rules.doubtful", message, at: key.location))
  }

  private mutating func element(_ node: YAMLNode) -> SanitizerConfig.Element? {
    guard let name = name(node, in: SanitizerConfig.html) else { return nil }
    if case .mapping(let pairs) = node.content {
      for (key, _) in pairs where !Self.elementMemberNames.contains(key.text) { ignore(key, Self.elementMemberNames) }
    }
    return SanitizerConfig.Element(
      name: name, attributes: node["attributes"].map { names($0, in: nil) },
      removeAttributes: node["removeAttributes"].map { names($0, in: nil) })
  }

  /// Returns the items of a list, which null is not.
  private mutating func items(_ node: YAMLNode) -> [YAMLNode] {
    if node.isNull { yaml.report("a list is missing here", at: node.location) }
    return yaml.items(node)
  }

  private mutating func names(_ node: YAMLNode, in namespace: String?) -> [SanitizerConfig.Name] {
    items(node).compactMap { name($0, in: namespace) }
  }

  /// Returns a name, which is a text, or an object with `name` and perhaps `namespace`.
  private mutating func name(_ node: YAMLNode, in namespace: String?) -> SanitizerConfig.Name? {
    var name = SanitizerConfig.Name(name: "", namespace: namespace, location: node.location)
    if case .mapping = node.content {
      guard let text = node["name"] else {
        yaml.report("'name' is missing here", at: node.location)
        return nil
      }
      guard let text = yaml.string(text) else { return nil }
      name.name = text
      if let space = node["namespace"] { name.namespace = space.text.flatMap { $0.isEmpty ? nil : $0 } }
    } else {
      guard let text = yaml.string(node) else { return nil }
      name.name = text
    }
    return name
  }

  // MARK: - Validity

  /// Reports what makes a configuration invalid (HTML Standard, 8.5).
  private mutating func checkLists() {
    let elements = config.elements?.map(\.name)
    for (name, other) in [
      ("elements", "removeElements"), ("attributes", "removeAttributes"),
      ("processingInstructions", "removeProcessingInstructions"),
    ] {
      if members[name] != nil, let location = members[other] {
        yaml.report("both \(name) and \(other); give one of them", at: location)
      }
    }
    if config.attributes == nil, let location = members["dataAttributes"] {
      yaml.report("dataAttributes has a meaning only beside attributes; remove it, or list attributes", at: location)
    }
    checkRepetition(elements, "elements")
    checkRepetition(config.removeElements, "removeElements")
    checkRepetition(config.replaceWithChildrenElements, "replaceWithChildrenElements")
    checkRepetition(config.attributes, "attributes")
    checkRepetition(config.removeAttributes, "removeAttributes")
    let replaced = Set(config.replaceWithChildrenElements ?? [])
    for name in (elements ?? []) + (config.removeElements ?? []) where replaced.contains(name) {
      refuse("'\(name.name)' is in replaceWithChildrenElements too; remove it from one of the lists", name)
    }
    for root in config.replaceWithChildrenElements ?? [] where SanitizerConfig.roots.contains(root) {
      refuse("'\(root.name)' cannot be replaced with its children", root)
    }
    for name in config.attributes ?? [] where config.dataAttributes == true && name.isDataAttribute {
      refuse("'\(name.name)' is allowed by dataAttributes already; remove it", name)
    }
    for element in config.elements ?? [] { checkAttributes(of: element) }
  }

  private mutating func checkAttributes(of element: SanitizerConfig.Element) {
    let (own, removed) = (element.attributes, element.removeAttributes)
    checkRepetition(own, "attributes of '\(element.name.name)'")
    checkRepetition(removed, "removeAttributes of '\(element.name.name)'")
    if let attributes = config.attributes {
      let everywhere = Set(attributes)
      for name in own ?? [] where everywhere.contains(name) {
        refuse("'\(name.name)' is allowed on every element already; remove it from '\(element.name.name)'", name)
      }
      for name in own ?? [] where config.dataAttributes == true && name.isDataAttribute {
        refuse("'\(name.name)' is allowed by dataAttributes already; remove it", name)
      }
      for name in removed ?? [] where !everywhere.contains(name) {
        refuse("'\(name.name)' is not allowed on every element, so that '\(element.name.name)' cannot remove it", name)
      }
    } else {
      if own != nil, removed != nil {
        refuse("'\(element.name.name)' has both attributes and removeAttributes; give one of them", element.name)
      }
      let everywhere = Set(config.removeAttributes ?? [])
      for name in (own ?? []) + (removed ?? []) where everywhere.contains(name) {
        refuse("'\(name.name)' is removed from every element already; remove it from '\(element.name.name)'", name)
      }
    }
  }

  private mutating func checkRepetition(_ names: [SanitizerConfig.Name]?, _ list: String) {
    var seen: Set<SanitizerConfig.Name> = []
    for name in names ?? [] where !seen.insert(name).inserted {
      refuse("'\(name.name)' is given twice in \(list); remove one", name)
    }
  }

  private mutating func refuse(_ message: String, _ name: SanitizerConfig.Name) {
    yaml.report(message, at: name.location ?? Finding.Location(file: yaml.file))
  }
}

extension SanitizerConfig.Name {
  /// Whether the name is that of a custom data attribute.
  var isDataAttribute: Bool { namespace == nil && name.utf8.starts(with: "data-".utf8) }
}
