import TamisCore

/// The elements and attributes by which a page declares facts, found in one walk over its tape.
struct PageScan {
  /// A possible fact with its source.
  struct Candidate {
    var value: String
    var rank: Int
    var source: String
    /// The element that declares the fact.
    var element = 0
  }

  /// The candidates by slot.
  private(set) var candidates: [[Candidate]] = FactNames.Slot.allCases.map { _ in [] }
  /// The `h1` and `h2` headings, in document order.
  private(set) var headings: [Int] = []
  /// The text of the first title element.
  private(set) var titleElement = ""
  private(set) var linked = LinkedFacts()
  /// The JSON that the page brings along for its scripts.
  private(set) var preloaded: [Range<Int32>] = []
  /// Whether the page has more linked data than is read.
  private(set) var isLinkedDataCut = false
  /// The URL of the first `base`.
  private(set) var base = ""

  private let tape: PageTape
  private let elementRoles: [ElementRole]
  private let attributeRoles: [AttributeRole]
  private var linkedBytes = 0
  /// The name of what `twitter:data1` says, in lower case.
  private var dataLabel = ""

  private static let mostHeadings = 200
  private static let mostCandidates = 40

  enum ElementRole: UInt8 { case other, meta, link, title, script, heading, time, base, inert }
  enum AttributeRole: UInt8 {
    case other, itemprop, itemtype, rel, property, name, content, datetime, pubdate, href, classes, id, type, httpEquiv,
      data
  }

  private static let elements: [String: ElementRole] = [
    "meta": .meta, "link": .link, "title": .title, "script": .script, "h1": .heading, "h2": .heading, "time": .time,
    "base": .base,
  ]
  private static let attributes: [String: AttributeRole] = [
    "itemprop": .itemprop, "itemtype": .itemtype, "rel": .rel, "property": .property, "name": .name,
    "content": .content,
    "datetime": .datetime, "pubdate": .pubdate, "href": .href, "class": .classes, "id": .id, "type": .type,
    "http-equiv": .httpEquiv, "data-preloaded": .data, "data-page": .data,
  ]

  init(_ tape: PageTape) {
    self.tape = tape
    elementRoles = tape.names.map { Self.elements[$0] ?? .other }
    attributeRoles = tape.attributeNames.map { Self.attributes[$0] ?? .other }
    for element in tape.elements.indices { look(at: element) }
    // A card says there who has written a page, or what a product costs.
    if FactNames.cardLabels.contains(where: dataLabel.contains) {
      candidates[FactNames.Slot.byline.rawValue].removeAll { $0.source == "twitter:data1" }
    }
  }

  // MARK: - Elements

  func role(of element: Int) -> ElementRole { elementRoles[Int(tape.elements[element].name)] }

  /// Returns the value of an element's attribute by its role, up to `most` bytes, or nil when there is none.
  func value(_ role: AttributeRole, of element: Int, most: Int = 4000) -> String? {
    range(role, of: element).map { tape.string($0.prefix(Int32(most))) }
  }

  func range(_ role: AttributeRole, of element: Int) -> Range<Int32>? {
    for attribute in tape.attributes[tape.elements[element].attributes.indices(in: tape)]
    where attributeRoles[Int(attribute.name)] == role {
      return attribute.value
    }
    return nil
  }

  private mutating func look(at element: Int) {
    switch role(of: element) {
    case .meta: lookAtMeta(element)
    case .link: lookAtLink(element)
    case .title:
      // `svg` has titles of its own, which are not text of the page.
      if titleElement.isEmpty { titleElement = tape.text(in: element, most: 1000).squeezed() }
    case .base: if base.isEmpty { base = value(.href, of: element) ?? "" }
    case .heading: if headings.count < Self.mostHeadings { headings.append(element) }
    case .script: lookAtScript(element)
    case .other, .time, .inert: lookAtAttributes(element)
    }
  }

  private mutating func add(_ slot: FactNames.Slot, _ value: String, rank: Int, source: String, at element: Int = 0) {
    let value = value.squeezed()
    guard !value.isEmpty, candidates[slot.rawValue].count < Self.mostCandidates else { return }
    candidates[slot.rawValue].append(Candidate(value: value, rank: rank, source: source, element: element))
  }

