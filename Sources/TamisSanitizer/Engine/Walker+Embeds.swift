import TamisCore
import TamisHTML
import TamisURL

/// Replaces frames, plug-ins and scripts that show something with a link to it.
///
/// Nothing is requested before the reader opens the link.
extension Walker {
  /// Writes the link for an element whose tags are removed, if it embeds something.
  mutating func writeEmbed(_ entry: RuleTables.Element) {
    switch entry.embed {
    case .none, .drawnPicture: return
    case .area:
      let alternative = attributes.original(tables.known.alt).map { String(streamSafe: $0).collapsingSpace() } ?? ""
      writeEmbed(address([tables.known.href]), label: alternative.isEmpty ? label : alternative)
    case .frame:
      if let address = address(frameAttributes) {
        writeEmbed(address, label: label)
      } else {
        state.embeds.isInEmptyFrame = entry.html == .drop
      }
    case .component: writeComponent(tables.text(ofElement: entry.number))
    case .script: if let target = scriptTarget { writeEmbed(Array(target.address.utf8), label: target.label) }
    case .object where entry.html == .drop: writeEmbed(address([tables.number(ofAttribute: "data")]), label: label)
    case .object: beginObject()
    case .parameter, .plugIn: writePlugIn(entry.embed)
    }
  }

  /// Whether a link takes the place of an element whose tags are removed, as far as its start tag tells.
  mutating func becomesLink(_ entry: RuleTables.Element) -> Bool {
    guard settings.policy.improvements.linksEmbeds else { return false }
    return switch entry.embed {
    case .none, .drawnPicture: false
    case .frame: address(frameAttributes) != nil
    case .script: scriptTarget != nil
    case .area, .component, .object, .parameter, .plugIn: true
    }
  }

  /// Writes the link for an `object` at its end, when all elements that may have its target were read.
  mutating func endObject() {
    guard let object = state.embeds.object, source.depth < object.depth else { return }
    state.embeds.object = nil
    guard let address = object.address else { return }
    guard object.isPicture else { return writeEmbed(address, label: object.label) }
    // A picture in the fallback content already shows the target; its text describes it.
    if state.pictures == object.pictures { writePicture(address, label: object.label) }
  }

  /// Notes the picture that an `image` of a drawing shows.
  mutating func noteDrawnPicture() {
    guard let address = attributes.original(tables.known.href) ?? value("xlink:href") else { return }
    state.embeds.drawnPictures.append(Array(address))
  }

  /// Writes the pictures of a drawing behind it: inside, a browser would load them whatever they are.
  mutating func writeDrawnPictures() {
    let pictures = state.embeds.drawnPictures
    state.embeds.drawnPictures = []
    for address in pictures { writePicture(address, label: "") }
  }

  private mutating func writePicture(_ address: [UInt8], label: String) {
    let image = tables.number(ofElement: "img")
    guard tables.elements[image].html == .keep, open.current?.isTextOnly != true else { return }
    attributes.removeAll()
    attributes.addOriginal(tables.known.src, address.span)
    attributes.addOriginal(tables.known.alt, Array(label.utf8).span)
    insert(image) { _ in }
  }

  /// Reads an element in a frame without a URL: browsers show nothing of it, and some feeds have a link there.
  private mutating func readFallback(_ element: Int) {
    guard state.embeds.fallback == nil, element == tables.number(ofElement: "a"),
      let address = attributes.original(tables.known.href)
    else { return }
    state.embeds.fallback = Array(address)
  }

  /// Handles a start tag in an element that is removed with its content.
  mutating func startDropped(_ element: Int) {
    if state.embeds.isInEmptyFrame { readFallback(element) }
    source.open(.nothing)
  }

  /// Writes the link for a frame without a URL at its end.
  mutating func endEmptyFrame() {
    guard state.embeds.isInEmptyFrame else { return }
    state.embeds.isInEmptyFrame = false
    guard let address = state.embeds.fallback else { return }
    state.embeds.fallback = nil
    writeEmbed(address, label: "")
  }

  // MARK: - Reading the elements

  private var frameAttributes: [Int] { mutating get { [tables.known.src] + tables.known.lazySources } }

  /// The value of the first of these attributes that is not empty.
  private mutating func address(_ names: [Int]) -> [UInt8]? {
    for name in names {
      guard let value = attributes.original(name), !value.allSatisfy(\.isHTMLSpace),
        !value.starts(with: "about:".utf8), !value.starts(with: "data:".utf8)
      else { continue }
      return Array(value)
    }
    return nil
  }

  private mutating func value(_ name: String) -> ArraySlice<UInt8>? {
    attributes.originals.first { tables.text(ofAttribute: $0.attribute) == name }.map { attributes.bytes[$0.value] }
  }

  /// The title or label of the element; empty when it has none.
  private var label: String {
    mutating get {
      let title = attributes.original(tables.known.title) ?? value("aria-label") ?? value("data-title")
      return title.map { String(streamSafe: $0).collapsingSpace() } ?? ""
    }
  }

  private mutating func writeComponent(_ name: String) {
    for component in EmbedCode.components[name] ?? [] {
      guard let value = value(component.attribute) else { continue }
      if component.address.isEmpty { return writeEmbed(Array(value), label: label) }
      guard let name = EmbedPage.name(String(streamSafe: value)) else { continue }
      return writeEmbed(Array((component.address + name + component.ending).utf8), label: label)
    }
  }

  private static let unknownBase = WebURL("https://base.invalid/")

  private var scriptTarget: EmbedCode.Target? {
    mutating get {
      attributes.original(tables.known.src)
        .flatMap { WebURL(String(streamSafe: $0), base: state.base ?? Self.unknownBase) }
        .flatMap(EmbedCode.target(ofScript:))
    }
  }

