import TamisCore
import TamisSanitizer
import Yams

/// Reads a rules file from its YAML tree, where each node knows its line and column.
///
/// All mistakes are gathered, not only the first.
struct RuleFileReader {
  let file: String
  private(set) var findings: [Finding] = []
  /// The names it gives of which it can be told whether they are meant.
  private(set) var mentions: [RuleMention] = []
  private var rules = RuleFile()

  init(file: String) { self.file = file }

  /// The rules in `text`; what is wrong with it is in ``RuleFileReader/findings`` then.
  mutating func read(_ text: String) -> RuleFile {
    do {
      guard let root = try Yams.compose(yaml: text) else {
        report("the file is empty; it needs at least a name", at: nil)
        return rules
      }
      readRoot(root)
    } catch let error as YamlError {
      report(yaml: error)
    } catch {
      report("\(error)", at: nil)
    }
    return rules
  }

  // MARK: - Sections

  private mutating func readRoot(_ root: Node) {
    for (key, value) in pairs(root, "rules") {
      switch key.text {
      case "name": rules.name = string(value)
      case "extends": rules.extends = string(value).map { ($0, value.mark?.line ?? 0, value.mark?.column ?? 0) }
      case "tidy": rules.tidy = choice(value, Policy.TidyMode.allCases.map { ($0.rawValue, $0) })
      case "elements": readElements(value)
      case "drop": rules.drop = names(value) { _ in nil }
      case "attributes": readAttributes(value)
      case "urls": readURLs(value)
      case "styles": readStyles(value)
      case "improve": readImprovements(value)
      default:
        unknown(
          key, ["name", "extends", "tidy", "elements", "drop", "attributes", "urls", "styles", "improve"], "section")
      }
    }
  }

  private mutating func readElements(_ node: Node) {
    for (key, value) in pairs(node, "elements") {
      guard let namespace = namespace(key) else { continue }
      rules.elements[namespace] = names(value, .element(namespace)) { name in
        Floor.objection(toElement: name, in: namespace).map { "'\(name)' can never be allowed: \($0)" }
      }
    }
  }

  private mutating func readAttributes(_ node: Node) {
    for (key, value) in pairs(node, "attributes") {
      guard let namespace = namespace(key) else { continue }
      for (element, list) in pairs(value, "attributes of \(key.text)") {
        mention(.attributed(namespace), element.text, at: element.mark)
        let kind = RuleMention.Kind.attribute(namespace, of: element.text)
        rules.attributes[namespace, default: [:]][element.text] = names(list, kind) { name in
          Floor.objection(toAttribute: name).map { "'\(name)' can never be allowed: \($0)" }
        }
      }
    }
  }

  private mutating func readURLs(_ node: Node) {
    for (key, value) in pairs(node, "urls") {
      switch key.text {
      case "schemes":
        rules.schemes = names(value) { name in
          let isScheme =
            name.utf8.first?.isASCIILetter == true
            && name.utf8.allSatisfy { $0.isASCIIAlphanumeric || [0x2B, 0x2D, 0x2E].contains($0) }
          if !isScheme { return "'\(name)' is no URL scheme; write it without the colon" }
          return Floor.objection(toScheme: name).map { "'\(name)' can never be allowed: \($0)" }
        }
      case "data-images": rules.allowsDataImages = boolean(value)
      case "relative": rules.keepsRelative = choice(value, [("keep", true), ("drop", false)])
      case "refused": rules.leavesRefusedEmpty = choice(value, [("empty", true), ("remove", false)])
      default: unknown(key, ["schemes", "data-images", "relative", "refused"], "setting of urls")
      }
    }
  }

  private mutating func readStyles(_ node: Node) {
    for (key, value) in pairs(node, "styles") {
      switch key.text {
      case "properties": rules.properties = names(value, .property) { _ in nil }
      case "families": rules.families = names(value) { _ in nil }
      case "keywords": rules.keywords = names(value) { _ in nil }
      case "svg-properties": rules.svgProperties = names(value) { _ in nil }
      default: unknown(key, ["properties", "families", "keywords", "svg-properties"], "setting of styles")
      }
    }
  }

