package import TamisCore

/// The values available to a template.
///
/// The type of a value decides what is printed unescaped: only ``PageBody``, which is made of sanitized markup alone,
/// a style sheet, and the script of the search page. Text is always escaped.
package struct PageContext: Sendable {
  enum Value: Sendable {
    /// A text, escaped when printed.
    case text(String)
    case body(PageBody)
    indirect case style(StyleSheet)
    case script(PageScript)
    case condition(Bool)
    case context(PageContext)
    case list([PageContext])
    case texts([String])
    /// Texts by names that the feed defines.
    case fields([String: String])
    /// A post's card, of which a template names a field.
    case record(Indirect<Post.Card>)
    /// The words of the site; indirect, like the style sheet, so that values stay small.
    indirect case words(Site.Words)

    /// Returns the value of a name in a group or in the fields of a feed; nil when there is none.
    func value(of name: TemplateName) -> Value? {
      switch self {
      case .context(let context): context[name]
      case .fields(let fields): fields[name.text].map { .text($0) }
      default: nil
      }
    }

    /// Whether a section of the value is printed.
    var isPresent: Bool {
      switch self {
      case .text(let text): !text.isEmpty
      case .body(let body): !body.bytes.isEmpty
      case .style, .script, .words, .record: true
      case .condition(let condition): condition
      case .context: true
      case .list(let list): !list.isEmpty
      case .texts(let texts): !texts.isEmpty
      case .fields(let fields): !fields.isEmpty
      }
    }
  }

  /// The values in the order in which they were set; each name has one.
  private var values: [Value] = []
  /// For each name the number of its value, counted from 1, or 0 for none.
  ///
  /// A page asks for hundreds of values, and a search would pass most of them each time.
  private var numbers = Self.none
  private static let none = [UInt8](repeating: 0, count: TemplateName.allCases.count)

  /// Creates a context with room for about this many values.
  package init(capacity: Int = 0) { values.reserveCapacity(capacity) }

  /// Returns the value that was last set for a name.
  subscript(_ name: TemplateName) -> Value? {
    let number = Int(numbers[Int(name.rawValue)])
    return number == 0 ? nil : values[number - 1]
  }

  private mutating func set(_ name: TemplateName, to value: consuming Value) {
    let number = Int(numbers[Int(name.rawValue)])
    if number > 0 {
      values[number - 1] = value
    } else {
      values.append(value)
      numbers[Int(name.rawValue)] = UInt8(values.count)
    }
  }

  /// Sets a text.
  ///
  /// Nil and the empty text count as absent. They are set nevertheless, since a template searches the enclosing
  /// contexts for a name that is missing.
  package mutating func set(_ name: TemplateName, _ text: String?) { set(name, to: .text(text ?? "")) }

  /// Sets a number; nil counts as absent.
  package mutating func set(_ name: TemplateName, _ number: Int?) { set(name, number.map { String($0) }) }

  /// Sets a condition.
  package mutating func set(_ name: TemplateName, _ condition: Bool) { set(name, to: .condition(condition)) }

  /// Sets a URL that a page may link to; one that is not HTTP counts as absent.
  package mutating func set(_ name: TemplateName, address: String?) { set(name, address.ifHTTP) }

  /// Sets the body of a post.
  package mutating func set(_ name: TemplateName, _ body: PageBody) { set(name, to: .body(body)) }

  /// Sets a style sheet contained in the page itself.
  mutating func set(_ name: TemplateName, _ style: StyleSheet) { set(name, to: .style(style)) }

  /// Sets the script of the search page.
  mutating func set(_ name: TemplateName, _ script: PageScript) { set(name, to: .script(script)) }

  /// Sets a group of values; nil counts as absent.
  package mutating func set(_ name: TemplateName, _ context: PageContext?) {
    set(name, to: context.map { .context($0) } ?? .text(""))
  }

  /// Sets a list of groups of values; an empty one counts as absent.
  package mutating func set(_ name: TemplateName, _ list: [PageContext]) { set(name, to: .list(list)) }

  /// Sets a list of texts; an empty one counts as absent.
  package mutating func set(_ name: TemplateName, _ list: [String]) { set(name, to: .texts(list)) }

  /// Sets the words of the site.
  package mutating func set(_ name: TemplateName, _ words: Site.Words) { set(name, to: .words(words)) }

  /// Sets the card of a post, whose fields have the names of ``Post/Card/columns``.
  package mutating func set(_ name: TemplateName, _ card: Indirect<Post.Card>) { set(name, to: .record(card)) }

  /// Sets texts by the names that a feed gives them.
  package mutating func set(_ name: TemplateName, _ fields: [String: String]) { set(name, to: .fields(fields)) }
}

extension String? {
  /// The URL if it is HTTP, which runs nothing and contains no data, else nil.
  var ifHTTP: String? { flatMap { $0.beginsAsHTTP ? $0 : nil } }
}
