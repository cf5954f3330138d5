import TamisCore

/// A splitter of a page into blocks, in one walk over its tape.
struct BlockFinder {
  private let tape: PageTape
  private var found = Blocks()
  private var block = Block(owner: -1, items: 0..<0)
  private var count = TextCount()
  /// The open elements, each with the state to be restored after it.
  private var open: [Open] = []
  private var owners: [Int] = []
  private var (links, emphases) = (0, 0)
  /// The number of line breaks since the last text.
  private var breaks = 0
  private var isBegun = false

  private struct Open {
    var element: Int
    var end: Int32
  }

  private init(_ tape: PageTape) { self.tape = tape }

  /// Returns the blocks of a page; a run with neither text nor pictures nor formulas is not a block.
  static func find(in tape: PageTape) -> Blocks {
    var finder = BlockFinder(tape)
    finder.walk()
    return finder.found
  }

  /// The white space with which the open block of code begins, and the element that it is in.
  private var indent: (index: Int, opening: Int)?

  private mutating func walk() {
    for (index, item) in tape.items.enumerated() {
      while let last = open.last, last.end <= index {
        open.removeLast()
        leave(last.element, at: index)
      }
      switch item {
      case .element(let element): enter(element, at: index)
      case .text(let range): add(range, at: index)
      case .foreign: continue
      }
    }
    endBlock(at: tape.items.count)
  }

  private mutating func enter(_ element: Int, at index: Int) {
    let kind = tape.kind(of: element)
    if kind.isBlock {
      endBlock(at: index)
      owners.append(element)
    } else if kind.isLineBreak {
      count.endWord()
      breaks += 1
      // Readers see an empty line as the end of a paragraph.
      if breaks == 2 { endBlock(at: index) }
    } else if kind.isLink {
      links += 1
      // The link that is a place of a line of code is hidden, and the line is not.
      if tape.elements[element].zones.isDisjoint(with: [.hidden, .concealed]) {
        begin(at: index, element)
        block.links += 1
      }
    } else if kind.isEmphasis {
      emphases += 1
    } else if kind.isPicture || isDrawing(element) {
      begin(at: index, element)
      block.pictures += 1
    } else if kind.isForeign, isFormula(element) {
      begin(at: index, element)
      block.formulas += 1
    }
    open.append(Open(element: element, end: tape.elements[element].end))
  }

  private func isFormula(_ element: Int) -> Bool {
    tape.name(of: element) == "math" && tape.elements[element].zones.isDisjoint(with: [.hidden, .concealed])
  }

  /// The size from which a drawing is no icon, in pixels.
  private static let smallestDrawing = (width: 100, height: 40)

  /// Whether an element is a drawing of the size of a picture, outside of links and controls, that shows something: one
  /// in a figure or in code, with words, or with a name.
  private func isDrawing(_ element: Int) -> Bool {
    guard tape.kind(of: element).isForeign, tape.name(of: element) == "svg", links == 0,
      tape.elements[element].zones.isDisjoint(with: [.hidden, .concealed, .control])
    else { return false }
    let box = tape.value(of: "viewbox", in: element)?.split { $0 == " " || $0 == "," }.compactMap { Double($0) } ?? []
    let style = tape.value(of: "style", in: element).map { $0.split(separator: ";") } ?? []
    func side(_ name: String, _ index: Int) -> Double {
      let styled = style.first { $0.trimmed().hasPrefix(name + ":") }.map { $0.trimmed().dropFirst(name.count + 1) }
      let said = (styled.map(String.init) ?? tape.value(of: name, in: element))?.trimmed()
      let pixels = said.flatMap { $0.hasSuffix("%") ? nil : Double($0.prefix { $0.isNumber || $0 == "." }) }
      return pixels ?? (box.count == 4 ? box[index] : 0)
    }
    return side("width", 2) >= Double(Self.smallestDrawing.width)
      && side("height", 3) >= Double(Self.smallestDrawing.height) && saysSomething(drawing: element)
  }

