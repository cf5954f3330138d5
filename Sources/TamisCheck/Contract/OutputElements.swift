import TamisSanitizer

/// The open elements, as a browser sees them, and its reaction to the next tag (HTML Standard, 13.2.6).
///
/// The only question is whether it deviates from the markup: by ending an element early, moving one, or ignoring a tag.
struct OutputElements {
  struct Element {
    var name: String
    var namespace: Policy.Namespace
  }

  private(set) var elements: [Element] = []
  /// Whether the last token was the start tag of the innermost element.
  var isJustOpened = false

  var count: Int { elements.count }

  var current: Element? { elements.last }

  mutating func push(_ element: Element) { elements.append(element) }

  mutating func pop() -> Element? { elements.popLast() }

  /// Returns the vocabulary of an element of this name that begins here.
  func namespace(of name: String) -> Policy.Namespace {
    guard let current, current.namespace != .html else { return Self.roots[name] ?? .html }
    switch current.namespace {
    case .svg: return ["desc", "title", "foreignobject"].contains(current.name) ? Self.roots[name] ?? .html : .svg
    default: return ["mi", "mo", "mn", "ms", "mtext"].contains(current.name) ? Self.roots[name] ?? .html : .math
    }
  }

  /// Returns the reason why an HTML element, `svg` or `math` cannot be here as written, or nil when it can.
  ///
  /// - Parameter name: the name of the element.
  /// - Returns: the reason in words; nil when the element can be here.
  func objection(toStart name: String) -> String? {
    let parent = current ?? Element(name: "article", namespace: .html)
    guard parent.namespace == .html else { return nil }
    if let objection = tableObjection(name, in: parent.name) { return objection }
    if parent.name == "select" || parent.name == "optgroup", name != "option", name != "optgroup" {
      return "browsers ignore it in <\(parent.name)>"
    }
    if Self.rawText.contains(parent.name) { return "in <\(parent.name)> browsers read no tags" }
    if Self.closesParagraph.contains(name), isOpen("p", until: Self.buttonScope) {
      return "a browser ends the open <p> before it"
    }
    if Self.headings.contains(name), Self.headings.contains(parent.name) {
      return "a browser ends the open <\(parent.name)> before it"
    }
    switch name {
    case "li" where isOpen("li", until: Self.listScope): return "a browser ends the open <li> before it"
    case "dd", "dt":
      if isOpen("dd", until: Self.listScope) || isOpen("dt", until: Self.listScope) {
        return "a browser ends the open <dd> or <dt> before it"
      }
    case "a" where isOpen("a", until: Self.markers): return "a browser ends the open link before it"
    case "nobr" where isOpen("nobr", until: Self.scope): return "a browser ends the open <nobr> before it"
    case "button" where isOpen("button", until: Self.scope): return "a browser ends the open <button> before it"
    case "form" where isOpen("form", until: []): return "browsers know no form inside a form"
    default: break
    }
    if parent.name == "option", name == "option" || name == "optgroup" {
      return "a browser ends the open <option> first"
    }
    return nil
  }

  /// Returns the reason why an element cannot belong to SVG or MathML here, or nil when it can.
  func breakOut(atStart name: String) -> String? {
    guard namespace(of: name) != .html, Self.breaksOut.contains(name) else { return nil }
    return "a browser leaves \(current?.name ?? "the vocabulary") before it"
  }

  /// Whether text other than white space would be moved.
  var movesText: Bool { current.map { $0.namespace == .html && Self.tableStructure.contains($0.name) } ?? false }

  private func tableObjection(_ name: String, in parent: String) -> String? {
    if let parents = Self.tableParents[name] {
      return parents.contains(parent) ? nil : "browsers ignore it in <\(parent)>"
    }
    return Self.tableStructure.contains(parent) ? "a browser moves it before the table" : nil
  }

  /// Whether an HTML element is open with no element of `boundaries`, or of SVG or MathML, inside it.
  private func isOpen(_ name: String, until boundaries: Set<String>) -> Bool {
    for element in elements.reversed() {
      guard element.namespace == .html else {
        if Self.foreignBoundaries.contains(element.name) && !boundaries.isEmpty { return false }
        continue
      }
      if element.name == name { return true }
      if boundaries.contains(element.name) { return false }
    }
    return false
  }

  private static let roots: [String: Policy.Namespace] = ["svg": .svg, "math": .math]
  private static let headings: Set = ["h1", "h2", "h3", "h4", "h5", "h6"]
  /// The HTML elements that end SVG and MathML (13.2.6.5); `font` only does with certain attributes.
  private static let breaksOut: Set = [
    "b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed", "font", "h1",
    "h2",
    "h3", "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing", "menu", "meta", "nobr", "ol", "p", "pre", "ruby",
    "s", "small", "span", "strong", "strike", "sub", "sup", "table", "tt", "u", "ul", "var",
  ]
  private static let rawText: Set = ["textarea", "title", "option"]
  private static let tableStructure: Set = ["table", "tbody", "thead", "tfoot", "tr", "colgroup"]
  /// The allowed parents of each part of a table; a browser supplies a missing section or row.
  private static let tableParents: [String: Set<String>] = [
    "caption": ["table"], "colgroup": ["table"], "col": ["table", "colgroup"], "tbody": ["table"], "thead": ["table"],
    "tfoot": ["table"], "tr": ["table", "tbody", "thead", "tfoot"], "td": ["table", "tbody", "thead", "tfoot", "tr"],
    "th": ["table", "tbody", "thead", "tfoot", "tr"],
  ]
  private static let markers: Set = ["td", "th", "caption", "object", "marquee", "applet"]
  private static let scope: Set = markers.union(["table", "html", "template", "body"])
  private static let buttonScope: Set = scope.union(["button"])
  private static let foreignBoundaries: Set = ["mi", "mo", "mn", "ms", "mtext", "desc", "title", "foreignobject"]
  private static let closesParagraph: Set = [
    "address", "article", "aside", "blockquote", "center", "dd", "details", "dialog", "dir", "div", "dl", "dt",
    "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr",
    "li", "listing", "main", "menu", "nav", "ol", "p", "pre", "search", "section", "summary", "table", "ul",
  ]
  /// The "special" elements except `address`, `div` and `p`, at which the search for an open list item ends.
  private static let listScope: Set = closesParagraph.subtracting(["address", "div", "p", "dialog"])
    .union([
      "button", "caption", "col", "colgroup", "select", "table", "tbody", "td", "textarea", "tfoot", "th", "thead",
      "tr",
    ])
}
