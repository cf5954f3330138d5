import TamisCore

/// A writer of the article's blocks as markup: in their own lists, tables, quotes and figures, without the enclosing
/// boxes.
///
/// The output is as untrusted as the page: it must be sanitized.
struct ArticleWriter {
  private let page: MeasuredPage
  private let posts: ThreadPosts?
  private var output: [UInt8] = []
  /// The open elements of the output, outermost first.
  private var open: [Step] = []
  /// The posts whose origin is written: one that holds others is written in several parts.
  private var begunPosts: Set<Int> = []
  /// The cells of the open row of a data table that are still to be written.
  private var cells: ArraySlice<Int> = []
  private var lastOwner = -2
  /// Whether the block is written without its words.
  private var isWordless = false

  /// An element written around a block, from the page or added.
  private enum Step: Equatable {
    /// A post of a thread, by its number.
    case post(Int)
    case element(Int)
    /// A paragraph around a block outside of all text elements of the page, with the position of the block.
    case paragraph(Int32)
    /// A figure around a picture and its caption, with the block of the picture.
    case figure(Int)
    case caption
  }

  /// Whether each element has been written, by its number.
  private var isWrittenOnce: [Bool]
  /// The number of bytes of start tags that may still be repeated for inline elements around several blocks.
  ///
  /// This keeps the output linear in the page.
  private var spare: Int

  private init(_ page: MeasuredPage, _ posts: ThreadPosts?) {
    (self.page, self.posts) = (page, posts)
    isWrittenOnce = Array(repeating: false, count: page.tape.elements.count)
    spare = max(Self.leastSpare, page.tape.bytes.count)
  }

  private static let leastSpare = 1 << 16

  /// Returns the markup of the shown blocks, with the posts of a thread as `article` elements.
  static func markup(_ page: MeasuredPage, _ choice: Choice, _ posts: ThreadPosts?) -> [UInt8] {
    var writer = ArticleWriter(page, posts)
    let framed = Set(choice.pictureOfCaption.values)
    for (index, block) in page.blocks.list.enumerated() where choice.isShown[index] {
      if let picture = choice.pictureOfCaption[index] {
        writer.write(block, at: writer.within(index, writer.wayToCaption(block, of: picture)))
      } else {
        // Words next to a picture that are not part of the text are left out, except those of its figure.
        writer.isWordless = choice.rules[index] == .picture && !block.zones.contains(.figure)
        let way = framed.contains(index) ? writer.wayToPicture(index) : writer.way(to: block)
        writer.write(block, at: writer.within(index, way))
        writer.isWordless = false
      }
    }
    writer.close(to: 0)
    return writer.output
  }

  /// The elements kept around a block.
  private static let structure: Set = [
    "ul", "ol", "li", "dl", "dt", "dd", "blockquote", "pre", "table", "caption", "thead", "tbody", "tfoot", "tr", "td",
    "th", "figure", "figcaption", "h1", "h2", "h3", "h4", "h5", "h6", "p", "details", "summary", "a",
  ]
  private static let tableParts: Set = ["table", "caption", "thead", "tbody", "tfoot", "tr", "td", "th"]
  /// The elements that can contain text directly.
  private static let holdsText: Set = [
    "li", "dt", "dd", "blockquote", "pre", "caption", "td", "th", "figure", "figcaption", "h1", "h2", "h3", "h4", "h5",
    "h6", "p", "summary",
  ]

  private mutating func write(_ block: Block, at outer: [Step]) {
    let way = withParagraph(outer, block)
    var common = 0
    while common < min(way.count, open.count), way[common] == open[common] { common += 1 }
    let isApart = (open[common...] + way[common...]).contains { !isLink($0) }
    let container = way[..<common].last { !isLink($0) }
    // Two blocks of one paragraph are two paragraphs.
    if !isApart, common == way.count, block.owner == lastOwner, way.last.map(isParagraph) == true { common -= 1 }
    close(to: common)
    if !isApart, case .element(let element)? = container { separate(block, in: element) }
    for step in way[common...] { begin(step) }
    writeItems(of: block)
    lastOwner = block.owner
  }

  /// Separates a block from the one before, when neither begins nor ends an element of the output that is a box.
  private mutating func separate(_ block: Block, in container: Int) {
    switch page.tape.kind(of: container).role {
    case .paragraph: break
    // Each line of code may be a box.
    case .preformatted where block.owner != lastOwner: output.append(0x0A)
    // Two blocks of one element are separated by an empty line, two boxes by a line end.
    default: output += (block.owner == lastOwner ? "<br><br>" : "<br>").utf8
    }
  }

  /// Adds a paragraph, inside links, when no element can contain text directly.
  private func withParagraph(_ way: [Step], _ block: Block) -> [Step] {
    let links = way.reversed().prefix { isLink($0) }.count
    if holdsText(way.dropLast(links).last) { return way }
    let inner = way.suffix(links).filter(mayBeginStep)
    return Array(way.dropLast(links)) + [.paragraph(block.items.lowerBound)] + inner
  }

