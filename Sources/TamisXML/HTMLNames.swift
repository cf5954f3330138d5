/// Numbers for the names of elements, and what ``HTMLMender`` has to know of each.
struct HTMLNames {
  /// How libxml2 or browsers go on behind a start tag.
  enum Kind {
    case plain
    case lineBreak
    /// `svg` and `math`, in which nothing is raw text.
    case foreign
    /// Text without tags to browsers, markup to libxml2; references count (HTML Standard, 13.1.2, "escapable raw text").
    case escapableText
    /// Likewise, of a kind that browsers do not show: what is in it is for readers that know markup better.
    case rawText
    /// Text without tags to both.
    case code
    /// libxml2 takes no notice of such a tag inside a body.
    case discarded
  }

  struct Name {
    let text: String
    let kind: Kind
    let ends: ImpliedEnds
    /// Whether it has neither content nor end tag.
    let isEmpty: Bool
    /// Whether that is so to browsers only.
    let isEmptyInBrowsers: Bool
    /// Whether no item or cell outside of it is ended by one inside.
    let isContainer: Bool
    let isDefinition: Bool
    /// What it weighs against other elements that an end tag would end with its own: HTML 4's parser lets none end a heavier one.
    let weight: Int
  }

  static let guardNumber = 0

  private var list: [Name] = []
  /// By name as it is written.
  private var numbers: [ArraySlice<UInt8>: Int] = [:]
  /// By name in lower case.
  private var lowerCase: [String: Int] = [:]

  init() { _ = number(of: Array(HTMLMender.guardName.utf8)[...]) }

  subscript(number: Int) -> Name { list[number] }

  /// Forgets all names once there are too many: hostile input can use ever new ones.
  mutating func forgetIfCrowded() { if numbers.count > 4096 { self = HTMLNames() } }

  mutating func number(of name: ArraySlice<UInt8>) -> Int {
    if let known = numbers[name] { return known }
    let text = String(decoding: name, as: UTF8.self).lowercased()
    let number = lowerCase[text] ?? list.count
    if number == list.count {
      list.append(Self.name(text))
      lowerCase[text] = number
    }
    // A slice would keep the whole document.
    numbers[ArraySlice(Array(name))] = number
    return number
  }

  private static func name(_ text: String) -> Name {
    Name(
      text: text, kind: kinds[text] ?? .plain, ends: ImpliedEnds(text),
      isEmpty: HTMLReader.isEmpty(text), isEmptyInBrowsers: HTMLReader.laterEmpty.contains(text),
      isContainer: ["ul", "ol", "dl", "table", "select"].contains(text), isDefinition: text == "dd" || text == "dt",
      weight: weights[text] ?? 100)
  }

  private static let kinds: [String: Kind] = [
    "br": .lineBreak, "svg": .foreign, "math": .foreign, "script": .code, "style": .code, "html": .discarded,
    "head": .discarded, "body": .discarded, "title": .escapableText, "textarea": .escapableText, "iframe": .rawText,
    "xmp": .rawText,
    "noembed": .rawText, "noframes": .rawText,
  ]

  private static let weights = [
    "div": 150, "td": 160, "th": 160, "tr": 170, "thead": 180, "tbody": 180, "tfoot": 180, "table": 190,
  ]
}
