import TamisCore
import TamisYAML

/// Reads a rules file from its YAML tree, in which each node has its line and column.
///
/// All mistakes are collected, not only the first.
struct RuleFileReader {
  /// The mistakes of the file.
  var findings: [Finding] { yaml.findings }
  /// The names in the file that lint can check.
  private(set) var mentions: [RuleMention] = []
  /// The rules that the file extends.
  private(set) var parent: Policy?
  private var yaml: YAMLReader
  private var policy: Policy

  /// Makes a reader of a file, whose name is the policy's name unless the file gives one.
  init(file: String) {
    yaml = YAMLReader(file: file, code: "rules.invalid")
    policy = Policy(name: file)
  }

  /// Returns the rules in `text`; mistakes are in ``RuleFileReader/findings``.
  mutating func read(_ text: String) -> Policy {
    if let root = yaml.root(Array(text.utf8)) {
      readRoot(root)
      disallowDropped()
    } else if yaml.findings.isEmpty {
      yaml.report("the file is empty; it needs at least a name", at: Finding.Location(file: yaml.file))
    }
    return policy
  }

  // MARK: - Sections

  private static let sections =
    ["name", "extends", "tidy", "elements", "attributes"] + PolicySetting.Section.allCases.map(\.rawValue)
    + PolicySetting.all.filter { $0.section == nil }.map(\.key)

  private mutating func readRoot(_ root: YAMLNode) {
    let pairs = yaml.pairs(root, "rules")
    // `extends` is read first, wherever it is in the file: all other settings change the extended rules.
    for (key, value) in pairs where key.text == "extends" { readParent(value) }
    for (key, value) in pairs {
      switch key.text {
      case "extends": break
      case "name": policy.name = yaml.string(value) ?? policy.name
      case "tidy":
        policy.tidy = yaml.choice(value, Policy.TidyMode.allCases.map { ($0.rawValue, $0) }) ?? policy.tidy
      case "elements": readElements(value)
      case "attributes": readAttributes(value)
      default:
        if let section = PolicySetting.Section(rawValue: key.text) {
          for (key, value) in yaml.pairs(value, section.rawValue) { readSetting(key, value, in: section) }
        } else {
          readSetting(key, value, in: nil)
        }
      }
    }
  }

  /// Disallows what the file drops, such as `nav`, which `reading` allows, unless the file itself allows it.
  private mutating func disallowDropped() {
    let dropped = policy.droppedElements.subtracting(parent?.droppedElements ?? [])
    for namespace in Policy.Namespace.allCases {
      let allowed = mentions.filter { $0.kind == .element(namespace) && !$0.isRemoved }.map(\.name)
      policy.elements[namespace]?.subtract(dropped.subtracting(allowed))
    }
  }

  private mutating func readParent(_ node: YAMLNode) {
    guard let name = yaml.string(node) else { return }
    parent = Policy.shipped(named: name)
    if let parent {
      policy = parent
      policy.name = yaml.file
    } else {
      let known = Policy.shippedNames.joined(separator: ", ")
      yaml.report("there are no rules '\(name)' to extend; shipped are \(known)", at: node.location)
    }
  }

  private mutating func readElements(_ node: YAMLNode) {
    for (key, value) in yaml.pairs(node, "elements") {
      guard let namespace = namespace(key) else { continue }
      policy.elements[namespace] = names(policy.elements[namespace] ?? [], changedBy: value, .element(namespace)) {
        Policy.objection(toElement: $0, in: namespace)
      }
    }
  }

  private mutating func readAttributes(_ node: YAMLNode) {
    for (key, value) in yaml.pairs(node, "attributes") {
      guard let namespace = namespace(key) else { continue }
      for (element, list) in yaml.pairs(value, "attributes of \(key.text)") {
        mention(.attributed(namespace), element.text, at: element.location)
        if let objection = NamePattern(element.text)?.objection(toElementsOf: namespace) {
          yaml.report(objection, at: element.location)
        }
        let kind = RuleMention.Kind.attribute(namespace, of: element.text)
        let names = names(
          policy.attributes[namespace]?[element.text] ?? [], changedBy: list, kind, Policy.objection(toAttribute:))
        policy.attributes[namespace, default: [:]][element.text] = names
      }
    }
  }

  private mutating func namespace(_ key: YAMLKey) -> Policy.Namespace? {
    if let namespace = Policy.Namespace(rawValue: key.text) { return namespace }
    yaml.unknown(key, Policy.Namespace.allCases.map(\.rawValue), "namespace")
    return nil
  }

  // MARK: - Settings

