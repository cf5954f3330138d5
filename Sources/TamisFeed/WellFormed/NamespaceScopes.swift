import TamisCore
import TamisXML

/// The names of a document under each set of namespace declarations.
///
/// A name is resolved once in each set, and found by its bytes afterwards.
struct NamespaceScopes {
  /// An element's name.
  struct Element {
    /// The handler's number for it.
    var number: Int
    var role: ElementRole
  }

  private struct Scope {
    /// The prefixes with their namespaces, the innermost declaration last.
    var bindings: [(prefix: String, namespace: String)] = []
    /// The inner scopes, by their declarations.
    var inner: [(declared: [(String, String)], scope: Int)] = []
    var elementNames = NameIndex()
    var elements: [Element] = []
    var attributeNames = NameIndex()
    var attributes: [Int] = []
  }

  /// The maximum number of sets of declarations; documents have one or two.
  private static let most = 32
  /// The maximum number of element names, and of attribute names, in each set.
  ///
  /// This bounds the cost of names chosen to be slow to find (all in one slot of a ``NameIndex``).
  private static let mostNames = 256

  private var scopes = [Scope()]
  /// The current scope.
  var current = 0

  /// Enters the scope of an element that declares namespaces, or returns false when there are too many scopes.
  mutating func enter(_ declared: [(String, String)]) -> Bool {
    let known = scopes[current].inner.first { $0.declared.elementsEqual(declared, by: ==) }
    if let known {
      current = known.scope
      return true
    }
    guard scopes.count < Self.most else { return false }
    var scope = Scope()
    scope.bindings = scopes[current].bindings + declared.map { (prefix: $0.0, namespace: $0.1) }
    scopes[current].inner.append((declared, scopes.count))
    current = scopes.count
    scopes.append(scope)
    return true
  }

  /// Returns the element of this name.
  ///
  /// Nil when its prefix is not declared, when there are too many names, or when the repair takes it for an entry
  /// spelled otherwise.
  mutating func element(
    _ name: XMLQualifiedName, _ bytes: borrowing Span<UInt8>, _ handler: inout some XMLEvents
  ) -> Element? {
    if let index = scopes[current].elementNames.number(of: bytes, name.whole) {
      return scopes[current].elements[index]
    }
    guard scopes[current].elements.count < Self.mostNames, let resolved = resolve(name, bytes, isElement: true)
    else { return nil }
    let role = ElementRole(local: resolved.local, isPrefixed: name.colon != nil)
    // The repair compares tags without regard to case, but entries with.
    if role.contains(.fragment), !role.contains(.entry) { return nil }
    let element = Element(number: handler.number(ofElement: resolved), role: role)
    scopes[current].elementNames.add(String(bytes, name.whole))
    scopes[current].elements.append(element)
    return element
  }

  /// Returns the handler's number of an attribute's name, or nil when its prefix is not declared or there are too many
  /// names.
  mutating func attribute(
    _ name: XMLQualifiedName, _ bytes: borrowing Span<UInt8>, _ handler: inout some XMLEvents
  ) -> Int? {
    if let index = scopes[current].attributeNames.number(of: bytes, name.whole) {
      return scopes[current].attributes[index]
    }
    guard scopes[current].attributes.count < Self.mostNames, let resolved = resolve(name, bytes, isElement: false)
    else {
      return nil
    }
    // The value of `xml:id` has rules of its own.
    if resolved.prefix == "xml", resolved.local == "id" { return nil }
    let number = handler.number(ofAttribute: resolved)
    scopes[current].attributeNames.add(String(bytes, name.whole))
    scopes[current].attributes.append(number)
    return number
  }

  /// Returns a name with its namespace (Namespaces in XML 1.0, 6), or nil when its prefix is not declared.
  private func resolve(_ name: XMLQualifiedName, _ bytes: borrowing Span<UInt8>, isElement: Bool) -> XMLName? {
    let local = String(bytes, name.local)
    guard name.colon != nil else {
      let namespace = isElement ? scopes[current].bindings.last { $0.prefix.isEmpty }?.namespace : nil
      return XMLName(prefix: "", local: local, namespace: namespace ?? "")
    }
    let prefix = String(bytes, name.prefix)
    if prefix == "xml", !isElement {
      return XMLName(prefix: prefix, local: local, namespace: "http://www.w3.org/XML/1998/namespace")
    }
    guard let namespace = scopes[current].bindings.last(where: { $0.prefix == prefix })?.namespace else { return nil }
    return XMLName(prefix: prefix, local: local, namespace: namespace)
  }

  /// The namespaces of `xml` and `xmlns`, which no other prefix may be bound to (Namespaces in XML 1.0, 3).
  private static let reserved: [StaticString] = [
    "http://www.w3.org/XML/1998/namespace", "http://www.w3.org/2000/xmlns/",
  ]

  /// Whether a namespace is an ordinary web URL, which libxml2 accepts as a URI.
  static func isUsual(_ address: borrowing Span<UInt8>) -> Bool {
    let isPlain = ByteScan.stands("http://", in: address, at: 0)
    guard isPlain || ByteScan.stands("https://", in: address, at: 0) else { return false }
    for reserved in reserved where ByteScan.stands(reserved, in: address, at: 0) { return false }
    var fragments = 0
    var isInHost = true
    var index = isPlain ? 7 : 8
    guard index < address.count, address[index].isASCIIAlphanumeric else { return false }
    while index < address.count {
      let byte = address[index]
      if byte == UInt8(ascii: "/") { isInHost = false }
      if byte == UInt8(ascii: "#") { fragments += 1 }
      let isFine =
        byte.isASCIIAlphanumeric || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
        || (!isInHost
          && (byte == UInt8(ascii: "/") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "#")
            || byte == UInt8(ascii: "~")))
      guard isFine, fragments <= 1 else { return false }
      index += 1
    }
    return true
  }
}
