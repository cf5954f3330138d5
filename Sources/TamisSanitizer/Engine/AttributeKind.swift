/// How the value of an attribute is checked.
enum AttributeKind: Hashable {
  /// Any text.
  case text
  /// One URL.
  case url
  /// A list of image candidates.
  case sourceSet
  /// CSS declarations.
  case style
  /// A name in the document.
  case identifier
  /// Class names.
  case classes
  /// A name of an element of the same document, after `#`.
  case localReference
  /// Text without regard to case, written in lower case.
  case keyword
  /// An SVG value that may refer to another element by `url(#…)`.
  case paint
  /// The name of a vocabulary, as XML declares it.
  case vocabulary

  static func of(_ name: String) -> AttributeKind {
    switch name {
    case "href", "src", "action", "cite", "background", "poster", "longdesc", "data", "codebase", "classid", "profile",
      "dynsrc", "lowsrc", "icon", "manifest", "archive", "xlink:href", "datasrc", "vrml", "urn", "altimg", "template",
      "xml:base", "code", "content":
      .url
    case "srcset", "imagesrcset": .sourceSet
    case "style": .style
    case "id", "name": .identifier
    case "class": .classes
    case "usemap": .localReference
    case "rel", "type": .keyword
    case "xmlns", "xmlns:xlink": .vocabulary
    case "fill", "stroke", "filter", "mask", "clip-path", "marker-start", "marker-mid", "marker-end", "marker",
      "cursor",
      "color-profile":
      .paint
    default: .text
    }
  }
}
