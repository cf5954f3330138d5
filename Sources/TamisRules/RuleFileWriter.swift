public import TamisSanitizer

extension Rules {
  /// A rules file that says all that a policy says and extends nothing; the same policy gives the same text.
  public static func text(of policy: Policy) -> String {
    var writer = RuleFileWriter()
    writer.write(policy)
    return writer.lines.joined(separator: "\n") + "\n"
  }
}

/// Writes what ``RuleFileReader`` reads.
private struct RuleFileWriter {
  private(set) var lines: [String] = []

  mutating func write(_ policy: Policy) {
    lines.append("name: \(Self.quoted(policy.name))")
    lines.append("tidy: \(policy.tidy.rawValue)")
    lines.append("elements:\(policy.elements.isEmpty ? " {}" : "")")
    for namespace in Policy.Namespace.allCases {
      guard let names = policy.elements[namespace] else { continue }
      list(namespace.rawValue, names, depth: 1)
    }
    list("drop", policy.droppedElements, depth: 0)
    lines.append("attributes:\(policy.attributes.isEmpty ? " {}" : "")")
    for namespace in Policy.Namespace.allCases {
      guard let elements = policy.attributes[namespace] else { continue }
      lines.append("  \(namespace.rawValue):")
      for (element, names) in elements.sorted(by: { $0.key < $1.key }) { list(element, names, depth: 2) }
    }
    lines.append("urls:")
    list("schemes", policy.urls.schemes, depth: 1)
    lines.append("  data-images: \(policy.urls.allowsDataImages)")
    lines.append("  relative: \(policy.urls.keepsRelative ? "keep" : "drop")")
    lines.append("  refused: \(policy.urls.leavesRefusedEmpty ? "empty" : "remove")")
    lines.append("styles:")
    list("properties", policy.styles.properties, depth: 1)
    list("families", policy.styles.families, depth: 1)
    list("keywords", policy.styles.keywords, depth: 1)
    list("svg-properties", policy.styles.svgProperties, depth: 1)
    write(policy.improvements)
  }

  private mutating func write(_ improvements: Improvements) {
    lines.append("improve:")
    if let prefix = improvements.idPrefix { lines.append("  id-prefix: \(Self.quoted(prefix))") }
    if let prefixes = improvements.classPrefixes { ordered("class-prefixes", prefixes, depth: 1) }
    ordered("link-relations", improvements.linkRelations, depth: 1)
    lines.append("  lazy-loading: \(improvements.loadsImagesLazily)")
    lines.append("  repair-lazy-images: \(improvements.repairsLazyImages)")
    lines.append("  remove-tracking-pixels: \(improvements.removesTrackingPixels)")
    lines.append("  link-embeds: \(improvements.linksEmbeds)")
    lines.append("  read-amp: \(improvements.readsAMP)")
    lines.append("  align-pictures: \(improvements.alignsPictures)")
    lines.append("  caption-figures: \(improvements.makesFigures)")
    lines.append("  separate-blocks: \(improvements.separatesBlocks)")
    lines.append("  embed-providers:\(improvements.embedProviders.isEmpty ? " {}" : "")")
    let providers = Dictionary(grouping: improvements.embedProviders, by: \.value)
    for (name, hosts) in providers.sorted(by: { $0.key < $1.key }) { list(name, Set(hosts.map(\.key)), depth: 2) }
    list("tracking-parameters", improvements.trackingParameters, depth: 1)
    list("tracking-hosts", improvements.trackingHosts, depth: 1)
  }

  private mutating func list(_ key: String, _ names: Set<String>, depth: Int) {
    ordered(key, names.sorted(), depth: depth)
  }

  private mutating func ordered(_ key: String, _ names: [String], depth: Int) {
    let indent = String(repeating: "  ", count: depth)
    // Most keys are words of this format; others, such as `*` and the names of providers, are quoted.
    let isWord = key.utf8.allSatisfy { $0 == 0x2D || (0x61...0x7A).contains($0) }
    lines.append("\(indent)\(isWord ? key : Self.quoted(key)): [\(names.map(Self.quoted).joined(separator: ", "))]")
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
