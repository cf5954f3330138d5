// To add a setting to rules files: a `var` of `Policy`, a row here, with an objection if some values cannot be, from
// which reading, hints, extending, writing and checking follow; the place that uses it, mostly
// Engine/Walker+….swift; `isAdded` in TamisCheck/Contract/AttributeCheck.swift when the sanitizer adds an attribute;
// Rules/*.yaml, the table in docs/rules.md, a case in Fixtures/Sanitizer, docs/rules.schema.json by `tamis rules
// schema`.

import TamisCore

/// A setting of a policy: its name in a rules file, its key path in a ``Policy``, and the check of its values.
///
/// The table of settings drives the reading, extending, writing and checking of rules files, and the hints for
/// misspelled keys.
struct PolicySetting: Sendable {
  /// The key path of a setting in a policy.
  typealias Path<Value> = any WritableKeyPath<Policy, Value> & Sendable

  /// A part of a rules file.
  enum Section: String, CaseIterable {
    case urls, styles, improve
  }

  /// The type of a setting's value.
  enum Value: Sendable {
    /// A Boolean, with these words for true and false.
    case choice(Path<Bool>, yes: String, no: String)
    case text(Path<String?>)
    /// Texts in a significant order.
    case list(Path<[String]>)
    case optionalList(Path<[String]?>)
    /// Names in lower case, with the kind of name for lint; in a file, `-name` removes a name of the extended rules.
    case names(Path<Set<String>>, mention: RuleMention.Kind? = nil)
    /// The names of providers by host.
    case providers(Path<[String: String]>)
    /// Lists of texts by element and attribute.
    case listsByAttribute(Path<[String: [String: Set<String>]]>, isLowercase: Bool)
    /// Texts by element and attribute.
    case textsByAttribute(Path<[String: [String: String]]>)
  }

  /// Returns the reason why a text is not valid; nil when it is.
  typealias Objection = @Sendable (String) -> String?
  /// Returns the reason why an attribute of an element cannot be named; nil when it can.
  typealias AttributeObjection = @Sendable (_ element: String, _ attribute: String) -> String?

  /// The section of a rules file that contains the setting; nil for the top level.
  let section: Section?
  let key: String
  let value: Value
  /// The check of each text; nil when any is valid.
  let objection: Objection?
  /// The check of each place, for texts by element and attribute.
  let attributeObjection: AttributeObjection?

  private init(
    _ section: Section?, _ key: String, _ value: Value, objection: Objection? = nil,
    attributeObjection: AttributeObjection? = nil
  ) {
    (self.section, self.key, self.value) = (section, key, value)
    (self.objection, self.attributeObjection) = (objection, attributeObjection)
  }

  private static func flag(_ key: String, _ path: Path<Bool>) -> PolicySetting {
    PolicySetting(.improve, key, .choice(path, yes: "true", no: "false"))
  }

