/// A text of a file of words, with its placeholders.
struct Phrase: Sendable {
  private enum Part: Sendable {
    case text(String)
    case placeholder(Placeholder)
  }

  private let parts: [Part]

  /// The names in it, each once.
  let placeholders: Set<Placeholder>

  /// - Throws: when a brace stands alone or a name is not known, with what to do.
  init(_ text: String) throws(Problem) {
    var parts: [Part] = []
    var rest = text[...]
    while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}") else {
        throw Problem(description: "a brace without its partner; names are written in braces, as in {title}")
      }
      let name = String(rest[rest.index(after: open)..<close])
      guard let placeholder = Placeholder(rawValue: name) else {
        throw Problem(description: "{\(name)} is not a placeholder that is known here")
      }
      if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
      parts.append(.placeholder(placeholder))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    self.parts = parts
    placeholders = Set(parts.compactMap { if case .placeholder(let placeholder) = $0 { placeholder } else { nil } })
  }

  /// The mistake in a text.
  struct Problem: Error, CustomStringConvertible {
    let description: String
  }

  /// The text with its placeholders replaced.
  ///
  /// - Parameters:
  ///   - needsIsolation: whether a value is isolated from the words around it, asked of values that are not of the site.
  ///   - value: the value of a placeholder, asked for those that the text has; nothing for nil.
  func filled(isolatingIf needsIsolation: (String) -> Bool = { _ in false }, _ value: (Placeholder) -> String?)
    -> String
  {
    if parts.count == 1, case .text(let words) = parts[0] { return words }
    var text = ""
    for part in parts {
      switch part {
      case .text(let words): text += words
      case .placeholder(let placeholder):
        guard let value = value(placeholder) else { continue }
        if placeholder.isForeign, needsIsolation(value) {
          text += "\u{2068}\(value)\u{2069}"
        } else {
          text += value
        }
      }
    }
    return text
  }
}