  private func mayBeginStep(_ step: Step) -> Bool {
    if case .element(let element) = step { mayBegin(element) } else { true }
  }

  /// Whether an inline element may be written, again if it has been written before.
  private func mayBegin(_ element: Int) -> Bool { !isWrittenOnce[element] || spare > 0 }

  private func isLink(_ step: Step) -> Bool {
    if case .element(let element) = step { page.tape.kind(of: element).isLink } else { false }
  }

  private func holdsText(_ step: Step?) -> Bool {
    switch step {
    case nil, .post: false
    case .element(let element):
      Self.holdsText.contains(page.tape.name(of: element)) || page.tape.notes[element] != nil
    case .paragraph, .figure, .caption: true
    }
  }

  /// Returns the elements inside of a block's post, with the post around them.
  private func within(_ block: Int, _ way: [Step]) -> [Step] {
    guard let posts, let post = posts.postOfBlock[block] else { return way }
    let outer = posts.list[post].element
    return [.post(post)] + way.filter { if case .element(let element) = $0 { element > outer } else { true } }
  }

  /// Returns the elements written around a block, outermost first.
  private func way(to block: Block) -> [Step] {
    guard block.owner >= 0 else { return [] }
    var way: [Step] = []
    for element in page.tape.ancestors(of: block.owner) {
      let name = page.tape.name(of: element)
      guard Self.structure.contains(name) || page.tape.notes[element] != nil else { continue }
      if Self.tableParts.contains(name), page.tables.around(element) == nil { continue }
      if page.tape.kind(of: element).isLink, !isWritten(element) { continue }
      way.append(.element(element))
    }
    return way.reversed()
  }

  /// Returns the elements around a picture with a caption: in the page's figure, else in an added one.
  private func wayToPicture(_ index: Int) -> [Step] {
    let way = way(to: page.blocks.list[index])
    return way.contains(where: isFigure) ? way : way.filter { !isParagraph($0) } + [.figure(index)]
  }

  /// Returns the elements around the caption of a picture: in the figure of the picture.
  private func wayToCaption(_ block: Block, of picture: Int) -> [Step] {
    let own = way(to: block)
    let toPicture = wayToPicture(picture)
    guard let figure = toPicture.firstIndex(where: isFigure), own.count <= figure || own[figure] != toPicture[figure]
    else { return own }
    return toPicture[...figure] + [.caption]
  }

  private func isFigure(_ step: Step) -> Bool {
    switch step {
    case .element(let element): page.tape.name(of: element) == "figure"
    case .figure: true
    case .paragraph, .caption, .post: false
    }
  }

  private func isParagraph(_ step: Step) -> Bool {
    if case .element(let element) = step { page.tape.kind(of: element).role == .paragraph } else { false }
  }

  private mutating func begin(_ step: Step) {
    switch step {
    case .post(let post):
      output += "<article>\n".utf8
      if begunPosts.insert(post).inserted { output += (posts?.list[post].post.origin ?? "").utf8 }
    case .element(let element):
      writeCells(before: element)
      // A row that is written in several parts has its empty cells in the first one.
      let isFirst = !isWrittenOnce[element]
      start(element)
      if isFirst, page.tape.name(of: element) == "tr" { cells = cells(of: element)[...] }
    case .paragraph: output += "<p>".utf8
    case .figure: output += "<figure>".utf8
    case .caption: output += "<figcaption>".utf8
    }
    open.append(step)
  }

  private mutating func close(to count: Int) {
    while let step = open.last, open.count > count {
      open.removeLast()
      switch step {
      case .post: end("article")
      case .element(let element):
        if page.tape.name(of: element) == "tr" { writeCells(before: nil) }
        end(page.tape.name(of: element))
        if !page.tape.kind(of: element).isBlock { continue }
      case .paragraph: end("p")
      case .figure: end("figure")
      case .caption: end("figcaption")
      }
      output.append(0x0A)
    }
  }

  // MARK: - Cells

  /// Returns the cells of a row of a data table.
  private func cells(of row: Int) -> [Int] {
    let elements = page.tape.elements
    return elements.indices[(row + 1)...].prefix { elements[$0].first <= elements[row].end }.filter {
      elements[$0].parent == row && page.tape.kind(of: $0).role == .cell
    }
  }

  /// Writes the cells of the open row that come before an element and have nothing to show, so that the others stay in
  /// their columns.
  ///
  /// - Parameter element: the next element; nil at the end of the row.
  private mutating func writeCells(before element: Int?) {
    guard !cells.isEmpty else { return }
    if let element, page.tape.kind(of: element).role != .cell { return }
    while let cell = cells.first, cell < element ?? .max {
      cells.removeFirst()
      start(cell)
      end(page.tape.name(of: cell))
    }
    if let cell = cells.first, cell == element { cells.removeFirst() }
  }

  // MARK: - Inside

