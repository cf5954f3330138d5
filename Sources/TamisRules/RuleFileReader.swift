import TamisCore
import TamisSanitizer
import TamisYAML

/// Reads a rules file from its YAML tree, where each node knows its line and column.
///
/// All mistakes are gathered, not only the first.
struct RuleFileReader {
  /// What is wrong with the file.
  var findings: [Finding] { yaml.findings }
  /// The names it gives of which it can be told whether they are meant.
  private(set) var mentions: [RuleMention] = []
  private var yaml: YAMLReader
  private var rules = RuleFile()

  init(file: String) { yaml = YAMLReader(file: file, code: "rules.invalid") }

  /// The rules in `text`; what is wrong with it is in ``RuleFileReader/findings`` then.
  mutating func read(_ text: String) -> RuleFile {
    if let root = yaml.root(Array(text.utf8)) {
      readRoot(root)
    } else if yaml.findings.isEmpty {
      yaml.report("the file is empty; it needs at least a name", at: SourceLocation(file: yaml.file))
    }
    return rules
  }

  // MARK: - Sections

  private mutating func readRoot(_ root: YAMLNode) {
    for (key, value) in yaml.pairs(root, "rules") {
      switch key.text {
      case "name": rules.name = yaml.string(value)
      case "extends": rules.extends = yaml.string(value).map { ($0, value.location) }
      case "tidy": rules.tidy = yaml.choice(value, Policy.TidyMode.allCases.map { ($0.rawValue, $0) })
      case "elements": readElements(value)
      case "drop": rules.drop = names(value) { _ in nil }
      case "attributes": readAttributes(value)
      case "urls": readURLs(value)
      case "styles": readStyles(value)
      case "improve": readImprovements(value)
      default:
        yaml.unknown(
          key, ["name", "extends", "tidy", "elements", "drop", "attributes", "urls", "styles", "improve"], "section")
      }
    }
  }

  private mutating func readElements(_ node: YAMLNode) {
    for (key, value) in yaml.pairs(node, "elements") {
      guard let namespace = namespace(key) else { continue }
      rules.elements[namespace] = names(value, .element(namespace)) { name in
        Floor.objection(toElement: name, in: namespace).map { "'\(name)' can never be allowed: \($0)" }
      }
    }
  }

  private mutating func readAttributes(_ node: YAMLNode) {
    for (key, value) in yaml.pairs(node, "attributes") {
      guard let namespace = namespace(key) else { continue }
      for (element, list) in yaml.pairs(value, "attributes of \(key.text)") {
        mention(.attributed(namespace), element.text, at: element.location)
        let kind = RuleMention.Kind.attribute(namespace, of: element.text)
        rules.attributes[namespace, default: [:]][element.text] = names(list, kind) { name in
          Floor.objection(toAttribute: name).map { "'\(name)' can never be allowed: \($0)" }
        }
      }
    }
  }

  private mutating func readURLs(_ node: YAMLNode) {
    for (key, value) in yaml.pairs(node, "urls") {
      switch key.text {
      case "schemes":
        rules.schemes = names(value) { name in
          let isScheme =
            name.utf8.first?.isASCIILetter == true
            && name.utf8.allSatisfy { $0.isASCIIAlphanumeric || [0x2B, 0x2D, 0x2E].contains($0) }
          if !isScheme { return "'\(name)' is no URL scheme; write it without the colon" }
          return Floor.objection(toScheme: name).map { "'\(name)' can never be allowed: \($0)" }
        }
      case "data-images": rules.allowsDataImages = yaml.boolean(value)
      case "relative": rules.keepsRelative = yaml.choice(value, [("keep", true), ("drop", false)])
      case "refused": rules.leavesRefusedEmpty = yaml.choice(value, [("empty", true), ("remove", false)])
      default: yaml.unknown(key, ["schemes", "data-images", "relative", "refused"], "setting of urls")
      }
    }
  }

  private mutating func readStyles(_ node: YAMLNode) {
    for (key, value) in yaml.pairs(node, "styles") {
      switch key.text {
      case "properties": rules.properties = names(value, .property) { _ in nil }
      case "families": rules.families = names(value) { _ in nil }
      case "keywords": rules.keywords = names(value) { _ in nil }
      case "svg-properties": rules.svgProperties = names(value) { _ in nil }
      default: yaml.unknown(key, ["properties", "families", "keywords", "svg-properties"], "setting of styles")
      }
    }
  }

  private mutating func readImprovements(_ node: YAMLNode) {
    for (key, value) in yaml.pairs(node, "improve") {
      switch key.text {
      case "id-prefix": rules.idPrefix = yaml.string(value)
      case "class-prefixes": rules.classPrefixes = yaml.strings(value)
      case "link-relations": rules.linkRelations = yaml.strings(value)
      case "lazy-loading": rules.loadsImagesLazily = yaml.boolean(value)
      case "repair-lazy-images": rules.repairsLazyImages = yaml.boolean(value)
      case "remove-tracking-pixels": rules.removesTrackingPixels = yaml.boolean(value)
      case "tracking-parameters": rules.trackingParameters = names(value) { _ in nil }
      case "tracking-hosts":
        rules.trackingHosts = names(value) { name in
          name.contains("/") || !name.contains(".") ? "'\(name)' is no host; write it as in example.com" : nil
        }
      case "link-embeds": rules.linksEmbeds = yaml.boolean(value)
      case "align-pictures": rules.alignsPictures = yaml.boolean(value)
      case "caption-figures": rules.makesFigures = yaml.boolean(value)
      case "read-amp": rules.readsAMP = yaml.boolean(value)
      case "separate-blocks": rules.separatesBlocks = yaml.boolean(value)
      case "embed-providers":
        for (name, hosts) in yaml.pairs(value, "embed-providers") {
          for host in yaml.strings(hosts) { rules.embedProviders[host.asciiLowercased()] = name.text }
        }
      default:
        yaml.unknown(
          key,
          [
            "id-prefix", "class-prefixes", "link-relations", "lazy-loading", "repair-lazy-images",
            "remove-tracking-pixels", "tracking-parameters", "tracking-hosts", "link-embeds", "embed-providers",
            "read-amp", "align-pictures", "caption-figures", "separate-blocks",
          ], "setting of improve")
      }
    }
  }

  // MARK: - Values

  private mutating func mention(
    _ kind: RuleMention.Kind, _ name: String, isRemoved: Bool = false, at location: SourceLocation
  ) {
    mentions.append(RuleMention(kind: kind, name: name, isRemoved: isRemoved, location: location))
  }

  /// A list of names in lower case; `objection` says why one of them is refused.
  private mutating func names(
    _ node: YAMLNode, _ kind: RuleMention.Kind? = nil, _ objection: (String) -> String?
  ) -> RuleFile.Names {
    var names = RuleFile.Names()
    for item in yaml.items(node) {
      guard let text = yaml.string(item)?.asciiLowercased() else { continue }
      if text.hasPrefix("-") {
        names.removed.insert(String(text.dropFirst()))
        if let kind { mention(kind, String(text.dropFirst()), isRemoved: true, at: item.location) }
      } else if let objection = objection(text) {
        yaml.report(objection, at: item.location)
      } else {
        names.added.insert(text)
        if let kind { mention(kind, text, at: item.location) }
      }
    }
    return names
  }

  private mutating func namespace(_ key: YAMLKey) -> Policy.Namespace? {
    if let namespace = Policy.Namespace(rawValue: key.text) { return namespace }
    yaml.unknown(key, Policy.Namespace.allCases.map(\.rawValue), "namespace")
    return nil
  }
}
