/// Something the sanitizer took away, and the rule that says so.
public struct Removal: Sendable, Hashable {
  /// Why it went.
  public enum Rule: String, Sendable, Hashable, CaseIterable {
    /// The element is not allowed: it went with everything inside.
    case content
    /// The element is not allowed: its tags went, its content stays.
    case element
    /// The attribute is not allowed on this element.
    case attribute
    /// The attribute is allowed, its value is not.
    case value
    /// The element has no place where it stood, or it is nested too deeply: its tags went.
    case structure
    /// It only follows or counts readers: a picture that nobody was meant to see, or a parameter of a link.
    case tracking
    /// The picture for readers without script, where the picture itself is there; the letters of a formula beside its MathML.
    case duplicate
    /// What held the place of a picture until a script would run, where the picture for readers without script is there.
    case placeholder
    /// A picture without a source or words for it.
    case empty
    /// The address of an attribute, which resolved would have made the fragment grow beyond ``Limits/resolvingGrowth``, or
    /// the `base` or `page` of the fragment, which is longer than ``Limits/baseBytes``.
    case limit

    /// The rule in a few words, to be read behind the name of what it took away.
    public var reason: String {
      switch self {
      case .content: "is not allowed and went with its content"
      case .element: "is not allowed; its content stays"
      case .attribute: "is not allowed there"
      case .value: "has a value that is not allowed"
      case .structure: "has no place where it stood; its content stays"
      case .duplicate: "shows the picture before it once more"
      case .placeholder: "held the place of the picture behind it"
      case .empty: "has nothing to show"
      case .limit: "would have made the output grow too much"
      case .tracking: "was there to follow or to count readers"
      }
    }
  }

  /// Why it went.
  public var rule: Rule
  /// The element, or `element@attribute`.
  public var name: String
  /// Line in the fragment, counted from 1.
  public var line: Int
  /// Column in bytes of the end of the tag, counted from 1.
  public var column: Int

  /// Makes a removal.
  public init(rule: Rule, name: String, line: Int, column: Int) {
    self.rule = rule
    self.name = name
    self.line = line
    self.column = column
  }
}
