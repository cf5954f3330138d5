import TamisCore

extension HTMLTree {
  /// Leaves the numbers of lines out of code, and makes lines of elements that are one each.
  ///
  ///     <tr><td><pre>1⏎2</pre></td><td><pre>a⏎b</pre></td>    <pre>a⏎b</pre>    Hexo, Rouge, Pygments, Chroma
  ///     <tr><td>1</td><td>a</td><tr><td>2</td><td>b</td>       <pre>a⏎b</pre>    GitHub, highlightjs-line-numbers
  ///     <pre><span class="lineno">1</span>a                    <pre>a            Pygments, react-syntax-highlighter
  ///     <pre><ol><li>a</li><li>b</li></ol></pre>               <pre>a⏎b</pre>    GeSHi, google-code-prettify
  ///     <pre><span class="line">a</span><span>b</span></pre>   <pre>a⏎b</pre>    where no line has an end
  mutating func leaveOutLineNumbers() {
    for node in nodes.indices.map({ Int32($0) }) {
      switch htmlName(node) {
      case .table: if nodes[Int(node)].parent >= 0 { unwrapNumbered(table: node) }
      case .pre: readLines(of: node)
      default: break
      }
    }
  }

  // MARK: - Tables

  /// Replaces a table of numbers and code with the code.
  private mutating func unwrapNumbered(table: Int32) {
    var rows = rows(of: table).map { children(of: $0).filter { isCell($0) } }
    let title = rows.count > 1 && rows[0].count == 1 && rows[1].count == 2 ? rows.removeFirst()[0] : -1
    guard let first = rows.first, rows.allSatisfy({ $0.count == 2 }), isCode(first[1]) || isInCode(table) else {
      return
    }
    let numbers = rows.map { number(of: $0[0]) }
    if rows.count == 1 {
      guard isCount(first[0]) else { return }
    } else {
      guard let start = numbers[0], numbers.enumerated().allSatisfy({ $1 == start + $0 }) else { return }
    }
    let (parent, isInCode) = (nodes[Int(table)].parent, isInCode(table))
    for row in rows where !isInCode {
      remove(row[0])
      insert(row[0], into: parent, before: table)
      controls.insert(row[0])
    }
    // A table in code is code already.
    let target =
      isInCode || holds(.pre, first[1]) && rows.count == 1 ? parent : insert(.pre, into: parent, before: table)
    let place = target == parent ? table : -1
    if title >= 0 { moveChildren(of: title, to: insert(.div, into: parent, before: table)) }
    var isEnded = false
    for (index, row) in rows.enumerated() {
      if index > 0, !isEnded { insertLineEnd(into: target, before: place) }
      isEnded = endsLine(row[1])
      moveChildren(of: row[1], to: target, before: place)
    }
    remove(table)
    isRearranged = true
    if target != parent { readLines(of: target) }
  }

  func isCell(_ node: Int32) -> Bool { htmlName(node) == .td || htmlName(node) == .th }

  /// The rows of a table, without those of tables in it.
  func rows(of table: Int32) -> [Int32] {
    children(of: table).flatMap { part -> [Int32] in
      switch htmlName(part) {
      case .tr: [part]
      case .tbody, .thead, .tfoot: children(of: part).filter { htmlName($0) == .tr }
      default: []
      }
    }
  }

  private func isCode(_ cell: Int32) -> Bool {
    holds(.pre, cell) || holds(.code, cell) || classes(of: cell).contains { $0.contains("code") }
  }

  func isInCode(_ node: Int32) -> Bool {
    var node = nodes[Int(node)].parent
    for _ in 0..<3 where node > 0 {
      if htmlName(node) == .pre { return true }
      node = nodes[Int(node)].parent
    }
    return false
  }

  /// The maximum number of elements from a cell to its code.
  private static let reach = 4

  private func holds(_ name: HTMLName, _ node: Int32, reach: Int = reach) -> Bool {
    if reach == 0 { return false }
    return children(of: node).prefix(reach).contains { htmlName($0) == name || holds(name, $0, reach: reach - 1) }
  }

  /// The maximum size in bytes of the text beside code that can be its numbers.
  private static let mostNumbers = 100_000

  /// Whether a cell has nothing but numbers that count up.
  private func isCount(_ cell: Int32) -> Bool {
    let words = text(in: cell, most: Self.mostNumbers).split(whereSeparator: \.isHTMLSpace)
    guard let start = words.first.flatMap(Self.number) else { return false }
    return words.enumerated().allSatisfy { Self.number($1) == start + $0 }
  }

