/// A text of a words file, with its placeholders.
struct Phrase: Sendable {
  private enum Part: Sendable {
    case text(String)
    case placeholder(Placeholder)
  }

  private let parts: [Part]

  /// The distinct placeholders in the text.
  let placeholders: Set<Placeholder>

  /// Reads a text.
  ///
  /// - Throws: ``Problem`` for an unmatched brace or an unknown name, with the correction.
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

  /// Returns the text with its placeholders replaced.
  ///
  /// - Parameters:
  ///   - needsIsolation: whether a value is isolated from the surrounding text; called for values that are not the
  ///     site's.
  ///   - value: returns the value of a placeholder in the text; nil inserts nothing.
  /// - Returns: the text in which each placeholder has its value.
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
