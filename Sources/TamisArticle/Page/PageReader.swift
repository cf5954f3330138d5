import TamisCore
import TamisHTML

/// A reader of a page onto a ``PageTape``.
final class PageReader {
  private var tape = PageTape()
  private var open: [Int] = []
  private var silent = 0
  /// The number of open drawings and formulas.
  private var foreign = 0
  /// The number of open integration points in them.
  private var integrationPoints = 0
  private var isData = false
  /// The number of open elements inside of one whose text is left out; nil outside.
  private var spareDepth: Int?
  private let limits: Limits
  private var reader = HTMLReader()
  /// The marks of attributes, by the numbers of their names.
  private var marks: [Mark?] = []
  /// What matters for hiding of elements, by the numbers of their names.
  private var hidingKinds: [HiddenParts.Kind] = []
  private var hidden = HiddenParts()
  private var footnotes = Footnotes()
  /// The notes that stood within the text, by their marks, and those of them whose marks are concealed.
  private var movedNotes: [Int32: Int32] = [:]
  private var orphans: Set<Int32> = []
  /// The position on the tape where the last element ended.
  private var lastEnd: Int32 = 0
  /// The zones that each element begins itself, and of these the ones that only the name of a class or an id marks.
  private var own: [(zones: ElementKind.Zones, named: ElementKind.Zones)] = []

  /// An attribute that affects all content of its element.
  private enum Mark { case hidden, ariaHidden, style, role, itemprop, classes, identifier, type }

  init(limits: Limits) { self.limits = limits }

  /// Reads a page.
  ///
  /// - Parameters:
  ///   - page: the page in UTF-8; invalid UTF-8 is read as windows-1252.
  ///   - sheets: what finds the sheets that the page links to; nil for none.
  /// - Returns: the tape of the page.
  func read(_ page: borrowing Span<UInt8>, sheets: LinkedSheets.Finder? = nil) -> PageTape {
    tape.elements.removeAll(keepingCapacity: true)
    tape.attributes.removeAll(keepingCapacity: true)
    tape.items.removeAll(keepingCapacity: true)
    tape.bytes.removeAll(keepingCapacity: true)
    open.removeAll(keepingCapacity: true)
    own.removeAll(keepingCapacity: true)
    (silent, foreign, integrationPoints, isData, lastEnd) = (0, 0, 0, false, 0)
    spareDepth = nil
    reader.readDocument(page, limits: limits, conventions: .all, sheets: sheets)
    readNames()
    reader.find(&hidden, hidingKinds, isPage: true)
    tape.sheetRefusal = reader.builder.tree.sheets.refusal?.rawValue
    tape.hidden.removeAll(keepingCapacity: true)
    footnotes = Footnotes(in: reader.builder.tree, isPage: true)
    movedNotes = Dictionary(uniqueKeysWithValues: reader.builder.tree.movedNotes.map { ($0.mark, $0.item) })
    orphans = []
    (tape.notes, tape.references, tape.backlinks) = ([:], [:], [])
    while let event = reader.next() {
      switch event {
      case .start(let name): startElement(Int(name))
      case .end: endElement()
      case .text(let range):
        if hidden.contains(reader.entered) { noteHidden() }
        if !isUnseen, spareDepth == nil { text(reader.builder.tree.bytes.span.extracting(range)) }
      }
    }
    while let element = open.popLast() { tape.elements[element].end = Int32(tape.items.count) }
    unmarkMainBoxes()
    return tape
  }

  /// Reads new names, which have the same numbers as in the reader.
  private func readNames() {
    for name in tape.names.count..<reader.builder.tree.elementNames.count {
      tape.names.append(reader.builder.tree.text(ofElement: Int32(name)).prefix(bytes: PageTape.longestName))
      tape.kinds.append(ElementKind(tape.names[name]))
      hidingKinds.append(HiddenParts.Kind(tape.names[name]))
    }
    for name in marks.count..<reader.builder.tree.attributeNames.count {
      tape.attributeNames.append(reader.builder.tree.attributeTexts[name])
      marks.append(Self.marks[tape.attributeNames[name]])
    }
  }

  // MARK: - Events

  private static let marks: [String: Mark] = [
    "hidden": .hidden, "aria-hidden": .ariaHidden, "style": .style, "role": .role, "itemprop": .itemprop,
    "class": .classes, "id": .identifier, "type": .type,
  ]

