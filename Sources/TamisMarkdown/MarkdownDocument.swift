import TamisCore

/// The blocks of a document, with the texts, links and pictures that they refer to.
package struct MarkdownDocument {
  /// The form of a piece of text.
  package struct Style: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    static let link = Style(rawValue: 1 << 0)
    static let strong = Style(rawValue: 1 << 1)
    static let emphasis = Style(rawValue: 1 << 2)
    static let strike = Style(rawValue: 1 << 3)
    static let code = Style(rawValue: 1 << 4)
  }

  /// A piece of a paragraph.
  package struct Inline {
    /// The kind of a piece.
    package enum Kind {
      /// Text with collapsed white space, as a range of the bytes.
      case text(Range<Int>)
      /// A picture, by its number.
      case picture(Int)
      /// A line break.
      case lineBreak
      /// A reference to a footnote, by its number.
      case note(Int)
    }

    package var kind: Kind
    var style: Style = []
    /// The number of the link; -1 for none.
    package var link = -1

    /// The range of a text; nil for other pieces.
    var range: Range<Int>? {
      if case .text(let range) = kind { range } else { nil }
    }

    var isLineBreak: Bool {
      if case .lineBreak = kind { true } else { false }
    }
  }

  /// The target of a link, or of a picture.
  package struct Target: Hashable {
    package var url: String
    var title = ""

    /// Whether the address has more characters behind a question mark than one that only names a picture.
    var hasLongQuery: Bool {
      guard let mark = url.utf8.firstIndex(of: UInt8(ascii: "?")) else { return false }
      return url.utf8.distance(from: mark, to: url.utf8.endIndex) > Markdown.longQuery
    }
  }

  /// A picture.
  package struct Picture {
    var target: Target
    package var alternative: String
  }

  /// A row of a table.
  package struct Row {
    package var cells: [[Inline]] = []
    var isHeader = false
  }

  /// An item of a list.
  package struct Item {
    package var blocks: [Block] = []
    /// Whether a task is done; nil for an item that is no task.
    package var isDone: Bool?
  }

  /// A list.
  package struct List {
    /// The number of the first item; nil for a list with bullets.
    package var start: Int?
    package var items: [Item] = []
  }

  /// A block.
  package indirect enum Block {
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
  package enum Alignment { case none, left, center, right }

  package var blocks: [Block] = []
  package var bytes: [UInt8] = []
  package var links: [Target] = []
  package var pictures: [Picture] = []
  /// The footnotes, by their numbers.
  package var notes: [[Block]] = []
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
