import TamisCore

/// A Mustache template (https://mustache.github.io/mustache.5.html), read once and rendered often.
///
/// The part of Mustache without a way around escaping: variables, sections, inverted sections, partials and comments. There is
/// no `{{{x}}}` and no `{{&x}}`, because what may be printed as it is follows from a value's type (see ``PageContext``), nor
/// lambdas and other delimiters. A partial is not indented: what it prints may be preformatted.
struct Template: Sendable {
  enum Part: Sendable {
    /// Printed as it is.
    case text([UInt8])
    /// The value at a path.
    case value(Path)
    /// Printed for each value, or in the values, at a path.
    case section(Path, [Part])
    /// Printed when there is no value at a path.
    case inverted(Path, [Part])
    /// Another template.
    case partial(String)
  }

  /// The path of a value: `post.feed_title`.
  ///
  /// A class, because rendering passes paths around for each value that it prints.
  final class Path: Sendable {
    /// The name that is looked for from the innermost values outwards; nil for the current value, `{{.}}`.
    let first: PageName?
    /// The further names.
    let rest: [PageName]
    /// Behind ``PageName/fields``, the name that the feed gives it.
    let field: String?
    /// After ``PageName/words``, the key of a text of the site.
    let word: Word?
    /// The path as the template has it.
    let text: String

    init(_ names: [PageName], field: String? = nil, word: Word? = nil, text: String) {
      (first, rest) = (names.first, Array(names.dropFirst()))
      (self.field, self.word, self.text) = (field, word, text)
    }
  }

  let parts: [Part]

  /// - Throws: at the first tag that cannot be understood, with its line.
  init(_ source: [UInt8], file: String) throws(ThemeError) {
    var reader = TemplateReader(source, file: file)
    parts = try reader.read()
  }

  private init(parts: [Part]) { self.parts = parts }

  /// The same with the words of a site as text in their places.
  func saying(_ words: Words) -> Template { Template(parts: Self.saying(words, parts)) }

  private static func saying(_ words: Words, _ parts: [Part]) -> [Part] {
    var said: [Part] = []
    func add(_ bytes: [UInt8]) {
      if case .text(let before)? = said.last {
        said[said.count - 1] = .text(before + bytes)
      } else {
        said.append(.text(bytes))
      }
    }
    for part in parts {
      switch part {
      case .text(let bytes): add(bytes)
      case .value(let path):
        guard let word = path.word else {
          said.append(part)
          continue
        }
        var text: [UInt8] = []
        HTMLText.append(words.text(word), to: &text)
        add(text)
      case .section(let path, let inner): said.append(.section(path, saying(words, inner)))
      case .inverted(let path, let inner): said.append(.inverted(path, saying(words, inner)))
      case .partial: said.append(part)
      }
    }
    return said
  }

  /// The names of the templates that it includes, with counts.
  var partials: [String: Int] {
    var uses: [String: Int] = [:]
    Self.each(parts) { if case .partial(let name) = $0 { uses[name, default: 0] += 1 } }
    return uses
  }

  /// How many parts it has, those of sections among them.
  var count: Int {
    var count = 0
    Self.each(parts) { _ in count += 1 }
    return count
  }

  private static func each(_ parts: [Part], _ body: (Part) -> Void) {
    for part in parts {
      body(part)
      switch part {
      case .section(_, let inner), .inverted(_, let inner): each(inner, body)
      case .text, .value, .partial: break
      }
    }
  }
}

/// Reads a template's tags.
private struct TemplateReader {
  private enum Tag {
    case value(Template.Path)
    case open(Template.Path, isInverted: Bool)
    case close(Template.Path)
    case partial(String)
    case comment
  }

  private let source: [UInt8]
  private let file: String
  /// Whether white space is kept as it is in the template.
  private let keepsIndentation: Bool
  private var position = 0
  private var line = 1

  init(_ source: [UInt8], file: String) {
    self.source = source
    self.file = file
    let text = source.map(\.asciiLowercased)
    keepsIndentation =
      ByteScan.index(of: "<pre", in: text.span, from: 0) != nil
      || ByteScan.index(of: "<textarea", in: text.span, from: 0) != nil
  }

  mutating func read() throws(ThemeError) -> [Template.Part] {
    // Sections that are open: what stood before each, its path and where it was opened.
    var open: [(parts: [Template.Part], path: Template.Path, isInverted: Bool, line: Int)] = []
    var parts: [Template.Part] = []
    while let (start, tag, end) = try nextTag() {
      var (from, to) = (start, end)
      if case .value = tag {} else if let whole = wholeLine(from: start, to: end) { (from, to) = whole }
      append(position..<max(position, from), to: &parts)
      position = to
      switch tag {
      case .value(let path): parts.append(.value(path))
      case .partial(let name): parts.append(.partial(name))
      case .comment: break
      case .open(let path, let isInverted):
        guard open.count < 100 else { throw error("sections are nested more than 100 deep") }
        open.append((parts, path, isInverted, line))
        parts = []
      case .close(let path):
        guard let section = open.popLast(), section.path.text == path.text else {
          throw error("{{/\(path.text)}} has no matching start; check the names of sections")
        }
        let inner = parts
        parts = section.parts + [section.isInverted ? .inverted(path, inner) : .section(path, inner)]
      }
      line += source[start..<to].count { $0 == UInt8(ascii: "\n") }
    }
    append(position..<source.count, to: &parts)
    if let section = open.last {
      line = section.line
      throw error("{{#\(section.path.text)}} is not closed; write {{/\(section.path.text)}}")
    }
    return parts
  }

