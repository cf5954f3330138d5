import TamisCore

/// The properties of an element that follow from its name.
struct ElementKind: Sendable {
  /// The likely kind of a block in such an element.
  enum Role: UInt8, Sendable {
    case other, paragraph, heading, item, cell, box, quote, preformatted, caption, term, inline
  }

  /// The zones of the page that such an element begins.
  struct Zones: OptionSet, Sendable, Hashable {
    let rawValue: UInt32
    static let navigation = Zones(rawValue: 1 << 0)
    static let header = Zones(rawValue: 1 << 1)
    static let footer = Zones(rawValue: 1 << 2)
    static let aside = Zones(rawValue: 1 << 3)
    static let form = Zones(rawValue: 1 << 4)
    static let figure = Zones(rawValue: 1 << 5)
    static let table = Zones(rawValue: 1 << 6)
    static let list = Zones(rawValue: 1 << 7)
    static let article = Zones(rawValue: 1 << 8)
    static let main = Zones(rawValue: 1 << 9)
    static let control = Zones(rawValue: 1 << 10)
    static let quote = Zones(rawValue: 1 << 11)
    /// Marked as hidden, from those who listen alone or from all: a sign for the trees, see ``concealed``.
    static let hidden = Zones(rawValue: 1 << 12)
    /// Marked as the text of an article (schema.org's `articleBody`, microformats' `e-content`).
    static let body = Zones(rawValue: 1 << 13)
    static let heading = Zones(rawValue: 1 << 14)
    static let caption = Zones(rawValue: 1 << 15)
    /// Content for readers without scripts.
    static let scriptless = Zones(rawValue: 1 << 16)
    /// Beside the text, by the name of a class: boxes about authors, related pages, side bars.
    static let beside = Zones(rawValue: 1 << 17)
    /// Hidden by inline styles or attributes (``HiddenParts``), on a page that shows its text without scripts.
    static let concealed = Zones(rawValue: 1 << 18)
    /// A notice about cookies, by the name of a class, which no article has.
    static let notice = Zones(rawValue: 1 << 19)
  }

  var role = Role.inline
  var zones: Zones = []
  /// Whether the element begins and ends a block.
  var isBlock = false
  /// Whether the text inside is not read.
  var isSilent = false
  /// Whether the element is a drawing or a formula, which is shown with its content but not read.
  var isForeign = false
  /// Whether the element is an integration point: it contains HTML inside a drawing or a formula (HTML Standard,
  /// 13.2.6.5).
  var isIntegrationPoint = false
  /// Whether the element ends an enclosing drawing or formula, since it is not allowed there (13.2.6.5).
  var endsForeign = false
  var isLineBreak = false
  /// Whether the element and its content are never part of an article, even among its text.
  var isLeftOut = false
  /// Whether the element is void: it has no end tag.
  var isEmpty = false
  var isLink = false
  var isPicture = false
  var isEmphasis = false
  /// The zones that end where the element begins: a page's main part is not inside a button that was left open.
  var ends: Zones = []
  /// Whether names of classes can mark the element as a zone: those of the main parts say what they have, not what they
  /// are.
  var isNamedZone = false
  /// The level of a heading, from 1 to 6, or 0 for other elements.
  var headingLevel = 0

  private static let boxes: Set = [
    "address", "article", "aside", "body", "center", "details", "dialog", "dir", "div", "dl", "fieldset", "figure",
    "footer",
    "form", "header", "hgroup", "main", "menu", "nav", "ol", "section", "summary", "table", "tbody", "tfoot", "thead",
    "tr", "ul", "hr", "colgroup", "col", "optgroup", "option", "legend", "template", "marquee",
  ]
  private static let controls: Set = [
    "button", "select", "label", "textarea", "option", "datalist", "optgroup", "input",
  ]
  private static let silent: Set = [
    "script", "style", "template", "textarea", "select", "option", "datalist", "iframe", "object",
    "embed",
    "audio", "video", "canvas", "map", "title", "noembed", "noframes", "head", "meta", "link",
  ]
  private static let leftOut: Set = [
    "script", "style", "template", "textarea", "select", "option", "input", "button", "meta", "link", "title", "head",
  ]
  private static let integrationPoints: Set = [
    "foreignobject", "desc", "title", "annotation-xml", "mi", "mo", "mn", "ms", "mtext",
  ]
  /// Creates the properties of elements of a lower-case name.
  init(_ name: String) {
    isSilent = Self.silent.contains(name)
    isEmpty = ElementTable.void.contains(name)
    isIntegrationPoint = Self.integrationPoints.contains(name)
    endsForeign = ElementTable.endingForeignContent.contains(name)
    isLeftOut = Self.leftOut.contains(name)
    isBlock = Self.boxes.contains(name)
    if isBlock { role = .box }
    if Self.controls.contains(name) { zones.insert(.control) }
    isNamedZone = ["div", "ul", "ol", "table", "td", "nav", "aside", "footer", "form", "center"].contains(name)
    switch name {
    case "p": (role, isBlock) = (.paragraph, true)
    case "li": (role, isBlock, zones) = (.item, true, .list)
    case "td", "th": (role, isBlock) = (.cell, true)
    case "blockquote": (role, isBlock, zones) = (.quote, true, .quote)
    case "pre", "listing", "xmp": (role, isBlock) = (.preformatted, true)
    case "figcaption", "caption": (role, isBlock, zones) = (.caption, true, .caption)
    case "dt", "dd": (role, isBlock, zones) = (.term, true, .list)
    case "h1", "h2", "h3", "h4", "h5", "h6":
      (role, isBlock, zones) = (.heading, true, .heading)
      headingLevel = Int(name.utf8.last ?? 0x30) - 0x30
      if headingLevel == 1 { ends = .control }
    case "nav": zones = .navigation
    case "header": zones = .header
    case "footer": zones = .footer
    case "aside": zones = .aside
    case "form", "fieldset": zones = .form
    case "figure": zones = .figure
    case "table": zones = .table
    case "noscript": zones = .scriptless
    case "article": (zones, ends) = (.article, Self.outerZones)
    case "main": (zones, ends) = (.main, Self.outerZones)
    case "template", "dialog": zones = .hidden
    case "br": isLineBreak = true
    case "a": isLink = true
    case "svg", "math": isForeign = true
    case "img", "picture", "amp-img", "video", "audio", "iframe", "amp-iframe", "object", "embed": isPicture = true
    case "b", "strong", "em", "i", "u", "mark": isEmphasis = true
    default: break
    }
  }

  private static let outerZones: Zones = [.control, .header, .navigation, .aside, .form, .footer, .beside]
}
