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
  func filled(_ values: [Placeholder: String]) -> String {
    var text = ""
    for part in parts {
      switch part {
      case .text(let words): text += words
      case .placeholder(let placeholder): text += values[placeholder] ?? ""
      }
    }
    return text
  }
}
