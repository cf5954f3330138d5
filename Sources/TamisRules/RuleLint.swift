import TamisCore
import TamisSanitizer

/// A name that a rules file gives, and where.
struct RuleMention {
  /// What it names.
  enum Kind: Equatable {
    case element(Policy.Namespace)
    case attribute(Policy.Namespace, of: String)
    /// The element whose attributes are listed.
    case attributed(Policy.Namespace)
    case property
  }

  var kind: Kind
  var name: String
  /// Whether it is to be taken away from what the extended rules have.
  var isRemoved: Bool
  var location: SourceLocation
}

/// Finds what is no mistake in a rules file but hardly meant: names that nearly are others, and settings that come to nothing.
struct RuleLint {
  let policy: Policy
  let parent: Policy?
  let file: String

  func findings(_ mentions: [RuleMention]) -> [Finding] {
    mentions.compactMap { mention in
      objection(to: mention).map { Finding(.warning, "rules.doubtful", $0, at: mention.location) }
    } + aboutStyles(mentions)
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
      if mention.name == "*" || policy.elements[namespace]?.contains(mention.name) == true { return nil }
      return
        "'\(mention.name)' is not among the elements, so that its attributes come to nothing\(Self.hint(mention.name, policy.elements[namespace] ?? []))"
    case .property: (known, had, what) = (KnownNames.properties, parent?.styles.properties ?? [], "property")
    }
    if mention.isRemoved {
      if had.contains(mention.name) { return nil }
      return "there is no '\(mention.name)' to take away\(Self.hint(mention.name, had.union(known)))"
    }
    // Elements of one's own have a hyphen (HTML Standard, 4.13.3), attributes begin with data- or aria-.
    if known.contains(mention.name) || mention.name.contains("-") || mention.name == "*" { return nil }
    guard let near = KnownNames.near(mention.name, in: known) else { return nil }
    return "no \(what) is called '\(mention.name)'; did you mean '\(near)'?"
  }

  private static func hint(_ name: String, _ known: Set<String>) -> String {
    KnownNames.near(name, in: known).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// `style` needs properties, and properties need `style`.
  private func aboutStyles(_ mentions: [RuleMention]) -> [Finding] {
    let allowsStyle = policy.attributes.values.contains { $0.values.contains { $0.contains("style") } }
    let hasProperties = !policy.styles.properties.isEmpty || !policy.styles.svgProperties.isEmpty
    if allowsStyle, !hasProperties {
      let place = mentions.first { $0.name == "style" && !$0.isRemoved }?.location ?? SourceLocation(file: file)
      let message = "'style' is among the attributes, but no property is: it comes to nothing; name some under styles"
      return [Finding(.warning, "rules.doubtful", message, at: place)]
    }
    if hasProperties, !allowsStyle, let first = mentions.first(where: { $0.kind == .property && !$0.isRemoved }) {
      let message = "properties come to nothing as long as 'style' is among no attributes"
      return [Finding(.warning, "rules.doubtful", message, at: first.location)]
    }
    return []
  }
}
