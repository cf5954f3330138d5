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
  /// Where its text begins among that of all open elements.
  var textStart = 0
  /// Whether its text has anything but white space.
  var hasText = false
  /// Where its text was cut among that of all open elements, because it is longer than a field may be; nil when it is not.
  var cut: Int?
  /// Its text, trimmed; there when it has ended.
  var content = ""
  /// How its text is to be read; changes when markup is found inside.
  var kind = Markup.Kind.text
  /// Whether it is escaped HTML with elements of the document between.
  var isMixed = false
  var isBase64 = false
  /// Whether it is inside a foreign element or inside a field, so that its content is not the feed's and not the entry's (RFC
  /// 4287, 6.4.2).
  var isForeign = false
  /// Whether the elements inside it are foreign: found out once, since each of them asks.
  var hasForeignContent = false
  /// Whether it is a channel inside a channel, as CDF has them.
  var isInnerChannel = false

  func attribute(_ name: String) -> String? {
    for attribute in attributes where attribute.name == name { return attribute.value }
    return nil
  }

  /// The remaining attributes: those without a meaning of their own and without these names.
  func attributes(except names: [String]) -> [ExtensionElement.Attribute] {
    if attributes.isEmpty { return [] }
    return attributes.filter { !names.contains($0.name) && !$0.name.hasPrefix("xml:") }
  }

  /// Whether the elements inside it are foreign because of what it is.
  var makesForeign: Bool {
    switch element {
    case .root, .entry, .image, .textInput, .source, .person, .mediaGroup, .wrapper, .mediaContent, .category,
      .chapters, .place,
      .geometry:
      false
    case .channel: isInnerChannel
    // HTML that has strayed into a feed, and is often never ended.
    case .other: !["br", "hr", "img", "p", "div", "span", "center", "font"].contains(name)
    default: true
    }
  }

  /// Whether Atom 0.3 says that its markup is escaped (`mode`, 3.1.2 of its specification).
  var isEscaped: Bool { attribute("mode") == "escaped" }

  /// Whether its text may be the body of an entry.
  var isBody: Bool { element == .text(.content) || element == .text(.summary) || element == .text(.description) }

  /// Whether child elements are markup of the field rather than fields.
  var holdsMarkup: Bool {
    if case .text = element { return true }
    return false
  }
}

/// The owner of the fields that are being read.
enum Scope: Equatable {
  case feed
  case entry
  case image
  case textInput
  case source
  case person
}
