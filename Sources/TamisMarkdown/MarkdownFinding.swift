package import TamisCore

extension Markdown {
  /// Returns what is to be said: a warning when containers were left out for their depth, and a note of pictures whose
  /// addresses can carry text away when a program loads them.
  ///
  /// - Parameters:
  ///   - location: the place of the HTML in the input.
  ///   - entry: the entry that the HTML is of; nil for none.
  /// - Returns: the findings `markdown.limit` and `markdown.picture`.
  package func findings(at location: Finding.Location, entry: String? = nil) -> [Finding] {
    var findings: [Finding] = []
    if isFlattened {
      findings.append(Finding(.warning, "markdown.limit", Self.limitMessage, at: location, entry: entry))
    }
    if longQueries > 0 {
      let problem =
        "\(longQueries.counted("picture")) with over \(Self.longQuery) characters of query in the address, which can "
        + "carry text away; --pictures links or drop leaves them out"
      findings.append(Finding(.note, "markdown.picture", problem, at: location, entry: entry))
    }
    return findings
  }

  /// The problem, in words.
  package static var limitMessage: String {
    "lists, quotations and tables deeper than \(deepest) in each other stand at that depth in Markdown"
  }
}
