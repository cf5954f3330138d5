package import TamisCore

/// A part of a YAML document, with the place where it is written.
package struct YAMLNode: Sendable {
  /// What it is.
  package enum Content: Sendable {
    /// Text; plain text may be a number or null, quoted text is text.
    case scalar(String, isPlain: Bool)
    /// A list.
    case sequence([YAMLNode])
    /// Values under names, in the order in which they are written; no name is there twice.
    case mapping([(key: YAMLKey, value: YAMLNode)])
  }

  /// What it is.
  package var content: Content
  /// Where it begins.
  package var location: SourceLocation

  package init(content: Content, location: SourceLocation) { (self.content, self.location) = (content, location) }

  /// Whether nothing is written here.
  package var isNull: Bool {
    guard case .scalar(let text, isPlain: true) = content else { return false }
    return text.isEmpty || text == "~" || text == "null"
  }

  /// Its text, nil when it is none.
  package var text: String? {
    guard case .scalar(let text, _) = content, !isNull else { return nil }
    return text
  }

  /// The value under a name, nil when there is none.
  package subscript(name: String) -> YAMLNode? {
    guard case .mapping(let pairs) = content else { return nil }
    return pairs.first { $0.key.text == name }?.value
  }
}

/// A name in a mapping.
package struct YAMLKey: Sendable {
  /// The name.
  package var text: String
  /// Where it begins.
  package var location: SourceLocation
}
