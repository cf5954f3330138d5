import TamisCore
import TamisURL
import TamisXML

/// Makes what stays better to read.
extension Walker {
  /// Changes the attributes of an element that stays; false when the element goes after all.
  func improve(_ entry: RuleTables.Element, _ element: Int, _ namespace: Policy.Namespace) -> Bool {
    if let uri = ForeignNames.namespaceURIs[namespace], entry.root != nil {
      declareNamespace("xmlns", uri, namespace, element)
    }
    if namespace != .html,
      attributes.items.contains(where: { tables.attributes[$0.attribute].text.hasPrefix("xlink:") })
    {
      declareNamespace("xmlns:xlink", ForeignNames.xlink, namespace, element)
    }
    guard namespace == .html else { return true }
    switch entry.role {
    case .image: return improveImage(entry)
    case .link: improveLink()
    default: break
    }
    return true
  }

  /// Collects what later stages want to know about an element that was written.
  func gatherFacts(_ entry: RuleTables.Element, _ namespace: Policy.Namespace) {
    guard namespace == .html else { return }
    switch entry.role {
    case .link:
      if let href = attribute("href") { facts.beginLink(href) }
    case .image:
      guard let source = attribute("src") ?? attribute("srcset") else { return }
      facts.add(
        MarkupFacts.Image(
          source: source, srcset: attribute("srcset"), alternative: attribute("alt"),
          width: attribute("width").flatMap(Dimension.pixels), height: attribute("height").flatMap(Dimension.pixels)))
    case .media, .mediaSource:
      for name in ["src", "poster"] {
        if let url = attribute(name) { facts.add(media: url) }
      }
    default: break
    }
  }

  /// The value with which an attribute of the current start tag stays, nil when it goes.
  func attribute(_ name: String) -> String? {
    attributes.value(of: tables.number(ofAttribute: name)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// A frame's place is taken by a link to what it would have shown; nothing is requested before the reader asks.
  func writeEmbed(_ element: Int, _ list: borrowing HTMLAttributes) {
    guard tables.elements[element].text == "iframe", open.current?.isTextOnly != true, open.linkInScope == nil,
      open.current?.role.isTableStructure != true, tables.elements[number(ofElement: "a")].html == .keep
    else { return }
    attributes.removeAll()
    list.forEach(limit: limits.attributes) { attribute, value in attributes.addOriginal(attribute, value) }
    guard let source = attributes.original(tables.number(ofAttribute: "src")),
      let target = urlFilter(isImage: false).filter(Array(source)),
      let url = WebURL(String(decoding: target, as: UTF8.self)), let host = url.hostname, !host.isEmpty
    else { return }
    let title = attributes.original(tables.number(ofAttribute: "title")).map { String(decoding: $0, as: UTF8.self) }
    let label = title?.collapsingSpace() ?? ""
    attributes.removeAll()
    attributes.set(tables.number(ofAttribute: "href"), target)
    improveLink()
    output.openStartTag(Array("a".utf8))
    attributes.write(to: &output, tables: tables, namespace: .html)
    output.closeStartTag(isVoid: false)
    facts.beginLink(String(decoding: target, as: UTF8.self))
    let words = Array((label.isEmpty ? host : "\(label) (\(host))").utf8)
    output.text(words.span)
    facts.add(words.span)
    output.endTag(Array("a".utf8))
    facts.endLink()
  }

  private func declareNamespace(_ name: String, _ uri: String, _ namespace: Policy.Namespace, _ element: Int) {
    let xmlns = tables.number(ofAttribute: name)
    if tables.attributes[xmlns].isAllowed(on: element, in: namespace) { attributes.set(xmlns, uri.utf8) }
  }

  private func improveLink() {
    guard !policy.improvements.linkRelations.isEmpty else { return }
    let rel = tables.number(ofAttribute: "rel")
    guard let href = attributes.value(of: tables.number(ofAttribute: "href")), href.first != UInt8(ascii: "#") else {
      attributes.remove(rel)
      return
    }
    attributes.set(rel, policy.improvements.linkRelations.joined(separator: " ").utf8)
  }

  private func improveImage(_ entry: RuleTables.Element) -> Bool {
    let improvements = policy.improvements
    if improvements.removesTrackingPixels, isTrackingPixel() {
      note(.tracking, entry.text)
      return false
    }
    if improvements.repairsLazyImages { repairLazySource() }
    let source = tables.number(ofAttribute: "src")
    let hasSource =
      attributes.value(of: source) != nil || attributes.value(of: tables.number(ofAttribute: "srcset")) != nil
    if improvements.loadsImagesLazily, hasSource {
      attributes.set(tables.number(ofAttribute: "loading"), "lazy".utf8)
    }
    return true
  }

  /// Both sides declared at most two pixels, or one of them at most one, or hidden: nothing that a reader would see.
  private func isTrackingPixel() -> Bool {
    func declared(_ name: String) -> Int? {
      attributes.original(tables.number(ofAttribute: name)).flatMap {
        Dimension.pixels(String(decoding: $0, as: UTF8.self))
      }
    }
    let (width, height) = (declared("width"), declared("height"))
    if let width, let height, width <= 2, height <= 2 { return true }
    if let width, width <= 1 { return true }
    if let height, height <= 1 { return true }
    guard let style = attributes.original(tables.number(ofAttribute: "style")) else { return false }
    let compact = String(decoding: style.filter { !$0.isHTMLSpace }.map(\.asciiLowercased), as: UTF8.self)
    return compact.contains("display:none") || compact.contains("visibility:hidden")
  }

  /// Attributes in which scripts keep the real source of an image, most specific first.
  private static let lazySources = [
    "data-src", "data-original", "data-lazy-src", "data-lazy", "data-hi-res-src", "data-orig-file", "data-large-file",
  ]

  private func repairLazySource() {
    let source = tables.number(ofAttribute: "src")
    if let current = attributes.value(of: source), !Self.isPlaceholder(current) { return }
    for name in Self.lazySources {
      guard let value = attributes.original(tables.number(ofAttribute: name)),
        let url = urlFilter(isImage: true).filter(Array(value)), !url.isEmpty
      else { continue }
      attributes.set(source, url)
      return
    }
  }

  /// A tiny inline picture, or a file name that says it is only there until a script comes.
  private static func isPlaceholder(_ source: ArraySlice<UInt8>) -> Bool {
    if source.starts(with: "data:".utf8) { return source.count < 200 }
    let text = String(decoding: source, as: UTF8.self).asciiLowercased()
    return ["blank.gif", "spacer.gif", "transparent.", "placeholder", "lazyload"].contains { text.contains($0) }
  }
}
