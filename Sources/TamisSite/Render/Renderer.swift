import TamisCore

/// A renderer of templates with their values.
struct Renderer {
  private let templates: [String: Template]
  private var output: [UInt8] = []
  /// The contexts for lookup, innermost last.
  private var stack: [PageContext.Value] = []
  /// The words of the site.
  private var words = Site.Words.standard

  init(_ templates: [String: Template]) { self.templates = templates }

  /// Returns a rendered page.
  mutating func render(_ template: Template, _ context: PageContext, length: Int) -> [UInt8] {
    output.removeAll(keepingCapacity: true)
    output.reserveCapacity(length)
    stack = [.context(context)]
    if case .words(let words)? = context[.words] { self.words = words }
    render(template, template.parts.indices)
    return output
  }

  /// Renders a range of the parts of a template.
  private mutating func render(_ template: Template, _ range: Range<Int>) {
    let (parts, text) = (template.parts, template.text)
    var index = range.lowerBound
    while index < range.upperBound {
      let part = parts[index]
      index += 1
      switch part {
      case .text(let bytes): output.append(text.span, bytes)
      case .value(let path): if let value = value(path, template) { print(value) }
      case .section(let path, let end):
        if let value = value(path, template), value.isPresent { section(value, template, index..<end) }
        index = end
      case .inverted(let path, let end):
        if value(path, template)?.isPresent != true { render(template, index..<end) }
        index = end
      case .partial(let name):
        // A theme whose templates include one another in a cycle is rejected when it is read.
        if let other = templates[template[name]] { render(other, other.parts.indices) }
      }
    }
  }

  private mutating func section(_ value: PageContext.Value, _ template: Template, _ inner: Range<Int>) {
    switch value {
    case .condition: render(template, inner)
    case .list(let list): for context in list { push(.context(context), template, inner) }
    case .texts(let texts): for text in texts { push(.text(text), template, inner) }
    case .context, .text, .body, .style, .script, .fields, .record, .words: push(value, template, inner)
    }
  }

  private mutating func push(_ value: PageContext.Value, _ template: Template, _ inner: Range<Int>) {
    stack.append(value)
    render(template, inner)
    stack.removeLast()
  }

  private func value(_ number: Template.PathNumber, _ template: Template) -> PageContext.Value? {
    if let name = number.name { return nearest(name) }
    return value(at: template[number])
  }

  /// Returns the value at a path: the first name is looked up from the innermost context outwards, the others in the
  /// previous value.
  private func value(at path: Template.Path) -> PageContext.Value? {
    guard let first = path.first else { return stack.last }
    if let word = path.word { return .text(words.text(word)) }
    guard var value = nearest(first) else { return nil }
    for name in path.rest {
      guard case .context(let inner) = value, let next = inner[name] else { return nil }
      value = next
    }
    if let field = path.recordField {
      guard case .record(let card) = value else { return nil }
      return RecordValue.of(field, in: card.wrappedValue)
    }
    guard let field = path.field else { return value }
    guard case .fields(let fields) = value else { return nil }
    return fields[field].map { .text($0) }
  }

  private func nearest(_ name: TemplateName) -> PageContext.Value? {
    for index in stack.indices.reversed() {
      if let value = stack[index].value(of: name) { return value }
    }
    return nil
  }

  private mutating func print(_ value: PageContext.Value) {
    switch value {
    case .text(let text): HTMLText.append(text, to: &output)
    case .body(let body): output += body.bytes
    case .style(let style): output += style.text.utf8
    case .script(let script): script.append(to: &output)
    case .texts(let texts): HTMLText.append(texts.joined(separator: ", "), to: &output)
    case .condition, .context, .list, .fields, .record, .words: break
    }
  }
}

/// The value of one column of a post's card, as templates have it.
private struct RecordValue: ColumnVisitor {
  static let sets = false
  let column: StoredColumn
  private(set) var value: PageContext.Value?

  static func of(_ column: StoredColumn, in card: Post.Card) -> PageContext.Value? {
    var (card, value) = (card, RecordValue(column: column))
    card.visit(&value)
    return value.value
  }

  mutating func number(_ column: StoredColumn, _ value: inout Int64?) {
    guard column.name == self.column.name, let value else { return }
    self.value = column.form == .flag ? .condition(value != 0) : .text(String(value))
  }

  mutating func text(_ column: StoredColumn, _ value: inout String?) {
    guard column.name == self.column.name, let value else { return }
    self.value = column.form == .list ? .texts(StoredList.parts(value)) : .text(value)
  }
}
