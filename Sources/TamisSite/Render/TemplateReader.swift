import TamisCore

/// A reader of a template's tags.
struct TemplateReader {
  private enum Tag {
    case value(Template.Path)
    case open(Template.Path, isInverted: Bool)
    case close(Template.Path)
    case partial(String)
    case comment
  }

  private let source: [UInt8]
  private let file: String
  /// Whether values are refused where they are not escaped for HTML.
  private let isHTML: Bool
  /// Whether white space is kept as in the template.
  private let keepsIndentation: Bool
  private var position = 0
  private var line = 1

  init(_ source: [UInt8], file: String, isHTML: Bool) {
    self.source = source
    self.file = file
    self.isHTML = isHTML
    let text = source.map(\.asciiLowercased)
    keepsIndentation =
      ByteScan.index(of: "<pre", in: text.span, from: 0) != nil
      || ByteScan.index(of: "<textarea", in: text.span, from: 0) != nil
  }

  mutating func read() throws(Site.ThemeError) -> TemplateBuilder {
    // The open sections with their lines.
    var open: [(path: Template.Path, line: Int)] = []
    var builder = TemplateBuilder()
    var context = TemplateContext()
    while let (start, tag, end) = try nextTag() {
      var (from, to) = (start, end)
      if isHTML {
        context.read(source[position..<start])
        try check(tag, in: context.place)
      }
      if case .value = tag {} else if let whole = wholeLine(from: start, to: end) { (from, to) = whole }
      builder.add(text(position..<max(position, from))[...])
      position = to
      switch tag {
      case .value(let path): builder.add(path)
      case .partial(let name): builder.add(partial: name)
      case .comment: break
      case .open(let path, let isInverted):
        guard open.count < 100 else { throw error("sections are nested more than 100 deep") }
        open.append((path, line))
        builder.open(path, isInverted: isInverted)
      case .close(let path):
        guard let section = open.popLast(), section.path.text == path.text else {
          throw error("{{/\(path.text)}} has no matching start; check the names of sections")
        }
        builder.close()
      }
      line += source[start..<to].count { $0 == UInt8(ascii: "\n") }
    }
    builder.add(text(position..<source.count)[...])
    if let section = open.last {
      line = section.line
      throw error("{{#\(section.path.text)}} is not closed; write {{/\(section.path.text)}}")
    }
    return builder
  }

  /// Refuses what a page's reader could break out of: values that are escaped for another place, and markup in a tag.
  private func check(_ tag: Tag, in place: TemplateContext.Place) throws(Site.ThemeError) {
    switch (tag, place) {
    case (.value(let path), .tag): throw error("{{\(path.text)}} has to be in quotation marks here, in a tag")
    case (.value(let path), .raw) where path.first != .sheet:
      throw error("{{\(path.text)}} cannot be in a script or style, where nothing is escaped")
    case (.value(let path), _) where path.isMarkup && place != .content:
      throw error("{{\(path.text)}} is markup: it can only be between tags, not in an attribute, comment or title")
    case (.partial(let name), _) where place != .content:
      throw error("{{> \(name)}} can only be between tags")
    default: break
    }
  }

  private func text(_ range: Range<Int>) -> [UInt8] {
    keepsIndentation ? Array(source[range]) : withoutIndentation(range)
  }

  /// Removes indentation, which helps readers of the template but would be in thousands of pages.
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

  /// Returns the next tag with the offsets of its first byte and after its last, and counts lines up to it.
  private mutating func nextTag() throws(Site.ThemeError) -> (Int, Tag, Int)? {
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

  private func tag(_ text: String) throws(Site.ThemeError) -> Tag {
    func trimmed(_ text: Substring) -> String {
      text.utf8.split(separator: ASCII.space).map { String(Substring($0)) }.joined(separator: " ")
    }
    func isName(_ part: Substring) -> Bool {
      if part.isEmpty { return false }
      // All names but those of some feeds' fields are ASCII, which is much faster to check.
      return part.utf8.allSatisfy { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") || $0.isASCIIAlphanumeric }
        || part.allSatisfy { $0 == "_" || $0 == "-" || $0.isLetter || $0.isNumber }
    }
    func path(_ text: Substring) throws(Site.ThemeError) -> Template.Path {
      let text = trimmed(text)
      if text == "." { return Template.Path([], text: text) }
      let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Substring.init)
      guard parts.allSatisfy(isName) else {
        throw error("'\(text)' is not a name; names have letters, digits, _ and -, with dots between")
      }
      var names: [TemplateName] = []
      for (index, part) in parts.enumerated() {
        guard let name = TemplateName(part) else {
          throw error(
            "there is no value '\(text)'; see the templates of tamis theme new; other fields of a feed are post.fields.NAME"
          )
        }
        names.append(name)
        if name == .words, index == 0 {
          return Template.Path(names, word: try word(parts.dropFirst().joined(separator: ".")), text: text)
        }
        if name == .record, index + 1 < parts.count {
          let name = parts[(index + 1)...].joined(separator: ".")
          return Template.Path(names, recordField: try recordField(name), text: text)
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

  /// Returns a field of a post by its name.
  private func recordField(_ name: String) throws(Site.ThemeError) -> StoredColumn {
    if let field = Post.Card.columns.first(where: { $0.name == name }) { return field }
    let names = Post.Card.columns.map(\.name)
    let near = NearestName.of(name, among: names).map { "did you mean 'record.\($0)'?" }
    throw error("there is no 'record.\(name)'; \(near ?? "the names are \(names.joined(separator: ", "))")")
  }

  /// Returns a text that a template can print: one without placeholders.
  private func word(_ name: String) throws(Site.ThemeError) -> Word {
    guard let word = Word(rawValue: name) else {
      let near = NearestName.of(name, among: Word.allCases.map(\.rawValue)).map { "did you mean 'words.\($0)'?" }
      throw error("there is no 'words.\(name)'; \(near ?? "tamis theme words shows which there are")")
    }
    guard Site.Words.standard.placeholders(of: word).isEmpty else {
      throw error("'words.\(name)' has placeholders and cannot be printed alone; use the page's values")
    }
    return word
  }

  /// Returns the range of a tag's line when the tag is alone on it; such a line is not printed.
  private func wholeLine(from start: Int, to end: Int) -> (Int, Int)? {
    var from = start
    while from > position, source[from - 1] == UInt8(ascii: " ") || source[from - 1] == UInt8(ascii: "\t") { from -= 1 }
    guard from == 0 || source[from - 1] == UInt8(ascii: "\n") else { return nil }
    var to = end
    while to < source.count, source[to] == UInt8(ascii: " ") || source[to] == UInt8(ascii: "\r") { to += 1 }
    guard to < source.count else { return (from, to) }
    return source[to] == UInt8(ascii: "\n") ? (from, to + 1) : nil
  }

  private func error(_ message: String) -> Site.ThemeError {
    Site.ThemeError(description: "\(file):\(line): \(message)")
  }
}
