import TamisCore

/// The description of a case of the suite, beside its input (`Suite/README.md`).
package struct SuiteEntry: Sendable, Hashable {
  /// The markup that a sanitizer allows at least.
  package enum Level: String, Sendable, Hashable, CaseIterable, Comparable {
    /// None: the words.
    case text = "P0"
    /// Phrasing, lists, quotations, links.
    case basic = "P1"
    /// The markup of articles.
    case articles = "P2"
    /// Drawings, formulas, styles, forms.
    case all = "P3"

    package static func < (lhs: Level, rhs: Level) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// A fault that is judged only when a case asks for it.
  package enum Question: String, Sendable, Hashable, CaseIterable {
    case loads, clobbers, spoofs, slow
  }

  /// A shape that grows: `repeated` any number of times.
  package struct Shape: Sendable, Hashable {
    /// The text before.
    package var before = ""
    /// The repeated text.
    package var repeated = ""
    /// The text after.
    package var after = ""

    /// The shape with the repeated text once.
    var fragment: String { before + repeated + after }
  }

  /// The class and a number, such as `nesting-003`.
  package var id: String
  /// The lowest level at which the case means anything.
  package var level = Level.text
  /// The public advisories about faults of this kind.
  package var advisories: [String] = []
  /// The places into which the output is put.
  package var contexts: [OutputContext] = [.body]
  /// The faults that are judged besides those that always are.
  package var questions: Set<Question> = []
  /// The shape, when the input grows.
  package var shape: Shape?

  /// Creates the description of a case; nil when the text is not an id.
  init?(id: String) {
    let parts = id.split(separator: "-", omittingEmptySubsequences: false)
    let isWord = { (part: Substring) in !part.isEmpty && part.utf8.allSatisfy(\.isASCIIAlphanumeric) }
    guard parts.count > 1, parts.allSatisfy(isWord), let number = parts.last, number.utf8.allSatisfy(\.isASCIIDigit)
    else { return nil }
    self.id = id
  }

  /// The class: the id without its number.
  package var className: String { id.split(separator: "-").dropLast().joined(separator: "-") }

  /// The keys of a case file that describe a case of the suite.
  static let keys: Set<String> = ["id", "advisory", "level", "context", "asks"]

  /// Applies a setting of a case file, and returns the mistake in its value, if there is one.
  mutating func read(_ key: String, _ value: String) -> String? {
    let words = value.split(separator: ",").map { $0.trimmed() }.filter { !$0.isEmpty }
    switch key {
    case "advisory": advisories = words
    case "level":
      guard let level = Level(rawValue: value) else { return Self.objection(value, to: Level.self) }
      self.level = level
    case "context":
      contexts = words.compactMap(OutputContext.init)
      if let wrong = words.first(where: { OutputContext(rawValue: $0) == nil }) {
        return Self.objection(wrong, to: OutputContext.self)
      }
    case "asks":
      questions = Set(words.compactMap(Question.init))
      if let wrong = words.first(where: { Question(rawValue: $0) == nil }) {
        return Self.objection(wrong, to: Question.self)
      }
    default: break
    }
    return nil
  }

  private static func objection<Word: RawRepresentable<String> & CaseIterable>(
    _ word: String, to type: Word.Type
  ) -> String {
    "'\(word)' is not one of \(type.allCases.map(\.rawValue).joined(separator: ", "))"
  }
}
