import TamisCore

/// A body as valid XHTML, which is parsed as XML and which e-book readers require.
///
/// It is created from a ``PageBody``, and has only its elements and attributes, so it also proves that markup is safe.
/// Elements with content that XHTML does not allow, such as a bold one with a list in it, become boxes with the same
/// look. Only what a book cannot do, such as playing media, is lost.
struct XHTMLBody {
  /// The markup, valid UTF-8.
  let bytes: [UInt8]
  /// Whether the body has drawings.
  let hasDrawings: Bool
  /// Whether the body has formulas.
  let hasFormulas: Bool

  /// Converts a body.
  ///
  /// - Parameters:
  ///   - body: the body.
  ///   - ids: its ids, when several bodies are in one document.
  ///   - depth: the number of levels by which headings move down.
  init(_ body: PageBody, ids: BodyIDs = BodyIDs(), depth: Int = 0) {
    var writer = XHTMLWriter(body.bytes, ids: ids, depth: depth)
    writer.run()
    (bytes, hasDrawings, hasFormulas) = (writer.output, writer.hasDrawings, writer.hasFormulas)
  }
}

/// A writer that makes two passes over a page's body: the first collects nesting and anchors, the second writes.
struct XHTMLWriter {
  private let source: [UInt8]
  private let ids: BodyIDs
  private let depth: Int
  private(set) var output: [UInt8] = []
  private(set) var hasDrawings = false
  private(set) var hasFormulas = false
  /// The offsets of inline elements that contain blocks.
  private var boxes: Set<Int> = []
  /// The offset of the first tag with each anchor.
  private var anchors: [ArraySlice<UInt8>: Int] = [:]
  /// The open elements, with their names in the source and as written.
  private var open: [(source: String, written: String)] = []
  /// The numbers of open elements that are directly in items which the source lacks.
  private var wrapped: [Int] = []
  private var foreignDepth = 0
  /// The offsets of complete definition lists: terms followed by their descriptions.
  private var wholeLists: Set<Int> = []
  private var lists: [Bool] = []

  /// The maximum nesting depth; deeper elements keep only their text, since libxml2, which many readers use, allows
  /// 256.
  private static let deepest = 200

  init(_ source: [UInt8], ids: BodyIDs, depth: Int) {
    (self.source, self.ids, self.depth) = (source, ids, depth)
    output.reserveCapacity(source.count + source.count / 8)
  }

  mutating func run() {
    survey()
    for token in MarkupTokens(source) {
      switch token {
      case .text(let range):
        let isWrapped = isInList && source[range].contains { !$0.isHTMLSpace }
        if isWrapped { write("<li>") }
        XMLText.append(escaped: source[range], to: &output)
        if isWrapped { write("</li>") }
      case .tag(let tag): if tag.isEnd { end(tag) } else { start(tag) }
      }
    }
    while let last = open.popLast() {
      writeEnd(last.written)
      endItem()
    }
  }

  /// Whether the innermost element is a list, which may have nothing but items.
  private var isInList: Bool { foreignDepth == 0 && ["ul", "ol"].contains(open.last?.written) }

  /// Writes an end tag.
  ///
  /// - Parameter name: the name, empty for an element that was left out.
  private mutating func writeEnd(_ name: String) {
    if !name.isEmpty { write("</\(name)>") }
  }

  // MARK: - Collecting