  private mutating func lookAtMeta(_ element: Int) {
    guard let content = range(.content, of: element), !content.isEmpty else { return lookAtAttributes(element) }
    for role in [AttributeRole.property, .name, .httpEquiv] {
      let name = value(role, of: element, most: 60)?.trimmed().asciiLowercased()
      if name == "twitter:label1" { dataLabel = tape.string(content.prefix(60)).lowercased() }
      guard let name, let known = FactNames.metas[name]
      else { continue }
      return add(known.slot, tape.string(content.prefix(4000)), rank: known.rank, source: name)
    }
    lookAtAttributes(element)
  }

  private mutating func lookAtLink(_ element: Int) {
    guard let rel = value(.rel, of: element, most: 60)?.trimmed().asciiLowercased(),
      let href = value(.href, of: element)
    else { return }
    if rel == "canonical" { add(.canonical, href, rank: 1, source: "canonical") }
    if rel == "image_src" { add(.image, href, rank: 20, source: "image_src") }
  }

  private mutating func lookAtScript(_ element: Int) {
    let range = tape.elements[element]
    guard range.first < range.end else { return }
    let isLinked = self.range(.type, of: element).map { tape.contains(any: ["ld+json"], in: $0) } ?? false
    for item in tape.items[Int(range.first)..<Int(range.end)] {
      guard case .text(let range) = item else { continue }
      if !isLinked {
        preloaded.append(range)
        continue
      }
      if linkedBytes + range.count > LinkedFacts.mostBytes { isLinkedDataCut = true }
      guard linkedBytes < LinkedFacts.mostBytes else { continue }
      let length = min(range.count, LinkedFacts.mostBytes - linkedBytes)
      linkedBytes += length
      linked.read(tape.bytes[Int(range.lowerBound)..<(Int(range.lowerBound) + length)])
    }
  }

  // MARK: - Attributes

  private mutating func lookAtAttributes(_ element: Int) {
    for attribute in tape.attributes[tape.elements[element].attributes.indices(in: tape)] {
      switch attributeRoles[Int(attribute.name)] {
      case .itemprop: lookAtProperty(attribute.value, of: element)
      case .itemtype where !isElsewhere(element):
        add(.type, tape.string(attribute.value.prefix(200)), rank: 0, source: "itemtype")
      case .rel: lookAtRelation(attribute.value, of: element)
      case .data: preloaded.append(attribute.value)
      case .pubdate: addDate(element, rank: FactNames.Rank.timeElement, source: "time[pubdate]")
      default: break
      }
    }
  }

  private mutating func lookAtProperty(_ range: Range<Int32>, of element: Int) {
    guard range.count < 100 else { return }
    for token in tape.string(range).asciiLowercased().split(separator: " ") {
      guard let slot = FactNames.itemprops[String(token)] else { continue }
      let rank = FactNames.Rank.itemprop
      switch slot {
      case .published: if token == "datepublished" { addDate(element, rank: rank, source: "itemprop") }
      case .updated:
        if let date = date(of: element) { add(.updated, date, rank: rank, source: "itemprop") }
      case .byline where !isElsewhere(element): addName(element, rank: rank, source: "itemprop")
      case .language: add(.language, value(.content, of: element) ?? "", rank: rank, source: "itemprop")
      default: break
      }
    }
  }

  private mutating func lookAtRelation(_ range: Range<Int32>, of element: Int) {
    guard range.count < 60, range.count >= 6, !isElsewhere(element) else { return }
    let tokens = tape.string(range).asciiLowercased().split(separator: " ")
    if tokens.contains("author") { addName(element, rank: FactNames.Rank.rel, source: "rel=author") }
  }

  private mutating func addDate(_ element: Int, rank: Int, source: String) {
    if let date = date(of: element), !isElsewhere(element) { add(.published, date, rank: rank, source: source) }
  }

  /// Returns the text of a date in an element: from an attribute, else its content.
  func date(of element: Int) -> String? {
    let said = value(.content, of: element, most: 100) ?? value(.datetime, of: element, most: 100)
    if let said = said?.trimmedOrNil() { return said }
    return tape.text(in: element, most: 200).squeezed().trimmedOrNil()
  }

  private mutating func addName(_ element: Int, rank: Int, source: String) {
    let text = name(in: element)
    if text.utf8.count <= 200 { add(.byline, text, rank: rank, source: source, at: element) }
  }

