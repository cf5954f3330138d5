import TamisCore

/// The blocks of a document, with the texts, links and pictures that they refer to.
struct MarkdownDocument {
  /// The form of a piece of text.
  struct Style: OptionSet, Sendable {
    let rawValue: UInt8
    static let link = Style(rawValue: 1 << 0)
    static let strong = Style(rawValue: 1 << 1)
    static let emphasis = Style(rawValue: 1 << 2)
    static let strike = Style(rawValue: 1 << 3)
    static let code = Style(rawValue: 1 << 4)
  }

  /// A piece of a paragraph.
  struct Inline {
    /// The kind of a piece.
    enum Kind {
      /// Text with collapsed white space, as a range of the bytes.
      case text(Range<Int>)
      /// A picture, by its number.
      case picture(Int)
      /// A line break.
      case lineBreak
      /// A reference to a footnote, by its number.
      case note(Int)
    }

    var kind: Kind
    var style: Style = []
    /// The number of the link; -1 for none.
    var link = -1

    /// The range of a text; nil for other pieces.
    var range: Range<Int>? {
      if case .text(let range) = kind { range } else { nil }
    }

    var isLineBreak: Bool {
      if case .lineBreak = kind { true } else { false }
    }
  }

  /// The target of a link, or of a picture.
  struct Target: Hashable {
    var url: String
    var title = ""
  }

  /// A picture.
  struct Picture {
    var target: Target
    var alternative: String
  }

  /// A row of a table.
  struct Row {
    var cells: [[Inline]] = []
    var isHeader = false
  }

  /// An item of a list.
  struct Item {
    var blocks: [Block] = []
    /// Whether a task is done; nil for an item that is no task.
    var isDone: Bool?
  }

  /// A list.
  struct List {
    /// The number of the first item; nil for a list with bullets.
    var start: Int?
    var items: [Item] = []
  }

  /// A block.
  indirect enum Block {
    case paragraph([Inline])
    case heading(Int, [Inline])
    /// Lines of code, as a range of the bytes, with their language; empty when it is not known.
    case code(Range<Int>, language: String)
    case list(List)
    case quote([Block])
    case table([Row], alignments: [Alignment])
    case rule
  }

  /// The alignment of a column.
  enum Alignment { case none, left, center, right }

  var blocks: [Block] = []
  var bytes: [UInt8] = []
  var links: [Target] = []
  var pictures: [Picture] = []
  /// The footnotes, by their numbers.
  var notes: [[Block]] = []
  /// Whether containers were left out for their depth.
  var isFlattened = false

  /// Returns the range of a space.
  mutating func space() -> Range<Int> {
    bytes.append(ASCII.space)
    return bytes.count - 1..<bytes.count
  }

  /// Returns a range without white space at its ends, also that which does not collapse; a blank one is empty, at its
  /// start.
  func withoutSpaces(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, UTF8Scalar.last(of: bytes[start..<end]).isSpace {
      end -= UTF8Scalar.lengthOfLast(bytes[start..<end])
    }
    while start < end, UTF8Scalar.first(of: bytes[start..<end]).isSpace {
      start += UTF8Scalar.lengthOfFirst(bytes[start..<end])
    }
    return start..<end
  }

  /// Whether pieces have a picture, or text other than white space.
  func isVisible(_ inlines: some Sequence<Inline>) -> Bool {
    inlines.contains { inline in
      switch inline.kind {
      case .text(let range): !withoutSpaces(range).isEmpty
      case .picture, .note: true
      case .lineBreak: false
      }
    }
  }
}
