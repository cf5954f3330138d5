import Foundation
package import TamisCore
package import TamisSanitizer
package import TamisURL

/// One regression test of the sanitizer: an input, how it is sanitized, and what must be true of the output.
///
/// The output contract (``OutputContract``) must be kept by every output; a case needs nothing else to be useful.
package struct SanitizerCase: Sendable {
  /// What it is called.
  package var name: String
  /// Where it is written.
  package var location: SourceLocation
  /// The fragment.
  package var input: [UInt8]
  /// What relative URLs are resolved against.
  package var base: WebURL?
  /// The address of the page that the input is from, for links within it.
  package var page: WebURL?
  /// Rules by name, or a rules file, relative to the case's; nil for those of the run.
  package var rules: String?
  /// When libtidy repairs; nil for what the rules say.
  package var tidy: Policy.TidyMode?
  /// Outputs of which one must come out; empty when any may.
  package var outputs: [String] = []
  /// What a reader must still see, whatever its case: each in the visible text, or in the address of a link, picture or medium.
  package var keeps: [String] = []
  /// What must be nowhere in the output, whatever its case.
  package var drops: [String] = []
  /// Whether the output must be the input.
  package var isUnchanged = false

  /// Makes a case that wants nothing but the output contract.
  package init(name: String, location: SourceLocation, input: [UInt8]) {
    self.name = name
    self.location = location
    self.input = input
  }
}

extension SanitizerCase {
  /// The case with another input, of which only the output contract is expected.
  func variant(_ number: Int, input: [UInt8]) -> SanitizerCase {
    var variant = self
    variant.name += ", variant \(number)"
    variant.input = input
    (variant.outputs, variant.keeps, variant.drops, variant.isUnchanged) = ([], [], [], false)
    return variant
  }

  /// Whether a text occurs in the name, whatever the case of its ASCII letters.
  package func isNamed(like text: String) -> Bool {
    name.asciiLowercased().range(of: text.asciiLowercased(), options: .literal) != nil
  }

  private static let settings = "rules, tidy, base, page, escapes, keeps, drops, inert, unchanged"

  /// Reads a case of a case file; what is wrong with it is a finding, and the case is nil if it cannot be run.
  package init?(_ written: CaseFile.Case, into findings: inout [Finding]) {
    func report(_ message: String, line: Int) {
      let location = SourceLocation(file: written.location.file, line: line)
      findings.append(Finding(.error, "check.syntax", message, at: location, entry: written.name))
    }
    let before = findings.count
    for section in written.sections where section.name != "input" && section.name != "output" {
      report("unknown section '\(section.name)'; known are input and output", line: section.line)
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
    guard let input = written.sections.first(where: { $0.name == "input" }) else {
      report("there is no '--- input'", line: written.location.line)
      return nil
    }
    self.init(name: written.name, location: written.location, input: text(input))
    outputs = written.sections.filter { $0.name == "output" }.map { String(decoding: text($0), as: UTF8.self) }
    for setting in written.settings {
      if let objection = read(setting) { report(objection, line: setting.line) }
    }
    if findings.count > before { return nil }
  }

  /// Takes a setting over; answers what is wrong with it.
  private mutating func read(_ setting: CaseFile.Setting) -> String? {
    let value = setting.value
    switch setting.name {
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
      if setting.name == "inert", value == "no" {
        return "every output is checked to be inert; this cannot be switched off"
      }
      if setting.name == "unchanged" { isUnchanged = value == "yes" }
    default: return "unknown setting '\(setting.name)'; known are \(Self.settings)"
    }
    if value.isEmpty { return "'\(setting.name)' has no value" }
    return nil
  }
}

/// Bytes that a text file holds badly, written with backslashes: `\n`, `\t`, `\r`, `\0`, `\\`, `\xHH` (a byte) and `\u{H…}` (a
/// character).
enum Escapes {
  /// The bytes, and what is wrong with the text.
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

  /// The text with backslashes for all that ``decode(_:)`` knows.
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
