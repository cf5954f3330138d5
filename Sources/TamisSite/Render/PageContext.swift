import TamisCore

/// The values that a template sees.
///
/// The type decides what is printed unescaped: only ``PageBody``, which is made of sanitized markup alone, and a style sheet.
/// Text is always escaped.
package struct PageContext: Sendable {
  enum Value: Sendable {
    /// Escaped when it is printed.
    case text(String)
    case body(PageBody)
    indirect case style(StyleSheet)
    case condition(Bool)
    case context(PageContext)
    case list([PageContext])
    case texts([String])
    /// Texts by names that are not the site's, but a feed's.
    case fields([String: String])
    /// The words of the site; aside, as the style sheet is, so that values stay small.
    indirect case words(Words)

    /// Whether a section of it is printed.
    var isPresent: Bool {
      switch self {
      case .text(let text): !text.isEmpty
      case .body(let body): !body.bytes.isEmpty
      case .style, .words: true
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
  package init(capacity: Int = 0) { values.reserveCapacity(capacity) }

  /// The value that was set last by a name.
  subscript(_ name: PageName) -> Value? {
    for index in values.indices.reversed() where values[index].name == name { return values[index].value }
    return nil
  }

  /// Sets a text.
  ///
  /// Nil and the empty text count as absent: set all the same, since a template looks for a name that is not there in
  /// the contexts around this one.
  package mutating func set(_ name: PageName, _ text: String?) { values.append((name, .text(text ?? ""))) }

  /// Sets a number; nil counts as absent.
  package mutating func set(_ name: PageName, _ number: Int?) { set(name, number.map { String($0) }) }

  /// Sets a condition.
  package mutating func set(_ name: PageName, _ condition: Bool) { values.append((name, .condition(condition))) }

  /// Sets an address that a page may lead to; one that is not of the web counts as absent, wherever it comes from.
  package mutating func set(_ name: PageName, address: String?) { set(name, address.ifHTTP) }

  /// Sets the body of a post.
  package mutating func set(_ name: PageName, _ body: PageBody) { values.append((name, .body(body))) }

  /// Sets a style sheet that is in the page itself.
  mutating func set(_ name: PageName, _ style: StyleSheet) { values.append((name, .style(style))) }

  /// Sets a group of values; nil counts as absent.
  package mutating func set(_ name: PageName, _ context: PageContext?) {
    values.append((name, context.map { .context($0) } ?? .text("")))
  }

  /// Sets a list of groups of values; an empty one counts as absent.
  package mutating func set(_ name: PageName, _ list: [PageContext]) { values.append((name, .list(list))) }

  /// Sets a list of texts; an empty one counts as absent.
  package mutating func set(_ name: PageName, _ list: [String]) { values.append((name, .texts(list))) }

  /// Sets the words of the site.
  package mutating func set(_ name: PageName, _ words: Words) { values.append((name, .words(words))) }

  /// Sets texts by the names that a feed gives them.
  package mutating func set(_ name: PageName, _ fields: [String: String]) { values.append((name, .fields(fields))) }
}

extension String? {
  /// The address if a page may link to it, which runs nothing and holds no data; else nil.
  var ifHTTP: String? { flatMap { $0.beginsAsHTTP ? $0 : nil } }
}
