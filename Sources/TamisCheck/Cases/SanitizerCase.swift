package import TamisCore
package import TamisSanitizer
package import TamisURL

/// A regression test of the sanitizer: an input, its rules, and the requirements on the output.
///
/// Every output must satisfy the output contract (``OutputContract``); a case without other requirements is useful too.
package struct SanitizerCase: Sendable {
  /// The name of the case.
  package var name: String
  /// The location of the case.
  package var location: Finding.Location
  /// The fragment.
  package var input: [UInt8]
  /// The base URL.
  package var base: WebURL?
  /// The URL of the page that the input is from, for links within it.
  package var page: WebURL?
  /// The name of rules, or the path of a rules file relative to the case file; nil for those of the run.
  package var rules: String?
  /// When libtidy repairs; nil for the setting of the rules.
  package var tidy: Policy.TidyMode?
  /// The allowed outputs; empty when any is allowed.
  package var outputs: [String] = []
  /// The texts that a reader must still see, ignoring case: in the visible text, or in the URL of a link, picture or
  /// medium.
  package var keeps: [String] = []
  /// The texts that must not be in the output, ignoring case.
  package var drops: [String] = []
  /// Whether the output must equal the input.
  package var isUnchanged = false
  /// The description of a case of the suite; nil for others.
  package var entry: SuiteEntry?

  /// The id, or the name when there is none.
  package var key: String { entry?.id ?? name }

  /// Creates a case that requires only the output contract.
  package init(name: String, location: Finding.Location, input: [UInt8]) {
    self.name = name
    self.location = location
    self.input = input
  }
}

extension SanitizerCase {
  /// Returns the case with another input, which requires only the output contract.
  func variant(_ number: Int, input: [UInt8]) -> SanitizerCase {
    var variant = self
    variant.name += ", variant \(number)"
    variant.input = input
    (variant.outputs, variant.keeps, variant.drops, variant.isUnchanged) = ([], [], [], false)
    variant.entry?.shape = nil
    return variant
  }

  /// Whether a text occurs in the name, the id or an advisory, ignoring the case of ASCII letters.
  ///
  /// In an id or advisory a number counts as a whole: `CVE-2024-4580` is not in `CVE-2024-45801`.
  package func isNamed(like text: String) -> Bool {
    if Self.occurs(text, in: name) { return true }
    let wanted = Array(text.asciiLowercased().utf8)
    let endsInDigit = wanted.last?.isASCIIDigit == true
    return (entry.map { [$0.id] + $0.advisories } ?? []).contains { key in
      var rest = Array(key.asciiLowercased().utf8)[...]
      while rest.count >= wanted.count {
        let next = rest.dropFirst(wanted.count).first
        if rest.starts(with: wanted), !(endsInDigit && next?.isASCIIDigit == true) { return true }
        rest = rest.dropFirst()
      }
      return false
    }
  }

  /// Whether a text is in another, ignoring the case of ASCII letters.
  ///
  /// The texts are compared by bytes: to Swift a letter with a combining mark is another character.
  static func occurs(_ part: String, in text: String) -> Bool {
    ByteScan.contains(Array(part.asciiLowercased().utf8), in: Array(text.asciiLowercased().utf8)[...])
  }

  private static let settings =
    "rules, tidy, base, page, escapes, keeps, drops, inert, unchanged, and of the suite id, level, advisory, context, asks"
  private static let sections = ["input", "output", "before", "repeated", "after"]

  /// Reads a case of a case file; its mistakes are added to the findings, and the result is nil when there are any.
  package init?(_ written: CaseFile.Case, into findings: inout [Finding]) {
    func report(_ message: String, line: Int) {
      let location = Finding.Location(file: written.location.file, line: line)
      findings.append(Finding(.error, "check.syntax", message, at: location, entry: written.name))
    }
    let before = findings.count
    for section in written.sections where !Self.sections.contains(section.name) {
      report(
        "unknown section '\(section.name)'; known are \(Self.sections.joined(separator: ", "))", line: section.line)
    }
    for (index, setting) in written.settings.enumerated() where !["keeps", "drops"].contains(setting.name) {
      if written.settings[..<index].contains(where: { $0.name == setting.name }) {
        report("'\(setting.name)' is given twice", line: setting.line)
      }
    }
    for section in written.sections.filter({ $0.name == "input" }).dropFirst() {
      report("there is an input already", line: section.line)
    }
    let escapes = written.setting("escapes") == "yes"
    func text(_ section: CaseFile.Section) -> [UInt8] {
      guard escapes else { return Array(section.text.utf8) }
      let (bytes, fault) = Escapes.decode(section.text)
      if let fault { report(fault, line: section.line) }
      return bytes
    }
    func part(_ name: String) -> String? {
      written.sections.first { $0.name == name }.map { String(decoding: text($0), as: UTF8.self) }
    }
    let shape = part("repeated").map {
      SuiteEntry.Shape(before: part("before") ?? "", repeated: $0, after: part("after") ?? "")
    }
    let input = written.sections.first { $0.name == "input" }.map(text)
    guard let input = input ?? shape.map({ Array($0.fragment.utf8) }) else {
      report("there is no '--- input'", line: written.location.line)
      return nil
    }
    self.init(name: written.name, location: written.location, input: input)
    outputs = written.sections.filter { $0.name == "output" }.map { String(decoding: text($0), as: UTF8.self) }
    // The id makes it a case of the suite; it can stand anywhere among the settings.
    for setting in written.settings.filter({ $0.name == "id" }) + written.settings.filter({ $0.name != "id" }) {
      if let objection = read(setting.name, setting.value) { report(objection, line: setting.line) }
    }
    if let objection = setShape(shape) { report(objection, line: written.location.line) }
    if findings.count > before { return nil }
  }

