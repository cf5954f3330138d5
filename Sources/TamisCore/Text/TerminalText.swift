/// Text on one line of a terminal or a log, in which control characters are written as escapes.
package enum TerminalText {
  /// The most characters of a text that is cut.
  private static let longest = 300

  /// A whole text, in which characters without a shape of their own (format controls, private use, unassigned) are escapes too.
  package static func whole(_ text: some StringProtocol) -> String {
    escaped(text) { category in
      switch category {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
      default: false
      }
    }
  }

  /// The beginning of a text, with the number of its bytes when it is longer.
  package static func beginning(of text: String) -> String {
    let scalars = text.unicodeScalars
    let start = whole(Substring(scalars.prefix(longest)))
    return scalars.count > longest ? start + "… (\(text.utf8.count) bytes)" : start
  }

  /// A whole line of prose: joiners and marks of direction are a part of many scripts and stay.
  package static func prose(_ line: String) -> String {
    escaped(line) { $0 == .control || $0 == .lineSeparator || $0 == .paragraphSeparator }
  }

  private static func escaped(
    _ text: some StringProtocol, _ isEscaped: (Unicode.GeneralCategory) -> Bool
  ) -> String {
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
