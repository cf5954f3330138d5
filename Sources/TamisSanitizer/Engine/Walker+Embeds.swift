import TamisCore
import TamisURL

/// What is shown in a frame, by a plug-in or by a script becomes a link to it; nothing is requested before the reader asks.
extension Walker {
  /// An `object` that is open in the source.
  struct OpenObject {
    /// Depth of the source inside it.
    var depth: Int
    /// What it shows; nil as long as nothing is known.
    var address: [UInt8]?
    var label: String
    /// Whether that is a picture.
    var isPicture: Bool
    /// Where what is there for readers without it begins in the output, and how many pictures stood before that.
    var start: Int
    var pictures: Int
  }

  /// Writes the link for an element whose tags go, if it embeds something.
  mutating func writeEmbed(_ entry: RuleTables.Element) {
    switch entry.embed {
    case .none: return
    case .frame: writeEmbed(address(frameAttributes), label: label)
    case .component: writeComponent(tables.text(ofElement: entry.number))
    case .script: writeScript()
    case .object where entry.html == .drop: writeEmbed(address([tables.number(ofAttribute: "data")]), label: label)
    case .object: beginObject()
    case .parameter, .plugIn: writePlugIn(entry.embed)
    }
  }

  /// The link that stands in an object's place, once all that may name its target was read.
  mutating func endObject() {
    guard let object, source.count < object.depth else { return }
    self.object = nil
    guard let address = object.address else { return }
    guard object.isPicture else { return writeEmbed(address, label: object.label) }
    // What is there for readers without it shows it too.
    guard pictureCount == object.pictures, output.isBlank(from: min(object.start, output.count)) else { return }
    let image = tables.number(ofElement: "img")
    guard tables.elements[image].html == .keep, open.current?.isTextOnly != true else { return }
    attributes.removeAll()
    attributes.addOriginal(tables.known.src, address.span)
    attributes.addOriginal(tables.known.alt, Array(object.label.utf8).span)
    insert(image) { _ in }
  }

  // MARK: - What the elements say

  private var frameAttributes: [Int] { [tables.known.src] + tables.known.lazySources }

  /// The first of these attributes that has an address.
  private func address(_ names: [Int]) -> [UInt8]? {
    for name in names {
      guard let value = attributes.original(name), !value.allSatisfy(\.isHTMLSpace),
        !value.starts(with: "about:".utf8), !value.starts(with: "data:".utf8)
      else { continue }
      return Array(value)
    }
    return nil
  }

  private func value(_ name: String) -> ArraySlice<UInt8>? {
    attributes.originals.first { tables.text(ofAttribute: $0.attribute) == name }.map { attributes.bytes[$0.value] }
  }

  /// What its author calls it; empty when nothing.
  private var label: String {
    let title = attributes.original(tables.known.title) ?? value("aria-label") ?? value("data-title")
    return title.map { String(decoding: $0, as: UTF8.self).collapsingSpace() } ?? ""
  }

  private mutating func writeComponent(_ name: String) {
    for component in EmbedCode.components[name] ?? [] {
      guard let value = value(component.attribute) else { continue }
      if component.address.isEmpty { return writeEmbed(Array(value), label: label) }
      guard let name = EmbedPage.name(String(decoding: value, as: UTF8.self)) else { continue }
      return writeEmbed(Array((component.address + name + component.ending).utf8), label: label)
    }
  }

  private static let unknownBase = WebURL("https://base.invalid/")

  private mutating func writeScript() {
    guard let value = attributes.original(tables.known.src),
      let url = WebURL(String(decoding: value, as: UTF8.self), base: base ?? Self.unknownBase),
      let target = EmbedCode.target(ofScript: url)
    else { return }
    writeEmbed(Array(target.address.utf8), label: target.label)
  }

  private mutating func beginObject() {
    // What stands inside another object is there for readers without that one.
    if object != nil { return }
    let type = value("type").map { String(decoding: $0, as: UTF8.self).asciiLowercased() } ?? ""
    object = OpenObject(
      depth: source.count + 1, address: value("data").map { Array($0) }, label: label,
      isPicture: type.hasPrefix("image/"), start: output.count, pictures: pictureCount)
  }

