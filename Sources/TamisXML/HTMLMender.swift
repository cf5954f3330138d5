import TamisCore

/// Mends a document for libxml2, which reads HTML 4, before it is read: what browsers read otherwise, and what would cost
/// libxml2 more than the document's size.
///
/// - Where libxml2 would end an element and browsers do not (``ImpliedEnds``), a start tag of its own stands between.
/// - Elements that are empty since HTML 5 get an end tag.
/// - Tags are text in a title, and end with whatever else is raw text.
/// - Comments that browsers end earlier go, what they make comments of (`<![if …]>`, `</>`), and `</br>` becomes the line break that browsers make of it.
/// - Of a large document the attributes of a tag beyond the limit go, start tags nested deeper than anybody wants them,
///   end tags that end nothing, and comments: libxml2's time grows with the number of attributes of a tag times itself, and
///   with the number of end tags times the depth in which they are looked for.
///
/// What is removed is only tags and comments, and what is left is read and judged like everything else: a tag that is read
/// differently here than by libxml2 costs at most itself.
struct HTMLMender {
  /// The element that stands between two others so that the one does not end the other; libxml2 knows nothing of it.
  static let guardName = "tamis.guard"
  private static let guardTag = Array("<\(guardName)>".utf8)

  /// Documents up to this size, in bytes, cost little whatever is in them.
  private static let threshold = 1 << 15

  private var names = HTMLNames()
  private var input: [UInt8] = []
  private var output: [UInt8] = []
  private var maximumDepth = 0
  private var maximumAttributes = 0
  private var isLarge = false
  private var copied = 0
  private var index = 0
  /// Where the last `<br>` ended.
  private var lineBreakEnd = -1
  /// Where the end tag of the raw text begins that is being read; nil outside.
  private var rawEnd: Int?
  /// The offset of the last `>`, -1 for none; nil until it is needed.
  private var lastClose: Int?
  /// Raw text elements that no end tag follows.
  private var endless: Set<Int> = []
  /// The open elements, by number of their names.
  private var open: [Int] = []
  /// The start tags that were removed and whose end tags have not come.
  private var removed: [Int] = []

  /// The mended document; nil when nothing has to be mended.
  ///
  /// - Parameter start: where the fragment begins.
  mutating func mend(_ document: [UInt8], from start: Int, limits: Limits) -> [UInt8]? {
    names.forgetIfCrowded()
    input = document
    isLarge = document.count > Self.threshold
    // Twice the depth of what stays: elements that lose their tags count here.
    maximumDepth = isLarge ? 2 * limits.fragmentDepth : .max
    maximumAttributes = isLarge ? limits.attributes : .max
    output = []
    (copied, index, lineBreakEnd, rawEnd) = (0, start, -1, nil)
    (endless, lastClose) = ([], nil)
    open.removeAll(keepingCapacity: true)
    removed.removeAll(keepingCapacity: true)
    scan()
    defer { (input, output) = ([], []) }
    if copied == 0, output.isEmpty { return nil }
    output.append(contentsOf: input[copied...])
    return output
  }

  private mutating func scan() {
    while index < input.count {
      let start = ByteScan.index(of: UInt8(ascii: "<"), in: input.span, from: index)
      if let end = rawEnd, start >= end { endRawText(at: end) }
      index = start + 1
      guard index < input.count else { return }
      switch input[index] {
      case UInt8(ascii: "!") where input[index...].starts(with: "!--".utf8): comment(from: start)
      case UInt8(ascii: "!") where rawEnd == nil && isCondition: bogusComment(from: start)
      case UInt8(ascii: "!"), UInt8(ascii: "?"): if rawEnd != nil { declaration(from: start) }
      case UInt8(ascii: "/"):
        index += 1
        endTag(from: start)
      case let byte where byte.isASCIILetter: startTag(from: start)
      default: break
      }
    }
  }

  // MARK: - Tags

  private mutating func startTag(from start: Int) {
    let number = readName()
    let name = names[number]
    let attributesEnd = skipAttributes()
    let isClosed = index < input.count && input[index - 1] == UInt8(ascii: "/")
    let isComplete = index < input.count
    if isComplete { index += 1 }
    if cut(from: start) { return }
    keepOpen(before: name, at: start)
    if let attributesEnd {
      output.append(contentsOf: input[copied..<attributesEnd])
      copied = index - 1
    }
    if name.kind == .lineBreak { lineBreakEnd = index }
    if isClosed || name.kind == .discarded { return }
    if name.isEmpty {
      if name.isEmptyInBrowsers, isComplete { insert(Self.endTag(of: names.text(number)), at: index) }
      return
    }
    if open.count >= maximumDepth {
      removed.append(number)
      remove(from: start)
      return
    }
    open.append(number)
    switch name.kind {
    case .code: skipCode(number, from: start)
    case .escapableText, .rawText: beginRawText(number)
    default: break
    }
  }

