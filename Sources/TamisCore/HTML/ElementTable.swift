// To allow an element: its name under `elements` in Rules/reading.yaml, its attributes under `attributes`, a case in
// Fixtures/Sanitizer, and its name here, in the row of the elements of which the same is known. That is all for one
// that browsers treat like `span` or `div`. Others are also named in TamisSanitizer/Engine/ElementTraits.swift and
// TamisCheck/Contract/OutputElements.swift (they end others, are ended, or move), in Values/PictureBoxes.swift
// (boxes of a picture and its caption), in TamisSite/Book/XHTMLRules.swift (what EPUB's XHTML lacks) and in
// TamisArticle/Page/ElementKind.swift (what tells where the article is). What TamisSanitizer/Policy/Floor.swift
// refuses stays refused.

/// What is known of each element of HTML by its name; elements of which the same is known share a row.
///
/// They are the elements of the Standard's index and those that it calls obsolete (16.2), `svg` and `math`. The output
/// checker (`TamisCheck/Contract`) does not use the table, since it shares no knowledge with what it checks.
package enum ElementTable {
  /// A fact, with the section of the HTML Standard that says it.
  private enum Fact: String {
    /// Neither content nor end tag (13.1.2), or serialized so (13.3).
    ///
    /// `command` and `isindex`, which older lists have, are not: browsers read content in both.
    case void
    /// An end of many searches for what is open (13.2.4.2).
    case special
    /// Reopened after it was implicitly closed (13.2.4.3).
    case formatting
    /// `h1` to `h6` (4.3.6).
    case heading
    /// Its start tag ends an open paragraph (13.2.6.4.7).
    case endsParagraph
    /// A browser leaves SVG and MathML at its start tag (13.2.6.5).
    case endsForeign
    /// Allowed only in tables (13.2.6.4.9).
    case tablePart
    /// The text before and after it is separated, as browsers lay it out (15.3).
    case block
    /// Holds phrasing content only (4.4 to 4.8, and their predecessors): a block inside is misplaced.
    case phrasing
    /// Can be inside a word (4.5, and their predecessors).
    case inWord
    /// Shows that a text is meant as HTML, as Universal Feed Parser judges it.
    case evidence
  }

  /// All elements.
  package static let known: Set<String> = Set(rows.keys)
  package static let void: Set<String> = names(.void)
  package static let special: Set<String> = names(.special)
  package static let formatting: Set<String> = names(.formatting)
  package static let headings: Set<String> = names(.heading)
  package static let endingParagraphs: Set<String> = names(.endsParagraph)
  package static let endingForeignContent: Set<String> = names(.endsForeign)
  package static let tableParts: Set<String> = names(.tablePart)
  package static let blocks: Set<String> = names(.block)
  package static let phrasing: Set<String> = names(.phrasing)
  package static let inWords: Set<String> = names(.inWord)
  package static let evidence: Set<String> = names(.evidence)

  /// Returns a space-separated list of names as a set.
  package static func words(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }

  private static func names(_ fact: Fact) -> Set<String> { Set(rows.filter { $0.value.contains(fact) }.keys) }

  private static let rows: [String: Set<Fact>] = {
    var rows: [String: Set<Fact>] = [:]
    for line in table.split(separator: "\n") {
      let sides = line.split(separator: ":")
      let facts = sides.count > 1 ? words(String(sides[1])).compactMap(Fact.init) : []
      for name in words(String(sides[0])) { rows[name] = Set(facts) }
    }
    return rows
  }()

  private static let table = """
    a: formatting inWord evidence
    abbr acronym cite dfn kbd q rp rt samp time: phrasing inWord evidence
    address article aside details figcaption figure footer header nav section: special endsParagraph block evidence
    applet button frameset html iframe marquee noembed noframes noscript object plaintext script select style \
    template textarea title xmp: special
    area base basefont bgsound frame input keygen link param source track: void special
    audio video: evidence
    b big code em i s small strike strong tt u: formatting endsForeign phrasing inWord evidence
    bdi bdo data mark: phrasing inWord
    blink canvas datalist isindex map math menuitem meter optgroup output progress rb rtc slot spacer svg:
    blockquote center dd div dl dt li ol table ul: special endsParagraph endsForeign block evidence
    body head: special endsForeign
    br: void special endsForeign block evidence
    caption: special tablePart block
    col: void special tablePart
    colgroup: special tablePart
    del ins: inWord evidence
    dialog: endsParagraph block
    dir fieldset form hgroup main search summary: special endsParagraph block
    embed meta: void special endsForeign
    font: formatting phrasing inWord evidence
    h1 h2 h3 h4 h5 h6: special heading endsParagraph endsForeign block phrasing evidence
    hr: void special endsParagraph endsForeign block evidence
    img: void special endsForeign evidence
    label picture: phrasing
    legend option: block
    listing menu: special endsParagraph endsForeign block
    nobr: formatting endsForeign
    p pre: special endsParagraph endsForeign block phrasing evidence
    ruby span sub sup var: endsForeign phrasing inWord evidence
    tbody td tfoot th thead tr: special tablePart block evidence
    wbr: void special inWord
    """
}