  private func saysSomething(drawing: Int) -> Bool {
    if tape.elements[drawing].zones.contains(.figure) || tape.value(of: "aria-label", in: drawing) != nil {
      return true
    }
    let around = tape.ancestors(of: drawing).dropFirst().prefix(3)
    if around.contains(where: { tape.kind(of: $0).role == .preformatted || isFigureBox($0) }) { return true }
    let inside = (drawing + 1..<tape.elements.count).prefix { tape.elements[$0].first <= tape.elements[drawing].end }
    return inside.contains { Self.wordsOfDrawings.contains(tape.name(of: $0)) }
  }

  /// Whether classes say that an element is around a figure: Pandoc's `figure`, Asciidoctor's `imageblock`, `mermaid`.
  private func isFigureBox(_ element: Int) -> Bool {
    let classes = tape.value(of: "class", in: element)?.lowercased().split { $0 == " " } ?? []
    return classes.contains { Self.figureBoxes.contains(String($0)) }
  }

  private static let figureBoxes: Set = [
    "figure", "image", "imageblock", "mermaid", "diagram", "chart", "plot", "graphviz",
  ]

  /// The elements of a drawing that say what it shows; matplotlib writes `metadata`.
  private static let wordsOfDrawings: Set = ["text", "title", "desc", "metadata", "foreignobject"]

  private mutating func leave(_ element: Int, at index: Int) {
    let kind = tape.kind(of: element)
    if kind.isBlock {
      endBlock(at: index)
      if owners.last == element { owners.removeLast() }
    } else if kind.isLink {
      links -= 1
    } else if kind.isEmphasis {
      emphases -= 1
    }
  }

  private mutating func add(_ range: Range<Int32>, at index: Int) {
    if let element = open.last?.element, tape.kind(of: element).isSilent { return }
    let bytes = tape.bytes[Int(range.lowerBound)..<Int(range.upperBound)]
    if bytes.contains(where: { !$0.isHTMLSpace }) { beginAnew(open.last?.element ?? -1) }
    let before = count.characters
    count.add(bytes)
    let added = count.characters - before
    if added == 0 {
      if !isBegun, indent == nil, owners.last.map({ tape.kind(of: $0).role == .preformatted }) ?? false {
        indent = (index, open.last?.element ?? -1)
      }
      return
    }
    breaks = 0
    begin(at: index, open.last?.element ?? -1)
    if links > 0 { block.linkCharacters += added }
    if emphases > 0 { block.emphasis += added }
  }

  /// Leaves out the beginning of a block that nobody sees, before something that is seen.
  ///
  /// A block is hidden when all of it is, not when it begins with a word that is, or with one for those who listen.
  private mutating func beginAnew(_ element: Int) {
    guard isBegun, element >= 0 else { return }
    let zones = tape.elements[element].zones
    if block.zones.contains(.concealed), !zones.contains(.concealed) {
      isBegun = false
      count.removeAll()
    } else if !zones.contains(.hidden) {
      block.zones.remove(.hidden)
    }
  }

  private mutating func begin(at index: Int, _ element: Int) {
    beginAnew(element)
    if isBegun { return }
    isBegun = true
    let start = indent?.index ?? index
    block = Block(owner: owners.last ?? -1, items: Int32(start)..<Int32(start))
    block.opening = indent?.opening ?? open.last?.element ?? -1
    if element >= 0 { block.zones = tape.elements[element].zones }
  }

  private mutating func endBlock(at index: Int) {
    defer {
      count.removeAll()
      (isBegun, breaks, indent) = (false, 0, nil)
    }
    guard isBegun, count.characters > 0 || block.pictures > 0 || block.formulas > 0 else { return }
    count.endWord()
    block.items = block.items.lowerBound..<Int32(index)
    (block.words, block.characters) = (count.count, count.characters)
    (block.punctuation, block.sentences) = (count.punctuation, count.sentences)
    (block.digits, block.capitals, block.last) = (count.digits, count.capitals, count.last)
    let start = found.digests.count
    found.digests += count.words
    block.digests = start..<found.digests.count
    block.text = count.words.reduce(0x811C_9DC5) { ($0 ^ $1) &* 0x0100_0193 }
    found.list.append(block)
  }
}