  /// Ends what the start of an element ends, and sees to it that nothing else ends.
  private mutating func keepOpen(before next: HTMLNames.Name, at start: Int) {
    var depth = open.count
    var (isInTheWay, needsGuard) = (false, false)
    while depth > 0 {
      let top = open[depth - 1]
      if top == HTMLNames.guardNumber {
        // The guard stays as long as it prevents no wanted end.
        guard depth > 1, names[open[depth - 2]].ends.areCaused(by: next.ends) else { break }
        isInTheWay = true
      } else if !names[top].ends.areCaused(by: next.ends) {
        needsGuard = names[top].ends.areUnwanted(before: next.ends)
        break
      }
      depth -= 1
    }
    // Else libxml2 ends the same by itself.
    if isInTheWay || needsGuard {
      var tags: [UInt8] = []
      for number in open[depth...].reversed() { tags += Self.endTag(of: names.text(number)) }
      insert(needsGuard ? tags + Self.guardTag : tags, at: start)
    }
    open.removeLast(open.count - depth)
    if needsGuard { open.append(HTMLNames.guardNumber) }
    if isLarge, next.endsItsLike, !isInTheWay, !needsGuard { endImplied(before: next) }
  }

  private static func endTag(of name: String) -> [UInt8] { Array("</\(name)>".utf8) }

  /// Ends what browsers end there as far as long lists and tables go, so that they do not count as deep.
  private mutating func endImplied(before next: HTMLNames.Name) {
    for depth in open.indices.reversed() {
      let name = names[open[depth]]
      if name.ends.areCaused(by: next.ends) || (name.isDefinition && next.isDefinition) {
        open.removeLast(open.count - depth)
        return
      }
      if name.isContainer { return }
    }
  }

  private mutating func endTag(from start: Int) {
    guard index < input.count, input[index].isASCIILetter else {
      if rawEnd != nil {
        declaration(from: start)
      } else if index < input.count, input[index] == UInt8(ascii: ">") {
        bogusComment(from: start)
      }
      return
    }
    let number = readName()
    while index < input.count, input[index] != UInt8(ascii: ">") { index += 1 }
    if index < input.count { index += 1 }
    if cut(from: start) { return }
    let name = names[number]
    if name.kind == .lineBreak {
      remove(from: start)
      // `<br></br>` is meant as one.
      if lineBreakEnd != start { output.append(contentsOf: "<br>".utf8) }
    } else if number == removed.last {
      removed.removeLast()
      remove(from: start)
    } else if let depth = depth(endedBy: number) {
      open.removeLast(open.count - depth)
      removed.removeAll()
    } else if isLarge {
      remove(from: start)
    }
  }

  /// How many elements stay open after an end tag; nil when it ends nothing.
  ///
  /// As libxml2 decides: elements of a higher priority than the named one are not ended with it.
  private func depth(endedBy number: Int) -> Int? {
    let weight = names[number].weight
    for depth in open.indices.reversed() {
      if open[depth] == number { return depth }
      if names[open[depth]].weight > weight { return nil }
    }
    return nil
  }

  // MARK: - Raw text

  /// Skips script or style, which libxml2 reads as raw text unless a tag comes first in it.
  private mutating func skipCode(_ number: Int, from start: Int) {
    let end = indexOfEndTag(number)
    if let limit = rawEnd, (end ?? input.count) > limit {
      open.removeLast()
      index = limit
      remove(from: start)
      return
    }
    // One that does not end hides nothing but itself when an end tag follows at once.
    if let end, end != index, input[index] == UInt8(ascii: "<") { insert([ASCII.space], at: index) }
    index = end ?? input.count
  }

  /// A browser reads no tags in here; libxml2 does, and none of them may reach over the end.
  private mutating func beginRawText(_ number: Int) {
    guard rawEnd == nil, !endless.contains(number), !open.contains(where: { names[$0].kind == .foreign }) else {
      return
    }
    guard let end = indexOfEndTag(number) else {
      endless.insert(number)
      return
    }
    if names[number].kind == .rawText { rawEnd = end } else { escapeTags(upTo: end) }
  }

  private mutating func escapeTags(upTo end: Int) {
    while index < end {
      if input[index] == UInt8(ascii: "<") {
        index += 1
        output.append(contentsOf: input[copied..<index - 1])
        output.append(contentsOf: "&lt;".utf8)
        copied = index
      } else {
        index += 1
      }
    }
  }

  private mutating func endRawText(at end: Int) {
    rawEnd = nil
    guard let depth = open.lastIndex(where: { names[$0].kind == .rawText && isEndTag(of: $0, at: end) }) else { return }
    for number in open[(depth + 1)...].reversed() { insert(Self.endTag(of: names.text(number)), at: end) }
    open.removeLast(open.count - depth - 1)
  }

