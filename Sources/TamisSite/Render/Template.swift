import TamisCore

/// A Mustache template (https://mustache.github.io/mustache.5.html), read once and rendered often.
///
/// It supports the part of Mustache without a way around escaping: variables, sections, inverted sections, partials and
/// comments. There is no `{{{x}}}` and no `{{&x}}`, since a value's type decides what may be printed unescaped (see
/// ``PageContext``), and there are no lambdas and other delimiters. A partial is not indented, since its output may be
/// preformatted.
///
/// The parts are one list of plain values, so that rendering does no reference counting. The type is a class because
/// pages pass it around.
final class Template: Sendable {
  enum Part: Sendable {
    /// Literal text: a range of ``Template/text``.
    case text(Range<Int>)
    /// The value at a path.
    case value(PathNumber)
    /// A section rendered for each value at a path: the parts from the next one up to `end`.
    case section(PathNumber, end: Int)
    /// A section rendered when there is no value at a path: the parts from the next one up to `end`.
    case inverted(PathNumber, end: Int)
    /// Another template.
    case partial(PartialNumber)
  }

  /// The number of a path in ``Template/paths``, with the path itself where it is one name.
  struct PathNumber: Sendable {
    fileprivate let index: Int
    /// The name, as most paths are; nil for any other path.
    let name: TemplateName?
  }

  /// The number of a name in ``Template/partials``.
  struct PartialNumber: Sendable { fileprivate let index: Int }

  /// The path of a value, such as `post.feed_title`.
  ///
  /// The type is a class because rendering passes paths around.
  final class Path: Sendable {
    /// The name looked up from the innermost context outwards; nil for the current value, `{{.}}`.
    let first: TemplateName?
    /// The further names.
    let rest: [TemplateName]
    /// The name that the feed defines, after ``TemplateName/fields``.
    let field: String?
    /// The field of a post, after ``TemplateName/record``.
    let recordField: StoredColumn?
    /// The key of a text of the site, after ``TemplateName/words``.
    let word: Word?
    /// The path as written in the template.
    let text: String

    /// The name that is the whole path; nil for any other path.
    var onlyName: TemplateName? {
      rest.isEmpty && field == nil && recordField == nil && word == nil ? first : nil
    }

    /// Whether the value is markup, which is printed as it is.
    var isMarkup: Bool { [.content, .script].contains(rest.last ?? first) }

    init(
      _ names: [TemplateName], field: String? = nil, recordField: StoredColumn? = nil, word: Word? = nil, text: String
    ) {
      (first, rest) = (names.first, Array(names.dropFirst()))
      (self.field, self.recordField, self.word, self.text) = (field, recordField, word, text)
    }
  }

  /// The parts in template order, including those of sections.
  let parts: [Part]
  /// All literal text.
  let text: [UInt8]
  private let paths: [Path]
  private let partials: [String]

  /// Reads a template.
  ///
  /// - Parameters:
  ///   - source: the template.
  ///   - file: its name in errors.
  ///   - isHTML: whether the template is HTML, in which values are refused where they are not escaped.
  /// - Throws: ``Site/ThemeError`` for the first tag that cannot be parsed, with its line.
  convenience init(_ source: [UInt8], file: String, isHTML: Bool = true) throws(Site.ThemeError) {
    var reader = TemplateReader(source, file: file, isHTML: isHTML)
    self.init(try reader.read())
  }

  private init(_ builder: TemplateBuilder) {
    (parts, text, paths, partials) = (builder.parts, builder.text, builder.paths, builder.partials)
  }

  subscript(_ number: PathNumber) -> Path { paths[number.index] }

  /// Returns the name of another template.
  subscript(_ number: PartialNumber) -> String { partials[number.index] }

  /// Returns the template with the words of a site substituted as text.
  func saying(_ words: Site.Words) -> Template {
    var builder = TemplateBuilder()
    var ends: [Int] = []
    for index in parts.indices {
      while ends.last == index {
        ends.removeLast()
        builder.close()
      }
      switch parts[index] {
      case .text(let range): builder.add(text[range])
      case .value(let number):
        let path = self[number]
        guard let word = path.word else {
          builder.add(path)
          continue
        }
        var said: [UInt8] = []
        HTMLText.append(words.text(word), to: &said)
        builder.add(said[...])
      case .section(let number, let end):
        builder.open(self[number], isInverted: false)
        ends.append(end)
      case .inverted(let number, let end):
        builder.open(self[number], isInverted: true)
        ends.append(end)
      case .partial(let number): builder.add(partial: self[number])
      }
    }
    for _ in ends { builder.close() }
    return Template(builder)
  }

  /// The names of the included templates, with counts.
  var uses: [String: Int] {
    var uses: [String: Int] = [:]
    for case .partial(let number) in parts { uses[self[number], default: 0] += 1 }
    return uses
  }
}

/// A builder of the parts of a template.
struct TemplateBuilder {
  private(set) var parts: [Template.Part] = []
  private(set) var text: [UInt8] = []
  private(set) var paths: [Template.Path] = []
  private(set) var partials: [String] = []
  /// The open sections, by the number of their first part.
  private var openSections: [Int] = []
  /// Whether the next text belongs to the last part.
  private var isInText = false

  mutating func add(_ bytes: ArraySlice<UInt8>) {
    if bytes.isEmpty { return }
    let start = text.count
    text += bytes
    if isInText, case .text(let before)? = parts.last {
      parts[parts.count - 1] = .text(before.lowerBound..<text.count)
    } else {
      append(.text(start..<text.count))
      isInText = true
    }
  }

  mutating func add(_ path: Template.Path) { append(.value(number(path))) }

  mutating func add(partial name: String) {
    append(.partial(Template.PartialNumber(index: partials.count)))
    partials.append(name)
  }

  mutating func open(_ path: Template.Path, isInverted: Bool) {
    openSections.append(parts.count)
    // The end is set when the section is closed.
    let number = number(path)
    append(isInverted ? .inverted(number, end: 0) : .section(number, end: 0))
  }

  /// Ends the innermost section.
  mutating func close() {
    guard let start = openSections.popLast() else { return }
    switch parts[start] {
    case .section(let number, _): parts[start] = .section(number, end: parts.count)
    case .inverted(let number, _): parts[start] = .inverted(number, end: parts.count)
    case .text, .value, .partial: break
    }
    isInText = false
  }

  private mutating func append(_ part: Template.Part) {
    parts.append(part)
    isInText = false
  }

  private mutating func number(_ path: Template.Path) -> Template.PathNumber {
    paths.append(path)
    return Template.PathNumber(index: paths.count - 1, name: path.onlyName)
  }
}