  /// The settings except the name, the elements and the attributes, in the order in which they are written.
  static let all: [PolicySetting] = [
    PolicySetting(nil, "drop", .names(\.droppedElements)),
    PolicySetting(nil, "unwrap", .names(\.unwrappedElements)),
    PolicySetting(nil, "hidden", .choice(\.dropsHidden, yes: "drop", no: "keep")),
    PolicySetting(
      nil, "values", .listsByAttribute(\.values, isLowercase: false), objection: objection(toValue:),
      attributeObjection: objection(toValuesOf:attribute:)),
    PolicySetting(
      nil, "force", .textsByAttribute(\.forcedAttributes), objection: objection(toValue:),
      attributeObjection: objection(toForcing:attribute:)),
    PolicySetting(.urls, "schemes", .names(\.urls.schemes), objection: objection(toScheme:)),
    PolicySetting(
      .urls, "schemes-of", .listsByAttribute(\.urls.schemesByAttribute, isLowercase: true),
      objection: objection(toScheme:), attributeObjection: objection(toSchemesOf:attribute:)),
    PolicySetting(.urls, "data-images", .choice(\.urls.allowsDataImages, yes: "true", no: "false")),
    PolicySetting(.urls, "relative", .choice(\.urls.keepsRelative, yes: "keep", no: "drop")),
    PolicySetting(.urls, "refused", .choice(\.urls.leavesRefusedEmpty, yes: "empty", no: "remove")),
    PolicySetting(
      .styles, "properties", .names(\.styles.properties, mention: .property), objection: objection(toProperty:)),
    PolicySetting(.styles, "families", .names(\.styles.families)),
    PolicySetting(.styles, "keywords", .names(\.styles.keywords)),
    PolicySetting(.styles, "svg-properties", .names(\.styles.svgProperties), objection: objection(toProperty:)),
    PolicySetting(.improve, "id-prefix", .text(\.improvements.idPrefix), objection: objection(toPrefix:)),
    PolicySetting(
      .improve, "class-prefixes", .optionalList(\.improvements.classPrefixes), objection: objection(toWord:)),
    PolicySetting(.improve, "link-relations", .list(\.improvements.linkRelations), objection: objection(toWord:)),
    flag("lazy-loading", \.improvements.loadsImagesLazily),
    flag("repair-lazy-images", \.improvements.repairsLazyImages),
    flag("remove-tracking-pixels", \.improvements.removesTrackingPixels),
    flag("link-embeds", \.improvements.linksEmbeds),
    flag("read-amp", \.improvements.readsAMP),
    flag("align-pictures", \.improvements.alignsPictures),
    flag("caption-figures", \.improvements.makesFigures),
    flag("separate-blocks", \.improvements.separatesBlocks),
    flag("styled-emphasis", \.improvements.readsStyledEmphasis),
    flag("drop-controls", \.improvements.dropsControls),
    flag("plain-drawings", \.improvements.readsDrawings),
    flag("set-formulas", \.improvements.setsFormulas),
    PolicySetting(
      .improve, "embed-providers", .providers(\.improvements.embedProviders), objection: objection(toHost:)),
    PolicySetting(.improve, "tracking-parameters", .names(\.improvements.trackingParameters)),
    PolicySetting(.improve, "tracking-hosts", .names(\.improvements.trackingHosts), objection: objection(toHost:)),
  ]

  /// The path of the setting in a rules file, such as `urls.schemes`.
  var path: String { section.map { "\($0.rawValue).\(key)" } ?? key }

  /// Returns the reasons why values of a policy for this setting are not valid, in a fixed order.
  func objections(in policy: Policy) -> [String] {
    let places = attributes(of: policy).compactMap { attributeObjection?($0.element, $0.attribute) }
    return places + texts(of: policy).compactMap { objection?($0) }
  }

  /// Whether a policy has another value for the setting than one that allows and changes nothing.
  func isSet(in policy: Policy) -> Bool {
    let empty = Policy()
    return switch value {
    case .choice(let path, _, _): policy[keyPath: path] != empty[keyPath: path]
    case .text(let path): policy[keyPath: path] != nil
    case .list(let path): !policy[keyPath: path].isEmpty
    case .optionalList(let path): policy[keyPath: path] != nil
    case .names(let path, _): !policy[keyPath: path].isEmpty
    case .providers(let path): !policy[keyPath: path].isEmpty
    case .listsByAttribute(let path, _): !policy[keyPath: path].isEmpty
    case .textsByAttribute(let path): !policy[keyPath: path].isEmpty
    }
  }

  private func texts(of policy: Policy) -> [String] {
    switch value {
    case .choice: []
    case .text(let path): policy[keyPath: path].map { [$0] } ?? []
    case .list(let path): policy[keyPath: path]
    case .optionalList(let path): policy[keyPath: path] ?? []
    case .names(let path, _): policy[keyPath: path].sorted()
    case .providers(let path): policy[keyPath: path].keys.sorted()
    case .listsByAttribute(let path, _): policy[keyPath: path].values.flatMap(\.values).flatMap { $0 }.sorted()
    case .textsByAttribute(let path): policy[keyPath: path].values.flatMap(\.values).sorted()
    }
  }

