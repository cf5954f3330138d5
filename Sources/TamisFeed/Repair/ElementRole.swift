import TamisCore

/// What decides about an element, by its name alone, when tags around it are missing.
struct ElementRole: OptionSet {
  let rawValue: UInt8

  /// The root element of a feed.
  static let root = ElementRole(rawValue: 1)
  /// What a feed whose root element is missing begins with: an entry, also when its name has other letters than it should.
  static let fragment = ElementRole(rawValue: 2)
  static let entry = ElementRole(rawValue: 4)
  static let channel = ElementRole(rawValue: 8)
  /// HTML that is never closed where an entry begins.
  static let stray = ElementRole(rawValue: 16)
}

extension ElementRole {
  /// - Parameters:
  ///   - local: the name as it is written, without its prefix.
  ///   - isPrefixed: whether it has one.
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
