package import TamisCore

/// A selector of elements: a small subset of CSS selectors (Selectors Level 4).
///
/// The selector supports names of elements, `.class`, `#id`, `[attribute]`, `[attribute=value]` and the same with `~=`,
/// `^=`, `$=` and `*=`, several of them for one element (`div.story[lang]`), descendants (`a b`), children (`a > b`),
/// and lists with commas. Classes, ids and values are case-sensitive, names are not, and neither are the values of some
/// attributes of HTML.
package struct CSSSelector: Sendable, Hashable, CustomStringConvertible {
  /// A comparison of an attribute's value.
  enum Comparison: String, Sendable, Hashable, CaseIterable {
    case equals = "="
    case hasWord = "~="
    case begins = "^="
    case ends = "$="
    case contains = "*="
  }

  /// An attribute that an element must have.
  struct Attribute: Sendable, Hashable {
    var name: String
    /// The comparison of its value; nil when any value matches.
    var value: (Comparison, String)? {
      get { comparison.map { ($0, text) } }
      set { (comparison, text) = (newValue?.0, newValue?.1 ?? "") }
    }
    private var comparison: Comparison?
    private var text = ""

    init(name: String) { self.name = name }

    /// Whether ASCII letters of the value match in both cases (HTML Standard, 4.16.2).
    var ignoresCase: Bool { Self.namesOfCaselessValues.contains(name) }

    private static let namesOfCaselessValues: Set = [
      "accept", "accept-charset", "align", "alink", "axis", "bgcolor", "charset", "checked", "clear", "codetype",
      "color", "compact", "declare", "defer", "dir", "direction", "disabled", "enctype", "face", "frame", "hreflang",
      "http-equiv", "lang", "language", "link", "media", "method", "multiple", "nohref", "noresize", "noshade",
      "nowrap", "readonly", "rel", "rev", "rules", "scope", "scrolling", "selected", "shape", "target", "text", "type",
      "valign", "valuetype", "vlink",
    ]
  }

  /// The conditions for one element.
  struct Part: Sendable, Hashable {
    /// Whether the previous part must be the parent, as opposed to any ancestor.
    var isChild = false
    var name: String?
    var id: String?
    var classes: [String] = []
    var attributes: [Attribute] = []

    var isEmpty: Bool { name == nil && id == nil && classes.isEmpty && attributes.isEmpty }
  }

  /// The maximum length of a selector, in bytes.
  package static let longest = 1000
  /// The maximum number of nested elements in a selector.
  package static let mostParts = 8

  /// The maximum number of alternatives of selectors that are used together.
  package static let mostAlternatives = 200

  /// The message about a missing selector: in YAML a `#` begins a comment.
  package static let missing = "a selector is missing here; one that begins with # is written in quotes"

  /// The number of alternatives in a list with commas.
  package var count: Int { alternatives.count }
  /// The selector as written.
  package let description: String
  /// The alternatives, each with its parts from the outermost element to the selected one.
  let alternatives: [[Part]]

  /// Reads a selector.
  ///
  /// - Throws: ``TextMistake`` when the text is not a selector.
  package init(_ text: String) throws(TextMistake) {
    var parser = SelectorParser(text)
    alternatives = try parser.alternatives()
    description = text
  }
}
