import TamisCore

/// The role of an element, by its name alone, which decides when tags around it are missing.
struct ElementRole: OptionSet {
  let rawValue: UInt8

  /// The root element of a feed.
  static let root = ElementRole(rawValue: 1)
  /// An element that begins a feed without a root element: an entry, whatever the case of its name.
  static let fragment = ElementRole(rawValue: 2)
  static let entry = ElementRole(rawValue: 4)
  static let channel = ElementRole(rawValue: 8)
  /// HTML that is never closed where an entry begins.
  static let stray = ElementRole(rawValue: 16)
}

extension ElementRole {
  /// Creates the role of an element.
  ///
  /// - Parameters:
  ///   - local: the name as written, without its prefix.
  ///   - isPrefixed: whether the name has a prefix.
  init(local: String, isPrefixed: Bool) {
    let lower = local.asciiLowercased()
    switch lower {
    case "item", "entry": self = local == lower ? [.fragment, .entry] : .fragment
    case "rss", "feed", "rdf": self = .root
    case "channel": self = local == lower && !isPrefixed ? [.root, .channel] : .root
    case "a", "b", "br", "center", "div", "em", "font", "hr", "i", "img", "li", "p", "span", "strong", "table", "td",
      "tr",
      "u", "ul":
      self = isPrefixed ? [] : .stray
    default: self = []
    }
  }
}
