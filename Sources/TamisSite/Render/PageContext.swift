import TamisCore

/// The values that a template sees.
///
/// What is printed as it is follows from its type: only ``SanitizedHTML``, which the sanitizer alone makes, what templates have
/// printed, and the theme's style sheet. Text is escaped, always.
struct PageContext: Sendable {
  enum Value: Sendable {
    /// Escaped when it is printed.
    case text(String)
    case html(SanitizedHTML)
    /// What templates have printed.
    case rendered([UInt8])
    case style(StyleSheet)
    case condition(Bool)
    case context(PageContext)
    case list([PageContext])
    case texts([String])

    /// Whether a section of it is printed.
    var isPresent: Bool {
      switch self {
      case .text(let text): !text.isEmpty
      case .html(let html): !html.string.isEmpty
      case .rendered(let bytes): !bytes.isEmpty
      case .style: true
      case .condition(let condition): condition
      case .context: true
      case .list(let list): !list.isEmpty
      case .texts(let texts): !texts.isEmpty
      }
    }
  }

  private var values: [String: Value] = [:]

  /// Makes room for about this many values.
  init(capacity: Int = 0) { values.reserveCapacity(capacity) }

  subscript(_ name: String) -> Value? { values[name] }

  /// Sets a text.
  ///
  /// Nil and the empty text count as absent: set all the same, since a template looks for a name that is not there in
  /// the contexts around this one.
  mutating func set(_ name: String, _ text: String?) { values[name] = .text(text ?? "") }

  /// Sets a number; nil counts as absent.
  mutating func set(_ name: String, _ number: Int?) { set(name, number.map { String($0) }) }

  /// Sets a condition.
  mutating func set(_ name: String, _ condition: Bool) { values[name] = .condition(condition) }

  /// Sets sanitized markup.
  mutating func set(_ name: String, _ html: SanitizedHTML) { values[name] = .html(html) }

  /// Sets what templates have printed.
  mutating func set(_ name: String, rendered: [UInt8]) { values[name] = .rendered(rendered) }

  /// Sets the theme's style sheet.
  mutating func set(_ name: String, _ style: StyleSheet) { values[name] = .style(style) }

  /// Sets a group of values; nil counts as absent.
  mutating func set(_ name: String, _ context: PageContext?) {
    values[name] = context.map { .context($0) } ?? .text("")
  }

  /// Sets a list of groups of values; an empty one counts as absent.
  mutating func set(_ name: String, _ list: [PageContext]) { values[name] = .list(list) }

  /// Sets a list of texts; an empty one counts as absent.
  mutating func set(_ name: String, _ list: [String]) { values[name] = .texts(list) }
}
