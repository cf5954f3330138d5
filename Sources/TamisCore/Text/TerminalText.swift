/// Formats text for one line of a terminal or a log, with control characters as escapes.
package enum TerminalText {
  /// The maximum number of characters of a truncated text.
  private static let longest = 300

  /// Returns a whole text, in which invisible characters (format controls, private use, unassigned) are escaped too.
  package static func whole(_ text: some StringProtocol) -> String {
    escaped(text) { category in
      switch category {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
      default: false
      }
    }
  }

  /// Returns the beginning of a text, with the number of its bytes when it is longer.
  package static func beginning(of text: String) -> String {
    let scalars = text.unicodeScalars
    let start = whole(Substring(scalars.prefix(longest)))
    return scalars.count > longest ? start + "… (\(text.utf8.count) bytes)" : start
  }

  /// Returns a whole line of prose, which keeps joiners and marks of direction, as many scripts need them.
  package static func prose(_ line: String) -> String {
    escaped(line) { $0 == .control || $0 == .lineSeparator || $0 == .paragraphSeparator }
  }

  private static func escaped(_ text: some StringProtocol, _ isEscaped: (Unicode.GeneralCategory) -> Bool) -> String {
    var output = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": output += "\\n"
      case "\t": output += "\\t"
      case "\r": output += "\\r"
      default:
        if isEscaped(scalar.properties.generalCategory) {
          output += "\\u{\(String(scalar.value, radix: 16))}"
        } else {
          output.unicodeScalars.append(scalar)
        }
      }
    }
    return output
  }
}
