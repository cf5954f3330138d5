import TamisCore

/// A name in a policy that ends with `*` and stands for all names with its prefix, such as `data-*` or `my-*`.
struct NamePattern {
  /// The maximum number of patterns of a policy; each is compared with each name that the policy does not list.
  static let mostPatterns = 100

  private let prefix: String

  /// Makes a pattern; nil when the text is not a prefix and `*`.
  init?(_ text: String) {
    guard text.utf8.last == UInt8(ascii: "*"), text.utf8.count > 1 else { return nil }
    prefix = String(text.dropLast())
  }

  /// Whether the pattern stands for the name, which has to be one for every parser.
  func matches(_ name: String) -> Bool {
    name.utf8.count > prefix.utf8.count && name.utf8.starts(with: prefix.utf8) && Policy.isName(name)
  }

  /// Returns the reason why the pattern cannot stand for elements; nil when it can.
  ///
  /// Only the names of custom elements are open-ended (HTML Standard, 4.13.3).
  func objection(toElementsOf namespace: Policy.Namespace) -> String? {
    if namespace != .html { return "'\(prefix)*': only elements of html can be allowed by their beginning" }
    return Policy.isName(prefix) && prefix.utf8.contains(UInt8(ascii: "-"))
      ? nil : "'\(prefix)*' is not the beginning of custom elements; those have a hyphen, as in 'my-*'"
  }

  /// The reason why the pattern cannot stand for attributes; nil when it can.
  var objectionToAttributes: String? {
    let isOpenEnded = ["data-", "aria-"].contains { prefix.utf8.starts(with: $0.utf8) }
    return isOpenEnded && Policy.isName(prefix)
      ? nil : "'\(prefix)*': only attributes with 'data-' and 'aria-' can be allowed by their beginning"
  }
}

/// The patterns among the names of a policy, with the lists in which they are.
struct NamePatterns {
  private struct AttributeList {
    /// The element with the attributes; `*` for every element.
    let element: String
    let elementPattern: NamePattern?
    let names: Set<String>
    let patterns: [NamePattern]
  }

  private let elements: [NamePattern]
  private let attributes: [Policy.Namespace: [AttributeList]]

  init(_ policy: Policy) {
    elements = Self.patterns(policy.elements[.html] ?? [])
    attributes = policy.attributes.mapValues { lists in
      lists.sorted { $0.key < $1.key }.compactMap { element, names in
        let list = AttributeList(
          element: element, elementPattern: NamePattern(element), names: names.filter { NamePattern($0) == nil },
          patterns: Self.patterns(names))
        return list.elementPattern == nil && list.patterns.isEmpty ? nil : list
      }
    }
  }

  /// The number of patterns.
  var count: Int {
    elements.count
      + attributes.values.joined().reduce(0) { $0 + $1.patterns.count + ($1.elementPattern == nil ? 0 : 1) }
  }

  /// Returns whether a pattern allows an element.
  func allow(_ element: String, in namespace: Policy.Namespace) -> Bool {
    namespace == .html && elements.contains { $0.matches(element) }
  }

  /// Returns whether a list with patterns allows an attribute on an element.
  func allow(attribute: String, on element: String, in namespace: Policy.Namespace) -> Bool {
    (attributes[namespace] ?? []).contains { list in
      guard list.element == "*" || list.element == element || list.elementPattern?.matches(element) == true else {
        return false
      }
      return list.names.contains(attribute) || list.patterns.contains { $0.matches(attribute) }
    }
  }

  private static func patterns(_ names: Set<String>) -> [NamePattern] { names.compactMap { NamePattern($0) } }
}
