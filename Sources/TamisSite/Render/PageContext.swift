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
    /// Texts by names that are not the site's, but a feed's.
    case fields([String: String])

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
      case .fields(let fields): !fields.isEmpty
      }
    }
  }

  /// In the order in which they were set: there are few, and one is found by looking through them sooner than by hashing.
  private var values: [(name: PageName, value: Value)] = []

  /// Makes room for about this many values.
  init(capacity: Int = 0) { values.reserveCapacity(capacity) }

  /// The value that was set last by a name.
  subscript(_ name: PageName) -> Value? {
    for index in values.indices.reversed() where values[index].name == name { return values[index].value }
    return nil
  }

  /// Sets a text.
  ///
  /// Nil and the empty text count as absent: set all the same, since a template looks for a name that is not there in
  /// the contexts around this one.
  mutating func set(_ name: PageName, _ text: String?) { values.append((name, .text(text ?? ""))) }

  /// Sets a number; nil counts as absent.
  mutating func set(_ name: PageName, _ number: Int?) { set(name, number.map { String($0) }) }

  /// Sets a condition.
  mutating func set(_ name: PageName, _ condition: Bool) { values.append((name, .condition(condition))) }

  /// Sets sanitized markup.
  mutating func set(_ name: PageName, _ html: SanitizedHTML) { values.append((name, .html(html))) }

  /// Sets what templates have printed.
  mutating func set(_ name: PageName, rendered: [UInt8]) { values.append((name, .rendered(rendered))) }

  /// Sets the theme's style sheet.
  mutating func set(_ name: PageName, _ style: StyleSheet) { values.append((name, .style(style))) }

  /// Sets a group of values; nil counts as absent.
  mutating func set(_ name: PageName, _ context: PageContext?) {
    values.append((name, context.map { .context($0) } ?? .text("")))
  }

  /// Sets a list of groups of values; an empty one counts as absent.
  mutating func set(_ name: PageName, _ list: [PageContext]) { values.append((name, .list(list))) }

  /// Sets a list of texts; an empty one counts as absent.
  mutating func set(_ name: PageName, _ list: [String]) { values.append((name, .texts(list))) }

  /// Sets texts by the names that a feed gives them.
  mutating func set(_ name: PageName, _ fields: [String: String]) { values.append((name, .fields(fields))) }
}
