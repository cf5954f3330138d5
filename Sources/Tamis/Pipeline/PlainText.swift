import TamisCore

/// Converts plain text to equivalent markup.
enum PlainText {
  /// Returns markup with paragraphs at empty lines, line breaks at other intended line ends, and links for URLs.
  static func body(_ text: String) -> String { flowed(lines(text), indented: indentedLines(text)) }

  /// Returns markup with paragraphs at empty lines and line breaks at all other line ends, without links.
  static func paragraphs(_ text: String) -> String {
    markup(of: lines(text), breaks: { _ in true }, linksAddresses: false)
  }

  /// Returns the markup of a field that may contain markup but contains none: intended line breaks are kept.
  ///
  /// The result is nil when there are tags, since these define the lines, and when nothing would change.
  static func body(ofMarkup text: String) -> String? {
    guard !hasTags(text) else { return nil }
    let lines = lines(text.utf8.contains(UInt8(ascii: "&")) ? text.decodingCharacterReferences() : text)
    guard lines.count(where: { !$0.isEmpty }) > 1 || lines.contains(where: AddressLinks.isAny(in:)) else { return nil }
    return flowed(lines, indented: [])
  }

  /// Returns paragraphs of lines, in which lines that a program has wrapped are joined.
  private static func flowed(_ lines: [String], indented: Set<Int>) -> String {
    let wrapping = Wrapping(lines)
    return markup(
      of: lines, breaks: { !wrapping.isWrapped(after: $0) || indented.contains($0) || indented.contains($0 + 1) },
      linksAddresses: true)
  }

  /// Returns the lines that begin with white space, as in code and verse.
  private static func indentedLines(_ text: String) -> Set<Int> {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return Set(lines.indices.filter { lines[$0].first == "\t" || lines[$0].hasPrefix("  ") })
  }

  private static func lines(_ text: String) -> [String] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { $0.trimmed() }
  }

  /// Whether a browser would find a tag, a comment or a similar construct.
  static func hasTags(_ text: String) -> Bool {
    var isBehindMark = false
    for byte in text.utf8 {
      if isBehindMark, byte.isASCIILetter || [UInt8(ascii: "/"), UInt8(ascii: "!"), UInt8(ascii: "?")].contains(byte) {
        return true
      }
      isBehindMark = byte == UInt8(ascii: "<")
    }
    return false
  }

  /// Returns the markup of lines.
  ///
  /// - Parameters:
  ///   - lines: the lines, of which empty ones separate paragraphs.
  ///   - breaks: whether the line at an index ends with a line break, rather than being continued by the next one.
  ///   - linksAddresses: whether URLs in the text become links.
  /// - Returns: the markup, with each paragraph in a `p`.
  private static func markup(of lines: [String], breaks: (Int) -> Bool, linksAddresses: Bool) -> String {
    var output: [UInt8] = []
    var isOpen = false
    for (index, line) in lines.enumerated() {
      if line.isEmpty {
        if isOpen { output += "</p>\n".utf8 }
        isOpen = false
        continue
      }
      if !isOpen {
        output += "<p>".utf8
      } else if breaks(index - 1) {
        output += "<br>".utf8
      } else {
        output.append(ASCII.space)
      }
      isOpen = true
      if linksAddresses {
        AddressLinks.append(line, to: &output)
      } else {
        MarkupText.append(line.utf8.span, to: &output)
      }
    }
    if isOpen { output += "</p>".utf8 }
    return String(streamSafe: output.last == ASCII.lineFeed ? output.dropLast() : output[...])
  }
}

/// Distinguishes lines that a program has wrapped at some column from lines that end on purpose.
///
/// A program breaks a line where the next word would pass the column. A line that had room for the next word was
/// therefore ended on purpose, as were all lines when the longest one is longer or shorter than any column in use.
private struct Wrapping {
  /// The columns at which programs wrap.
  private static let columns = 40...100

  /// Whether each line is continued by the next one.
  private let isContinued: [Bool]

  init(_ lines: [String]) {
    let lengths = lines.map { $0.unicodeScalars.count }
    let width = lengths.max() ?? 0
    isContinued = Self.columns.contains(width) ? Self.continued(lines, lengths, width) : []
  }

  func isWrapped(after line: Int) -> Bool { line < isContinued.count && isContinued[line] }

  private static func continued(_ lines: [String], _ lengths: [Int], _ width: Int) -> [Bool] {
    var continued = [Bool](repeating: false, count: lines.count)
    var (full, short, ended) = (0, 0, 0)
    for index in lines.indices.dropLast() where lengths[index] > 0 && lengths[index + 1] > 0 {
      if beginsItem(lines[index + 1]) || beginsItem(lines[index]) && lengths[index] < width * 3 / 4 { continue }
      let word = lines[index + 1].unicodeScalars.prefix { !$0.properties.isWhitespace }.count
      guard lengths[index] + 1 + word > width, lines[index].utf8.contains(ASCII.space), isSpaced(lines[index]),
        isSpaced(lines[index + 1])
      else {
        short += 1
        continue
      }
      full += 1
      if lines[index].unicodeScalars.last.map({ ".!?:…".unicodeScalars.contains($0) }) == true { ended += 1 }
      continued[index] = true
    }
    // Every list has some full lines; sentences that all end at line ends were broken on purpose.
    let isWrapped = full > 2 * short && ended < full && (full > 1 || width >= 60)
    return isWrapped ? continued : continued.map { _ in false }
  }

  /// Whether a line begins like a list item: with a time, a number, a sign, or a URL.
  private static func beginsItem(_ line: String) -> Bool {
    let head = Array(line.utf8.prefix(8))
    guard let first = head.first else { return false }
    if first == UInt8(ascii: "(") || first == UInt8(ascii: "["), head.count > 1, head[1].isASCIIDigit { return true }
    let digits = head.prefix(while: \.isASCIIDigit)
    if !digits.isEmpty {
      let rest = head.dropFirst(digits.count)
      // The beginnings `0:00`, `1.` and `1)`.
      if let sign = rest.first, [0x3A, 0x2E, 0x29].contains(sign) {
        return sign == 0x3A || rest.count > 1 && rest[rest.startIndex + 1] == ASCII.space
      }
      return false
    }
    if head.count > 1, head[1] == ASCII.space, "-*+#>~=".utf8.contains(first) { return true }
    if first == UInt8(ascii: "#") || first == UInt8(ascii: "@") { return true }
    if head.starts(with: "http".utf8) || head.starts(with: "www.".utf8) { return true }
    guard let scalar = line.unicodeScalars.first, scalar.value >= 0x2010 else { return false }
    return scalar.properties.isEmojiPresentation || "‐–—•·‣▪►▶→➡✓✔★☆◆●○■□–".unicodeScalars.contains(scalar)
  }

  /// Whether both ends of a line are of a script that puts spaces between words.
  private static func isSpaced(_ line: String) -> Bool {
    let scalars = line.unicodeScalars
    return (scalars.first?.value ?? 0) < 0x2E80 && (scalars.last?.value ?? 0) < 0x2E80
  }
}
