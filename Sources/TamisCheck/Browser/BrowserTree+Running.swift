import TamisCore
import TamisSanitizer

/// Detection of script that a browser would run, anywhere in a tree, and that no sanitizer may let through.
///
/// Allowlists are not consulted. Styles, frames of other sites and forms run nothing in the page; whether they are
/// allowed is a matter of rules.
extension BrowserTree {
  /// The first part that runs script, or redirects the page or its URLs by itself; nil when there is none.
  package var running: String? {
    if let name = pageAttributes.first(where: { Self.isHandler($0.name) })?.name {
      return "the attribute '\(name)' of the page runs script"
    }
    var (inertDepth, selectDepth): (Int?, Int?) = (nil, nil)
    for (node, depth) in inOrder {
      if let outer = selectDepth, depth <= outer { selectDepth = nil }
      if let outer = inertDepth, depth > outer { continue }
      inertDepth = nil
      guard let element = element(node) else { continue }
      if let reason = Self.reason(element) { return reason }
      if selectDepth != nil, holdsTags(node) {
        return "browsers before 2025 know no <\(element.name)> in a <select>, and read the tags in it"
      }
      if element.namespace == .html, element.name == "select" { selectDepth = selectDepth ?? depth }
      // The content of a template runs only once a script uses it, unless the browser itself puts it into the page.
      if element.namespace == .html, element.name == "template", element.value("shadowrootmode") == nil,
        element.value("for") == nil
      {
        inertDepth = depth
      }
    }
    return nil
  }

  /// Whether an element has text that would be tags without the element.
  private func holdsTags(_ node: Int) -> Bool {
    guard isHTML(node, Self.rawText.union(["title"])) else { return false }
    return nodes[node].children.contains { child in
      if case .text(let text) = nodes[child].content { text.contains(UInt8(ascii: "<")) } else { false }
    }
  }

  private static func reason(_ element: Element) -> String? {
    let name = element.name
    for (attribute, value) in element.attributes {
      if isHandler(attribute) { return "<\(name) \(attribute)> is an event handler" }
      if runsScript(value), followsAddress(element, attribute) {
        return "<\(name) \(attribute)> holds a javascript: URL"
      }
    }
    // MathML has no scripts.
    if name == "script", element.namespace != .math, isScript(element) { return "<script> runs" }
    if animates(element) { return "<\(name)> sets a link to a javascript: URL" }
    guard element.namespace == .html else { return nil }
    switch name {
    case "base" where element.value("href")?.trimmed().isEmpty == false:
      return "<base> leads all addresses of the page elsewhere"
    case "meta" where element.value("http-equiv")?.asciiLowercased() == "refresh":
      return "<meta> leads the page elsewhere"
    case "iframe" where !isSandboxed(element): return documentReason(element, ["srcdoc", "src"])
    case "frame", "embed": return documentReason(element, ["src"])
    case "object": return documentReason(element, ["data"])
    default: return nil
    }
  }

  /// Whether an attribute is an event handler; events are not listed, since there are new ones each year.
  private static func isHandler(_ name: String) -> Bool {
    name.utf8.count > 2 && name.hasPrefix("on") && name.utf8.dropFirst(2).allSatisfy(\.isASCIIAlphanumeric)
  }

  /// Whether following an attribute's URL would run it; that of an image is only loaded.
  private static func followsAddress(_ element: Element, _ attribute: String) -> Bool {
    switch (element.namespace, element.name, attribute) {
    case (.html, "a", "href"), (.html, "area", "href"), (.html, "form", "action"): true
    case (.html, "button", "formaction"), (.html, "input", "formaction"): true
    case (.html, "iframe", "src"), (.html, "frame", "src"), (.html, "embed", "src"), (.html, "object", "data"): true
    case (.svg, "a", "href"), (.svg, "a", "xlink:href"), (.math, _, "href"), (.math, _, "xlink:href"): true
    default: false
    }
  }

  /// Returns the scheme of a URL as a browser parses it: leading controls, tabs and line ends are ignored (URL
  /// Standard, 4.4).
  ///
  /// The text is compared by bytes, here and below: to Swift, a colon and a following combining letter are one
  /// character.
  private static func scheme(_ value: some StringProtocol) -> (scheme: String, rest: ArraySlice<UInt8>)? {
    let text = value.utf8.drop { $0 <= 0x20 }.filter { $0 != 9 && $0 != 10 && $0 != 13 }
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    return (String(decoding: text[..<colon], as: UTF8.self).asciiLowercased(), text[(colon + 1)...])
  }

  private static func runsScript(_ value: some StringProtocol) -> Bool { scheme(value)?.scheme == "javascript" }

  private static func isScript(_ element: Element) -> Bool {
    guard let type = element.value("type")?.trimmed().asciiLowercased(), !type.isEmpty else { return true }
    let kind = String(decoding: type.utf8.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self).trimmed()
    return kind.contains("javascript") || kind.contains("ecmascript") || kind.hasSuffix("jscript")
      || kind.hasSuffix("livescript") || ["module", "importmap", "speculationrules"].contains(kind)
  }

  private static func isSandboxed(_ element: Element) -> Bool {
    guard let words = element.value("sandbox") else { return false }
    return !words.asciiLowercased().split(whereSeparator: \.isWhitespace).contains("allow-scripts")
  }

  /// Returns the reason why an embedded document may run script; one in `srcdoc` has the origin of the page.
  private static func documentReason(_ element: Element, _ attributes: [String]) -> String? {
    for attribute in attributes {
      guard let value = element.value(attribute) else { continue }
      if attribute == "srcdoc" { return "<\(element.name) srcdoc> holds a document that may run script" }
      guard let (scheme, rest) = scheme(value), scheme == "data" else { continue }
      let type = String(decoding: rest.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ";") }, as: UTF8.self)
        .trimmed().asciiLowercased()
      if type.hasSuffix("html") || type.hasSuffix("xml") {
        return "<\(element.name) \(attribute)> holds a document that may run script"
      }
    }
    return nil
  }

  private static func animates(_ element: Element) -> Bool {
    guard element.namespace == .svg, ["animate", "set"].contains(element.name),
      ["href", "xlink:href"].contains(element.value("attributename")?.trimmed().asciiLowercased())
    else { return false }
    let values = ["from", "to", "by"].compactMap { element.value($0) }
    let list = element.value("values").map { $0.utf8.split(separator: UInt8(ascii: ";")).map { String(Substring($0)) } }
    return (values + (list ?? [])).contains { runsScript($0) }
  }
}
