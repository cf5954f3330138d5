/// Selects elements of a page: a small part of CSS's selectors (Selectors Level 4).
///
/// There are names of elements, `.class`, `#id`, `[attribute]`, `[attribute=value]` and the same with `~=`, `^=`, `$=` and `*=`, several of
/// them for one element (`div.story[lang]`), elements anywhere in others (`a b`) and right in them (`a > b`), and lists with commas.
/// Classes, ids and values are compared as they are written, names whatever their case.
public struct PageSelector: Sendable, Hashable, CustomStringConvertible {
  /// Why a text is not a selector.
  public struct Mistake: Error, Hashable {
    /// Its offset in bytes.
    public var offset: Int
    /// The mistake, and what to do about it.
    public var message: String
  }

  /// How an attribute's value is compared.
  enum Comparison: String, Sendable, Hashable, CaseIterable {
    case equals = "="
    case hasWord = "~="
    case begins = "^="
    case ends = "$="
    case contains = "*="
  }

  /// An attribute that an element has to have.
  struct Attribute: Sendable, Hashable {
    var name: String
    /// What its value has to be; nil when any will do.
    var value: (Comparison, String)? {
      get { comparison.map { ($0, text) } }
      set { (comparison, text) = (newValue?.0, newValue?.1 ?? "") }
    }
    private var comparison: Comparison?
    private var text = ""

    init(name: String) { self.name = name }
  }

  /// What one element has to be.
  struct Part: Sendable, Hashable {
    /// Whether the part before is the element right around it, not any around it.
    var isChild = false
    var name: String?
    var id: String?
    var classes: [String] = []
    var attributes: [Attribute] = []

    var isEmpty: Bool { name == nil && id == nil && classes.isEmpty && attributes.isEmpty }
  }

  /// Longest selector, in bytes.
  public static let longest = 1000
  /// Most elements in elements that one names.
  public static let mostParts = 8

  /// How many there are in a list with commas.
  public var count: Int { alternatives.count }
  /// As it was written.
  public let description: String
  /// The alternatives: each has the parts from the outermost element to the selected one.
  let alternatives: [[Part]]

  /// Reads a selector.
  public init(_ text: String) throws(Mistake) {
    var parser = SelectorParser(text)
    alternatives = try parser.alternatives()
    description = text
  }
}