  private mutating func append(_ range: Range<Int>, to parts: inout [Template.Part]) {
    let text = keepsIndentation ? Array(source[range]) : withoutIndentation(range)
    if !text.isEmpty { parts.append(.text(text)) }
  }

  /// Indentation is for readers of the template; in a site it would be in thousands of pages.
  private func withoutIndentation(_ range: Range<Int>) -> [UInt8] {
    var text: [UInt8] = []
    var isAtLineStart = range.lowerBound == 0 || source[range.lowerBound - 1] == UInt8(ascii: "\n")
    for byte in source[range] {
      if isAtLineStart, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { continue }
      isAtLineStart = byte == UInt8(ascii: "\n")
      text.append(byte)
    }
    return text
  }

  /// The next tag with the offsets of its first byte and after its last; counts lines up to it.
  private mutating func nextTag() throws(ThemeError) -> (Int, Tag, Int)? {
    var index = position
    while index + 1 < source.count, source[index] != UInt8(ascii: "{") || source[index + 1] != UInt8(ascii: "{") {
      index += 1
    }
    guard index + 1 < source.count else { return nil }
    line += source[position..<index].count { $0 == UInt8(ascii: "\n") }
    let first = index + 2
    var end = first
    while end + 1 < source.count, source[end] != UInt8(ascii: "}") || source[end + 1] != UInt8(ascii: "}") { end += 1 }
    guard end + 1 < source.count else { throw error("a tag is not closed; write }}") }
    return (index, try tag(String(decoding: source[first..<end], as: UTF8.self)), end + 2)
  }

  private func tag(_ text: String) throws(ThemeError) -> Tag {
    func trimmed(_ text: Substring) -> String {
      text.utf8.split(separator: ASCII.space).map { String(Substring($0)) }.joined(separator: " ")
    }
    func isName(_ part: Substring) -> Bool {
      if part.isEmpty { return false }
      // All but the names of some feeds' fields are ASCII, which is looked at in a fraction of the time.
      return part.utf8.allSatisfy { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") || $0.isASCIIAlphanumeric }
        || part.allSatisfy { $0 == "_" || $0 == "-" || $0.isLetter || $0.isNumber }
    }
    func path(_ text: Substring) throws(ThemeError) -> Template.Path {
      let text = trimmed(text)
      if text == "." { return Template.Path([], text: text) }
      let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Substring.init)
      guard parts.allSatisfy(isName) else {
        throw error("'\(text)' is not a name; names have letters, digits, _ and -, with dots between")
      }
      var names: [PageName] = []
      for (index, part) in parts.enumerated() {
        guard let name = PageName(rawValue: String(part)) else {
          throw error(
            "there is no value '\(text)'; see the templates of tamis theme new; other fields of a feed are post.fields.NAME"
          )
        }
        names.append(name)
        if name == .words, index == 0 {
          return Template.Path(names, word: try word(parts.dropFirst().joined(separator: ".")), text: text)
        }
        if name == .fields, index + 1 < parts.count {
          return Template.Path(names, field: parts[(index + 1)...].joined(separator: "."), text: text)
        }
      }
      return Template.Path(names, text: text)
    }
    switch text.first {
    case "#": return .open(try path(text.dropFirst()), isInverted: false)
    case "^": return .open(try path(text.dropFirst()), isInverted: true)
    case "/": return .close(try path(text.dropFirst()))
    case ">": return .partial(trimmed(text.dropFirst()))
    case "!": return .comment
    case "{", "&":
      throw error("there is no {{{x}}} and no {{&x}}: text is escaped always, sanitized markup never; write {{x}}")
    case "=": throw error("delimiters other than {{ and }} are not supported")
    default: return .value(try path(text[...]))
    }
  }

  /// A text that a template can print: one without placeholders.
  private func word(_ name: String) throws(ThemeError) -> Word {
    guard let word = Word(rawValue: name) else {
      let near = NearestName.of(name, among: Word.allCases.map(\.rawValue)).map { "did you mean 'words.\($0)'?" }
      throw error("there is no 'words.\(name)'; \(near ?? "tamis theme words shows which there are")")
    }
    guard Words.standard.placeholders(of: word).isEmpty else {
      throw error("'words.\(name)' has placeholders and cannot be printed alone; use the page's values")
    }
    return word
  }

  /// The line of a tag when it has it for itself: such a line is not printed.
  private func wholeLine(from start: Int, to end: Int) -> (Int, Int)? {
    var from = start
    while from > position, source[from - 1] == UInt8(ascii: " ") || source[from - 1] == UInt8(ascii: "\t") { from -= 1 }
    guard from == 0 || source[from - 1] == UInt8(ascii: "\n") else { return nil }
    var to = end
    while to < source.count, source[to] == UInt8(ascii: " ") || source[to] == UInt8(ascii: "\r") { to += 1 }
    guard to < source.count else { return (from, to) }
    return source[to] == UInt8(ascii: "\n") ? (from, to + 1) : nil
  }

  private func error(_ message: String) -> ThemeError { ThemeError(description: "\(file):\(line): \(message)") }
}
