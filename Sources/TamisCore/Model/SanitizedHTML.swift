/// HTML that the sanitizer wrote: balanced, running nothing, with only what its policy allows.
///
/// The initializer is `package`, and a test (`HouseTests`) proves that only `TamisSanitizer` calls it; templates insert
/// unescaped only bodies that are made of this type (`PageBody`). Holding a value of this type is the proof that the text was
/// sanitized.
public struct SanitizedHTML: Sendable, Hashable, CustomStringConvertible {
  /// The markup, valid UTF-8.
  public let string: String

  package init(sanitizerOutput string: String) {
    self.string = string
  }

  /// No markup at all.
  public static let empty = SanitizedHTML(sanitizerOutput: "")

  /// The markup.
  public var description: String { string }
}
