/// Writes rules files in the format that ``RuleFileReader`` reads.
struct RuleFileWriter {
  private(set) var lines: [String] = []

  mutating func write(_ policy: Policy) {
    lines.append("name: \(Self.quoted(policy.name))")
    lines.append("tidy: \(policy.tidy.rawValue)")
    lines.append("elements:\(policy.elements.isEmpty ? " {}" : "")")
    for namespace in Policy.Namespace.allCases {
      guard let names = policy.elements[namespace] else { continue }
      list(namespace.rawValue, names.sorted(), depth: 1)
    }
    // A key without elements below it would be no mapping.
    let attributes = policy.attributes.filter { !$0.value.isEmpty }
    lines.append("attributes:\(attributes.isEmpty ? " {}" : "")")
    for namespace in Policy.Namespace.allCases {
      guard let elements = attributes[namespace] else { continue }
      lines.append("  \(namespace.rawValue):")
      for (element, names) in elements.sorted(by: { $0.key < $1.key }) { list(element, names.sorted(), depth: 2) }
    }
    var section: PolicySetting.Section?
    for setting in PolicySetting.all {
      if let next = setting.section, next != section {
        section = next
        lines.append("\(next.rawValue):")
      }
      write(setting, of: policy)
    }
  }

  private mutating func write(_ setting: PolicySetting, of policy: Policy) {
    let depth = setting.section == nil ? 0 : 1
    switch setting.value {
    case .choice(let path, let yes, let no): line("\(setting.key): \(policy[keyPath: path] ? yes : no)", depth)
    case .text(let path):
      if let text = policy[keyPath: path] { line("\(setting.key): \(Self.quoted(text))", depth) }
    case .list(let path): list(setting.key, policy[keyPath: path], depth: depth)
    case .optionalList(let path): if let texts = policy[keyPath: path] { list(setting.key, texts, depth: depth) }
    case .names(let path, _): names(setting.key, policy[keyPath: path], depth: depth)
    case .providers(let path):
      let providers = Dictionary(grouping: policy[keyPath: path], by: \.value)
      line("\(setting.key):\(providers.isEmpty ? " {}" : "")", depth)
      for (name, hosts) in providers.sorted(by: { $0.key < $1.key }) {
        list(name, hosts.map(\.key).sorted(), depth: depth + 1)
      }
    case .listsByAttribute(let path, _):
      byAttribute(setting.key, policy[keyPath: path], depth) {
        "[\($0.sorted().map(Self.quoted).joined(separator: ", "))]"
      }
    case .textsByAttribute(let path): byAttribute(setting.key, policy[keyPath: path], depth, value: Self.quoted)
    }
  }

  private mutating func byAttribute<Value>(
    _ key: String, _ rules: [String: [String: Value]], _ depth: Int, value: (Value) -> String
  ) {
    line("\(key):\(rules.isEmpty ? " {}" : "")", depth)
    for (element, attributes) in rules.sorted(by: { $0.key < $1.key }) {
      let pairs = attributes.sorted { $0.key < $1.key }.map { "\(Self.quoted($0.key)): \(value($0.value))" }
      line("\(Self.quoted(element)): {\(pairs.joined(separator: ", "))}", depth + 1)
    }
  }

  private mutating func line(_ text: String, _ depth: Int) {
    lines.append(String(repeating: "  ", count: depth) + text)
  }

  /// Writes names, each so that a reader adds it.
  private mutating func names(_ key: String, _ names: Set<String>, depth: Int) {
    list(key, names.sorted().map { $0.hasPrefix("-") || $0.hasPrefix("+") ? "+\($0)" : $0 }, depth: depth)
  }

  private mutating func list(_ key: String, _ names: [String], depth: Int) {
    // Most keys are words of this format; others, such as `*` and the names of providers, are quoted.
    let isWord = key.utf8.allSatisfy { $0 == 0x2D || (0x61...0x7A).contains($0) }
    line("\(isWord ? key : Self.quoted(key)): [\(names.map(Self.quoted).joined(separator: ", "))]", depth)
  }

  private static func quoted(_ text: String) -> String {
    var output = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": output += "\\\(scalar)"
      case "\n": output += "\\n"
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output + "\""
  }
}