  private mutating func readImprovements(_ node: Node) {
    for (key, value) in pairs(node, "improve") {
      switch key.text {
      case "id-prefix": rules.idPrefix = string(value)
      case "class-prefixes": rules.classPrefixes = strings(value)
      case "link-relations": rules.linkRelations = strings(value)
      case "lazy-loading": rules.loadsImagesLazily = boolean(value)
      case "repair-lazy-images": rules.repairsLazyImages = boolean(value)
      case "remove-tracking-pixels": rules.removesTrackingPixels = boolean(value)
      case "tracking-parameters": rules.trackingParameters = names(value) { _ in nil }
      case "tracking-hosts":
        rules.trackingHosts = names(value) { name in
          name.contains("/") || !name.contains(".") ? "'\(name)' is no host; write it as in example.com" : nil
        }
      case "link-embeds": rules.linksEmbeds = boolean(value)
      case "separate-blocks": rules.separatesBlocks = boolean(value)
      case "embed-providers":
        for (name, hosts) in pairs(value, "embed-providers") {
          for host in strings(hosts) { rules.embedProviders[host.asciiLowercased()] = name.text }
        }
      default:
        unknown(
          key,
          [
            "id-prefix", "class-prefixes", "link-relations", "lazy-loading", "repair-lazy-images",
            "remove-tracking-pixels", "tracking-parameters", "tracking-hosts", "link-embeds", "embed-providers",
            "separate-blocks",
          ], "setting of improve")
      }
    }
  }

  // MARK: - Values

  private struct Key {
    var text: String
    var mark: Mark?
  }

  private mutating func pairs(_ node: Node, _ what: String) -> [(Key, Node)] {
    guard case .mapping(let mapping) = node else {
      report("\(what) must be a list of 'key: value' lines", at: node.mark)
      return []
    }
    return mapping.map { key, value in (Key(text: key.scalar?.string ?? "", mark: key.mark), value) }
  }

  private mutating func string(_ node: Node) -> String? {
    if let scalar = node.scalar { return scalar.string }
    report("a single word is expected here", at: node.mark)
    return nil
  }

  private mutating func strings(_ node: Node) -> [String] {
    guard case .sequence(let sequence) = node else {
      report("a list in brackets is expected here", at: node.mark)
      return []
    }
    return sequence.compactMap { string($0) }
  }

  private mutating func boolean(_ node: Node) -> Bool? { choice(node, [("true", true), ("false", false)]) }

  private mutating func choice<Value>(_ node: Node, _ choices: [(String, Value)]) -> Value? {
    let text = string(node) ?? ""
    if let match = choices.first(where: { $0.0 == text }) { return match.1 }
    report("'\(text)' is none of \(choices.map(\.0).joined(separator: ", "))", at: node.mark)
    return nil
  }

  private mutating func mention(_ kind: RuleMention.Kind, _ name: String, isRemoved: Bool = false, at mark: Mark?) {
    mentions.append(RuleMention(kind: kind, name: name, isRemoved: isRemoved, location: location(mark)))
  }

  /// A list of names in lower case; `objection` says why one of them is refused.
  private mutating func names(
    _ node: Node, _ kind: RuleMention.Kind? = nil, _ objection: (String) -> String?
  ) -> RuleFile.Names {
    var names = RuleFile.Names()
    guard case .sequence(let sequence) = node else {
      report("a list in brackets is expected here", at: node.mark)
      return names
    }
    for item in sequence {
      guard let text = string(item)?.asciiLowercased() else { continue }
      if text.hasPrefix("-") {
        names.removed.insert(String(text.dropFirst()))
        if let kind { mention(kind, String(text.dropFirst()), isRemoved: true, at: item.mark) }
      } else if let objection = objection(text) {
        report(objection, at: item.mark)
      } else {
        names.added.insert(text)
        if let kind { mention(kind, text, at: item.mark) }
      }
    }
    return names
  }

  private mutating func namespace(_ key: Key) -> Policy.Namespace? {
    if let namespace = Policy.Namespace(rawValue: key.text) { return namespace }
    unknown(key, Policy.Namespace.allCases.map(\.rawValue), "namespace")
    return nil
  }

  // MARK: - Mistakes

  private mutating func unknown(_ key: Key, _ known: [String], _ kind: String) {
    report("unknown \(kind) '\(key.text)'; known are \(known.joined(separator: ", "))", at: key.mark)
  }

  private mutating func report(_ message: String, at mark: Mark?) {
    findings.append(Finding(.error, "rules.invalid", message, at: location(mark)))
  }

  private func location(_ mark: Mark?) -> SourceLocation {
    SourceLocation(file: file, line: mark?.line ?? 0, column: mark?.column ?? 0)
  }

  private mutating func report(yaml error: YamlError) {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      report(problem, at: mark)
    default: report("\(error)", at: nil)
    }
  }
}
