import TamisCore
import TamisXML

/// Reads a document in one pass as long as it is in order, as most feeds are.
///
/// It knows the part of XML that feeds use: elements, attributes, namespaces, character data, comments, processing
/// instructions, the references that need no declaration. Whatever else comes, from a fault to a document type, it leaves
/// alone: it stops before it, and ``MarkupRepair`` and libxml2 go on from there with what is open (``Handover``). So it
/// decides nothing about faults, and a document of both halves is read as libxml2 alone would have read it.
///
/// Works piece by piece; the events do not depend on where the pieces were cut. Time is linear in the input.
struct WellFormedReader {
  /// How reading went on.
  enum Outcome {
    /// All that was given is read.
    case needsInput
    /// The document has ended, or the handler wants no more of it.
    case ended
    /// What comes is for others to read: ``WellFormedReader/handover()``.
    case outOfOrder
  }

  /// What became of one thing in the document.
  enum Step {
    case read
    /// Its end has not come.
    case incomplete
    case outOfOrder
  }

  /// The longest thing that is waited for as a whole, in bytes: a tag, a section, a run of text.
  static let longest = 1 << 20

  let limits: Limits
  /// Pieces that have come and are not looked at yet.
  private var gathered: [UInt8] = []
  /// What is not read yet, from ``index`` on.
  var input: [UInt8] = []
  var index = 0
  /// Bytes of the document before the input.
  private var discarded = 0
  /// Whether there is no more input than what is here.
  var isLast = false
  var text = CharacterData()
  var names = NamespaceScopes()
  var open = OpenStartTags()
  /// The attributes of the tag that is being read, and the values of those that are decoded.
  var attributes: [Attribute] = []
  var decodedValues: [UInt8] = []
  /// Whether the end tag of the root element has come; its event comes when the document ends, as after ``MarkupRepair``.
  var hasRootEnded = false
  /// The position up to which lines and columns are counted.
  private var counted = 0
  private var line = 1
  private var column = 1
  /// Where that line begins in the document, in bytes.
  private var startOfLine = 0

  /// An attribute of the tag that is being read.
  struct Attribute {
    var name: XMLQualifiedName
    /// Whether it declares a namespace.
    var isNamespace: Bool
    /// The handler's number of its name, once it is known.
    var number = -1
    /// Its value as it is written; once it is decoded, the part of ``WellFormedReader/decodedValues``.
    var value: Range<Int>
    /// Whether the value has references or white space other than spaces.
    var needsDecoding: Bool
  }

  init(limits: Limits) { self.limits = limits }

  /// Reads on.
  ///
  /// - Parameter piece: the next bytes of the document, none at its end.
  mutating func read(_ piece: [UInt8], into handler: inout some XMLEvents) -> Outcome {
    guard let new = gather(piece) else { return .needsInput }
    let isInOrder = append(new)
    // The same storage, not a copy: nothing writes into the input before the next pieces come. A span of the property itself would
    // forbid all that changes the reader.
    let source = input
    let bytes = source.span
    guard isInOrder else { return leave(bytes, &handler) }
    while handler.wantsMore {
      switch step(bytes, &handler) {
      case .read: if text.isLong { text.report(bytes, to: &handler) }
      case .incomplete where isLast:
        guard hasRootEnded, index == bytes.count else { return leave(bytes, &handler) }
        count(bytes, upTo: bytes.count)
        if let root = open.last { handler.endElement(root.number) }
        return .ended
      case .incomplete where bytes.count - index <= Self.longest: return .needsInput
      case .incomplete, .outOfOrder: return leave(bytes, &handler)
      }
    }
    return .ended
  }

  /// Where reading ended.
  var position: XMLPosition { XMLPosition(line: line, column: column) }

  /// What others need to read the rest.
  func handover() -> Handover {
    Handover(
      open: open, rest: Array(input[index...]), offset: discarded + index, position: position,
      columnInBytes: discarded + index - startOfLine + 1, hasRootEnded: hasRootEnded)
  }

  // MARK: - Input

  /// The pieces to be read next; nil as long as they are few.
  ///
  /// What waits for its end is looked at again with each of them: there is as much new as there is waiting, so that time is
  /// linear however small the pieces are.
  private mutating func gather(_ piece: [UInt8]) -> [UInt8]? {
    isLast = piece.isEmpty
    if gathered.isEmpty { gathered = piece } else { gathered += piece }
    guard isLast || gathered.count >= input.count - index else { return nil }
    var pieces: [UInt8] = []
    swap(&pieces, &gathered)
    return pieces
  }

  /// Takes the next pieces in; false when they have a character that XML does not allow.
  private mutating func append(_ piece: [UInt8]) -> Bool {
    let old = input
    text.keep(from: old.span)
    count(old.span, upTo: index)
    let waiting = old.count - index
    input = waiting == 0 ? piece : Array(old[index...]) + piece
    discarded += index
    (index, counted) = (0, 0)
    // U+FFFE may come in two parts.
    return XMLCharacter.firstForbidden(input.span, from: max(0, waiting - 2)) == input.count
  }

  /// Ends reading before what comes.
  private mutating func leave(_ bytes: borrowing Span<UInt8>, _ handler: inout some XMLEvents) -> Outcome {
    text.report(bytes, to: &handler)
    count(bytes, upTo: index)
    return .outOfOrder
  }

  /// Counts lines and columns: of characters, from 1.
  mutating func count(_ bytes: borrowing Span<UInt8>, upTo end: Int) {
    let part = bytes.extracting(counted..<end)
    let lines = ByteScan.lineFeeds(in: part)
    if lines == 0 {
      column += ByteScan.characters(in: part)
    } else {
      var start = end
      while bytes[start - 1] != ASCII.lineFeed { start -= 1 }
      line += lines
      startOfLine = discarded + start
      column = 1 + ByteScan.characters(in: bytes.extracting(start..<end))
    }
    counted = end
  }

  // MARK: - Steps

  private mutating func step(_ bytes: borrowing Span<UInt8>, _ handler: inout some XMLEvents) -> Step {
    guard index < bytes.count else { return .incomplete }
    switch bytes[index] {
    case UInt8(ascii: "<"): return readMarkup(bytes, &handler)
    case UInt8(ascii: "&"): return isOutside ? .outOfOrder : readReference(bytes)
    default: return isOutside ? readTextOutside(bytes) : readText(bytes)
    }
  }

  /// Whether nothing of the document was read yet.
  var isAtStart: Bool { discarded + index == 0 }

  /// Whether the reader is before or after the root element.
  var isOutside: Bool { open.isEmpty || hasRootEnded }

  private mutating func readMarkup(_ bytes: borrowing Span<UInt8>, _ handler: inout some XMLEvents) -> Step {
    guard index + 1 < bytes.count else { return .incomplete }
    switch bytes[index + 1] {
    case UInt8(ascii: "/"): return readEndTag(bytes, &handler)
    case UInt8(ascii: "!"): return readDeclaration(bytes)
    case UInt8(ascii: "?"): return readInstruction(bytes)
    default: return readStartTag(bytes, &handler)
    }
  }
}