  private mutating func beginObject() {
    // Content inside another object is the fallback of that object.
    if state.embeds.object != nil { return }
    let type = value("type").map { String(streamSafe: $0).asciiLowercased() } ?? ""
    state.embeds.object = EmbedTrail.Object(
      depth: source.depth + 1, address: value("data").map { Array($0) }, label: label,
      isPicture: type.hasPrefix("image/"), pictures: state.pictures)
  }

  private mutating func writePlugIn(_ element: EmbedElement) {
    if element == .plugIn {
      guard let address = address(frameAttributes) else { return }
      if state.embeds.object == nil { return writeEmbed(address, label: label) }
      if state.embeds.object?.address == nil { state.embeds.object?.address = address }
    } else if let name = value("name"), let value = value("value"), state.embeds.object?.address == nil,
      Self.parameters.contains(String(streamSafe: name).asciiLowercased())
    {
      state.embeds.object?.address = Array(value)
    }
  }

  private static let parameters: Set = ["movie", "src", "url", "filename", "data"]

  // MARK: - AMP

  /// Returns the HTML element that replaces an AMP element, and translates the attributes.
  ///
  /// Other elements are returned unchanged. The source is AMP's specification of its elements,
  /// https://amp.dev/documentation/components, as of November 2026.
  mutating func standIn(for element: Int) -> Int {
    guard let name = tables.elements[element].standsFor, tables.elements[element].html != .keep else { return element }
    if name == .image, isRatioOnly { attributes.removeOriginals([tables.known.width, tables.known.height]) }
    if name != .image {
      attributes.endOriginal(tables.number(ofAttribute: "controls"), from: attributes.bytes.count)
    }
    return tables.number(ofElement: name.rawValue)
  }

  /// Whether width and height are only a ratio.
  private var isRatioOnly: Bool {
    mutating get {
      guard let layout = value("layout") else { return false }
      let sides = [tables.known.width, tables.known.height].compactMap { attributes.original($0) }
      return !["fixed", "nodisplay"].contains { layout.elementsEqual($0.utf8) }
        && sides.contains { (Dimension.pixels(String(streamSafe: $0)) ?? 0) < 50 }
    }
  }

  // MARK: - Writing

  /// Writes a link to an embedded URL, with its title and provider, in a paragraph of its own if one is allowed here.
  private mutating func writeEmbed(_ address: [UInt8]?, label: String) {
    let anchor = tables.number(ofElement: "a")
    guard var address, open.current?.isTextOnly != true, open.current?.role.holdsOptions != true,
      open.foreignCount == 0, tables.elements[anchor].html == .keep
    else { return }
    // Without a base URL, a URL without a scheme gets https.
    if state.base == nil, address.starts(with: "//".utf8) { address.insert(contentsOf: "https:".utf8, at: 0) }
    guard let source = filtered(address, nil, isImage: false),
      let frame = WebURL(String(streamSafe: source)),
      frame.hostname?.isEmpty == false, !settings.urls.isTracker(source.span), !EmbedPage.isButton(frame)
    else { return }
    let page = EmbedPage.address(of: frame).flatMap { WebURL($0) } ?? frame
    guard let host = page.hostname, !host.isEmpty else { return }
    let target = page == frame ? source : page.utf8
    let link = settings.urls.withoutTracking(target.span) ?? target
    if facts.wantsResources { facts.add(embed: String(streamSafe: link)) }
    // The preceding link has the same target: it is a placeholder or a fallback.
    if state.embeds.lastLink.target == link, output.isBlank(from: min(state.embeds.lastLink.end, output.count)) {
      state.embeds.lastLink.end = output.count
      return
    }
    let provider = settings.embedProviders.value(for: host) ?? host
    let words = Array(words(InvisibleText.visible(Self.withoutControls(label)), provider: provider).utf8)
    let isInLink = open.isInLink
    let paragraph = tables.number(ofElement: "p")
    let isInLine = isInLink || !allowsParagraph(paragraph)
    if isInLine { separateBlock() }
    attributes.removeAll()
    if isInLink {
      text(words.span)
    } else if isInLine {
      insertLink(anchor, to: link, words)
    } else {
      if open.contains(.paragraph) { state.isReshaped = true }
      insert(paragraph) { $0.insertLink(anchor, to: link, words) }
    }
    if isInLine { state.embeds.end = output.count }
  }

  /// Returns a label in one line without control characters: a document has none, but what a URL encodes may be any.
  private static func withoutControls(_ label: String) -> String {
    let kept = label.collapsingSpace().unicodeScalars.filter { $0.properties.generalCategory != .control }
    return String(String.UnicodeScalarView(kept))
  }

  private mutating func words(_ label: String, provider: String) -> String {
    if label.isEmpty { return provider }
    return label.asciiLowercased().contains(provider.asciiLowercased()) ? label : "\(label) (\(provider))"
  }

  /// Whether a paragraph is allowed here, outside of a line of text.
  private mutating func allowsParagraph(_ paragraph: Int) -> Bool {
    guard tables.elements[paragraph].html == .keep else { return false }
    guard let current = open.current else { return true }
    return current.traits.contains(.block)
      && current.traits.isDisjoint(with: [.phrasingOnly, .list, .definitionList]) && current.role != .caption
  }

  private mutating func insertLink(_ anchor: Int, to target: [UInt8], _ words: [UInt8]) {
    attributes.removeAll()
    attributes.addOriginal(tables.known.href, target.span)
    insert(anchor) { $0.text(words.span) }
  }

  /// Inserts an element that is not in the source, with the same checks as for one that is.
  private mutating func insert(_ element: Int, content: (inout Walker) -> Void) {
    state.decision = nil
    open(element)
    attributes.removeAll()
    content(&self)
    endElement(element)
  }
}
