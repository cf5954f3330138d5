import TamisCore

/// An element that is open while a feed is being read.
struct Frame {
  /// The number of the element's name.
  var number: Int
  var element: FeedElement
  /// The standard prefix and local name, as in `dz_linkid`.
  var name: String
  var attributes: [Feed.ExtensionElement.Attribute] = []
  /// The base URL in force inside the element.
  var base: String?
  /// The language in force inside the element.
  var language: String?
  /// The location of the element in the document.
  var line: Int
  var column: Int
  /// The offset of the element's text in that of all open elements.
  var textStart = 0
  /// Whether the text has anything but white space.
  var hasText = false
  /// The offset at which the text was cut because it exceeds the limit of a field, or nil when it was not.
  var cut: Int?
  /// The trimmed text, set when the element has ended.
  var content = ""
  /// The kind of the text; changes when markup is found inside.
  var kind = Feed.Markup.Kind.text
  /// Whether the content is escaped HTML mixed with elements of the document.
  var isMixed = false
  var isBase64 = false
  /// Whether the element is inside a foreign element or a field, so that its content is not the feed's or the entry's
  /// (RFC 4287, 6.4.2).
  var isForeign = false
  /// Whether the elements inside are foreign; cached, since each of them asks.
  var hasForeignContent = false
  /// Whether the element is a channel inside a channel, as in CDF.
  var isInnerChannel = false

  func attribute(_ name: String) -> String? {
    for attribute in attributes where attribute.name == name { return attribute.value }
    return nil
  }

  /// Returns the attributes other than these and those of XML itself.
  func attributes(except names: [String]) -> [Feed.ExtensionElement.Attribute] {
    if attributes.isEmpty { return [] }
    return attributes.filter { !names.contains($0.name) && !$0.name.hasPrefix("xml:") }
  }

  /// Whether the elements inside are foreign because of the kind of this one.
  var makesForeign: Bool {
    switch element {
    case .root, .entry, .image, .textInput, .source, .person, .mediaGroup, .wrapper, .mediaContent, .category,
      .chapters, .place,
      .geometry:
      false
    case .channel: isInnerChannel
    // Stray HTML in a feed, often never closed.
    case .other: !["br", "hr", "img", "p", "div", "span", "center", "font"].contains(name)
    default: true
    }
  }

  /// Whether Atom 0.3 declares that the markup is escaped (`mode`, 3.1.2 of its specification).
  var isEscaped: Bool { attribute("mode") == "escaped" }

  /// Whether the text may be the body of an entry.
  var isBody: Bool { element == .text(.content) || element == .text(.summary) || element == .text(.description) }

  /// Whether child elements are markup of the field rather than fields.
  var holdsMarkup: Bool {
    if case .text = element { return true }
    return false
  }
}

/// The owner of the fields being read.
enum Scope: Equatable {
  case feed
  case entry
  case image
  case textInput
  case source
  case person
}
