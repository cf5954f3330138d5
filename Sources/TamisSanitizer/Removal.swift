// To add a rule of removals: a case with its reason here, noted by the walker; `rule_NAME` in
// TamisSite/Words/Word.swift and in each file of TamisSite/Languages; the table in docs/rules.md.

/// A part of the source that the sanitizer removed, with the reason.
///
/// As JSON it is an object with `rule`, `name`, `line` and `column`.
public struct Removal: Sendable, Hashable, Encodable, CustomStringConvertible {
  /// The reason for a removal.
  public enum Rule: String, Sendable, Hashable, Encodable, CaseIterable {
    /// The element is not allowed, and was removed with its content.
    case content
    /// The element is not allowed; its tags were removed, and its content stays.
    case element
    /// The attribute is not allowed on this element.
    case attribute
    /// The attribute is allowed, but its value is not.
    case value
    /// The URL is relative, and there is no base URL to resolve it against.
    case relative
    /// The element is not allowed at this position, or is nested too deeply: its tags were removed.
    case structure
    /// The element or text was in a table and in none of its cells; it is before the table, as in browsers.
    case moved
    /// A tag, comment or declaration has no end, so that it contains all that follows.
    case unfinished
    /// The removed part tracks readers: a tracking pixel, or a tracking parameter of a link.
    case tracking
    /// The element or text is hidden by inline styles or attributes, and was removed with its content.
    ///
    /// - The attribute `hidden`, unless it is `until-found`; a `dialog` that is not open.
    /// - `display: none`, `visibility: hidden`, `content-visibility: hidden`.
    /// - `opacity: 0` without a sign that the element will be animated.
    /// - Text of no size, in a transparent color, or in the color of the background of the same element.
    /// - A box that is clipped away, has no area and hides what exceeds it, or is moved out of the page.
    case hidden
    /// The part was left out by a selector of the caller, such as the settings of a feed; the name is the selector.
    case selector
    /// Characters that nobody sees and no writing needs, or that turn letters around.
    ///
    /// - In the URL of a link: all of them.
    /// - In texts: tag characters outside of flags, variation selectors without a base, runs of zero-width characters,
    ///   joiners between ASCII characters, and marks of direction without a partner; overrides in the text of a link.
    case invisible
    /// The `noscript` copy of a picture in the output, or the visual form of a formula beside its MathML.
    case duplicate
    /// The placeholder of a picture that a script would load, where the `noscript` copy is in the output.
    case placeholder
    /// A picture without a source and without alternative text, or a `srcset` of placeholders beside a picture.
    case empty
    /// The part is for those who edit the page or look for a line: the number of a line of code, a link for editing a
    /// section, a link of a heading to itself.
    case control
    /// A hook removed the part; see ``Sanitizer/Hooks``.
    case hook
    /// The part exceeds one of the ``Limits``.
    ///
    /// - A URL that, resolved, would have made the fragment grow beyond ``Limits/resolvingGrowth``.
    /// - The `base` or `page` of the fragment, which is longer than ``Limits/baseBytes``.
    /// - A `fragment` that is larger than ``Limits/fragmentBytes`` and became text.
    /// - The answer of a `hook`, when all of them together are larger than ``Limits/fragmentBytes``.
    /// - A part of a drawing, or a span of a table, that a browser would draw too often (``Limits/clipBytes``,
    ///   ``Limits/drawingReferences``, ``Limits/tablePlaces``, ``Limits/tableArea``, ``Limits/costlyElements``).
    /// - Unclosed `formatting`, which is reopened in block after block, ten thousand times and four times for each tag.
    case limit

    /// The rule in a few words that follow the name of the removed part.
    public var reason: String {
      switch self {
      case .content: "is not allowed and went with its content"
      case .element: "is not allowed; its content stays"
      case .attribute: "is not allowed there"
      case .value: "has a value that is not allowed"
      case .relative: "is relative and has no base URL"
      case .structure: "is not allowed at this point; its content stays"
      case .moved: "is in a table but in no cell, and was moved before the table"
      case .unfinished: "has no end, and was left out with all that follows"
      case .duplicate: "repeats what is shown beside it"
      case .placeholder: "is a placeholder for the next picture"
      case .empty: "has nothing to show"
      case .control: "is a control of the page, not part of its text"
      case .hook: "was removed by a hook"
      case .limit: "is beyond a limit"
      case .tracking: "tracks readers"
      case .hidden: "is hidden by its attributes or a style, and was removed"
      case .selector: "left out a part with its content"
      case .invisible: "has invisible characters or marks of direction, which were removed"
      }
    }
  }

  /// The reason for the removal.
  public var rule: Rule
  /// The element, or `element@attribute`; for ``Rule/selector`` the setting with the selector, as `remove: .promo`.
  public var name: String
  /// The line in the fragment, counted from 1.
  public var line: Int
  /// The column in bytes of the end of the tag, counted from 1.
  public var column: Int

  /// The removal as `line:column: name reason`, for people.
  public var description: String { "\(line):\(column): \(name) \(rule.reason)" }

  /// Makes a removal.
  public init(rule: Rule, name: String, line: Int, column: Int) {
    self.rule = rule
    self.name = name
    self.line = line
    self.column = column
  }
}