  /// Sets the shape of a case of the suite, and returns what is wrong with it.
  mutating func setShape(_ shape: SuiteEntry.Shape?) -> String? {
    if let shape, shape.repeated.isEmpty { return "'--- repeated' is empty" }
    if shape != nil, entry == nil { return "a case with '--- repeated' needs an 'id'" }
    entry?.shape = shape
    let isSlow = entry?.questions.contains(.slow) ?? false
    return isSlow == (shape != nil) ? nil : "'asks: slow' and '--- repeated' go together"
  }

  /// Applies a setting and returns its mistake, if any.
  mutating func read(_ name: String, _ value: String) -> String? {
    if value.isEmpty { return "'\(name)' has no value" }
    switch name {
    case "id":
      entry = SuiteEntry(id: value)
      if entry == nil { return "'\(value)' is not a class and a number, such as nesting-003" }
    case _ where SuiteEntry.keys.contains(name):
      if entry == nil { return "'\(name)' is for cases of the suite, which have an 'id'" }
      return entry?.read(name, value)
    case "rules": rules = value
    case "tidy":
      guard let mode = Policy.TidyMode(rawValue: value) else {
        return "'\(value)' is not one of \(Policy.TidyMode.allCases.map(\.rawValue).joined(separator: ", "))"
      }
      tidy = mode
    case "base":
      guard let url = WebURL(value) else { return "'\(value)' is not an absolute URL" }
      base = url
    case "page":
      guard let url = WebURL(value) else { return "'\(value)' is not an absolute URL" }
      page = url
    case "keeps": keeps.append(value)
    case "drops": drops.append(value)
    case "escapes", "inert", "unchanged":
      guard value == "yes" || value == "no" else { return "'\(value)' is neither yes nor no" }
      if name == "inert", value == "no" {
        return "every output is checked to be inert; this cannot be switched off"
      }
      if name == "unchanged" { isUnchanged = value == "yes" }
    default: return "unknown setting '\(name)'; known are \(Self.settings)"
    }
    return nil
  }
}

/// Backslash escapes for bytes that text files cannot hold well: `\n`, `\t`, `\r`, `\0`, `\\`, `\xHH` (a byte) and
/// `\u{H…}` (a character).
enum Escapes {
  /// Returns the bytes, and the mistake in the text.
  static func decode(_ text: String) -> (bytes: [UInt8], fault: String?) {
    var output: [UInt8] = []
    var fault: String?
    var rest = Substring(text)
    while let backslash = rest.firstIndex(of: "\\") {
      output += rest[..<backslash].utf8
      rest = rest[rest.index(after: backslash)...]
      let letter = rest.popFirst()
      switch letter {
      case "n": output.append(0x0A)
      case "t": output.append(0x09)
      case "r": output.append(0x0D)
      case "0": output.append(0)
      case "\\": output.append(0x5C)
      case "x":
        let digits = rest.prefix(2)
        rest = rest.dropFirst(2)
        if let byte = UInt8(digits, radix: 16), digits.count == 2 {
          output.append(byte)
        } else {
          fault = "'\\x\(digits)' is not \\x and two hexadecimal digits"
        }
      case "u":
        let digits = rest.dropFirst().prefix { $0 != "}" }
        let isBraced = rest.first == "{" && rest.dropFirst(digits.count + 1).first == "}"
        if isBraced, let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number) {
          rest = rest.dropFirst(digits.count + 2)
          output.append(scalar: scalar)
        } else {
          fault = "'\\u' is not followed by the number of a character in braces"
        }
      default:
        fault = "'\\\(letter.map(String.init) ?? "")' is not a known escape; use \\n \\t \\r \\0 \\\\ \\xHH \\u{H}"
      }
    }
    return (output + Array(rest.utf8), fault)
  }

  /// Returns the text with control characters and backslashes escaped, but not line feeds and tabs.
  static func encode(_ text: String) -> String {
    var output = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": output += "\\\\"
      case "\r": output += "\\r"
      case "\0": output += "\\0"
      case "\n": output += "\n"
      default:
        let isShown = scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
        if isShown || scalar == "\t" {
          output.unicodeScalars.append(scalar)
        } else {
          output += "\\u{\(String(scalar.value, radix: 16))}"
        }
      }
    }
    return output
  }
}
