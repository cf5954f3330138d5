/// The values that a template sees.
///
/// What is printed as it is follows from its type: only ``PageBody``, which is made of what the sanitizer has made alone, and a
/// style sheet. Text is escaped, always.
struct PageContext: Sendable {
  enum Value: Sendable {
    /// Escaped when it is printed.
    case text(String)
    case body(PageBody)
    case style(StyleSheet)
    case condition(Bool)
    case context(PageContext)
    case list([PageContext])
    case texts([String])
    /// Texts by names that are not the site's, but a feed's.
    case fields([String: String])
    /// What pages say besides.
    case words(Words)

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

  /// Sets an address that a page may lead to; one that is not of the web counts as absent, wherever it comes from.
  mutating func set(_ name: PageName, address: String?) { set(name, address.ifWebAddress) }

  /// Sets the body of a post.
  mutating func set(_ name: PageName, _ body: PageBody) { values.append((name, .body(body))) }

  /// Sets a style sheet that stands in the page itself.
  mutating func set(_ name: PageName, _ style: StyleSheet) { values.append((name, .style(style))) }

  /// Sets a group of values; nil counts as absent.
  mutating func set(_ name: PageName, _ context: PageContext?) {
    values.append((name, context.map { .context($0) } ?? .text("")))
  }

  /// Sets a list of groups of values; an empty one counts as absent.
  mutating func set(_ name: PageName, _ list: [PageContext]) { values.append((name, .list(list))) }

  /// Sets a list of texts; an empty one counts as absent.
  mutating func set(_ name: PageName, _ list: [String]) { values.append((name, .texts(list))) }

  /// Sets what pages say besides.
  mutating func set(_ name: PageName, _ words: Words) { values.append((name, .words(words))) }

  /// Sets texts by the names that a feed gives them.
  mutating func set(_ name: PageName, _ fields: [String: String]) { values.append((name, .fields(fields))) }
}

extension String {
  /// Whether a page may lead there: an address of the web, and none that runs or stands for data.
  var isWebAddress: Bool { hasPrefix("https://") || hasPrefix("http://") }
}

extension String? {
  /// An address that may be followed, else nil.
  var ifWebAddress: String? { flatMap { $0.isWebAddress ? $0 : nil } }
}
