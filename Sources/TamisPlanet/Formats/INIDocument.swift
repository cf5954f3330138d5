import TamisCore

/// A file of sections with settings, as Python's ConfigParser reads it: lines that begin with white space continue the one
/// before, `%(name)s` expands to another setting of the section or of `[DEFAULT]`.
struct INIDocument {
  struct Setting {
    var value: String
    var line: Int
  }

  struct Section {
    var name: String
    var line: Int
    var settings: [String: Setting] = [:]
    /// The names in order.
    var names: [String] = []
  }

  /// Longest value that references may make, in bytes, most references in one, and deepest nesting of them.
  private static let longestValue = 1 << 12
  private static let mostReferences = 100
  private static let deepestReference = 10
  /// What references may add in a whole document, in bytes.
  private static let mostAdded = 16 << 20

  /// `[DEFAULT]`, what stands before the first section (its name is empty), and the sections in order.
  private(set) var all = [Section(name: "DEFAULT", line: 0), Section(name: "", line: 0)]
  private var indices = ["DEFAULT": 0, "": 1]
  private var added = 0

  /// The sections in order.
  var sections: ArraySlice<Section> { all.dropFirst(2) }

  /// Reads lines; what cannot be read is noted.
  ///
  /// - Parameter continues: whether a line that begins with white space goes on with the setting before it.
  init(_ lines: [String], continues: Bool, into gathering: inout PlanetGathering) {
    var current = 1
    var open: String?
    for (index, line) in lines.enumerated() {
      let text = line.trimmed()
      if text.isEmpty || text.hasPrefix("#") || text.hasPrefix(";") { continue }
      if continues, line.utf8.first?.isHTMLSpace == true, let name = open {
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

  /// A setting of a section, else of `[DEFAULT]`, its references replaced.
  mutating func value(_ name: String, in section: Section) -> Setting? {
    guard var setting = section.settings[name] ?? all[0].settings[name] else { return nil }
    guard setting.value.utf8.contains(UInt8(ascii: "%")) else { return setting }
    var references = Self.mostReferences
    setting.value = resolved(setting.value, in: section, depth: 0, &references)
    added += setting.value.utf8.count
    return setting
  }

  // MARK: - Parts

  /// A semicolon after white space begins a comment.
  private static func withoutComment(_ text: String) -> String {
    guard let start = text.firstRange(of: " ;")?.lowerBound else { return text.hasPrefix(";") ? "" : text }
    return text[..<start].trimmed()
  }

  /// A value with `%(name)s` replaced and `%%` as one sign; what refers to nothing stays as it is.
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
