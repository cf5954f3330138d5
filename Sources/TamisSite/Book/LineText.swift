import TamisCore

/// Plain text in lines of a fixed width, as in mails; Chinese, Japanese and Korean characters take two columns.
struct LineText {
  static let width = 72
  private(set) var bytes: [UInt8] = []
  private var isEmpty = true

  /// Writes a paragraph in lines.
  ///
  /// - Parameters:
  ///   - text: the paragraph.
  ///   - first: the text before the first line.
  ///   - rest: the text before the others.
  mutating func paragraph(_ text: String, first: String = "", rest: String = "") {
    for (number, part) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      wrap(part, first: number == 0 ? first : rest, rest: rest)
    }
  }

  private mutating func wrap(_ text: Substring, first: String, rest: String) {
    var line = first
    var columns = Self.columns(first)
    var hasWord = false
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
      for piece in Self.pieces(word, room: Self.width - Self.columns(rest)) {
        let space = hasWord && piece.isBehindSpace ? 1 : 0
        if hasWord, columns + space + piece.columns > Self.width {
          self.line(line)
          (line, columns, hasWord) = (rest, Self.columns(rest), false)
        } else if space == 1 {
          line += " "
          columns += 1
        }
        line += piece.text
        columns += piece.columns
        hasWord = true
      }
    }
    if hasWord { self.line(line) }
  }

  /// Writes a line without trailing spaces.
  mutating func line(_ text: String) {
    let text = text.utf8.prefix(
      upTo: text.utf8.lastIndex { $0 != ASCII.space }.map(text.utf8.index(after:)) ?? text.startIndex)
    if Self.isMailCommand(text) { bytes.append(UInt8(ascii: " ")) }
    bytes += text
    bytes.append(0x0A)
    isEmpty = false
  }

  /// Returns lines with a space before those that mean something to mail programs.
  static func withoutMailCommands(_ text: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(text.count + 16)
    for line in text.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false) {
      if line.startIndex > 0 { output.append(ASCII.lineFeed) }
      if isMailCommand(line) { output.append(ASCII.space) }
      output += line
    }
    return output
  }

  /// Whether a line means something to mail programs.
  ///
  /// `From ` begins a mail in a file (https://www.rfc-editor.org/rfc/rfc4155). Programs named `mail` read a line that
  /// begins with `~` as a command (POSIX mailx, "Command escapes").
  private static func isMailCommand(_ line: some Collection<UInt8>) -> Bool {
    line.starts(with: "From ".utf8) || line.first == UInt8(ascii: "~")
  }

  /// Writes an empty line between two parts, never two in a row.
  mutating func gap() {
    if bytes.count >= 2, bytes.suffix(2).elementsEqual([0x0A, 0x0A]) { return }
    if !isEmpty { bytes.append(0x0A) }
  }

  /// Removes empty lines from the end.
  mutating func trimEnd() {
    while bytes.count >= 2, bytes.suffix(2).elementsEqual([0x0A, 0x0A]) { bytes.removeLast() }
  }

  // MARK: - Columns

  /// A word, or a character of a script without spaces, after which a line may break.
  private struct Piece {
    var text: String
    var columns: Int
    var isBehindSpace: Bool
  }

  private static func pieces(_ word: Substring, room: Int) -> [Piece] {
    guard word.unicodeScalars.contains(where: isWide) else {
      return [Piece(text: String(word), columns: columns(word), isBehindSpace: true)]
    }
    var pieces: [Piece] = []
    for character in word {
      let (text, isWide) = (String(character), character.unicodeScalars.contains(where: isWide))
      // Punctuation does not begin a line.
      if !pieces.isEmpty, !isWide || "、。，．！？）」』】".contains(character) {
        pieces[pieces.count - 1].text += text
        pieces[pieces.count - 1].columns += columns(text)
      } else {
        pieces.append(Piece(text: text, columns: columns(text), isBehindSpace: pieces.isEmpty))
      }
    }
    return pieces
  }

  static func columns(_ text: some StringProtocol) -> Int {
    text.unicodeScalars.reduce(0) { sum, scalar in
      if scalar.value < 0x300 { return sum + 1 }
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format: return sum
      default: return sum + (isWide(scalar) ? 2 : 1)
      }
    }
  }

  /// Whether a character takes two columns (Unicode Standard Annex #11), by its block.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }

  /// Returns a text in one line, without control characters that a terminal or a mail program would interpret.
  static func plain(_ text: String) -> String {
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: plain.append(" ")
      case .unassigned where scalar.value & 0xFFFE == 0xFFFE: continue
      default: plain.append(scalar)
      }
    }
    return String(plain)
  }
}
