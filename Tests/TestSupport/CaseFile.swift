import Foundation

/// One case of a case file.
///
///     === an event handler goes
///     rules: reading
///     --- input
///     <p onclick="x()">Hello</p>
///     --- output
///     <p>Hello</p>
///
/// A line `=== NAME` begins a case, `key: value` lines say how, a line `--- NAME` begins a section whose text is everything
/// up to the next such line, the last line break left out. Lines before the first case are comments.
package struct Case: Sendable, CustomStringConvertible {
  package var name: String
  package var file: String
  package var line: Int
  package var settings: [String: String] = [:]
  package var sections: [String: String] = [:]

  package var description: String { "\(file):\(line) \(name)" }

  /// All cases of all files in a folder of `Fixtures/`.
  package static func all(in folder: String) -> [Case] {
    Fixtures.files(in: folder, withExtension: "txt").flatMap { url -> [Case] in
      guard let text = try? String(contentsOf: url, encoding: .utf8) else { return [] }
      return parse(text, file: url.lastPathComponent)
    }
  }

  package static func parse(_ text: String, file: String) -> [Case] {
    var cases: [Case] = []
    var section: String?
    var lines: [Substring] = []
    func endSection() {
      if let section { cases[cases.count - 1].sections[section] = lines.joined(separator: "\n") }
      section = nil
      lines = []
    }
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.hasPrefix("=== ") {
        endSection()
        cases.append(Case(name: String(line.dropFirst(4)), file: file, line: number + 1))
      } else if cases.isEmpty {
        continue
      } else if line.hasPrefix("--- ") {
        endSection()
        section = String(line.dropFirst(4))
      } else if section != nil {
        lines.append(line)
      } else if let colon = line.firstIndex(of: ":") {
        let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        cases[cases.count - 1].settings[String(line[..<colon])] = value
      }
    }
    if lines.last?.isEmpty == true { lines.removeLast() }
    endSection()
    return cases.map { each in
      var each = each
      // An empty line before the next case is layout.
      each.sections = each.sections.mapValues { $0.hasSuffix("\n") ? String($0.dropLast()) : $0 }
      return each
    }
  }
}