  /// Returns the name in an element: of its inner `name` property when there is one.
  func name(in element: Int) -> String {
    if let said = value(.content, of: element, most: 200)?.trimmedOrNil() { return said }
    let items = tape.elements[element]
    for item in tape.items[Int(items.first)..<min(Int(items.end), Int(items.first) + 40)] {
      guard case .element(let inner) = item, let range = range(.itemprop, of: inner), range.count == 4,
        tape.string(range).asciiLowercased() == "name"
      else { continue }
      return value(.content, of: inner, most: 200)?.trimmedOrNil() ?? tape.pieces(in: inner, most: 300).squeezed()
    }
    return tape.pieces(in: element, most: 300).squeezed()
  }

  /// Whether an element is in a part of the page about something else, such as comments or related articles.
  func isElsewhere(_ element: Int) -> Bool {
    let zones = tape.elements[element].zones
    if !zones.isDisjoint(with: [.navigation, .aside]) { return true }
    for outer in tape.ancestors(of: element).prefix(12) {
      if let range = range(.itemprop, of: outer), range.count == 7, tape.string(range).asciiLowercased() == "comment" {
        return true
      }
      guard let range = range(.classes, of: outer) ?? range(.id, of: outer), range.count < 200 else { continue }
      if tape.contains(any: ["comment", "related", "recommend"], in: range) { return true }
    }
    return false
  }
}

extension Range<Int32> {
  fileprivate func indices(in tape: PageTape) -> Range<Int> { Int(lowerBound)..<Int(upperBound) }

  /// Returns the first `most` indices.
  func prefix(_ most: Int32) -> Range<Int32> { lowerBound..<Swift.min(upperBound, lowerBound &+ most) }
}

extension PageTape {
  /// Whether a text contains one of these lower-case words, ignoring case.
  func contains(any words: [StaticString], in range: Range<Int32>) -> Bool {
    let (start, end) = (Int(range.lowerBound), Int(range.upperBound))
    for word in words {
      let length = word.utf8CodeUnitCount
      if end - start < length { continue }
      let isFound = word.withUTF8Buffer { wanted in
        for position in start...(end - length) where bytes[position].asciiLowercased == wanted[0] {
          var offset = 1
          while offset < length, bytes[position + offset].asciiLowercased == wanted[offset] { offset += 1 }
          if offset == length { return true }
        }
        return false
      }
      if isFound { return true }
    }
    return false
  }
}

extension PageTape {
  /// Returns the text of an element, with a bar between pieces that are not separated by white space.
  func pieces(in element: Int, most: Int) -> String {
    var text: [UInt8] = []
    var skipped = 0
    for index in Int(elements[element].first)..<Int(elements[element].end) {
      switch items[index] {
      case .text(let range):
        let piece = bytes[Int(range.lowerBound)..<Int(range.upperBound)].prefix(most)
        if index >= skipped { Self.join(piece, to: &text) }
      case .element(let inner):
        if kind(of: inner).isSilent { skipped = max(skipped, Int(elements[inner].end)) }
        if kind(of: inner).isBlock || kind(of: inner).isLineBreak, !text.isEmpty { text += " | ".utf8 }
      case .foreign: continue
      }
      if text.count > most { break }
    }
    return String(streamSafe: text)
  }

  /// Appends a piece of text, with a bar where two words would join.
  static func join(_ piece: ArraySlice<UInt8>, to text: inout [UInt8]) {
    if let last = text.last, let first = piece.first, Self.isInWord(last), Self.isInWord(first) { text.append(0x7C) }
    text += piece
  }

  private static func isInWord(_ byte: UInt8) -> Bool { byte.isASCIIAlphanumeric || byte >= 0x80 }
}

extension String {
  /// Returns the text with each run of white space, including no-break spaces, replaced by one space, and without
  /// zero-width characters.
  func squeezed() -> String {
    var text = self
    if text.utf8.contains(where: { $0 == 0xC2 || $0 == 0xE2 || $0 == 0xE3 || $0 == 0xEF }) {
      let scalars = text.unicodeScalars.compactMap { scalar -> Unicode.Scalar? in
        switch scalar.value {
        case 0xA0, 0x3000, 0x2000...0x200A, 0x202F, 0x2028, 0x2029: " "
        case 0xAD, 0x200B...0x200F, 0x2060, 0xFEFF, 0x202A...0x202E: nil
        default: scalar
        }
      }
      text = String(String.UnicodeScalarView(scalars))
    }
    return text.collapsingSpace()
  }
}
