import TamisCore

/// The elements that tree construction knows by name (HTML Standard, 13.2.6).
///
/// Names in lower case have numbers: those here the numbers of their cases, others the numbers after these, see
/// ``HTMLTree/elementNames``.
package enum HTMLName: Int, CaseIterable, Sendable {
  case a, address, applet, area, article, aside, b, base, basefont, bgsound, big, blockquote, body, br, button,
    caption, center, code, col, colgroup, dd, desc, details, dialog, dir, div, dl, dt, em, embed, fieldset,
    figcaption, figure, font, footer, foreignobject, form, frame, frameset, h1
  case h2, h3, h4, h5, h6, head, header, hgroup, hr, html, i, iframe, image, img, input, keygen, li, link, listing,
    main, malignmark, map, marquee, math, menu, meta, mglyph, mi, mn, mo, ms, mtext, nav, nobr, noembed,
    noframes, noscript, object, ol, optgroup
  case option, p, param, plaintext, pre, rb, rp, rt, rtc, ruby, s, script, search, section, select, small, source,
    span, strike, strong, style, sub, summary, sup, svg, table, tbody, td, template, textarea, tfoot, th,
    thead, title, tr, track, tt, u, ul, `var`
  case wbr, xmp
  case annotationXML

  /// The name in lower case.
  package var text: String { self == .annotationXML ? "annotation-xml" : "\(self)" }

  /// The names in lower case, by their numbers.
  static let texts = allCases.map(\.text)

  /// Whether an element of a name has no content and no end tag.
  package static func isVoid(_ name: String) -> Bool { isOne(of: .void, name) }

  /// Whether an element of a name is formatting, which is reopened behind a block that it is not ended in.
  package static func isFormatting(_ name: String) -> Bool { isOne(of: .formatting, name) }

  private static func isOne(of names: HTMLNames, _ name: String) -> Bool {
    index.number(of: name).map { names.contains(HTMLName(rawValue: $0)) } ?? false
  }

  /// The numbers of the names.
  static let index: NameIndex = {
    var index = NameIndex()
    for name in allCases { index.add(name.text) }
    return index
  }()
}

/// Sets of HTML elements to which the rules of tree construction refer.
struct HTMLNames: OptionSet, Sendable {
  let rawValue: UInt128

  init(rawValue: UInt128) { self.rawValue = rawValue }

  init(_ name: HTMLName) { rawValue = 1 << UInt128(name.rawValue) }

  init(arrayLiteral names: HTMLName...) { rawValue = names.reduce(0) { $0 | HTMLNames($1).rawValue } }

  func contains(_ name: HTMLName?) -> Bool { name.map { rawValue & HTMLNames($0).rawValue != 0 } ?? false }

  /// The elements of a set that tree construction knows by name.
  init(_ names: Set<String>) {
    self = HTMLName.allCases.filter { names.contains($0.text) }.reduce(into: []) { $0.insert(HTMLNames($1)) }
  }

  // `image` stands for `img` (13.2.6.4.7).
  static let void = HTMLNames(ElementTable.void).union([.image])
  static let special = HTMLNames(ElementTable.special)
  static let formatting = HTMLNames(ElementTable.formatting)
  static let scope: HTMLNames = [.applet, .caption, .html, .table, .td, .th, .marquee, .object, .select, .template]
  static let listItemScope = scope.union([.ol, .ul])
  static let buttonScope = scope.union([.button])
  static let tableScope: HTMLNames = [.html, .table, .template]
  // 13.2.6.3
  static let impliedEnds: HTMLNames = [.dd, .dt, .li, .optgroup, .option, .p, .rb, .rp, .rt, .rtc]
  static let allImpliedEnds = impliedEnds.union([.caption, .colgroup, .tbody, .td, .tfoot, .th, .thead, .tr])
  // 13.2.6.4.7
  static let headings = HTMLNames(ElementTable.headings)
  static let blocks = HTMLNames(ElementTable.endingParagraphs).subtracting(headings)
    .subtracting([.dd, .dt, .form, .hr, .li, .listing, .pre, .table])
  static let endedBlocks = blocks.subtracting([.p]).union([.button, .listing, .pre, .select])
  static let headElements: HTMLNames = [
    .base, .basefont, .bgsound, .link, .meta, .noframes, .script, .style, .template, .title,
  ]
  static let bodyContexts: HTMLNames = [.tbody, .tfoot, .thead, .template, .html]
  static let rowContexts: HTMLNames = [.tr, .template, .html]
  static let sections: HTMLNames = [.tbody, .tfoot, .thead]
  static let tableParts = HTMLNames(ElementTable.tableParts)
  static let fosterTargets: HTMLNames = [.table, .tbody, .tfoot, .thead, .tr]
  // 13.2.6.5
  static let breakingOut = HTMLNames(ElementTable.endingForeignContent)
  static let mathText: HTMLNames = [.mi, .mo, .mn, .ms, .mtext]
}
