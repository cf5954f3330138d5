public import TamisCore

/// A configuration of the sanitizer that browsers have built in: the argument of `setHTML` (HTML Standard, 8.5,
/// "SanitizerConfig").
///
/// A configuration is another format of a ``Policy``, so that a server and a page can have the same rules:
///
///     let config = try SanitizerConfig(json: text, file: "comments.json")
///     let sanitizer = try Sanitizer(policy: config.policy)
///
/// Each format can say what the other cannot. A configuration has no rules for schemes and styles, and it may allow
/// what crosses the ``Policy/Floor``; a policy can do more than allow and remove. The ``findings`` name what was lost.
public struct SanitizerConfig: Sendable, Hashable {
  /// The name of an element or attribute with the URI of its namespace.
  struct Name: Sendable, Hashable {
    var name: String
    /// The URI of the namespace; nil for attributes in none.
    var namespace: String?
    /// The place of the name in its file; nil for one that was not read.
    ///
    /// Equality leaves the place out, since a name may stand in several.
    var location: Finding.Location?

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.name == rhs.name && lhs.namespace == rhs.namespace }

    func hash(into hasher: inout Hasher) {
      hasher.combine(name)
      hasher.combine(namespace)
    }
  }

  /// An allowed element.
  struct Element: Sendable, Hashable {
    var name: Name
    var attributes: [Name]?
    var removeAttributes: [Name]?
  }

  var elements: [Element]?
  var removeElements: [Name]?
  var replaceWithChildrenElements: [Name]?
  var attributes: [Name]?
  var removeAttributes: [Name]?
  var comments: Bool?
  var dataAttributes: Bool?

  /// The policy with the same rules, as far as a policy can say them.
  public internal(set) var policy: Policy
  /// What one of the two formats says and the other cannot, in a fixed order; none is an error.
  public internal(set) var findings: [Finding] = []

  /// Makes a configuration with neither lists nor answers, beside the policy that it comes from or becomes.
  init(beside policy: Policy) { self.policy = policy }

  /// Reads a configuration.
  ///
  /// - Parameters:
  ///   - json: the configuration, as `JSON.stringify(sanitizer.get())` writes it in a browser or written by hand;
  ///     comments after `#` and a comma after the last item are read too.
  ///   - file: the name used in messages; without the extension `.json` it is the policy's name.
  /// - Throws: ``InvalidRules`` with all mistakes, each with its line and column: among them all for which a browser
  ///   throws a `TypeError` (HTML Standard, 8.5, "valid" configurations).
  public init(json: String, file: String) throws(InvalidRules) {
    var reader = SanitizerConfigReader(file: file)
    self = reader.read(json)
    guard reader.mistakes.isEmpty else { throw InvalidRules(findings: reader.mistakes) }
    var translation = ConfigTranslation(of: self, file: file)
    policy = translation.policy()
    findings = reader.warnings + translation.findings
  }

  /// The configuration as JSON, which a browser's `new Sanitizer(…)` takes; equal configurations give the same text.
  public var json: String {
    var json = JSONWriter()
    json.object { json in
      json.list("elements", elements) { $0.write(to: &$1) }
      json.list("removeElements", removeElements) { $0.write(to: &$1, meaning: Self.html) }
      json.list("replaceWithChildrenElements", replaceWithChildrenElements) { $0.write(to: &$1, meaning: Self.html) }
      json.list("attributes", attributes) { $0.write(to: &$1, meaning: nil) }
      json.list("removeAttributes", removeAttributes) { $0.write(to: &$1, meaning: nil) }
      json.member("comments", comments)
      json.member("dataAttributes", dataAttributes)
    }
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
  }

  /// Whether a file of rules is a configuration, by its name.
  static func isFile(named file: String) -> Bool { file.asciiLowercased().hasSuffix(".json") }

  static let html = "http://www.w3.org/1999/xhtml"

  /// The elements that cannot be replaced with their children: what is inside belongs to their namespace.
  static let roots = Policy.Namespace.allCases.map { Name(name: $0.rawValue, namespace: uri($0)) }

  /// Returns the namespace of a URI; nil when it is none whose elements a document can have.
  static func namespace(_ uri: String?) -> Policy.Namespace? {
    uri == html ? .html : ForeignNames.namespaceURIs.first { $0.value == uri }?.key
  }

  /// Returns the URI of a namespace.
  static func uri(_ namespace: Policy.Namespace) -> String { ForeignNames.namespaceURIs[namespace] ?? html }
}

extension SanitizerConfig.Name {
  /// Writes the name alone if it is in the namespace that a name alone means.
  fileprivate func write(to json: inout JSONWriter, meaning namespace: String?) {
    if self.namespace == namespace {
      json.string(name)
    } else {
      json.object { members(to: &$0, meaning: namespace) }
    }
  }

  fileprivate func members(to json: inout JSONWriter, meaning namespace: String?) {
    json.member("name", name)
    guard self.namespace != namespace else { return }
    json.key("namespace")
    // Without the member, the name would be in the namespace that a name alone means.
    if let own = self.namespace { json.string(own) } else { json.null() }
  }
}

extension SanitizerConfig.Element {
  fileprivate func write(to json: inout JSONWriter) {
    if attributes == nil, removeAttributes == nil { return name.write(to: &json, meaning: SanitizerConfig.html) }
    json.object { json in
      name.members(to: &json, meaning: SanitizerConfig.html)
      json.list("attributes", attributes) { $0.write(to: &$1, meaning: nil) }
      json.list("removeAttributes", removeAttributes) { $0.write(to: &$1, meaning: nil) }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func list<Item>(
    _ key: StaticString, _ items: [Item]?, _ write: (Item, inout JSONWriter) -> Void
  ) {
    guard let items else { return }
    array(key) { json in for item in items { write(item, &json) } }
  }
}
