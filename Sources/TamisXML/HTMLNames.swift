import TamisCore

/// Numbers for the names of elements, and what ``HTMLMender`` has to know of each.
struct HTMLNames {
  /// How libxml2 or browsers continue after a start tag.
  enum Kind {
    case plain
    case lineBreak
    /// `svg` and `math`, in which nothing is raw text.
    case foreign
    /// Text without tags to browsers, markup to libxml2; references count (HTML Standard, 13.1.2, "escapable raw text").
    case escapableText
    /// The same, not shown by browsers: a parser that does not know it as raw text reads tags in it.
    case rawText
    /// Text without tags to both.
    case code
    /// libxml2 takes no notice of such a tag inside a body.
    case discarded
  }

  /// Plain values, cheap to copy.
  struct Name {
    let kind: Kind
    let ends: ImpliedEnds
    /// Whether it has neither content nor end tag.
    let isEmpty: Bool
    /// Whether it is void in HTML 5, but not to libxml2.
    let isEmptyInBrowsers: Bool
    /// Whether it is a scope: a start tag inside it ends no item or cell outside.
    let isContainer: Bool
    let isDefinition: Bool
    /// Whether it ends its like, as items, cells and paragraphs do.
    let endsItsLike: Bool
    /// libxml2's priority of end tags: one ends no open element of a greater weight.
    let weight: Int
  }

  static let guardNumber = 0

  private var list: [Name] = []
  private var texts: [String] = []
  /// Names as they are written, and the number of each.
  private var spellings = NameIndex()
  private var numbers: [Int] = []
  private var lowerCase: [String: Int] = [:]

  init() { _ = number(of: Array(HTMLMender.guardName.utf8).span, 0..<HTMLMender.guardName.utf8.count) }

  subscript(number: Int) -> Name { list[number] }

  /// A name in lower case.
  func text(_ number: Int) -> String { texts[number] }

  /// Forgets all names when there are too many for the next document: hostile input can use ever new ones.
  mutating func forgetIfCrowded() { if spellings.count > 4096 { self = HTMLNames() } }

  /// The number of a name, given to it now if it has none.
  mutating func number(of bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Int {
    if let known = spellings.number(of: bytes, range) { return numbers[known] }
    var name: [UInt8] = []
    name.append(bytes, range)
    let written = String(decoding: name, as: UTF8.self)
    let text = written.asciiLowercased()
    let number = lowerCase[text] ?? list.count
    if number == list.count {
      list.append(Self.name(text))
      texts.append(text)
      lowerCase[text] = number
    }
    spellings.add(written)
    numbers.append(number)
    return number
  }

  private static func name(_ text: String) -> Name {
    let ends = ImpliedEnds(text)
    let isDefinition = text == "dd" || text == "dt"
    return Name(
      kind: kinds[text] ?? .plain, ends: ends,
      isEmpty: HTMLReader.isEmpty(text), isEmptyInBrowsers: HTMLReader.laterEmpty.contains(text),
      isContainer: ["ul", "ol", "dl", "table", "select"].contains(text), isDefinition: isDefinition,
      endsItsLike: isDefinition || ends.areCaused(by: ends),
      weight: HTMLReader.endWeight(of: text))
  }

  private static let kinds: [String: Kind] = [
    "br": .lineBreak, "svg": .foreign, "math": .foreign, "script": .code, "style": .code, "html": .discarded,
    "head": .discarded, "body": .discarded, "title": .escapableText, "textarea": .escapableText, "iframe": .rawText,
    "xmp": .rawText,
    "noembed": .rawText, "noframes": .rawText,
  ]
}