  private mutating func survey() {
    // The open inline elements; those before the first that is already a box are all boxes.
    var words: [(name: String, start: Int)] = []
    var terms: [(start: Int, last: String, isWhole: Bool)] = []
    var foreignDepth = 0
    var tokens = MarkupTokens(source)
    while let tag = tokens.nextTag() {
      if !tag.isEnd, let name = Self.idAttribute(of: tag, source), anchors[source[name]] == nil {
        anchors[source[name]] = tag.start
      }
      if XHTMLRules.foreign.contains(tag.name) { foreignDepth += tag.isEnd ? -1 : 1 }
      if foreignDepth > 0 { continue }
      if tag.name == "dl" {
        if !tag.isEnd {
          terms.append((tag.start, "", true))
        } else if let list = terms.popLast(), list.isWhole, list.last == "dd" {
          wholeLists.insert(list.start)
        }
      } else if !tag.isEnd, tag.name == "dt" || tag.name == "dd", let list = terms.last {
        terms[terms.count - 1].last = tag.name
        if tag.name == "dd", list.last.isEmpty { terms[terms.count - 1].isWhole = false }
      }
      if ElementTable.endingParagraphs.contains(tag.name), !tag.isEnd {
        for word in words.reversed() where !boxes.insert(word.start).inserted { break }
      }
      guard ElementTable.phrasing.contains(tag.name) else { continue }
      if !tag.isEnd {
        words.append((tag.name, tag.start))
      } else if let last = words.last, last.name == tag.name {
        words.removeLast()
      }
    }
  }

  /// Returns the range of a tag's anchor, its `id` or the `name` of a link, or nil when it has no valid one.
  private static func idAttribute(of tag: MarkupTag, _ source: [UInt8]) -> Range<Int>? {
    let value = tag.value("id", source) ?? (tag.name == "a" ? tag.value("name", source) : nil)
    guard let value, !value.isEmpty, !value.contains(where: { source[$0] <= 0x20 }) else { return nil }
    return value
  }

  // MARK: - Tags

  private mutating func start(_ tag: MarkupTag) {
    if isInList, tag.name != "li" {
      if tag.name == "br" { return }
      write("<li>")
      wrapped.append(open.count)
    }
    startElement(tag)
    endItem()
  }

  /// Ends an item that the source lacks, when its element has ended.
  private mutating func endItem() {
    guard wrapped.last == open.count else { return }
    wrapped.removeLast()
    write("</li>")
  }

  private mutating func startElement(_ tag: MarkupTag) {
    if foreignDepth > 0 || XHTMLRules.foreign.contains(tag.name) { return startForeign(tag) }
    if XHTMLRules.left.contains(tag.name) { return }
    let isVoid = ElementTable.void.contains(tag.name)
    var (name, look) = XHTMLRules.written[tag.name].map { ($0.name, $0.look) } ?? (tag.name, nil)
    let level = tag.headingLevel.map { min(Int($0) + depth, 6) }
    if let level { name = "h\(level)" }
    if boxes.contains(tag.start), name != "div" { (name, look) = ("div", look ?? name) }
    if name == "dl" { lists.append(wholeLists.contains(tag.start)) }
    if ["dl", "dt", "dd"].contains(name), lists.last != true { (name, look) = ("div", name) }
    if name == "li", !isInList { name = "div" }
    if name == "bdo", tag.value("dir", source) == nil { name = "bdi" }
    if !isVoid {
      // A name with a colon would have a namespace, which is not declared.
      let isLeft = open.count >= Self.deepest || !XHTMLRules.isName(name)
      open.append((tag.name, isLeft ? "" : name))
      if isLeft { return }
    }
    if name == "img", !isPicture(tag) { return writeAlternative(of: tag) }
    write("<\(name)")
    if let level, name == "div" { write(" role=\"heading\" aria-level=\"\(level)\"") }
    writeAttributes(of: tag, as: name, look: look)
    write(isVoid ? " />" : ">")
  }

  private mutating func end(_ tag: MarkupTag) {
    guard let last = open.last, last.source == tag.name else { return }
    open.removeLast()
    if foreignDepth > 0 { foreignDepth -= 1 }
    if last.source == "dl" { _ = lists.popLast() }
    writeEnd(last.written)
    endItem()
  }

  /// Whether a book may show a picture: one of its own, or an inline one in a format that all readers support.
  private func isPicture(_ tag: MarkupTag) -> Bool {
    guard let address = tag.value("src", source), !address.isEmpty else { return false }
    let text = String(decoding: source[address].prefix(40), as: UTF8.self).asciiLowercased()
    guard text.hasPrefix("data:") else { return true }
    return XHTMLRules.pictureTypes.contains { text.hasPrefix("data:\($0);") || text.hasPrefix("data:\($0),") }
  }