  private mutating func writeItems(of block: Block) {
    var inner: [Int] = []
    for element in inlineElements(around: block) {
      start(element)
      inner.append(element)
    }
    let contentEnd = contentEnd(of: block)
    var signEnd = 0
    page.tape.forEachItem(of: block) { position, item in
      if position < signEnd { return }
      while let last = inner.last, page.tape.elements[last].end <= position {
        inner.removeLast()
        end(page.tape.name(of: last))
      }
      switch item {
      case .text(let range): if !isWordless { escape(range) }
      case .foreign(let range): escape(range)
      case .element(let element):
        if isSign(element) { signEnd = Int(page.tape.elements[element].end) }
        if position < signEnd || !isWritten(element)
          || position >= contentEnd && page.tape.kind(of: element).isLineBreak
        {
          return
        }
        start(element)
        if !page.tape.kind(of: element).isEmpty { inner.append(element) }
      }
    }
    for element in inner.reversed() { end(page.tape.name(of: element)) }
  }

  /// Whether an element is a drawing beside the words of a link, such as the arrow of one to another site: without the
  /// page's style sheet it would be as wide as the page.
  private func isSign(_ element: Int) -> Bool {
    guard page.tape.name(of: element) == "svg" else { return false }
    let link = page.tape.ancestors(of: element).prefix(8).first { page.tape.kind(of: $0).isLink }
    return link.map { !page.tape.text(in: $0, most: 40).trimmed().isEmpty } ?? false
  }

  /// Returns the inline elements in which a block begins, outermost first.
  private func inlineElements(around block: Block) -> [Int] {
    guard block.opening >= 0, block.opening != block.owner else { return [] }
    return page.tape.ancestors(of: block.opening).prefix { $0 != block.owner }
      .filter {
        page.tape.elements[$0].first <= block.items.lowerBound && isWritten($0) && mayBegin($0)
          && !page.tape.kind(of: $0).isForeign
      }.reversed()
  }

  /// Returns the position after the last item of a block that is neither a line break nor white space.
  private func contentEnd(of block: Block) -> Int {
    var position = Int(block.items.upperBound)
    while position > Int(block.items.lowerBound) {
      switch page.tape.items[position - 1] {
      case .element(let element): if !page.tape.kind(of: element).isLineBreak { return position }
      case .text(let range):
        if !page.tape.bytes[Int(range.lowerBound)..<Int(range.upperBound)].allSatisfy(\.isHTMLSpace) { return position }
      case .foreign: return position
      }
      position -= 1
    }
    return position
  }

  /// Whether an element is written; a link is not when it has no target and is no anchor.
  private func isWritten(_ element: Int) -> Bool {
    let kind = page.tape.kind(of: element)
    if kind.isLeftOut || kind.isBlock { return false }
    return !kind.isLink || ["href", "id", "name"].contains { page.tape.range(of: $0, in: element) != nil }
  }

  /// The attributes that are repeated with an element; `id` is not.
  private static let saidAgain: Set = ["href", "lang", "dir"]

  /// Whether an attribute is written.
  ///
  /// What the page hides is left out already; what its scripts show must not be hidden again by the sanitizer. Styles
  /// matter for the place and the size of pictures.
  private func isSaid(_ name: String, _ value: Range<Int32>) -> Bool {
    if name == "hidden" { return false }
    guard name == "style" else { return true }
    let style = page.tape.bytes.span.extracting(Int(value.lowerBound)..<Int(value.upperBound))
    return (["float", "width"] as [StaticString]).contains { ByteScan.index(of: $0, in: style, from: 0) != nil }
  }

  private mutating func start(_ element: Int) {
    let name = page.tape.name(of: element)
    guard BalancedMarkup.isPlain(name) else { return }
    let isAgain = isWrittenOnce[element]
    isWrittenOnce[element] = true
    let before = output.count
    output.append(UInt8(ascii: "<"))
    output += name.utf8
    let list = page.tape.elements[element].attributes
    for attribute in page.tape.attributes[Int(list.lowerBound)..<Int(list.upperBound)] {
      let attributeName = page.tape.attributeNames[Int(attribute.name)]
      guard BalancedMarkup.isPlain(attributeName), isSaid(attributeName, attribute.value) else { continue }
      if isAgain, !Self.saidAgain.contains(attributeName) || attribute.value.count > spare { continue }
      output.append(0x20)
      output += attributeName.utf8
      output += "=\"".utf8
      escape(attribute.value)
      output.append(UInt8(ascii: "\""))
    }
    output.append(UInt8(ascii: ">"))
    if isAgain { spare -= output.count - before }
  }

  private mutating func end(_ name: String) {
    guard BalancedMarkup.isPlain(name) else { return }
    output += "</\(name)>".utf8
  }

  private mutating func escape(_ range: Range<Int32>) {
    let bytes = page.tape.bytes
    MarkupText.append(bytes.span.extracting(Int(range.lowerBound)..<Int(range.upperBound)), to: &output)
  }
}
