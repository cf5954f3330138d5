package import TamisCore

extension Markdown {
  /// Returns a warning when containers were left out for their depth; nil when none was.
  ///
  /// - Parameters:
  ///   - location: the place of the HTML in the input.
  ///   - entry: the entry that the HTML is of; nil for none.
  /// - Returns: the finding `markdown.limit`.
  package func finding(at location: Finding.Location, entry: String? = nil) -> Finding? {
    guard isFlattened else { return nil }
    return Finding(.warning, "markdown.limit", Self.limitMessage, at: location, entry: entry)
  }

  /// The problem, in words.
  package static var limitMessage: String {
    "lists, quotations and tables deeper than \(deepest) in each other stand at that depth in Markdown"
  }
}