  private func startElement(_ name: Int) {
    let number = tape.elements.count
    let parent = open.last
    // Deeper elements count as being at this depth, so that walks to the root are bounded.
    let outer = open.isEmpty ? -1 : open[min(open.count, max(1, limits.fragmentDepth)) - 1]
    let kind = tape.kinds[name]
    let first = Int32(tape.attributes.count)
    let outside = (parent.map { tape.elements[$0].zones } ?? []).subtracting(kind.ends)
    var (zones, named): (ElementKind.Zones, ElementKind.Zones) = (kind.zones, [])
    if isUnseen { zones.insert(.concealed) }
    // The footer of a quotation says whose it is.
    if let parent, tape.names[name] == "footer", tape.name(of: parent) == "blockquote" { zones.remove(.footer) }
    let isOutside = outside.union(zones).isDisjoint(with: [.main, .article, .body])
    var startsData = false
    for index in reader.attributes {
      let attribute = Int(reader.builder.tree.attributes[Int(index)].name)
      let value = reader.builder.tree.bytes.span.extracting(reader.builder.tree.attributes[Int(index)].value)
      let start = Int32(tape.bytes.count)
      tape.bytes.append(value, 0..<value.count)
      tape.attributes.append(PageTape.Attribute(name: Int32(attribute), value: start..<Int32(tape.bytes.count)))
      guard let mark = marks[attribute] else { continue }
      // On a picture the attribute only excludes it from being read aloud, as on formulas next to their MathML.
      if mark == .ariaHidden, kind.isPicture { continue }
      zones.formUnion(Self.zones(mark, value))
      if kind.isNamedZone, mark == .classes { named.formUnion(ZoneNames.zones(of: value)) }
      // Sections of a document are named by their titles.
      if kind.isNamedZone, isOutside, mark == .identifier { named.formUnion(ZoneNames.zones(of: value)) }
      if mark == .type, Self.contains(value, "json") { startsData = tape.names[name] == "script" }
    }
    own.append((zones, named))
    zones.formUnion(outside.union(named))
    tape.elements.append(
      PageTape.Element(
        name: Int32(name), parent: Int32(outer), first: Int32(tape.items.count + 1), end: 0,
        attributes: first..<Int32(tape.attributes.count), zones: zones, depth: UInt16(clamping: open.count),
        line: Int32(clamping: reader.location(of: reader.place.offset).line)))
    if hidden.contains(reader.entered) { noteHidden() }
    tape.items.append(.element(number))
    switch footnotes.role(of: reader.entered) {
    case .note(let note): tape.notes[number] = note
    case .reference(let note): tape.references[number] = note
    case .backlink: tape.backlinks.insert(number)
    case .none, .separator: break
    }
    if !zones.isDisjoint(with: [.hidden, .concealed]), let item = movedNotes[reader.entered] { orphans.insert(item) }
    open.append(number)
    if isSpare, spareDepth == nil { spareDepth = open.count }
    if kind.isSilent { silent += 1 }
    if foreign > 0, kind.isIntegrationPoint { integrationPoints += 1 }
    if kind.isForeign { foreign += 1 }
    // An unclosed drawing does not swallow the page.
    if kind.endsForeign, integrationPoints == 0 { foreign = 0 }
    isData = startsData
  }

  /// Notes the place of a hidden element or text that is in no other one.
  private func noteHidden() {
    let isInside = open.last.map { tape.elements[$0].zones.contains(.concealed) } ?? false
    let place = Int32(tape.items.count)
    if !isInside, tape.hidden.last != place { tape.hidden.append(place) }
  }

  /// Whether the last element or text is hidden, or left out.
  private var isUnseen: Bool { hidden.contains(reader.entered) || isSpare || orphans.contains(reader.entered) }

  /// Whether the last element is a control of the page, or shows again what is there.
  private var isSpare: Bool {
    reader.builder.tree.controls.contains(reader.entered) || reader.builder.tree.duplicates.contains(reader.entered)
  }

  private func endElement() {
    guard let element = open.popLast() else { return }
    if let depth = spareDepth, open.count < depth { spareDepth = nil }
    tape.elements[element].end = Int32(tape.items.count)
    let kind = tape.kinds[Int(tape.elements[element].name)]
    if kind.isSilent { silent -= 1 }
    if kind.isForeign { foreign = max(0, foreign - 1) }
    if kind.isIntegrationPoint { integrationPoints = max(0, integrationPoints - 1) }
    if foreign == 0 { integrationPoints = 0 }
    isData = false
    lastEnd = Int32(tape.items.count)
  }

