import TamisCore

/// An element that is open while a feed is being read.
struct Frame {
  /// The number of its name.
  var number: Int
  var element: FeedElement
  /// Standard prefix and local name, `dz_linkid`.
  var name: String
  var attributes: [ExtensionElement.Attribute]
  /// The base URL in force inside it.
  var base: String?
  /// The language in force inside it.
  var language: String?
  var location: SourceLocation
  var text: [UInt8] = []
  /// How its text is to be read; changes when markup is found inside.
  var kind = Markup.Kind.text
  var isBase64 = false

  func attribute(_ name: String) -> String? {
    attributes.first { $0.name == name }?.value
  }

  /// Whether child elements are markup of the field rather than fields.
  var holdsMarkup: Bool {
    if case .text = element { return true }
    return false
  }

  /// The text, trimmed.
  var content: String { String(decoding: text[WhiteSpace.trimmedRange(text.span)], as: UTF8.self) }
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