  /// Returns the number of the line that a cell stands beside; nil when it has something else.
  private func number(of cell: Int32) -> Int? {
    if let value = value(of: "data-line-number", cell) { return Self.number(bytes[value]) }
    let words = text(in: cell, most: 20).split(whereSeparator: \.isHTMLSpace)
    return words.count == 1 ? Self.number(words[0]) : nil
  }

  private static func number(_ word: ArraySlice<UInt8>) -> Int? {
    word.count < 8 && word.allSatisfy(\.isASCIIDigit) ? Int(String(decoding: word, as: UTF8.self)) : nil
  }

  // MARK: - Lines

  /// The words in `class` of the numbers of lines.
  private static let numberClasses: Set = [
    "code-line-number", "gutter", "line-num", "line-number", "line-numbers", "line-numbers-rows", "line_number",
    "linenr", "linenumber", "lineno", "linenos", "linenodiv", "ln", "lnt", "react-syntax-highlighter-line-number",
    "source-line-no", "ltx_tag_listingline",
  ]

  private mutating func readLines(of code: Int32) {
    var pass = CodeScan()
    visit(&pass, in: code)
    controls.formUnion(pass.numbers)
    for line in pass.elements where htmlName(line) == .div && isMarkedLine(line) { rename(line, .span) }
    for element in pass.elements where classes(of: element).contains("gatsby-highlight-code-line") { partLine(element) }
    for element in pass.elements { if let count = indent(element) { fill(element, count) } }
    for list in pass.lists { unwrapLines(of: list) }
    // Another list can have lines alone once the rules have taken something of it.
    if pass.hasOtherList { isRearranged = true }
    if pass.hasLineEnd {
      dropDoubledLineEnds(pass.breaks)
    } else if pass.breaks.isEmpty {
      endLines(pass.elements.filter { isLine($0) })
    }
  }

  /// The maximum size in bytes of a text that is a number of a line.
  private static let mostNumber = 1000

  /// Whether an element has the number of a line, or all of them.
  fileprivate func isNumber(_ node: Int32) -> Bool {
    let isMarked =
      !Self.numberClasses.isDisjoint(with: classes(of: node)) || value(of: "data-nosnippet", node) != nil
      || value(of: "style", node).map { ByteScan.contains(Array("user-select:none".utf8), in: bytes[$0]) } ?? false
    if !isMarked { return false }
    let text = text(in: node, most: Self.mostNumber)
    return text.count < Self.mostNumber && text.contains(where: \.isASCIIDigit)
      && text.allSatisfy { $0.isASCIIDigit || $0.isHTMLSpace || $0 == UInt8(ascii: ":") }
  }

  private func isLine(_ node: Int32) -> Bool {
    guard htmlName(node) == .span else { return false }
    if isMarkedLine(node) { return true }
    guard let style = value(of: "style", node), bytes[style].count < 200 else { return false }
    return HidingStyle(bytes[style]).display == "block"
  }

  private static let lineClasses: Set = [
    "line", "code-line", "token-line", "view-line", "crayon-line", "ltx_listingline",
  ]

  func isMarkedLine(_ node: Int32) -> Bool { !Self.lineClasses.isDisjoint(with: classes(of: node)) }

  /// Returns the number of spaces of an indent, 0 of an empty line that is a space; nil for other elements.
  private func indent(_ node: Int32) -> Int? {
    let only = nodes[Int(node)].first
    guard only >= 0, nodes[Int(only)].next < 0, nodes[Int(only)].kind == .text, count(ofText: only) < Self.mostNumber
    else {
      return nil
    }
    // The end of the element is a space in its text.
    let text = String(streamSafe: text(in: node, most: Self.mostNumber)).unicodeScalars.dropLast()
    guard text.allSatisfy({ $0 == "\u{A0}" || $0 == " " }) else { return nil }
    if !Self.indentClasses.isDisjoint(with: classes(of: node)) { return text.count }
    let parent = nodes[Int(node)].parent
    let isAlone = nodes[Int(node)].previous < 0 && nodes[Int(node)].next < 0
    return isMarkedLine(node) || isAlone && isMarkedLine(parent) ? 0 : nil
  }

  /// The classes of SyntaxHighlighter and LaTeXML for the space that a line begins with.
  private static let indentClasses: Set = ["spaces", "ltx_lst_space"]

  /// Writes the spaces of an indent as code has them; an empty line has none.
  private mutating func fill(_ node: Int32, _ count: Int) {
    let text = nodes[Int(node)].first
    if count == 0 { remove(text) } else { replace(text, withText: store(repeatElement(ASCII.space, count: count))) }
    isRearranged = true
  }

