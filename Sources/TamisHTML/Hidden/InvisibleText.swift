import TamisCore

/// The characters of a fragment's texts that nobody sees and no writing needs.
///
/// One pass over the tree, and none over one without such characters.
package struct InvisibleText: Sendable {
  /// The characters in the order of their offsets.
  private var removed: [InvisibleScanner.Removed] = []
  /// Whether each node is a text that was searched; empty before ``find(in:_:leftOut:)``.
  package private(set) var searched: [Bool] = []

  /// Makes a value without any.
  package init() {}

  /// Whether the texts of a tree can have such characters.
  package static func mayBe(in tree: borrowing HTMLTree) -> Bool { InvisibleScanner.mayFind(in: tree.bytes.span) }

  /// Finds the characters in the texts of a tree.
  ///
  /// - Parameters:
  ///   - tree: the tree.
  ///   - kinds: the kinds of elements, by the tree's numbers of their names.
  ///   - leftOut: whether each node is a text that goes, or an element that goes with its content.
  package mutating func find(in tree: borrowing HTMLTree, _ kinds: [HiddenParts.Kind], leftOut: [Bool]) {
    var pass = InvisiblePass(kinds: kinds, leftOut: leftOut)
    tree.visit(&pass)
    removed = pass.removed()
    searched = pass.searched
  }

  /// Returns a text without those characters; nil when it has none.
  ///
  /// - Parameters:
  ///   - range: the range of the text in the tree's bytes.
  ///   - bytes: these bytes.
  /// - Returns: the text that is left, and what was removed first.
  package func visible(_ range: Range<Int>, of bytes: [UInt8]) -> (text: [UInt8], what: InvisibleScanner.What)? {
    if removed.isEmpty { return nil }
    var (low, high) = (0, removed.count)
    while low < high {
      let middle = (low + high) / 2
      if removed[middle].range.lowerBound < range.lowerBound { low = middle + 1 } else { high = middle }
    }
    guard low < removed.count, removed[low].range.lowerBound < range.upperBound else { return nil }
    var text: [UInt8] = []
    var start = range.lowerBound
    let what = removed[low].what
    while low < removed.count, removed[low].range.lowerBound < range.upperBound {
      text += bytes[start..<removed[low].range.lowerBound]
      start = removed[low].range.upperBound
      low += 1
    }
    return (text + bytes[start..<range.upperBound], what)
  }

  /// Returns a text of its own without those characters.
  package static func visible(_ text: String) -> String {
    visible(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  /// Returns a title, a name or another short text on one line, as readers are to see it.
  ///
  /// Control characters go; those of U+0080 to U+009F are read as HTML reads them, as windows-1252. The text may become
  /// that of a link, so that overrides of its direction go too.
  package static func line(_ text: String) -> String {
    func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) }
    var line = text.collapsingSpace()
    if line.unicodeScalars.contains(where: isControl) {
      let read = line.unicodeScalars.map { UInt8(exactly: $0.value).map(Windows1252.scalar(for:)) ?? $0 }
      line = String(String.UnicodeScalarView(read.filter { !isControl($0) })).collapsingSpace()
    }
    return visible(Array(line.utf8), isLink: true).map { String(decoding: $0, as: UTF8.self).collapsingSpace() } ?? line
  }

  /// Returns a text of its own, such as the value of an attribute, without those characters; nil when it has none.
  package static func visible(_ bytes: [UInt8], isLink: Bool = false) -> [UInt8]? {
    guard InvisibleScanner.mayFind(in: bytes.span) else { return nil }
    var scanner = InvisibleScanner()
    if isLink { scanner.beginLink() }
    scanner.read(0..<bytes.count, of: bytes)
    var text = InvisibleText()
    text.removed = scanner.end()
    return text.visible(0..<bytes.count, of: bytes)?.text
  }
}

/// One pass over the texts of a tree.
private struct InvisiblePass: HTMLTreeVisitor {
  private let kinds: [HiddenParts.Kind]
  private var scanner = InvisibleScanner()
  /// The number of open links: one in a drawing can be inside another.
  private var links = 0

  private let leftOut: [Bool]
  private(set) var searched: [Bool]

  init(kinds: [HiddenParts.Kind], leftOut: [Bool]) {
    (self.kinds, self.leftOut) = (kinds, leftOut)
    searched = Array(repeating: false, count: leftOut.count)
  }

  /// Returns what was found, in the order of the offsets.
  mutating func removed() -> [InvisibleScanner.Removed] { scanner.end() }

  mutating func enter(_ index: Int32, of tree: borrowing HTMLTree) -> Bool {
    let node = tree.nodes[Int(index)]
    switch node.kind {
    case .text:
      if leftOut[Int(index)] { return false }
      searched[Int(index)] = true
      var piece = node.content.lowerBound
      while piece >= 0 {
        scanner.read(tree.pieces[Int(piece)].range, of: tree.bytes)
        piece = tree.pieces[Int(piece)].next
      }
      scanner.endFlag()
      return false
    case .element:
      // The words on both sides of a block that goes stay separated.
      if kinds[Int(node.name)].contains(.separates) { scanner.endWord() }
      if leftOut[Int(index)] { return false }
      if isSeparator(node) { scanner.endParagraph() }
      if isLink(node, tree) {
        links += 1
        if links == 1 { scanner.beginLink() }
      }
      return true
    case .document, .doctype, .comment: return false
    }
  }

  mutating func leave(_ index: Int32, of tree: borrowing HTMLTree) {
    let node = tree.nodes[Int(index)]
    if isSeparator(node) { scanner.endParagraph() }
    if isLink(node, tree) {
      links -= 1
      if links == 0 { scanner.endLink() }
    }
  }

  /// Whether an element ends a paragraph; browsers continue marks of direction after a line break.
  private func isSeparator(_ node: HTMLTree.Node) -> Bool {
    node.namespace == .html && kinds[Int(node.name)].contains(.separates)
      && HTMLName(rawValue: Int(node.name)) != .br
  }

  private func isLink(_ node: HTMLTree.Node, _ tree: borrowing HTMLTree) -> Bool {
    guard HTMLName(rawValue: Int(node.name)) == .a else { return false }
    return node.content.contains { index in
      let name = tree.attributeTexts[Int(tree.attributes[Int(index)].name)]
      return name == "href" || name == "xlink:href"
    }
  }
}
