public import TamisCore

/// A file of cases as people write it.
///
///     Lines before the first case are a comment.
///
///     === an event handler goes
///     # So is a line like this one, before the first section of a case.
///     rules: reading
///     --- input
///     <p onclick="x()">Hello</p>
///     --- output
///     <p>Hello</p>
///
/// A line `=== NAME` begins a case, `key: value` lines say how, and a line `--- NAME` begins a section, whose text is all that
/// follows up to the next line of either kind. Nothing in it is quoted. The last line break does not belong to it, nor
/// do empty lines before the next case. A line of text that itself begins with `===` or `---` and a space is written
/// with a backslash before it.
public struct CaseFile: Sendable {
  /// One case.
  public struct Case: Sendable, CustomStringConvertible {
    /// What it is called.
    public var name: String
    /// Where it begins.
    public var location: SourceLocation
    /// The `key: value` lines in their order.
    public var settings: [Setting] = []
    /// The sections in their order.
    public var sections: [Section] = []
    /// The lines of the file that it takes up, counted from 0, empty lines at its end left out.
    var lines: Range<Int>

    /// The value of the first setting of a name.
    public func setting(_ name: String) -> String? { settings.first { $0.name == name }?.value }

    /// The text of a section.
    public func section(_ name: String) -> String? { sections.first { $0.name == name }?.text }

    /// `file:line name`.
    public var description: String { "\(location) \(name)" }
  }

  /// A line `key: value`.
  public struct Setting: Sendable {
    /// The key.
    public var name: String
    /// The value without white space around it.
    public var value: String
    /// Where it stands, counted from 1.
    public var line: Int
  }

  /// A section.
  public struct Section: Sendable {
    /// What follows `---`.
    public var name: String
    /// Its text.
    public var text: String
    /// Where its first line stands, counted from 1, that of its name.
    public var line: Int
    /// The lines of its text, counted from 0.
    var lines: Range<Int>
  }

  /// The name used in messages.
  public let file: String
  /// The cases in their order.
  public private(set) var cases: [Case] = []
  /// What is wrong with the file; such lines are left out.
  public private(set) var findings: [Finding] = []
  /// The file's lines.
  let lines: [Substring]

  /// Reads a file's text.
  public init(_ text: String, file: String) {
    self.file = file
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("=== ") {
        endSection(before: index)
        let name = line.dropFirst(4).trimmed()
        cases.append(
          Case(name: name, location: SourceLocation(file: file, line: index + 1), lines: index..<index + 1))
      } else if cases.isEmpty {
        continue
      } else if line.hasPrefix("--- ") {
        endSection(before: index)
        let name = line.dropFirst(4).trimmed()
        cases[cases.count - 1].sections.append(
          Section(name: name, text: "", line: index + 1, lines: index + 1..<index + 1))
      } else if cases[cases.count - 1].sections.isEmpty {
        readSetting(line, at: index)
      }
    }
    endSection(before: lines.count)
  }

  private mutating func readSetting(_ line: Substring, at index: Int) {
    if line.hasPrefix("#") || line.allSatisfy(\.isWhitespace) { return }
    guard let colon = line.firstIndex(of: ":") else {
      let message = "this is neither 'key: value' nor the '--- input' with which a case's first section begins"
      findings.append(
        Finding(.error, "check.syntax", message, at: SourceLocation(file: file, line: index + 1)))
      return
    }
    cases[cases.count - 1].settings.append(
      Setting(
        name: line[..<colon].trimmed(), value: line[line.index(after: colon)...].trimmed(), line: index + 1))
  }

  /// Gives the last section the text that ends here, and the last case its lines.
  private mutating func endSection(before end: Int) {
    guard let last = cases.indices.last else { return }
    var end = end
    // The last line break of the file ends its last line.
    if end == lines.count, lines.last?.isEmpty == true { end -= 1 }
    if let section = cases[last].sections.indices.last {
      let start = cases[last].sections[section].line
      var textEnd = max(start, end)
      // Empty lines before the next case are layout.
      if end >= lines.count || lines[end].isEmpty || lines[end].hasPrefix("=== ") {
        while textEnd > start, lines[textEnd - 1].isEmpty { textEnd -= 1 }
      }
      cases[last].sections[section].lines = start..<textEnd
      cases[last].sections[section].text = lines[start..<textEnd].map(Self.unescaped).joined(separator: "\n")
    }
    while end > cases[last].lines.lowerBound + 1, lines[end - 1].isEmpty { end -= 1 }
    cases[last].lines = cases[last].lines.lowerBound..<end
  }

  private static func unescaped(_ line: Substring) -> Substring {
    line.hasPrefix("\\=== ") || line.hasPrefix("\\--- ") ? line.dropFirst() : line
  }

  /// A section's text as lines of a file.
  static func escaped(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map {
      $0.hasPrefix("=== ") || $0.hasPrefix("--- ") ? "\\" + $0 : String($0)
    }
  }
}
