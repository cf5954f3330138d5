package import TamisCore

/// A node of a YAML document, with its location.
package struct YAMLNode: Sendable {
  /// The content of a node.
  package enum Content: Sendable {
    /// A scalar; plain text may be a number or null, quoted text is text.
    case scalar(String, isPlain: Bool)
    /// A sequence.
    case sequence([YAMLNode])
    /// A mapping, in the order of the document; its keys are unique.
    case mapping([(key: YAMLKey, value: YAMLNode)])
  }

  /// The content of the node.
  package var content: Content
  /// The location at which the node begins.
  package var location: Finding.Location

  package init(content: Content, location: Finding.Location) { (self.content, self.location) = (content, location) }

  /// Whether the node is an empty or null plain scalar.
  package var isNull: Bool {
    guard case .scalar(let text, isPlain: true) = content else { return false }
    return text.isEmpty || text == "~" || text == "null"
  }

  /// The text of a scalar; nil for null and for other nodes.
  package var text: String? {
    guard case .scalar(let text, _) = content, !isNull else { return nil }
    return text
  }

  /// The value of a key; nil when there is none.
  package subscript(name: String) -> YAMLNode? {
    guard case .mapping(let pairs) = content else { return nil }
    return pairs.first { $0.key.text == name }?.value
  }
}

/// A key of a mapping.
package struct YAMLKey: Sendable {
  /// The text of the key.
  package var text: String
  /// The location at which the key begins.
  package var location: Finding.Location

  package init(text: String, location: Finding.Location) { (self.text, self.location) = (text, location) }
}
