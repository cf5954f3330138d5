import TamisCore
import TamisSanitizer

/// Detection of requests that a browser sends by itself when it shows a tree.
///
/// Pictures and media (`img`, `picture`, `audio`, `video`) may load: whether they are allowed is a matter of rules.
extension BrowserTree {
  /// The first part that loads something; nil when there is none.
  var loading: String? {
    if let value = pageAttributes.first(where: { $0.name == "background" })?.value, Self.isAddress(value) {
      return "the attribute 'background' of the page loads a picture"
    }
    for (node, _) in inOrder {
      guard let element = element(node) else { continue }
      if let reason = Self.loading(element) { return reason }
      if element.name == "style", style(in: node).loads { return "<style> loads what it names" }
    }
    return nil
  }

  /// The text directly inside a `style` element.
  func style(in node: Int) -> StyleText {
    StyleText(
      nodes[node].children.flatMap { child -> [UInt8] in
        if case .text(let text) = nodes[child].content { text } else { [] }
      })
  }

  private static func loading(_ element: Element) -> String? {
    // A sheet in a data: URL can import others.
    if element.namespace == .html, element.name == "link", relations(element).contains("stylesheet"),
      element.value("href")?.isEmpty == false
    {
      return "<link> loads a style sheet"
    }
    for (attribute, value) in element.attributes {
      let loads =
        switch attribute {
        case "style": StyleText(Array(value.utf8)).loads
        // A browser with the attribution API asks this URL along with a picture; parts of pages are loaded by patchsrc.
        case "attributionsrc": element.name == "img" && isAddress(value)
        case "patchsrc": isAddress(value)
        default:
          switch element.namespace {
          case .html: loadsInHTML(element, attribute) && isAddress(value)
          case .svg: loadsInDrawing(element, attribute, value)
          case .math: false
          }
        }
      if loads { return "<\(element.name) \(attribute)> loads what it names" }
    }
    return nil
  }

  /// Whether an attribute's URL is fetched without a click (HTML Standard, the elements' processing models).
  private static func loadsInHTML(_ element: Element, _ attribute: String) -> Bool {
    switch (element.name, attribute) {
    case ("iframe", "src"), ("frame", "src"), ("embed", "src"), ("object", "data"), ("script", "src"),
      ("bgsound", "src"),
      ("portal", "src"), ("fencedframe", "src"), ("model", "src"):
      return true
    case ("input", "src"): return element.value("type")?.trimmed().asciiLowercased() == "image"
    case ("link", "href"), ("link", "imagesrcset"):
      return relations(element).contains { !unfetched.contains($0) }
    // Rendering, 15.3: also the cells and sections of tables.
    case ("body", "background"), ("table", "background"), ("thead", "background"), ("tbody", "background"),
      ("tfoot", "background"), ("tr", "background"), ("td", "background"), ("th", "background"):
      return true
    default: return false
    }
  }

  private static func relations(_ element: Element) -> [String] {
    (element.value("rel") ?? "").asciiLowercased().split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// The relations of `link` that fetch nothing (HTML Standard, 4.6.7).
  private static let unfetched: Set = [
    "alternate", "author", "bookmark", "canonical", "external", "help", "license", "me", "next", "nofollow", "noopener",
    "noreferrer", "opener", "prev", "privacy-policy", "search", "tag", "terms-of-service",
  ]

  /// The presentation attributes of SVG that take a URL (SVG 2, 6.6).
  private static let presentation: Set = [
    "clip-path", "cursor", "fill", "filter", "marker", "marker-end", "marker-mid", "marker-start", "mask", "stroke",
  ]

  private static func loadsInDrawing(_ element: Element, _ attribute: String, _ value: String) -> Bool {
    switch attribute {
    case "href", "xlink:href": return element.name != "a" && isAddress(value)
    case "from", "to", "by", "values":
      guard let target = element.value("attributename")?.trimmed().asciiLowercased() else { return false }
      if target == "href" || target == "xlink:href" {
        return value.utf8.split(separator: 0x3B).contains { isAddress($0) }
      }
      return (presentation.contains(target) || target == "style") && StyleText(Array(value.utf8)).loads
    default: return presentation.contains(attribute) && StyleText(Array(value.utf8)).loads
    }
  }

  /// Whether a URL makes a browser ask a server; a fragment and data do not.
  private static func isAddress(_ value: some StringProtocol) -> Bool { isAddress(Substring(value).utf8) }

  static func isAddress(_ value: some Sequence<UInt8>) -> Bool {
    let text = value.drop { $0 <= 0x20 }.filter { $0 != 9 && $0 != 10 && $0 != 13 }
    if text.isEmpty || text.first == UInt8(ascii: "#") { return false }
    let scheme = String(decoding: text.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).asciiLowercased()
    return !["data", "about", "javascript", "mailto", "tel", "cid"].contains(scheme)
      || !text.contains(UInt8(ascii: ":"))
  }
}