  private mutating func writeAlternative(of tag: MarkupTag) {
    if let text = tag.value("alt", source) { XMLText.append(escaped: source[text], to: &output) }
  }

  private mutating func startForeign(_ tag: MarkupTag) {
    let isVoid = tag.end >= 2 && source[tag.end - 2] == UInt8(ascii: "/")
    if open.count >= Self.deepest {
      if !isVoid {
        open.append((tag.name, ""))
        foreignDepth += 1
      }
      return
    }
    if tag.name == "svg" { hasDrawings = true }
    if tag.name == "math" { hasFormulas = true }
    write("<\(tag.name)")
    if tag.name == "svg" { write(" xmlns=\"http://www.w3.org/2000/svg\"") }
    if tag.name == "math" { write(" xmlns=\"http://www.w3.org/1998/Math/MathML\"") }
    var seen: Set<String> = []
    tag.eachAttribute(source) { attribute in
      let (name, value) = (Self.text(source[attribute.name]), attribute.value)
      guard XHTMLRules.isName(name), name != "xmlns", seen.insert(name).inserted else { return }
      if name == "lang" {
        writeLanguage(value)
      } else if name == "id" {
        writeID(of: tag)
      } else if name == "href" {
        writeLink(value)
      } else {
        write(" \(name)=\"")
        XMLText.append(escaped: ids.value(source[value], of: name), to: &output)
        write("\"")
      }
    }
    if isVoid {
      write(" />")
    } else {
      write(">")
      open.append((tag.name, tag.name))
      foreignDepth += 1
    }
  }

  // MARK: - Attributes

  private mutating func writeAttributes(of tag: MarkupTag, as name: String, look: String?) {
    var classes = look.map { [$0] } ?? []
    var seen: Set<String> = []
    tag.eachAttribute(source) { each in
      let (attribute, value) = (Self.text(source[each.name]), each.value)
      guard seen.insert(attribute).inserted else { return }
      let bytes = source[value]
      switch attribute {
      case "class": classes += Self.text(bytes).split(separator: " ").map(String.init)
      case "align": if ["left", "right", "center"].contains(Self.text(bytes)) { classes.append(Self.text(bytes)) }
      case "lang": writeLanguage(value)
      case "id", "name": break
      case "href": if name == "a" { writeLink(value) }
      default:
        guard XHTMLRules.allows(attribute, on: name, bytes, inside: open.dropLast().last?.written) else { return }
        write(" \(attribute)=\"")
        XMLText.append(escaped: bytes, to: &output)
        write("\"")
      }
    }
    writeID(of: tag)
    guard !classes.isEmpty else { return }
    write(" class=\"")
    XMLText.append(escaped: Array(classes.joined(separator: " ").utf8)[...], to: &output)
    write("\"")
  }

  private mutating func writeID(of tag: MarkupTag) {
    guard let name = Self.idAttribute(of: tag, source), anchors[source[name]] == tag.start else { return }
    write(" id=\"")
    XMLText.append(escaped: ids.value(source[name], of: "id"), to: &output)
    write("\"")
  }

  private mutating func writeLanguage(_ value: Range<Int>) {
    guard let language = LanguageTag.normalized(Self.text(source[value])) else { return }
    if foreignDepth == 0 { write(" lang=\"\(language)\"") }
    write(" xml:lang=\"\(language)\"")
  }

  /// Writes the target of a link: another page, or an existing anchor.
  private mutating func writeLink(_ value: Range<Int>) {
    let address = source[value]
    let isLocal = address.first == UInt8(ascii: "#")
    guard isLocal ? anchors[address.dropFirst()] != nil : XHTMLRules.isAddress(address) else { return }
    write(" href=\"")
    if isLocal {
      XMLText.append(escaped: ids.value(address, of: "href"), to: &output)
    } else {
      let written = XHTMLRules.written(MarkupText.unescaped(address))
      XMLText.append(String(decoding: written, as: UTF8.self), to: &output)
    }
    write("\"")
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  private mutating func write(_ text: String) { output += text.utf8 }
}