  private func attributes(of policy: Policy) -> [(element: String, attribute: String)] {
    func places<Value>(_ rules: [String: [String: Value]]) -> [(element: String, attribute: String)] {
      rules.sorted { $0.key < $1.key }.flatMap { rule in rule.value.keys.sorted().map { (rule.key, $0) } }
    }
    return switch value {
    case .listsByAttribute(let path, _): places(policy[keyPath: path])
    case .textsByAttribute(let path): places(policy[keyPath: path])
    default: []
    }
  }

  // MARK: - Objections

  private static func objection(toValuesOf element: String, attribute: String) -> String? {
    if let objection = objection(toNaming: element, attribute) { return objection }
    switch AttributeKind.of(attribute, in: .html) {
    case .text, .expression, .keyword, .classes: return nil
    default: return "the values of '\(attribute)' are checked by other rules and cannot be listed"
    }
  }

  private static func objection(toForcing element: String, attribute: String) -> String? {
    if element == "*" { return "an attribute is forced on an element, not on all; name it instead of '*'" }
    if let objection = objection(toNaming: element, attribute) { return objection }
    switch attribute {
    case "align", "colspan", "rel", "rowspan", "span":
      return "'\(attribute)' is written or counted by other rules and cannot be forced"
    default: break
    }
    switch AttributeKind.of(attribute, in: .html) {
    case .text, .keyword, .classes: return nil
    default: return "'\(attribute)' depends on the document and cannot be forced"
    }
  }

  private static func objection(toSchemesOf element: String, attribute: String) -> String? {
    if let objection = objection(toNaming: element, attribute) { return objection }
    switch AttributeKind.of(attribute, in: .html) {
    case .url, .urls, .sourceSet: return nil
    default: return "'\(attribute)' is not an attribute with a URL"
    }
  }

  private static func objection(toNaming element: String, _ attribute: String) -> String? {
    if element != "*", !Policy.isName(element) { return "'\(element)' is not an element name" }
    if NamePattern(attribute) != nil { return "'\(attribute)': name the attribute" }
    return Policy.objection(toAttribute: attribute)
  }

  private static func objection(toValue text: String) -> String? {
    text.utf8.contains { $0 < 0x20 || $0 == 0x7F } ? "'\(text)' has control characters" : nil
  }

  private static func objection(toProperty name: String) -> String? {
    Policy.Floor.objection(toAttribute: name).map { "'\(name)' can never be allowed: \($0)" }
  }

  private static func objection(toScheme name: String) -> String? {
    let isScheme =
      name.utf8.first?.isASCIILetter == true
      && name.utf8.allSatisfy { $0.isASCIIAlphanumeric || [0x2B, 0x2D, 0x2E].contains($0) }
    if !isScheme { return "'\(name)' is not a URL scheme; write it without the colon" }
    return Policy.Floor.objection(toScheme: name).map { "'\(name)' can never be allowed: \($0)" }
  }

  private static func objection(toHost name: String) -> String? {
    let isHost =
      name.utf8.contains(UInt8(ascii: "."))
      && name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
    return isHost ? nil : "'\(name)' is not a host; write it as in example.com"
  }

  /// Returns the reason why a text cannot be a prefix of ids; nil when it can.
  ///
  /// An `id` with white space is not valid, and removing the prefix must give the original.
  private static func objection(toPrefix prefix: String) -> String? {
    let isWord = prefix.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == 0x2D || $0 == 0x5F }
    return isWord && prefix.utf8.first?.isASCIILetter == true
      ? nil : "'\(prefix)' is not a prefix of ids: a letter, then letters, digits, '-' and '_'"
  }

  private static func objection(toWord word: String) -> String? {
    if word.isEmpty { return "an empty word says nothing; leave it out" }
    return word.utf8.contains { $0 <= 0x20 || $0 == 0x7F } ? "'\(word)' is not one word; list each word by itself" : nil
  }

  /// Returns the reason why a page cannot show a text; nil when it can.
  static func objection(toLabel text: String) -> String? {
    text.isEmpty || text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
      ? "'\(text)' is not a name that a page can show" : nil
  }
}
