import TamisCore

/// Writes values as YAML.
enum YAMLText {
  /// Returns a text plain when it would be read as the same text, else quoted.
  static func scalar(_ text: String) -> String { isPlain(text) ? text : quoted(text) }

  /// Returns several texts in brackets, or a single one without.
  static func list(_ texts: [String]) -> String {
    texts.count == 1 ? scalar(texts[0]) : "[\(texts.map(inFlow).joined(separator: ", "))]"
  }

  /// Returns several texts, or a single one, in brackets, for use within braces.
  static func flowList(_ texts: [String]) -> String { "[\(texts.map(inFlow).joined(separator: ", "))]" }

  /// Returns a text for use within brackets, where commas and brackets have a meaning.
  static func inFlow(_ text: String) -> String {
    text.utf8.contains { ",[]{}".utf8.contains($0) } ? quoted(text) : scalar(text)
  }

  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.utf8.first, first.isASCIIAlphanumeric || first >= 0x80 || "./_".utf8.contains(first),
      text.utf8.last != ASCII.space, text.utf8.last != UInt8(ascii: ":"),
      !["null", "true", "false", "yes", "no", "on", "off", "all"].contains(text.asciiLowercased())
    else { return false }
    var before: Unicode.Scalar = "x"
    for scalar in text.unicodeScalars {
      if scalar.value < 0x20 || scalar.value == 0x7F || (0x80...0xA0).contains(scalar.value) { return false }
      if [0x2028, 0x2029, 0xFEFF].contains(scalar.value) || scalar.value >= 0xFFFE && scalar.value <= 0xFFFF {
        return false
      }
      if before == ":", scalar == " " { return false }
      if before == " ", scalar == "#" { return false }
      before = scalar
    }
    return true
  }

  static func quoted(_ text: String) -> String {
    var output = "\""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22, 0x5C: output += "\\\(scalar)"
      case 0x0A: output += "\\n"
      case 0x09: output += "\\t"
      case 0x20..<0x7F, 0xA1...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD:
        output.unicodeScalars.append(scalar)
      default:
        let hex = String(scalar.value, radix: 16, uppercase: true)
        output +=
          scalar.value < 0x10000
          ? "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
          : "\\U" + String(repeating: "0", count: 8 - hex.count) + hex
      }
    }
    return output + "\""
  }
}
