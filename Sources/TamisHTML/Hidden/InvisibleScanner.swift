import TamisCore

/// Finds the characters of a text that nobody sees and no writing needs.
///
/// - Tag characters (U+E0000 to U+E007F) outside of a flag of them (UTS 51, ED-14a).
/// - Variation selectors without a base, or more than one after it (UTS 37, UTS 51).
/// - Runs of characters without a width that are longer than any writing needs, and joiners between ASCII characters.
/// - Marks of direction without a partner in the paragraph or the link, and overrides in a link (UAX 9, 2 and 3.3.2).
package struct InvisibleScanner {
  /// A kind of characters.
  package enum What: String, Sendable {
    case tags = "tag characters"
    case selectors = "variation selectors"
    case zeroWidth = "zero-width characters"
    case directions = "marks of direction"
  }

  /// Removed bytes.
  struct Removed: Sendable {
    var range: Range<Int>
    var what: What
  }

  private var removed: [Removed] = []
  /// The character to which a variation selector or a joiner would belong.
  private var base: UInt32 = 0x20
  /// The zero-width characters since that character.
  private var run: [(scalar: UInt32, range: Range<Int>)] = []
  /// The number of them that stand before the last end of a word.
  private var joined = 0
  /// The tag characters behind a flag; nil when no flag is before.
  private var flag: [(scalar: UInt32, range: Range<Int>)]?
  /// An opening mark of direction.
  private struct Mark {
    var isIsolate: Bool
    var range: Range<Int>
    /// Whether the mark goes in any case, and with it its partner.
    var isRemoved = false
  }

  /// The opening marks that have no partner yet.
  private var open: [Mark] = []
  private var openIsolates = 0
  /// The marks that were open when a link began; nil outside of links.
  private var outside: (open: [Mark], isolates: Int)?

  /// The maximum number of zero-width characters in a row that a script needs; more are data.
  ///
  /// `ZWJ ZWNJ ZWJ` stands between Arabic letters that join without a ligature (The Unicode Standard, 9.2).
  static let longestRun = 3

  /// Whether text can contain one of the characters.
  package static func mayFind(in bytes: borrowing Span<UInt8>) -> Bool {
    var index = 0
    while true {
      index = ByteScan.indexOfHighByte(in: bytes, from: index)
      // Most scripts have many such bytes in a row.
      while index + 1 < bytes.count, bytes[index] >= 0x80 {
        if mayBegin(at: index, of: bytes) { return true }
        index += 1
      }
      if index + 1 >= bytes.count { return false }
    }
  }

  /// Whether one of the characters can begin at a byte that is not the last.
  private static func mayBegin(at index: Int, of bytes: borrowing Span<UInt8>) -> Bool {
    let second = bytes[index + 1]
    return switch bytes[index] {
    // U+00AD; U+034F; U+061C.
    case 0xC2: second == 0xAD
    case 0xCD: second == 0x8F
    case 0xD8: second == 0x9C
    // U+1140 to U+117F, U+1780 to U+17BF, U+1800 to U+183F.
    case 0xE1: second == 0x85 || second == 0x9E || second == 0xA0
    // U+2000 to U+207F.
    case 0xE2:
      (second == 0x80 || second == 0x81) && index + 2 < bytes.count && isListed(second, bytes[index + 2])
    // U+3140 to U+317F.
    case 0xE3: second == 0x85
    // U+FE00 to U+FE3F, U+FEC0 to U+FEFF, U+FF80 to U+FFFF.
    case 0xEF: second == 0xB8 || second == 0xBB || second == 0xBE || second == 0xBF
    // U+1B000 to U+1BFFF, U+1D000 to U+1DFFF; U+E0000 to U+E0FFF.
    case 0xF0: second == 0x9B || second == 0x9D
    case 0xF3: second == 0xA0
    default: false
    }
  }

  /// Whether a character of U+2000 to U+207F is one of them; most are dashes and quotation marks.
  private static func isListed(_ second: UInt8, _ third: UInt8) -> Bool {
    second == 0x80 ? (0x8B...0x8F).contains(third) || (0xAA...0xAE).contains(third) : third >= 0xA0 && third <= 0xAF
  }

  /// Reads a part of a text, which continues the part before.
  mutating func read(_ range: Range<Int>, of bytes: [UInt8]) {
    var index = range.lowerBound
    while index < range.upperBound {
      let lead = bytes[index]
      let length = lead < 0xC2 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
      let end = min(index + length, range.upperBound)
      read(lead < 0x80 ? UInt32(lead) : Self.scalar(bytes[index..<end]) ?? 0xFFFD, index..<end)
      index = end
    }
  }

  /// Returns the character that bytes are in UTF-8; nil when they are no single one.
  package static func scalar(_ bytes: ArraySlice<UInt8>) -> UInt32? {
    guard let first = bytes.first else { return nil }
    let length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0
    guard length == bytes.count else { return nil }
    var value = UInt32(first) & (0x7F >> UInt32(length))
    for byte in bytes.dropFirst() {
      guard byte & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    return value
  }

  private mutating func read(_ scalar: UInt32, _ range: Range<Int>) {
    if (0xE0000...0xE007F).contains(scalar) { return readTag(scalar, range) }
    if (0xE0080...0xE00FF).contains(scalar) || (0xE01F0...0xE0FFF).contains(scalar) { return remove(range, .tags) }
    endFlag()
    switch scalar {
    case 0xAD, 0x34F, 0x61C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F, 0x200B...0x200F, 0x2060...0x2065,
      0x206A...0x206F, 0x3164, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A:
      run.append((scalar, range))
    case 0xFE00...0xFE0F, 0xE0100...0xE01EF:
      // One that goes does not end a run.
      guard run.isEmpty, Self.takes(scalar, base) else { return remove(range, .selectors) }
      base = scalar
    case 0x202A...0x202E, 0x2066...0x2069: readMark(scalar, range)
    default:
      endRun(before: scalar)
      base = scalar
      if scalar == 0x1F3F4 { flag = [] }
    }
  }

  private mutating func remove(_ range: Range<Int>, _ what: What) { removed.append(Removed(range: range, what: what)) }

  // MARK: - Paragraphs and links

  /// Ends the last paragraph; returns what was found, in the order of the offsets.
  mutating func end() -> [Removed] {
    endParagraph()
    endRun(before: 0x20)
    return removed.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Ends a word, which the next character does not continue.
  ///
  /// A run of zero-width characters goes on behind it: the block between them may not be written.
  mutating func endWord() {
    endFlag()
    endJoiners(before: 0x20)
    base = 0x20
  }

  /// Ends a paragraph, in which marks of direction have an effect.
  mutating func endParagraph() {
    endWord()
    endMarks()
    if let marks = outside?.open {
      for mark in marks { remove(mark.range, .directions) }
      outside = ([], 0)
    }
  }

  /// Begins the text of a link, in which marks of direction have no effect on what is around it.
  mutating func beginLink() {
    outside = (open, openIsolates)
    (open, openIsolates) = ([], 0)
  }

  /// Ends the text of a link.
  mutating func endLink() {
    endMarks()
    if let outside { (open, openIsolates) = outside }
    outside = nil
  }

  // MARK: - Tags, selectors and runs

  private mutating func readTag(_ scalar: UInt32, _ range: Range<Int>) {
    guard flag != nil else { return remove(range, .tags) }
    flag?.append((scalar, range))
    if scalar == 0xE007F { endFlag() }
  }

  /// Ends a flag, whose tag characters stay when they are the code of a region and its end.
  mutating func endFlag() {
    guard let tags = flag else { return }
    flag = nil
    let code = tags.dropLast()
    let isWhole = tags.last?.scalar == 0xE007F && (3...6).contains(code.count)
    if isWhole, code.allSatisfy({ (0xE0030...0xE0039).contains($0.scalar) || (0xE0061...0xE007A).contains($0.scalar) })
    {
      return
    }
    for tag in tags { remove(tag.range, .tags) }
  }

  /// Whether a character can have a variation selector (UTS 37, Unicode's `StandardizedVariants.txt` and
  /// `emoji-variation-sequences.txt`).
  private static func takes(_ selector: UInt32, _ base: UInt32) -> Bool {
    switch base {
    case 0...0x7F: selector <= 0xFE0F && (base == 0x23 || base == 0x2A || (0x30...0x39).contains(base))
    case 0xFE00...0xFE0F, 0xE0100...0xE01EF, 0xA0: false
    default: selector <= 0xFE0F || isIdeograph(base)
    }
  }

  private static func isIdeograph(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: true
    default: false
    }
  }

  private mutating func endRun(before next: UInt32) {
    if run.isEmpty { return }
    if run.count > Self.longestRun {
      for (_, range) in run { remove(range, .zeroWidth) }
    } else {
      endJoiners(before: next)
    }
    run.removeAll(keepingCapacity: true)
    joined = 0
  }

  /// Removes the joiners between two characters that need none.
  private mutating func endJoiners(before next: UInt32) {
    if base < 0x80, next < 0x80 {
      for index in (joined..<run.count).reversed() where run[index].scalar == 0x200C || run[index].scalar == 0x200D {
        remove(run.remove(at: index).range, .zeroWidth)
      }
    }
    joined = run.count
  }

  // MARK: - Marks of direction

  private mutating func readMark(_ scalar: UInt32, _ range: Range<Int>) {
    switch scalar {
    case 0x202D, 0x202E:
      open.append(Mark(isIsolate: false, range: range, isRemoved: outside != nil))
    case 0x202A, 0x202B: open.append(Mark(isIsolate: false, range: range))
    case 0x2066...0x2068:
      open.append(Mark(isIsolate: true, range: range))
      openIsolates += 1
    case 0x202C:
      guard let mark = open.last, !mark.isIsolate else { return remove(range, .directions) }
      open.removeLast()
      if mark.isRemoved {
        remove(mark.range, .directions)
        remove(range, .directions)
      }
    default: readIsolateEnd(range)
    }
  }

  /// Reads the end of an isolate, which ends the embeddings in it.
  private mutating func readIsolateEnd(_ range: Range<Int>) {
    guard openIsolates > 0 else { return remove(range, .directions) }
    while let mark = open.popLast(), !mark.isIsolate { if mark.isRemoved { remove(mark.range, .directions) } }
    openIsolates -= 1
  }

  private mutating func endMarks() {
    for mark in open { remove(mark.range, .directions) }
    open.removeAll(keepingCapacity: true)
    openIsolates = 0
  }
}
