import TamisCore

/// A file of sections with settings, as in Python's ConfigParser.
///
/// A line that begins with white space continues the previous one, and `%(name)s` expands to another setting of the
/// section or of `[DEFAULT]`.
struct INIDocument {
  struct Setting {
    var value: String
    var line: Int
  }

  struct Section {
    var name: String
    var line: Int
    var settings: [String: Setting] = [:]
    /// The names of the settings in order.
    var names: [String] = []
  }

  /// The maximum length of an expanded value in bytes, the maximum number of references in one, and their maximum
  /// nesting.
  private static let longestValue = 1 << 12
  private static let mostReferences = 100
  private static let deepestReference = 10
  /// The maximum number of bytes added by references in a whole document.
  private static let mostAdded = 16 << 20

  /// The section `[DEFAULT]`, the settings before the first section (with an empty name), and the sections in order.
  private(set) var all = [Section(name: "DEFAULT", line: 0), Section(name: "", line: 0)]
  private var indices = ["DEFAULT": 0, "": 1]
  private var added = 0

  /// The sections in order.
  var sections: ArraySlice<Section> { all.dropFirst(2) }

  /// Parses lines, and records those that are invalid.
  ///
  /// - Parameters:
  ///   - lines: the lines.
  ///   - gathering: receives the findings.
  init(_ lines: [String], into gathering: inout PlanetGathering) {
    var current = 1
    var open: String?
    for (index, line) in lines.enumerated() {
      let text = line.trimmed()
      if text.isEmpty || text.hasPrefix("#") || text.hasPrefix(";") { continue }
      if line.utf8.first?.isHTMLSpace == true, let name = open {
        all[current].settings[name]?.value.append("\n" + Self.withoutComment(text))
      } else if text.hasPrefix("["), let end = text.lastIndex(of: "]") {
        let name = text[text.index(after: text.startIndex)..<end].trimmed()
        if let known = indices[name] {
          current = known
        } else {
          current = all.count
          indices[name] = current
          all.append(Section(name: name, line: index + 1))
        }
        open = nil
      } else if let sign = text.firstIndex(where: { $0 == "=" || $0 == ":" }) {
        let name = text[..<sign].trimmed().asciiLowercased()
        if all[current].settings[name] == nil { all[current].names.append(name) }
        let value = Self.withoutComment(text[text.index(after: sign)...].trimmed())
        all[current].settings[name] = Setting(value: value, line: index + 1)
        open = name
      } else {
        gathering.note(.warning, "this line is neither a [section] nor a setting; it is left out", line: index + 1)
        open = nil
      }
    }
  }

  /// Returns a setting of a section, else of `[DEFAULT]`, with its references expanded.
  mutating func value(_ name: String, in section: Section) -> Setting? {
    guard var setting = section.settings[name] ?? all[0].settings[name] else { return nil }
    guard setting.value.utf8.contains(UInt8(ascii: "%")) else { return setting }
    var references = Self.mostReferences
    setting.value = resolved(setting.value, in: section, depth: 0, &references)
    added += setting.value.utf8.count
    return setting
  }

  // MARK: - Parts

  /// Returns a value without its comment, which begins with a semicolon after white space.
  private static func withoutComment(_ text: String) -> String {
    guard let start = text.firstRange(of: " ;")?.lowerBound else { return text.hasPrefix(";") ? "" : text }
    return text[..<start].trimmed()
  }

  /// Returns a value with `%(name)s` expanded and `%%` as one sign; a reference to nothing is unchanged.
  private func resolved(_ value: String, in section: Section, depth: Int, _ references: inout Int) -> String {
    guard depth < Self.deepestReference, added < Self.mostAdded else { return value }
    var output = ""
    var rest = Substring(value)
    while let sign = rest.firstIndex(of: "%"), output.utf8.count <= Self.longestValue {
      output += rest[..<sign]
      rest = rest[rest.index(after: sign)...]
      if rest.hasPrefix("%") {
        output += "%"
        rest = rest.dropFirst()
      } else if references > 0, rest.hasPrefix("("), let end = rest.firstRange(of: ")s"),
        let setting = setting(rest[rest.index(after: rest.startIndex)..<end.lowerBound], in: section)
      {
        references -= 1
        output += resolved(setting.value, in: section, depth: depth + 1, &references).prefix(Self.longestValue)
        rest = rest[end.upperBound...]
      } else {
        output += "%"
      }
    }
    return output + rest
  }

  private func setting(_ name: Substring, in section: Section) -> Setting? {
    let name = name.trimmed().asciiLowercased()
    return section.settings[name] ?? all[0].settings[name]
  }
}
