/// HTML that the sanitizer wrote: balanced, without scripts, and limited to what its policy allows.
///
/// Holding a value of this type is the proof that the text was sanitized. The initializer is `package`, and a test
/// (`HouseTests`) verifies that only `TamisSanitizer` calls it; templates insert unescaped only bodies that are made of
/// this type (`PageBody`).
public struct SanitizedHTML: Sendable, Hashable, CustomStringConvertible {
  /// The markup, valid UTF-8.
  public let string: String

  package init(sanitizerOutput string: String) {
    self.string = string
  }

  /// Empty markup.
  public static let empty = SanitizedHTML(sanitizerOutput: "")

  /// The markup.
  public var description: String { string }
}
