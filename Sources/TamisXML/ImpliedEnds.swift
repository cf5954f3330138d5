/// Which start tags end an element that is open just around them: the one list of that, for libxml2 and for all who must
/// agree with it.
///
/// libxml2 goes by HTML 4, where `<p>` ends an open `<b>`. What browsers end too (HTML Standard, 13.2.6.4.7 and the table
/// modes) is left to it, for it keeps the stack of open elements low. From all else it is kept by ``HTMLMender``. A test
/// compares both lists with what libxml2 does.
package struct ImpliedEnds: Sendable {
  /// The element's own bit, none when its start ends nothing.
  private let start: UInt64
  private let endingStarts: UInt64
  private let preventedStarts: UInt64

  /// What is known about an element, by its name in lower case.
  package init(_ name: String) {
    start = Self.bits[name] ?? 0
    endingStarts = Self.mask(Self.wanted[name])
    preventedStarts = Self.mask(Self.unwanted[name])
  }

  /// Whether the element ends where `next` begins just inside it.
  package func areCaused(by next: ImpliedEnds) -> Bool { endingStarts & next.start != 0 }

  /// Whether libxml2 would end the element there, and browsers do not.
  package func areUnwanted(before next: ImpliedEnds) -> Bool { preventedStarts & next.start != 0 }

  // MARK: - Lists

  /// By element, the starts that end it in libxml2 and in browsers.
  package static let wanted: [String: [String]] = [
    // A link ends a link.
    "a": ["a"],
    // An item, an option, and half of what terms and their descriptions do.
    "li": ["li"], "dd": ["dt"], "dt": ["dd"], "option": ["optgroup", "option"],
    // Parts of tables.
    "caption": ["col", "colgroup", "tbody", "tfoot", "thead", "tr"],
    "colgroup": ["colgroup", "tbody", "tfoot", "thead", "tr"],
    "tbody": ["tbody", "tfoot"], "tfoot": ["tbody"], "thead": ["tbody", "tfoot"], "tr": ["tbody", "tfoot", "tr"],
    "td": ["tbody", "td", "tfoot", "th", "tr"], "th": ["tbody", "td", "tfoot", "th", "tr"],
    // What closes a paragraph.
    "p": [
      "address", "blockquote", "center", "dd", "dir", "div", "dl", "dt", "fieldset", "form", "h1", "h2", "h3", "h4",
      "h5", "h6", "hr", "li", "listing", "menu", "ol", "p", "pre", "table", "ul", "xmp",
    ],
  ]

  /// By element, the starts that end it in libxml2 only.
  package static let unwanted: [String: [String]] = {
    var lists: [String: [String]] = [
      // Formatting goes on in blocks and in cells; without this `<b><p>` would not be bold.
      "a": ["fieldset", "table", "td", "th"], "b": ["center", "p", "td", "th"], "i": ["center", "p", "td", "th"],
      "big": ["p"], "s": ["p"], "small": ["p"], "strike": ["p"], "tt": ["p"], "u": ["p", "td", "th"],
      "font": ["center", "td", "th"], "span": ["td", "th"],
      // Browsers take such blocks into the block that is open.
      "address": ["dd", "dl", "dt", "form", "li", "ul"], "legend": ["fieldset"],
      "dl": ["form", "li"], "dt": ["dl"], "ol": ["form", "ul"], "ul": ["address", "form", "menu", "ol", "pre"],
      // Browsers ignore these tags here, and the element goes on.
      "form": ["form"],
      "p": ["body", "caption", "col", "colgroup", "frameset", "head", "tbody", "td", "tfoot", "th", "title", "tr"],
      // No tags at all are read inside.
      "script": ["noscript"], "style": ["body", "frameset"], "title": ["body", "frameset"],
    ]
    for heading in ["h1", "h2", "h3", "h4", "h5", "h6"] { lists[heading] = ["fieldset", "form", "li", "p", "table"] }
    for list in ["dir", "menu"] { lists[list] = ["dd", "dl", "dt", "form", "ul"] }
    for text in ["pre", "listing", "xmp"] {
      lists[text] = ["dd", "dl", "dt", "fieldset", "form", "li", "table", "ul"]
    }
    return lists
  }()

  /// A bit for each start that ends anything.
  private static let bits: [String: UInt64] = {
    let starts = Set(wanted.values.joined()).union(unwanted.values.joined()).sorted()
    precondition(starts.count <= UInt64.bitWidth, "more starts than bits")
    return Dictionary(uniqueKeysWithValues: starts.enumerated().map { ($1, 1 << UInt64($0)) })
  }()

  private static func mask(_ starts: [String]?) -> UInt64 {
    (starts ?? []).reduce(0) { $0 | (bits[$1] ?? 0) }
  }
}
