import TamisCore

/// Traits of an HTML element, most of them from the rules of tree construction (HTML Standard, 13.2.6.4.7).
struct ElementTraits: OptionSet, Hashable {
  let rawValue: UInt32

  /// The element has neither content nor end tag.
  static let void = ElementTraits(rawValue: 1 << 0)
  /// The start tag closes an open paragraph.
  static let closesParagraph = ElementTraits(rawValue: 1 << 1)
  /// Browsers reopen the element when it was implicitly closed.
  static let formatting = ElementTraits(rawValue: 1 << 2)
  /// The element ends a search for what is open around it, as for an `li` that another one ends.
  static let shields = ElementTraits(rawValue: 1 << 3)
  /// `h1` to `h6`.
  static let heading = ElementTraits(rawValue: 1 << 4)
  /// The text before and after the element is separated.
  static let block = ElementTraits(rawValue: 1 << 5)
  /// The element holds phrasing content only; a block inside is misplaced.
  static let phrasingOnly = ElementTraits(rawValue: 1 << 6)
  /// The element holds text only.
  ///
  /// Browsers would not make elements of tags inside, or these would break out of the element.
  static let textOnly = ElementTraits(rawValue: 1 << 8)
  /// White space inside is kept, and a line break at the beginning is not content.
  static let preformatted = ElementTraits(rawValue: 1 << 10)
  /// The element breaks out of SVG and MathML (13.2.6.5).
  static let breaksOut = ElementTraits(rawValue: 1 << 11)
  /// A list whose items are `li`.
  static let list = ElementTraits(rawValue: 1 << 12)
  /// `ul` and `ol`, in which other blocks are misplaced.
  static let plainList = ElementTraits(rawValue: 1 << 13)
  /// `dl`.
  static let definitionList = ElementTraits(rawValue: 1 << 14)
  /// The element may hold `dd` and `dt`: `dl`, and `div` inside it.
  static let holdsDefinitions = ElementTraits(rawValue: 1 << 15)
  /// HTML that may stay inside SVG's `desc`: elements that a browser would not reopen, close, or move.
  static let plainInline = ElementTraits(rawValue: 1 << 18)
  /// `noscript`: a fallback for content that scripts show.
  static let scriptless = ElementTraits(rawValue: 1 << 19)

  static func of(_ name: String) -> ElementTraits { byName[name] ?? [] }

  /// The traits by element name.
  private static let byName: [String: ElementTraits] = {
    var traits: [String: ElementTraits] = [:]
    for (trait, names) in table {
      for name in names { traits[name, default: []].insert(trait) }
    }
    return traits
  }()

  private static let table: [(ElementTraits, Set<String>)] = [
    (.list, ["ul", "ol", "menu", "dir"]),
    (.plainList, ["ul", "ol"]),
    (.definitionList, ["dl"]),
    (.holdsDefinitions, ["dl", "div"]),
    (.scriptless, ["noscript"]),
    (.plainInline, ElementTable.words("abbr acronym cite dfn kbd q samp span sub sup var")),
    (.void, ElementTable.void),
    (.closesParagraph, ElementTable.endingParagraphs),
    (.formatting, ElementTable.formatting),
    (.shields, ElementTable.special.union(["math", "svg"]).subtracting(["address", "div", "p"])),
    (.heading, ElementTable.headings),
    (.block, ElementTable.blocks),
    (.phrasingOnly, ElementTable.phrasing),
    (.textOnly, ["textarea", "option"]),
    (.preformatted, ["listing", "pre", "textarea"]),
    (.breaksOut, ElementTable.endingForeignContent),
  ]
}

/// The role of an HTML element in the structures that browsers enforce, or for the improvements.
enum ElementRole: Hashable {
  case plain
  case paragraph
  case link
  case listItem
  case definition
  case button
  case form
  case input
  case select
  case option
  case optionGroup
  case rubyPart
  case rubyText
  case nobr
  case table
  case caption
  case columnGroup
  case column
  case tableSection
  case row
  case cell
  case figure
  case figureCaption
  case picture
  case image
  case media
  case mediaSource

  static func of(_ name: String) -> ElementRole {
    switch name {
    case "p": .paragraph
    case "a": .link
    case "li": .listItem
    case "dd", "dt": .definition
    case "button": .button
    case "form": .form
    case "input": .input
    case "select": .select
    case "option": .option
    case "optgroup": .optionGroup
    case "rb", "rtc": .rubyPart
    case "rp", "rt": .rubyText
    case "nobr": .nobr
    case "table": .table
    case "caption": .caption
    case "colgroup": .columnGroup
    case "col": .column
    case "tbody", "thead", "tfoot": .tableSection
    case "tr": .row
    case "td", "th": .cell
    case "figure": .figure
    case "figcaption": .figureCaption
    case "picture": .picture
    case "img": .image
    case "audio", "video": .media
    case "source", "track": .mediaSource
    default: .plain
    }
  }

  /// Whether the element is allowed only inside a table.
  var isTablePart: Bool {
    switch self {
    case .caption, .columnGroup, .column, .tableSection, .row, .cell: true
    default: false
    }
  }

  /// Whether the start tag can end an open element, unless one with ``ElementTraits/shields`` is between them.
  var looksOutward: Bool {
    switch self {
    case .link, .nobr, .button, .select, .option, .optionGroup, .rubyPart, .rubyText, .table: true
    default: isTablePart
    }
  }

  /// Whether the start tag can end the element that it is directly in.
  var looksAtParent: Bool {
    switch self {
    case .option, .optionGroup, .rubyPart, .rubyText: true
    default: false
    }
  }

  /// Whether the element holds only options and their groups.
  var holdsOptions: Bool { self == .select || self == .optionGroup }

  /// Whether browsers move text out that is directly inside the element.
  var isTableStructure: Bool {
    switch self {
    case .table, .tableSection, .row, .columnGroup: true
    default: false
    }
  }
}
