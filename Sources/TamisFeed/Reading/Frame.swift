import TamisCore

/// An element that is open while a feed is being read.
struct Frame {
  /// The number of its name.
  var number: Int
  var element: FeedElement
  /// Standard prefix and local name, `dz_linkid`.
  var name: String
  var attributes: [ExtensionElement.Attribute] = []
  /// The base URL in force inside it.
  var base: String?
  /// The language in force inside it.
  var language: String?
  /// Where it begins in the document.
  var line: Int
  var column: Int
  var file: String
  /// Where its text begins among that of all open elements.
  var textStart = 0
  /// Its text, trimmed; there when it has ended.
  var content = ""
  /// How its text is to be read; changes when markup is found inside.
  var kind = Markup.Kind.text
  var isBase64 = false

  func attribute(_ name: String) -> String? {
    for attribute in attributes where attribute.name == name { return attribute.value }
    return nil
  }

  /// The attributes that stand for themselves: those without a meaning of their own and without these names.
  func attributes(except names: [String]) -> [ExtensionElement.Attribute] {
    if attributes.isEmpty { return [] }
    return attributes.filter { !names.contains($0.name) && !$0.name.hasPrefix("xml:") }
  }

  /// Whether child elements are markup of the field rather than fields.
  var holdsMarkup: Bool {
    if case .text = element { return true }
    return false
  }

  var location: SourceLocation { SourceLocation(file: file, line: line, column: column) }
}

/// What the fields that are being read belong to.
enum Scope: Equatable {
  case feed
  case entry
  case image
  case textInput
  case source
  case person
}