  private mutating func writePlugIn(_ element: EmbedElement) {
    if element == .plugIn {
      guard let address = address(frameAttributes) else { return }
      if object == nil { return writeEmbed(address, label: label) }
      if object?.address == nil { object?.address = address }
    } else if let name = value("name"), let value = value("value"), object?.address == nil,
      Self.parameters.contains(String(decoding: name, as: UTF8.self).asciiLowercased())
    {
      object?.address = Array(value)
    }
  }

  private static let parameters: Set = ["movie", "src", "url", "filename", "data"]

  // MARK: - AMP

  /// The element of HTML that an element of AMP stands for, with what its attributes mean there; else the element itself.
  ///
  /// AMP's specification of its elements, https://amp.dev/documentation/components; as of November 2026.
  mutating func standIn(for element: Int) -> Int {
    guard let name = tables.elements[element].standsFor, tables.elements[element].html != .keep else { return element }
    if name == .image, isRatioOnly { attributes.removeOriginals([tables.known.width, tables.known.height]) }
    if name != .image {
      attributes.endOriginal(tables.number(ofAttribute: "controls"), from: attributes.bytes.count)
    }
    return tables.number(ofElement: name.rawValue)
  }

  /// Whether width and height say only how one relates to the other.
  private var isRatioOnly: Bool {
    guard let layout = value("layout") else { return false }
    let sides = [tables.known.width, tables.known.height].compactMap { attributes.original($0) }
    return !["fixed", "nodisplay"].contains { layout.elementsEqual($0.utf8) }
      && sides.contains { (Dimension.pixels(String(decoding: $0, as: UTF8.self)) ?? 0) < 50 }
  }

  // MARK: - Writing

  /// Writes a link to what an address shows, with its title and provider: in a paragraph of its own where one may stand.
  private mutating func writeEmbed(_ address: [UInt8]?, label: String) {
    let anchor = tables.number(ofElement: "a")
    guard var address, open.current?.isTextOnly != true, open.current?.role.holdsOptions != true,
      open.foreignCount == 0, tables.elements[anchor].html == .keep
    else { return }
    // Wherever it stands, what is on the web can be had by https.
    if base == nil, address.starts(with: "//".utf8) { address.insert(contentsOf: "https:".utf8, at: 0) }
    guard let source = filtered(address, isImage: false), let frame = WebURL(String(decoding: source, as: UTF8.self)),
      frame.hostname?.isEmpty == false
    else { return }
    let page = EmbedPage.address(of: frame).flatMap { WebURL($0) } ?? frame
    guard let host = page.hostname, !host.isEmpty else { return }
    let target = page == frame ? source : page.utf8
    let link = urls.withoutTracking(target.span) ?? target
    boxes.noteOther()
    if facts.wantsResources { facts.add(embed: String(decoding: link, as: UTF8.self)) }
    // The same is linked just before: by what stands there until a script runs, or for readers without it.
    if lastLink.target == link, output.isBlank(from: min(lastLink.end, output.count)) {
      lastLink.end = output.count
      return
    }
    let words = Array(words(label, embedProviders.value(for: host) ?? host).utf8)
    let isInLink = open.linkInScope != nil
    let paragraph = tables.number(ofElement: "p")
    let isInLine = isInLink || !allowsParagraph(paragraph)
    if isInLine { separateBlock() }
    attributes.removeAll()
    if isInLink {
      text(words.span)
    } else if isInLine {
      insertLink(anchor, to: link, words)
    } else {
      insert(paragraph) { $0.insertLink(anchor, to: link, words) }
    }
    if isInLine { embedEnd = output.count }
  }

  private func words(_ label: String, _ provider: String) -> String {
    if label.isEmpty { return provider }
    return label.asciiLowercased().contains(provider.asciiLowercased()) ? label : "\(label) (\(provider))"
  }

  /// Whether a paragraph may stand here, and what is beside it does not stand in a line.
  private func allowsParagraph(_ paragraph: Int) -> Bool {
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

  /// An element that the source does not have, decided about as one that it has.
  private mutating func insert(_ element: Int, content: (inout Walker) -> Void) {
    open(element)
    attributes.removeAll()
    content(&self)
    close(element)
  }
}
