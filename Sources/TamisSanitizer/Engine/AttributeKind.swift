// To allow an attribute: its element, or `"*"`, under `attributes` in Rules/reading.yaml; a case in
// Fixtures/Sanitizer/reading.txt; the numbers in docs/rules.md. How its value is read follows from its name here,
// and from a list of its own in TamisCheck/Contract/AttributeCheck.swift. A URL has a purpose (`URLPurpose` in
// Hooks.swift). One of SVG or MathML has its spelling, and its name when it is a property of CSS, in
// ForeignNames.swift; one that moves or multiplies what is drawn a bound in Walker+Drawings.swift and
// DrawingBounds.swift, and a check in TamisCheck/Contract/DrawingCheck.swift.
//
// A new kind of value: a case with its names in `of`, its decision in both functions `decide` of
// Walker+Attributes.swift, the objections in Policy/PolicySetting.swift, a check in AttributeCheck.swift. Raise
// `Pipelines.version`. Attributes in which scripts keep the source of a picture: `lazySourceNames` in
// RuleTables.swift, TamisArticle's BlockPictures.swift and NearHeadline.swift, rule T2 in HowAThumbnailIsPicked.md.

import TamisCore

/// The kind of an attribute's value, which determines how it is checked.
enum AttributeKind: Hashable {
  /// Any text.
  case text
  /// Text that browsers parse as a language with brackets: CSS, media queries, lists of numbers and functions.
  case expression
  /// One URL.
  case url
  /// URLs separated by white space.
  case urls
  /// A list of image candidates.
  case sourceSet
  /// CSS declarations.
  case style
  /// An identifier in the document.
  case identifier
  /// Class names.
  case classes
  /// The id of an element of the same document, after `#`.
  case localReference
  /// The ids of elements of the same document, separated by white space.
  case references
  /// The ids of elements on which a click acts, such as the form that a button submits.
  ///
  /// Without a prefix of ids the elements can be those of the page around, and the attribute goes.
  case control
  /// A case-insensitive word, written in lower case.
  case keyword
  /// An SVG value that may refer to another element with `url(#…)`.
  case paint
  /// A namespace URI, as XML declares it.
  case vocabulary

  /// Whether values are URLs, whose characters the rules for URLs decide about.
  var holdsURLs: Bool { self == .url || self == .urls || self == .sourceSet || self == .localReference }

  /// The maximum nesting of brackets in an expression.
  ///
  /// Parsers of browsers call themselves for each bracket: Firefox and Chromium end the page at some thousands, and
  /// WebKit takes the square of their number.
  static let deepestExpression = 32

  /// Whether the brackets of an expression nest no deeper than browsers are known to read at once.
  static func isShallow(_ expression: ArraySlice<UInt8>) -> Bool {
    var depth = 0
    for byte in expression {
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        if depth > deepestExpression { return false }
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
      default: break
      }
    }
    return true
  }

  /// Whether an attribute's value consists only of ids of elements in the document.
  private static func isReference(_ name: String, in namespace: Policy.Namespace) -> Bool {
    IDAttributes.references.contains(name)
      || namespace == .html && IDAttributes.inHTML.contains(name)
      || namespace == .math && IDAttributes.inMath.contains(name)
  }

  /// Returns the kind of an attribute.
  ///
  /// Attributes that hold URLs are those of the HTML Standard's index of attributes, of HTML 4.01, MathML 3 and SVG 2,
  /// and those that only older browsers read. `formaction`, `ping` and `attributionsrc` are excluded by the floor.
  static func of(_ name: String, in namespace: Policy.Namespace) -> AttributeKind {
    if isReference(name, in: namespace) { return .references }
    if IDAttributes.identifiers.contains(name) { return .identifier }
    if IDAttributes.controls.contains(name) { return namespace == .html ? .control : .expression }
    return switch name {
    case "href", "src", "action", "cite", "background", "poster", "longdesc", "data", "codebase", "classid", "profile",
      "dynsrc", "lowsrc", "icon", "manifest", "archive", "xlink:href", "datasrc", "vrml", "urn", "altimg", "template",
      "xml:base", "code", "content", "itemid", "definitionurl", "cdgroup":
      .url
    case "itemtype": .urls
    case "srcset", "imagesrcset": .sourceSet
    case "style": .style
    case "class": .classes
    case "usemap": .localReference
    case "sizes", "imagesizes", "media": .expression
    case "rel", "type": .keyword
    case "xmlns", "xmlns:xlink": .vocabulary
    case "fill", "stroke", "mask", "clip-path", "marker-start", "marker-mid", "marker-end", "marker",
      "cursor",
      "color-profile":
      .paint
    // Most attributes of drawings are also properties, and those of formulas lengths of CSS.
    default: namespace == .html ? .text : .expression
    }
  }
}