  private mutating func readSetting(_ key: YAMLKey, _ node: YAMLNode, in section: PolicySetting.Section?) {
    guard let setting = PolicySetting.all.first(where: { $0.section == section && $0.key == key.text }) else {
      guard let section else { return yaml.unknown(key, Self.sections, "section") }
      let known = PolicySetting.all.filter { $0.section == section }.map(\.key)
      return yaml.unknown(key, known, "setting of \(section.rawValue)")
    }
    switch setting.value {
    case .choice(let path, "true", _): if let value = yaml.boolean(node) { policy[keyPath: path] = value }
    case .choice(let path, let yes, let no):
      if let value = yaml.choice(node, [(yes, true), (no, false)]) { policy[keyPath: path] = value }
    case .text(let path):
      if let text = yaml.string(node), accepts(text, setting, at: node) { policy[keyPath: path] = text }
    case .list(let path): policy[keyPath: path] = strings(node, setting)
    case .optionalList(let path): policy[keyPath: path] = strings(node, setting)
    case .names(let path, let kind):
      policy[keyPath: path] = names(
        policy[keyPath: path], changedBy: node, kind, setting.objection ?? { _ in nil })
    case .providers(let path):
      for (name, hosts) in yaml.pairs(node, key.text) {
        for host in strings(hosts, setting) { policy[keyPath: path][host.asciiLowercased()] = name.text }
      }
    case .listsByAttribute(let path, let isLowercase):
      for (element, attribute, value) in attributes(node, setting) {
        let texts = strings(value, setting)
        policy[keyPath: path][element, default: [:]][attribute] = Set(
          isLowercase ? texts.map { $0.asciiLowercased() } : texts)
      }
    case .textsByAttribute(let path):
      for (element, attribute, value) in attributes(node, setting) {
        if let text = yaml.string(value), accepts(text, setting, at: value) {
          policy[keyPath: path][element, default: [:]][attribute] = text
        }
      }
    }
  }

  /// Returns the values of a setting by element and attribute, without those of places that it cannot have.
  private mutating func attributes(
    _ node: YAMLNode, _ setting: PolicySetting
  ) -> [(element: String, attribute: String, value: YAMLNode)] {
    var found: [(element: String, attribute: String, value: YAMLNode)] = []
    for (element, attributes) in yaml.pairs(node, setting.key) {
      for (attribute, value) in yaml.pairs(attributes, "\(setting.key) of \(element.text)") {
        let place = (element.text.asciiLowercased(), attribute.text.asciiLowercased())
        if let objection = setting.attributeObjection?(place.0, place.1) {
          yaml.report(objection, at: attribute.location)
        } else {
          found.append((place.0, place.1, value))
        }
      }
    }
    return found
  }

  private mutating func strings(_ node: YAMLNode, _ setting: PolicySetting) -> [String] {
    yaml.strings(node).filter { accepts($0, setting, at: node) }
  }

  private mutating func accepts(_ text: String, _ setting: PolicySetting, at node: YAMLNode) -> Bool {
    guard let objection = setting.objection?(text) else { return true }
    yaml.report(objection, at: node.location)
    return false
  }

  // MARK: - Names

  /// Returns a set of names changed by a list, which adds names, in lower case, and removes those written as `-name`.
  ///
  /// `+name` adds a name too, which may begin with a hyphen.
  ///
  /// `objection` returns the reason why a name is refused.
  private mutating func names(
    _ names: Set<String>, changedBy node: YAMLNode, _ kind: RuleMention.Kind?, _ objection: (String) -> String?
  ) -> Set<String> {
    var (added, removed): (Set<String>, Set<String>) = ([], [])
    for item in yaml.items(node) {
      guard var text = yaml.string(item)?.asciiLowercased() else { continue }
      let isAdded = text.utf8.first == UInt8(ascii: "+")
      if isAdded { text.removeFirst() }
      if !isAdded, text.utf8.first == UInt8(ascii: "-") {
        removed.insert(String(text.dropFirst()))
        if let kind { mention(kind, String(text.dropFirst()), isRemoved: true, at: item.location) }
      } else if let objection = objection(text) {
        yaml.report(objection, at: item.location)
      } else {
        added.insert(text)
        if let kind { mention(kind, text, at: item.location) }
      }
    }
    return names.subtracting(removed).union(added)
  }

  private mutating func mention(
    _ kind: RuleMention.Kind, _ name: String, isRemoved: Bool = false, at location: Finding.Location
  ) {
    mentions.append(RuleMention(kind: kind, name: name, isRemoved: isRemoved, location: location))
  }
}
