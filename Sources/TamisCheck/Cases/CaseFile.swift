package import TamisCore

/// A file of handwritten test cases.
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
/// A line `=== NAME` begins a case, `key: value` lines configure it, and a line `--- NAME` begins a section, whose text
/// is everything up to the next line of either kind.
///
/// Nothing in the text is quoted. The last line break and empty lines before the next case do not belong to it. A line
/// of text that looks like one of these is escaped with a leading backslash. Lines may end with CR LF.
package struct CaseFile: Sendable {
  /// One case.
  package struct Case: Sendable, CustomStringConvertible {
    /// The name of the case.
    package var name: String
    /// The location of its first line.
    package var location: Finding.Location
    /// The `key: value` lines in order.
    package var settings: [Setting] = []
    /// The sections in order.
    package var sections: [Section] = []
    /// The lines of the case in the file, counted from 0, without trailing empty lines.
    var lines: Range<Int>

    /// Returns the value of the first setting of a name.
    package func setting(_ name: String) -> String? { settings.first { $0.name == name }?.value }

    /// Returns the text of a section.
    package func section(_ name: String) -> String? { sections.first { $0.name == name }?.text }

    /// `file:line name`.
    package var description: String { "\(location) \(name)" }
  }

  /// A line `key: value`.
  package struct Setting: Sendable {
    /// The key.
    package var name: String
    /// The trimmed value.
    package var value: String
    /// The line number, counted from 1.
    package var line: Int
  }

  /// A section.
  package struct Section: Sendable {
    /// The name after `---`.
    package var name: String
    /// The text.
    package var text: String
    /// The number of the line with the name, counted from 1.
    package var line: Int
    /// The lines of the text, counted from 0.
    var lines: Range<Int>
  }

  /// The name used in messages.
  package let file: String
  /// The cases in order.
  package private(set) var cases: [Case] = []
  /// The mistakes of the file; such lines are ignored.
  package private(set) var findings: [Finding] = []
  /// The lines of the file, without CR.
  let lines: [Substring]
  /// The line terminator.
  let lineEnd: String

  /// Reads a file's text.
  package init(_ text: String, file: String) {
    self.file = file
    // By bytes: to Swift CR LF is one character, and so is a line feed with a combining mark.
    let written = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
    lineEnd = written.count > 1 && written[0].last == 0x0D ? "\r\n" : "\n"
    lines = written.map { Substring($0.last == 0x0D ? $0.dropLast() : $0) }
    for (index, line) in lines.enumerated() {
      switch Self.meaning(of: index == 0 ? Self.withoutMark(line) : line) {
      case .case(let name): beginCase(name, at: index)
      case .section(let name) where !cases.isEmpty: beginSection(name, at: index)
      case .mistake where !cases.isEmpty:
        report("write a space after '===' or '---', or a backslash before it", at: index)
      default:
        if cases.last?.sections.isEmpty == true { readSetting(line, at: index) }
      }
    }
    endSection(before: lines.count)
  }

  private enum Meaning {
    case `case`(String)
    case section(String)
    /// A line that looks like one of these but has no space, or no name.
    case mistake
    case text
  }

  private static func meaning(of line: Substring) -> Meaning {
    let marker = line.utf8.prefix(3)
    guard marker.elementsEqual("===".utf8) || marker.elementsEqual("---".utf8) else { return .text }
    let rest = Substring(line.utf8.dropFirst(3))
    guard let next = rest.utf8.first else { return .text }
    let name = rest.trimmed()
    if next == 0x20, !name.isEmpty { return marker.first == UInt8(ascii: "=") ? .case(name) : .section(name) }
    return next.isASCIILetter || next == 0x20 ? .mistake : .text
  }

  /// Removes a byte order mark that an editor wrote.
  private static func withoutMark(_ line: Substring) -> Substring {
    line.unicodeScalars.first == "\u{FEFF}" ? Substring(line.unicodeScalars.dropFirst()) : line
  }

  private mutating func beginCase(_ name: String, at index: Int) {
    endSection(before: index)
    cases.append(Case(name: name, location: Finding.Location(file: file, line: index + 1), lines: index..<index + 1))
  }

  private mutating func beginSection(_ name: String, at index: Int) {
    endSection(before: index)
    cases[cases.count - 1].sections.append(Section(name: name, text: "", line: index + 1, lines: index + 1..<index + 1))
  }

  private mutating func report(_ message: String, at index: Int) {
    findings.append(Finding(.error, "check.syntax", message, at: Finding.Location(file: file, line: index + 1)))
  }

  private mutating func readSetting(_ line: Substring, at index: Int) {
    if line.hasPrefix("#") || line.allSatisfy(\.isWhitespace) { return }
    guard let colon = line.firstIndex(of: ":") else {
      report("expected 'key: value', or '--- input' to begin the first section", at: index)
      return
    }
    cases[cases.count - 1].settings.append(
      Setting(name: line[..<colon].trimmed(), value: line[line.index(after: colon)...].trimmed(), line: index + 1))
  }

  /// Sets the text of the last section, which ends here, and the lines of the last case.
  private mutating func endSection(before end: Int) {
    guard let last = cases.indices.last else { return }
    var end = end
    // The last line break of the file ends its last line.
    if end == lines.count, lines.last?.isEmpty == true { end -= 1 }
    if let section = cases[last].sections.indices.last {
      let start = cases[last].sections[section].line
      var textEnd = max(start, end)
      // Empty lines before the next case are layout.
      let isCaseNext = if end < lines.count, case .case = Self.meaning(of: lines[end]) { true } else { false }
      if isCaseNext || end >= lines.count || isBlank(end) {
        while textEnd > start, isBlank(textEnd - 1) { textEnd -= 1 }
      }
      cases[last].sections[section].lines = start..<textEnd
      cases[last].sections[section].text = lines[start..<textEnd].map(Self.unescaped).joined(separator: "\n")
    }
    while end > cases[last].lines.lowerBound + 1, isBlank(end - 1) { end -= 1 }
    cases[last].lines = cases[last].lines.lowerBound..<end
  }

  private func isBlank(_ index: Int) -> Bool { lines[index].allSatisfy(\.isWhitespace) }

  private static func unescaped(_ line: Substring) -> Substring {
    guard line.utf8.first == UInt8(ascii: "\\"), isEscapable(line) else { return line }
    return line.dropFirst()
  }

  /// Whether a line looks like the beginning of a case or a section, apart from leading backslashes.
  private static func isEscapable(_ line: Substring) -> Bool {
    if case .text = meaning(of: Substring(line.utf8.drop { $0 == UInt8(ascii: "\\") })) { false } else { true }
  }

  /// Returns a section's text as lines of a file.
  static func escaped(_ text: String) -> [String] {
    text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map {
      let line = Substring($0)
      return isEscapable(line) ? "\\" + line : String(line)
    }
  }
}
