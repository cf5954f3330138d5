import TamisCore

/// A name in a rules file, with its location.
struct RuleMention {
  /// The kind of name.
  enum Kind: Equatable {
    case element(Policy.Namespace)
    case attribute(Policy.Namespace, of: String)
    /// An element whose attributes are listed.
    case attributed(Policy.Namespace)
    case property
  }

  var kind: Kind
  var name: String
  /// Whether the name is removed from the extended rules.
  var isRemoved: Bool
  var location: Finding.Location
}

/// Finds likely slips in a rules file that are not mistakes: misspelled names, and settings without effect.
struct RuleLint {
  let policy: Policy
  let parent: Policy?
  let file: String
  private let patterns: NamePatterns

  init(policy: Policy, parent: Policy?, file: String) {
    (self.policy, self.parent, self.file) = (policy, parent, file)
    patterns = NamePatterns(policy)
  }

  /// The maximum number of names that are compared with the known ones; each comparison scans the whole list.
  static let comparedNames = 1000

  func findings(_ mentions: [RuleMention]) -> [Finding] {
    var findings = mentions.prefix(Self.comparedNames).compactMap { mention in
      objection(to: mention).map { Finding(.warning, "rules.doubtful", $0, at: mention.location) }
    }
    if let next = mentions.dropFirst(Self.comparedNames).first {
      let message =
        "only the \(Self.comparedNames) names before this one were checked for slips; split the file to check them all"
      findings.append(Finding(.note, "rules.doubtful", message, at: next.location))
    }
    return findings + aboutStyles(mentions) + aboutDropping
  }

  /// The findings about names under `drop` and `unwrap` that have no effect.
  private var aboutDropping: [Finding] {
    var messages = policy.droppedElements.filter { NamePattern($0) != nil }.sorted().map {
      "'\($0)' under drop has no effect; name the elements, or '*' for all that are not allowed"
    }
    let allowed = policy.elements[.html] ?? []
    let own = policy.droppedElements.subtracting(parent?.droppedElements ?? [])
    messages += own.intersection(allowed).sorted().map { "'\($0)' under drop has no effect: this file allows it" }
    if policy.unwrappedElements.isEmpty { return messages.map(finding) }
    if !policy.droppedElements.contains("*") {
      messages.append("unwrap has no effect without '*' under drop")
    } else {
      messages += policy.unwrappedElements.sorted().compactMap { name in
        let isDropped = policy.droppedElements.contains(name) || Policy.Floor.droppedWithContent.contains(name)
        if !isDropped, Policy.isName(name), !allowed.contains(name) { return nil }
        return
          "'\(name)' under unwrap has no effect: \(isDropped ? "it goes with its content" : allowed.contains(name) ? "it is allowed" : "it is not a name")"
      }
    }
    return messages.map(finding)
  }

  private func finding(_ message: String) -> Finding {
    Finding(.warning, "rules.doubtful", message, at: Finding.Location(file: file))
  }

  private func objection(to mention: RuleMention) -> String? {
    let known: Set<String>
    let had: Set<String>
    let what: String
    switch mention.kind {
    case .element(let namespace):
      (known, had) = (KnownNames.elements(namespace), parent?.elements[namespace] ?? [])
      what = "element of \(namespace.rawValue)"
    case .attribute(let namespace, let element):
      (known, had) = (KnownNames.attributes(namespace), parent?.attributes[namespace]?[element] ?? [])
      what = "attribute of \(namespace.rawValue)"
    case .attributed(let namespace):
      let (allowed, pattern) = (policy.elements[namespace] ?? [], NamePattern(mention.name))
      // Elements and those with attributes may each be named `my-widget` or by the pattern `my-*`.
      let isAllowed = allowed.contains { $0 == mention.name || pattern?.matches($0) == true }
      if mention.name == "*" || isAllowed || patterns.allow(mention.name, in: namespace) { return nil }
      return
        "'\(mention.name)' is not an allowed element; its attributes have no effect\(Self.hint(mention.name, allowed))"
    case .property: (known, had, what) = (KnownNames.properties, parent?.styles.properties ?? [], "property")
    }
    if mention.isRemoved {
      if had.contains(mention.name) { return nil }
      return
        "'\(mention.name)' is not in the extended rules and cannot be removed\(Self.hint(mention.name, had.union(known)))"
    }
    // Custom elements have a hyphen (HTML Standard, 4.13.3); custom attributes begin with data- or aria-.
    if known.contains(mention.name) || mention.name.contains("-") || mention.name == "*" { return nil }
    guard let near = KnownNames.near(mention.name, in: known) else { return nil }
    return "no \(what) is called '\(mention.name)'; did you mean '\(near)'?"
  }

  private static func hint(_ name: String, _ known: Set<String>) -> String {
    KnownNames.near(name, in: known).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// Returns the findings about `style` without properties, and properties without `style`.
  private func aboutStyles(_ mentions: [RuleMention]) -> [Finding] {
    let allowsStyle = policy.attributes.values.contains { $0.values.contains { $0.contains("style") } }
    let hasProperties = !policy.styles.properties.isEmpty || !policy.styles.svgProperties.isEmpty
    if allowsStyle, !hasProperties {
      let location = mentions.first { $0.name == "style" && !$0.isRemoved }?.location ?? Finding.Location(file: file)
      let message = "'style' is allowed, but no property is: it has no effect; name properties under styles"
      return [Finding(.warning, "rules.doubtful", message, at: location)]
    }
    if hasProperties, !allowsStyle, let first = mentions.first(where: { $0.kind == .property && !$0.isRemoved }) {
      let message = "properties have no effect as long as no element allows the attribute 'style'"
      return [Finding(.warning, "rules.doubtful", message, at: first.location)]
    }
    return []
  }
}
