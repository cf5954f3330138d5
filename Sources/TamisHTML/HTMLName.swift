import TamisCore

/// The elements that the tree construction knows by name (HTML Standard, 13.2.6), and a few that others ask for.
///
/// Names in lower case are numbers: those here have the numbers of their cases, others the next ones, see ``HTMLTree/elementNames``.
package enum HTMLName: Int, CaseIterable, Sendable {
  case a, abbr, address, applet, area, article, aside, audio, b, base, basefont, bgsound, big, blockquote, body, br,
    button, canvas
  case caption, center, cite, code, col, colgroup, command, dd, del, desc, details, dfn, dialog, dir, div, dl, dt, em,
    embed, fieldset
  case figcaption, figure, font, footer, foreignobject, form, frame, frameset, h1, h2, h3, h4, h5, h6, head, header,
    hgroup, hr, html, i
  case iframe, image, img, input, ins, kbd, keygen, li, link, listing, main, malignmark, map, mark, marquee, math, menu,
    meta, mglyph, mi
  case mn, mo, ms, mtext, nav, nobr, noembed, noframes, noscript, object, ol, optgroup, option, p, param, picture,
    plaintext, pre, q, rb
  case rp, rt, rtc, ruby, s, samp, script, search, section, select, small, source, span, strike, strong, style, sub,
    summary, sup, svg
  case table, tbody, td, template, textarea, tfoot, th, thead, time, title, tr, track, tt, u, ul, `var`, video, wbr, xmp
  case annotationXML

  /// The name in lower case.
  package var text: String { self == .annotationXML ? "annotation-xml" : "\(self)" }

  /// The names in lower case, by their numbers.
  static let texts = allCases.map(\.text)

  /// The numbers of the names.
  static let index: NameIndex = {
    var index = NameIndex()
    for name in allCases { index.add(name.text) }
    return index
  }()
}

/// Sets of elements of HTML that the tree construction names.
struct HTMLNames: Sendable {
  private var bits: (UInt64, UInt64, UInt64) = (0, 0, 0)

  init(_ name: HTMLName) { insert(name) }

  init(_ names: HTMLName...) { for name in names { insert(name) } }

  private mutating func insert(_ name: HTMLName) {
    let (word, bit) = (name.rawValue / 64, UInt64(1) << UInt64(name.rawValue % 64))
    switch word {
    case 0: bits.0 |= bit
    case 1: bits.1 |= bit
    default: bits.2 |= bit
    }
  }

  func contains(_ name: HTMLName?) -> Bool {
    guard let name else { return false }
    let (word, bit) = (name.rawValue / 64, UInt64(1) << UInt64(name.rawValue % 64))
    return switch word {
    case 0: bits.0 & bit != 0
    case 1: bits.1 & bit != 0
    default: bits.2 & bit != 0
    }
  }

  static func + (one: HTMLNames, other: HTMLNames) -> HTMLNames {
    var sum = one
    sum.bits = (one.bits.0 | other.bits.0, one.bits.1 | other.bits.1, one.bits.2 | other.bits.2)
    return sum
  }

  static func - (one: HTMLNames, other: HTMLNames) -> HTMLNames {
    var rest = one
    rest.bits = (one.bits.0 & ~other.bits.0, one.bits.1 & ~other.bits.1, one.bits.2 & ~other.bits.2)
    return rest
  }

  // 13.2.4.2
  static let special = HTMLNames(
    .address, .applet, .area, .article, .aside, .base, .basefont, .bgsound, .blockquote, .body, .br, .button, .caption,
    .center,
    .col, .colgroup, .dd, .details, .dir, .div, .dl, .dt, .embed, .fieldset, .figcaption, .figure, .footer, .form,
    .frame,
    .frameset, .h1, .h2, .h3, .h4, .h5, .h6, .head, .header, .hgroup, .hr, .html, .iframe, .img, .input, .keygen, .li,
    .link,
    .listing, .main, .marquee, .menu, .meta, .nav, .noembed, .noframes, .noscript, .object, .ol, .p, .param, .plaintext,
    .pre,
    .script, .search, .section, .select, .source, .style, .summary, .table, .tbody, .td, .template, .textarea, .tfoot,
    .th,
    .thead, .title, .tr, .track, .ul, .wbr, .xmp)
  static let formatting = HTMLNames(.a, .b, .big, .code, .em, .font, .i, .nobr, .s, .small, .strike, .strong, .tt, .u)
  static let scope = HTMLNames(.applet, .caption, .html, .table, .td, .th, .marquee, .object, .select, .template)
  static let listItemScope = scope + HTMLNames(.ol, .ul)
  static let buttonScope = scope + HTMLNames(.button)
  static let tableScope = HTMLNames(.html, .table, .template)
  // 13.2.6.3
  static let impliedEnds = HTMLNames(.dd, .dt, .li, .optgroup, .option, .p, .rb, .rp, .rt, .rtc)
  static let allImpliedEnds = impliedEnds + HTMLNames(.caption, .colgroup, .tbody, .td, .tfoot, .th, .thead, .tr)
  // 13.2.6.4.7
  static let headings = HTMLNames(.h1, .h2, .h3, .h4, .h5, .h6)
  static let blocks = HTMLNames(
    .address, .article, .aside, .blockquote, .center, .details, .dialog, .dir, .div, .dl, .fieldset, .figcaption,
    .figure, .footer,
    .header, .hgroup, .main, .menu, .nav, .ol, .p, .search, .section, .summary, .ul)
  static let endedBlocks = blocks - HTMLNames(.p) + HTMLNames(.button, .listing, .pre, .select)
  static let headElements = HTMLNames(
    .base, .basefont, .bgsound, .link, .meta, .noframes, .script, .style, .template, .title)
  static let tableContexts = HTMLNames(.table, .template, .html)
  static let bodyContexts = HTMLNames(.tbody, .tfoot, .thead, .template, .html)
  static let rowContexts = HTMLNames(.tr, .template, .html)
  static let sections = HTMLNames(.tbody, .tfoot, .thead)
  static let tableParts = HTMLNames(.caption, .col, .colgroup, .tbody, .td, .tfoot, .th, .thead, .tr)
  static let fosterTargets = HTMLNames(.table, .tbody, .tfoot, .thead, .tr)
  // 13.2.6.5
  static let breakingOut = HTMLNames(
    .b, .big, .blockquote, .body, .br, .center, .code, .dd, .div, .dl, .dt, .em, .embed, .h1, .h2, .h3, .h4, .h5, .h6,
    .head, .hr,
    .i, .img, .li, .listing, .menu, .meta, .nobr, .ol, .p, .pre, .ruby, .s, .small, .span, .strong, .strike, .sub, .sup,
    .table,
    .tt, .u, .ul, .var)
  static let mathText = HTMLNames(.mi, .mo, .mn, .ms, .mtext)
}
