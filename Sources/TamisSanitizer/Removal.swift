/// Something the sanitizer took away, and the rule that says so.
public struct Removal: Sendable, Hashable {
  /// Why it went.
  public enum Rule: String, Sendable, Hashable {
    /// The element is not allowed: its tags went, and its content too if the rules say so.
    case element
    /// The attribute is not allowed on this element.
    case attribute
    /// The attribute is allowed, its value is not.
    case value
    /// The element has no place where it stood, or it is nested too deeply: its tags went.
    case structure
    /// A picture that nobody was meant to see.
    case tracking
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