  /// Cuts off markup that begins in raw text and ends after it.
  private mutating func cut(from start: Int) -> Bool {
    guard let end = rawEnd, index > end else { return false }
    index = end
    remove(from: start)
    return true
  }

  private func indexOfEndTag(_ number: Int) -> Int? {
    var next = index
    while next < input.count {
      next = ByteScan.index(of: UInt8(ascii: "<"), in: input.span, from: next)
      if isEndTag(of: number, at: next) { return next }
      next += 1
    }
    return nil
  }

  private func isEndTag(of number: Int, at start: Int) -> Bool {
    let name = names.text(number).utf8
    let end = start + 2 + name.count
    guard end < input.count, input[start + 1] == UInt8(ascii: "/"),
      input[start + 2..<end].lazy.map(\.asciiLowercased).elementsEqual(name)
    else { return false }
    return input[end].isHTMLSpace || input[end] == UInt8(ascii: ">") || input[end] == UInt8(ascii: "/")
  }

  // MARK: - Comments

  private mutating func comment(from start: Int) {
    index += 3
    let (dash, end) = (UInt8(ascii: "-"), UInt8(ascii: ">"))
    let contentStart = index
    var isOdd = false
    while true {
      guard let next = input[index...].firstIndex(of: end) else {
        index = input.count
        break
      }
      index = next + 1
      let content = input[contentStart..<next]
      // Browsers end a comment here too (HTML Standard, 13.2.5.43 to 13.2.5.52).
      isOdd =
        content.isEmpty || content.elementsEqual([dash])
        || content.suffix(3).elementsEqual([dash, dash, UInt8(ascii: "!")])
      if isOdd || content.suffix(2).elementsEqual([dash, dash]) { break }
    }
    if let end = rawEnd { index = min(index, end) }
    if isOdd || isLarge || rawEnd != nil { remove(from: start) }
  }

  /// Whether a conditional of a word processor, `<![if …]>` or `<![endif]>`, begins here.
  private var isCondition: Bool {
    let beginning = input[index...].prefix(8).map(\.asciiLowercased)
    return beginning.starts(with: "![if ".utf8) || beginning.elementsEqual("![endif]".utf8)
  }

  /// What browsers make a comment of up to the next `>` (HTML Standard, 13.2.5.41); without one it is text to libxml2.
  private mutating func bogusComment(from start: Int) {
    let close = UInt8(ascii: ">")
    // Many that have no end cost one search.
    if lastClose == nil { lastClose = input.lastIndex(of: close) ?? -1 }
    guard index <= lastClose ?? -1 else { return }
    index = ByteScan.index(of: close, in: input.span, from: index) + 1
    remove(from: start)
  }

  /// A declaration, an instruction, or what browsers make a comment of, in raw text.
  private mutating func declaration(from start: Int) {
    index = input[index...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? input.count
    _ = cut(from: start)
  }

  // MARK: - Reading and writing

  /// Leaves out what stands from `start` up to where the scan is.
  private mutating func remove(from start: Int) {
    if start > copied { output.append(contentsOf: input[copied..<start]) }
    copied = index
  }

  private mutating func insert(_ bytes: [UInt8], at position: Int) {
    output.append(contentsOf: input[copied..<position])
    output.append(contentsOf: bytes)
    copied = position
  }

  /// Reads a name as libxml2 does.
  private mutating func readName() -> Int {
    let start = index
    while index < input.count, Self.isInName(input[index]) { index += 1 }
    let document = input
    return names.number(of: document.span, start..<index)
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "_"): true
    default: byte.isASCIIAlphanumeric
    }
  }

  /// Goes to the `>` of the tag; answers where the attributes that are too many begin.
  private mutating func skipAttributes() -> Int? {
    var count = 0
    var excess: Int?
    while index < input.count, input[index] != UInt8(ascii: ">") {
      if input[index].isHTMLSpace || input[index] == UInt8(ascii: "/") {
        index += 1
        continue
      }
      count += 1
      if count > maximumAttributes, excess == nil { excess = index }
      skipAttribute()
    }
    return excess
  }

  private mutating func skipAttribute() {
    while index < input.count, !input[index].isHTMLSpace, input[index] != UInt8(ascii: ">"),
      input[index] != UInt8(ascii: "=")
    {
      index += 1
    }
    while index < input.count, input[index].isHTMLSpace { index += 1 }
    guard index < input.count, input[index] == UInt8(ascii: "=") else { return }
    index += 1
    while index < input.count, input[index].isHTMLSpace { index += 1 }
    guard index < input.count else { return }
    let quote = input[index]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      index = input[(index + 1)...].firstIndex(of: quote).map { $0 + 1 } ?? input.count
    } else {
      while index < input.count, !input[index].isHTMLSpace, input[index] != UInt8(ascii: ">") { index += 1 }
    }
  }
}