  /// Replaces a list of lines in code with the lines.
  private mutating func unwrapLines(of list: Int32) {
    let parent = nodes[Int(list)].parent
    for (index, item) in children(of: list).filter({ htmlName($0) == .li }).enumerated() {
      if index > 0 { insertLineEnd(into: parent, before: list) }
      moveChildren(of: item, to: parent, before: list)
    }
    remove(list)
    isRearranged = true
  }

  /// Ends each line of code that has no ends of lines.
  private mutating func endLines(_ lines: [Int32]) {
    for line in lines.dropLast() where !endsLine(line) {
      insertLineEnd(into: nodes[Int(line)].parent, before: nodes[Int(line)].next)
    }
  }

  /// Parts a line that Gatsby highlights from those beside it, whose ends it leaves out.
  private mutating func partLine(_ line: Int32) {
    let (parent, before, next) = (nodes[Int(line)].parent, nodes[Int(line)].previous, nodes[Int(line)].next)
    if before >= 0, !endsLine(before) { insertLineEnd(into: parent, before: line) }
    if next >= 0, !isLineEnd(next), !endsLine(line) { insertLineEnd(into: parent, before: next) }
  }

  /// Whether the text of an element ends a line: `<span class="line"><b>]</b>⏎</span>`.
  private func endsLine(_ node: Int32) -> Bool {
    var last = node
    while nodes[Int(last)].last >= 0 { last = nodes[Int(last)].last }
    guard nodes[Int(last)].kind == .text else { return false }
    var piece = nodes[Int(last)].content.lowerBound
    while pieces[Int(piece)].next >= 0 { piece = pieces[Int(piece)].next }
    return bytes[pieces[Int(piece)].range].last == ASCII.lineFeed
  }

  /// Takes the `br` of each line whose end is in the text too, when all have both.
  private mutating func dropDoubledLineEnds(_ breaks: [Int32]) {
    guard breaks.count > 1, breaks.allSatisfy({ isLineEnd(nodes[Int($0)].next) }) else { return }
    breaks.forEach { remove($0) }
  }

  private func isLineEnd(_ node: Int32) -> Bool {
    guard node >= 0, nodes[Int(node)].kind == .text else { return false }
    return bytes[pieces[Int(nodes[Int(node)].content.lowerBound)].range].first == ASCII.lineFeed
  }

  private mutating func insertLineEnd(into parent: Int32, before next: Int32) {
    insertText(store([ASCII.lineFeed]), into: parent, before: next, isMoved: false, at: nodes[Int(parent)].location)
  }
}

/// Finds the elements in code that may be lines or numbers.
private struct CodeScan: HTMLTreeVisitor {
  var numbers: [Int32] = []
  var elements: [Int32] = []
  var lists: [Int32] = []
  var breaks: [Int32] = []
  var hasOtherList = false
  /// Whether a text between two others has the end of a line.
  var hasLineEnd = false

  mutating func enter(_ node: Int32, of tree: borrowing HTMLTree) -> Bool {
    if tree.nodes[Int(node)].kind == .text {
      hasLineEnd = hasLineEnd || !tree.isBlank(text: node) && tree.hasLineEnd(text: node) || tree.isLineEndBetween(node)
      return false
    }
    switch tree.htmlName(node) {
    case .span, .a, .b, .i, .em, .code, .div:
      if tree.isNumber(node) {
        numbers.append(node)
        return false
      }
      elements.append(node)
    case .ol: if tree.isLines(list: node) { lists.append(node) } else { hasOtherList = true }
    case .br: breaks.append(node)
    case .table, .pre: return false
    default: break
    }
    return true
  }

  mutating func leave(_ node: Int32, of tree: borrowing HTMLTree) {}
}

extension HTMLTree {
  /// Whether a list has nothing but items.
  fileprivate func isLines(list: Int32) -> Bool {
    let children = children(of: list)
    return children.contains { htmlName($0) == .li }
      && children.allSatisfy { htmlName($0) == .li || nodes[Int($0)].kind == .text && isBlank(text: $0) }
  }

  /// Whether a text has the end of a line.
  fileprivate func hasLineEnd(text node: Int32) -> Bool {
    var piece = nodes[Int(node)].content.lowerBound
    while piece >= 0 {
      if bytes[pieces[Int(piece)].range].contains(ASCII.lineFeed) { return true }
      piece = pieces[Int(piece)].next
    }
    return false
  }

  /// Whether a text of white space ends a line between two elements.
  fileprivate func isLineEndBetween(_ node: Int32) -> Bool {
    nodes[Int(node)].previous >= 0 && nodes[Int(node)].next >= 0 && hasLineEnd(text: node)
  }
}
