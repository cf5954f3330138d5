import TamisCore

/// Makes ampersands that begin no reference into ones that do: `?a=1&b=2` in a link is the most common fault of feeds, and
/// libxml2 drops the ampersand with the name behind it.
///
/// Works piece by piece; the result does not depend on where the pieces were cut.
struct AmpersandRepair {
  /// Where the first ampersand was repaired, counted as ``SourceLocation`` does; nil as long as there was nothing.
  private(set) var firstPlace: (line: Int, column: Int)?

  /// Sections in which an ampersand is only a character.
  private enum Section {
    case characterData, comment, instruction

    var closing: StaticString {
      switch self {
      case .characterData: "]]>"
      case .comment: "-->"
      case .instruction: "?>"
      }
    }
  }

  /// What is not decided yet: it depends on what comes next.
  private var rest: [UInt8] = []
  private var section: Section?
  private var line = 1
  private var column = 1

  /// The longest reference that is looked for, in bytes.
  private static let longestReference = 66

  /// The next piece, repaired; with `isLast` all that is left.
  mutating func repair(_ piece: [UInt8], isLast: Bool) -> [UInt8] {
    if rest.isEmpty { rest = piece } else { rest += piece }
    var output: [UInt8] = []
    output.reserveCapacity(rest.count + rest.count / 32)
    let input = rest
    let span = input.span
    var copied = 0
    var index = 0
    while let next = Self.nextStop(span, from: index, in: section) {
      // Undecided as long as the longest of what could begin here has not come.
      if !isLast, span.count - next < Self.longestReference {
        index = next
        break
      }
      switch span[next] {
      case UInt8(ascii: "&") where section == nil:
        index = repairReference(span, at: next, &output, &copied)
      case UInt8(ascii: "<") where section == nil: index = enterSection(span, at: next)
      default: index = leaveSection(span, at: next)
      }
      if index == next { break }
    }
    if Self.nextStop(span, from: index, in: section) == nil { index = span.count }
    output.append(span, copied..<index)
    count(span, copied..<index)
    rest = isLast ? [] : Array(input[index...])
    return output
  }

  /// Where the next byte is that asks for a decision.
  private static func nextStop(_ input: borrowing Span<UInt8>, from start: Int, in section: Section?) -> Int? {
    var (first, second) = (UInt8(ascii: "&"), UInt8(ascii: "<"))
    if let closing = section?.closing {
      first = closing.withUTF8Buffer { $0[0] }
      second = first
    }
    let index = ByteScan.index(of: first, or: second, in: input, from: start)
    return index < input.count ? index : nil
  }

  private mutating func enterSection(_ input: borrowing Span<UInt8>, at start: Int) -> Int {
    let openings: [(StaticString, Section)] = [
      ("<![CDATA[", .characterData), ("<!--", .comment), ("<?", .instruction),
    ]
    guard start + 1 < input.count, input[start + 1] == UInt8(ascii: "!") || input[start + 1] == UInt8(ascii: "?") else {
      return start + 1
    }
    for (opening, section) in openings where Self.stands(opening, input, at: start) {
      self.section = section
      return start + opening.utf8CodeUnitCount
    }
    return start + 1
  }

  private mutating func leaveSection(_ input: borrowing Span<UInt8>, at start: Int) -> Int {
    guard let closing = section?.closing, Self.stands(closing, input, at: start) else { return start + 1 }
    section = nil
    return start + closing.utf8CodeUnitCount
  }

  private static func stands(_ text: StaticString, _ input: borrowing Span<UInt8>, at start: Int) -> Bool {
    guard start + text.utf8CodeUnitCount <= input.count else { return false }
    return text.withUTF8Buffer { bytes in
      for offset in bytes.indices where input[start + offset] != bytes[offset] { return false }
      return true
    }
  }

  /// Answers where to go on.
  private mutating func repairReference(
    _ input: borrowing Span<UInt8>, at start: Int, _ output: inout [UInt8], _ copied: inout Int
  ) -> Int {
    switch Self.reference(input, at: start) {
    case .whole: return start + 1
    case .none:
      place(input, copied, start)
      output.append(input, copied..<start + 1)
      output.append(contentsOf: "amp;".utf8)
      count(input, copied..<start + 1)
      copied = start + 1
      return start + 1
    case .capitalHex:
      // HTML writes `&#X` too.
      place(input, copied, start)
      output.append(input, copied..<start + 2)
      output.append(UInt8(ascii: "x"))
      count(input, copied..<start + 3)
      copied = start + 3
      return start + 3
    }
  }

  private enum Reference {
    case whole, capitalHex, none
  }

  /// Whether `&name;`, `&#1;` or `&#x1;` stands here.
  private static func reference(_ input: borrowing Span<UInt8>, at start: Int) -> Reference {
    let end = min(input.count, start + longestReference)
    var index = start + 1
    guard index < end else { return .none }
    if input[index] != UInt8(ascii: "#") {
      guard input[index].isASCIILetter || input[index] == UInt8(ascii: "_") || input[index] >= 0x80 else {
        return .none
      }
      while index < end, isNameByte(input[index]) { index += 1 }
      return index < end && input[index] == UInt8(ascii: ";") ? .whole : .none
    }
    index += 1
    let mark = index < end ? input[index] : 0
    let isHex = mark | 0x20 == UInt8(ascii: "x")
    if isHex { index += 1 }
    let digits = index
    while index < end, isHex ? input[index].hexDigitValue != nil : input[index].isASCIIDigit { index += 1 }
    guard index > digits, index < end, input[index] == UInt8(ascii: ";") else { return .none }
    return mark == UInt8(ascii: "X") ? .capitalHex : .whole
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || byte >= 0x80 || byte == UInt8(ascii: "_") || (0x2D...0x2E).contains(byte)
      || byte == UInt8(ascii: ":")
  }

  // MARK: - Places

  /// Notes the place of the first repair.
  private mutating func place(_ input: borrowing Span<UInt8>, _ counted: Int, _ index: Int) {
    guard firstPlace == nil else { return }
    count(input, counted..<index)
    firstPlace = (line, column)
  }

  /// Counts lines and columns as long as they matter.
  private mutating func count(_ input: borrowing Span<UInt8>, _ range: Range<Int>) {
    guard firstPlace == nil else { return }
    let part = input.extracting(range)
    let lines = ByteScan.lineFeeds(in: part)
    line += lines
    column += part.count
    guard lines > 0 else { return }
    var index = part.count
    while index > 0, part[index - 1] != ASCII.lineFeed { index -= 1 }
    column = part.count - index + 1
  }
}