  private func text(_ bytes: borrowing Span<UInt8>) {
    // Silent text is not read, except for a title and data.
    if silent > 0, !isData, !isTitle {
      guard isAssignment(bytes) else { return }
      isData = true
    }
    let start = Int32(tape.bytes.count)
    tape.bytes.append(bytes, 0..<bytes.count)
    if foreign > 0 {
      tape.items.append(.foreign(start..<Int32(tape.bytes.count)))
      return
    }
    // Runs come in pieces.
    if case .text(let last)? = tape.items.last, lastEnd != Int32(tape.items.count) {
      tape.items[tape.items.count - 1] = .text(last.lowerBound..<Int32(tape.bytes.count))
    } else {
      tape.items.append(.text(start..<Int32(tape.bytes.count)))
    }
  }

  private var isTitle: Bool { isIn("title") }

  private func isIn(_ name: String) -> Bool {
    open.last.map { tape.names[Int(tape.elements[$0].name)] == name } ?? false
  }

  /// Whether a text is a script that begins with the assignment of data, such as `window.__INITIAL_STATE__ = {`.
  private func isAssignment(_ bytes: borrowing Span<UInt8>) -> Bool {
    let start: StaticString = "window.__"
    guard let found = ByteScan.index(of: start, in: bytes.extracting(first: 32), from: 0), isIn("script") else {
      return false
    }
    return (0..<found).allSatisfy { bytes[$0].isHTMLSpace }
  }

  // MARK: - Zones

  /// The minimum part of a page's text of a box that is no side bar or footer, whatever its class says: a fifth.
  private static let mainPart = 5

  /// Takes the zones of names from large boxes when two thirds of the page's text would be in such zones.
  ///
  /// The boxes are those in the page's main part, and those with a headline.
  private func unmarkMainBoxes() {
    let named = own.indices.filter { !own[$0].named.isEmpty && !own[$0].named.contains(.notice) }
    if named.isEmpty { return }
    // The bytes of text outside of links and of what is not read before each item.
    var (before, unread): ([Int], Int32) = ([0], 0)
    for (index, item) in tape.items.enumerated() {
      var size = 0
      switch item {
      case .element(let element):
        let kind = tape.kind(of: element)
        if kind.isLink || kind.isSilent { unread = max(unread, tape.elements[element].end) }
      case .text(let range):
        if index >= unread {
          size = tape.bytes[Int(range.lowerBound)..<Int(range.upperBound)].count { !$0.isHTMLSpace }
        }
      case .foreign: break
      }
      before.append(before[index] + size)
    }
    let all = before[tape.items.count]
    var (inZones, end) = (0, Int32(0))
    for element in named where tape.elements[element].first >= end {
      end = tape.elements[element].end
      inZones += before[Int(end)] - before[Int(tape.elements[element].first)]
    }
    guard inZones * 3 > all * 2 else { return }
    let headlines = tape.elements.indices.filter { tape.kind(of: $0).headingLevel == 1 }.map { tape.elements[$0].first }
    var (isChanged, next) = (false, 0)
    for element in named {
      let range = (tape.elements[element].first, tape.elements[element].end)
      if (before[Int(range.1)] - before[Int(range.0)]) * Self.mainPart < all { continue }
      let isInMain = !tape.elements[element].zones.isDisjoint(with: [.main, .article, .body])
      while next < headlines.count, headlines[next] < range.0 { next += 1 }
      let hasHeadline = next < headlines.count && headlines[next] <= range.1
      guard isInMain || hasHeadline else { continue }
      (own[element].named, isChanged) = ([], true)
    }
    guard isChanged else { return }
    for element in tape.elements.indices {
      let parent = Int(tape.elements[element].parent)
      let outside = (parent < 0 ? [] : tape.elements[parent].zones).subtracting(tape.kind(of: element).ends)
      tape.elements[element].zones = outside.union(own[element].zones).union(own[element].named)
    }
  }

  private static func zones(_ mark: Mark, _ value: borrowing Span<UInt8>) -> ElementKind.Zones {
    switch mark {
    case .hidden: .hidden
    case .ariaHidden: value.count == 4 ? .hidden : []
    case .style: contains(value, "display:none") || contains(value, "display: none") ? .hidden : []
    case .role:
      if contains(value, "navigation") || contains(value, "menu") {
        .navigation
      } else if contains(value, "complementary") {
        .aside
      } else if contains(value, "contentinfo") {
        .footer
      } else if contains(value, "banner") {
        .header
      } else if contains(value, "main") {
        .main
      } else if contains(value, "article") {
        .article
      } else {
        contains(value, "search") || contains(value, "dialog") ? .form : []
      }
    case .itemprop: contains(value, "articleBody") || contains(value, "reviewBody") ? .body : []
    case .classes: contains(value, "e-content") ? .body : []
    case .type, .identifier: []
    }
  }

  private static func contains(_ value: borrowing Span<UInt8>, _ text: StaticString) -> Bool {
    ByteScan.index(of: text, in: value, from: 0) != nil
  }
}
