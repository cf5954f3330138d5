import TamisCore

/// A document type declaration, of which only harmless parts are read.
///
/// These are its name, its public identifier, and entities that expand to plain text or to one character. The rest
/// (default attributes, external and nested entities, parameter entities) is used for attacks, and no feed needs it.
/// Universal Feed Parser keeps the same parts.
struct DocumentType {
  /// The public identifier, empty when there is none.
  private(set) var publicID = ""
  /// The declared entities.
  private(set) var declared: [(name: String, value: String)] = []
  /// The offset after the declaration.
  private(set) var end: Int
  private(set) var isWhole = false
  /// Whether all identifiers have both quotes, and the brackets are closed.
  private(set) var isInOrder = true
  private var name: Range<Int> = 0..<0
  private var identifiers: [Range<Int>] = []
  private var isPublic = false

  private static let mostEntities = 1000

  /// Begins at `<!DOCTYPE`.
  init(_ input: borrowing Span<UInt8>, from start: Int) { end = start + "<!DOCTYPE".utf8.count }

  /// Reads the declaration, or returns false when it is incomplete.
  mutating func read(_ input: borrowing Span<UInt8>) -> Bool {
    var word = end
    while end < input.count {
      let byte = input[end]
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard let value = quoted(input) else { return false }
        // No identifier contains tags: its second quote is missing, and the declaration ends with its line or its `>`.
        if ByteScan.index(of: UInt8(ascii: "<"), in: input.extracting(value), from: 0)
          < value.count
        {
          end = ByteScan.index(of: UInt8(ascii: ">"), or: UInt8(ascii: "<"), in: input, from: value.lowerBound)
          if input[end] == UInt8(ascii: ">") { end += 1 }
          isInOrder = false
          return finish(input)
        }
        identifiers.append(value)
        word = end
      case UInt8(ascii: "["):
        end += 1
        guard readSubset(input) else { return false }
        if !isInOrder { return finish(input) }
        word = end
      case UInt8(ascii: ">"):
        noteWord(word..<end, input)
        end += 1
        return finish(input)
      default:
        if byte.isHTMLSpace {
          noteWord(word..<end, input)
          word = end + 1
        }
        end += 1
      }
    }
    return false
  }

  /// Stores the entity declared at `start`.
  private mutating func declare(_ start: Int, _ value: Range<Int>, _ input: borrowing Span<UInt8>) {
    var first = start + "<!ENTITY".utf8.count
    while first < value.lowerBound, input[first].isHTMLSpace { first += 1 }
    var last = first
    while last < value.lowerBound - 1, !input[last].isHTMLSpace { last += 1 }
    if first < last { declared.append((String(input, first..<last), String(input, value))) }
  }

  private mutating func noteWord(_ word: Range<Int>, _ input: borrowing Span<UInt8>) {
    guard !word.isEmpty else { return }
    if name.isEmpty {
      name = word
    } else if ByteScan.stands("PUBLIC", in: input, at: word.lowerBound) {
      isPublic = true
    }
  }

  /// Returns the quoted value that begins here, or nil when it is incomplete.
  private mutating func quoted(_ input: borrowing Span<UInt8>) -> Range<Int>? {
    let start = end + 1
    let close = ByteScan.index(of: input[end], in: input, from: start)
    guard close < input.count else { return nil }
    end = close + 1
    return start..<close
  }

  /// Reads the declarations between the brackets, or returns false when they are incomplete.
  private mutating func readSubset(_ input: borrowing Span<UInt8>) -> Bool {
    while end < input.count {
      if input[end] == UInt8(ascii: "]") {
        end += 1
        return true
      }
      let start = end
      if ByteScan.stands("<!--", in: input, at: end) {
        guard skip(past: "-->", input) else { return false }
      } else if ByteScan.stands("<?", in: input, at: end) {
        guard skip(past: "?>", input) else { return false }
      } else if input[end] == UInt8(ascii: "<"), end + 1 < input.count, input[end + 1].isASCIILetter {
        // A tag means that the subset was never closed.
        isInOrder = false
        return true
      } else if input[end] == UInt8(ascii: "<") {
        guard let value = readDeclaration(input) else { return false }
        let isKept = ByteScan.stands("<!ENTITY", in: input, at: start) && isHarmless(start, value, input)
        if isKept, declared.count < Self.mostEntities { declare(start, value, input) }
      } else {
        end += 1
      }
    }
    return false
  }

  /// Reads a declaration to its end and returns its only quoted value, or an empty range when it has none or several.
  private mutating func readDeclaration(_ input: borrowing Span<UInt8>) -> Range<Int>? {
    var values: [Range<Int>] = []
    while end < input.count {
      switch input[end] {
      case UInt8(ascii: ">"):
        end += 1
        return values.count == 1 ? values[0] : 0..<0
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard let value = quoted(input) else { return nil }
        if values.count < 2 { values.append(value) }
      default: end += 1
      }
    }
    return nil
  }

  /// Whether an entity expands to plain text or one character: `<!ENTITY name "value">`.
  private func isHarmless(_ start: Int, _ value: Range<Int>, _ input: borrowing Span<UInt8>) -> Bool {
    guard !value.isEmpty, value.count < 1000 else { return false }
    for index in start..<value.lowerBound where input[index] == UInt8(ascii: "%") { return false }
    if Self.contains("SYSTEM", input, start..<value.lowerBound)
      || Self.contains("PUBLIC", input, start..<value.lowerBound)
    {
      return false
    }
    let isNumber =
      input[value.lowerBound] == UInt8(ascii: "&") && input[value.upperBound - 1] == UInt8(ascii: ";")
      && value.count < 12 && input[value.lowerBound + 1] == UInt8(ascii: "#")
    for index in value.dropFirst(isNumber ? 1 : 0) {
      switch input[index] {
      case UInt8(ascii: "&"), UInt8(ascii: "%"), UInt8(ascii: "<"), UInt8(ascii: "\""): return false
      default: continue
      }
    }
    return true
  }

  private mutating func skip(past closing: StaticString, _ input: borrowing Span<UInt8>) -> Bool {
    guard let found = ByteScan.index(of: closing, in: input, from: end) else {
      end = input.count
      return false
    }
    end = found + closing.utf8CodeUnitCount
    return true
  }

  /// Takes the public identifier at the end of the declaration; returns true.
  private mutating func finish(_ input: borrowing Span<UInt8>) -> Bool {
    isWhole = true
    if XMLCharacter.isName(input, name), isPublic, let identifier = identifiers.first,
      Self.isPublicIdentifier(input, identifier)
    {
      publicID = String(input, identifier)
    }
    return true
  }

  /// Whether the range is a public identifier without its quotes (XML 1.0, production 13).
  private static func isPublicIdentifier(_ input: borrowing Span<UInt8>, _ range: Range<Int>) -> Bool {
    let others = Array(" \n-()+,./:=?;!*#@$_%".utf8)
    for index in range where !input[index].isASCIIAlphanumeric && !others.contains(input[index]) { return false }
    return true
  }

  private static func contains(_ text: StaticString, _ input: borrowing Span<UInt8>, _ range: Range<Int>) -> Bool {
    ByteScan.index(of: text, in: input.extracting(range), from: 0) != nil
  }
}
