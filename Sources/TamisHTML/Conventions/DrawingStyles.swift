import TamisCore

extension HTMLTree {
  /// Applies the style sheet of a drawing to its elements: `<style>.a{fill:red}</style><path class="a"/>` becomes
  /// `<path class="a" style="fill:red"/>`, as far as selectors say more than their names, classes, ids and attributes.
  ///
  /// Mermaid and others style their drawings so, which are black on black without it. The sheet is not applied outside
  /// of the drawing, where browsers would do so too.
  ///
  /// - Parameter budget: the number of elements that may still be styled; negative when there would be more.
  mutating func applyDrawingStyles(_ budget: inout Int) {
    let sheets = nodes.indices.map { Int32($0) }.filter {
      nodes[Int($0)].namespace == .svg && nodes[Int($0)].name == Int32(HTMLName.style.rawValue)
        && nodes[Int($0)].parent >= 0
    }
    for node in nodes.indices where nodes[node].name == Int32(HTMLName.svg.rawValue) && nodes[node].namespace == .svg {
      keepSize(of: Int32(node))
    }
    var rules: [Int32: [StyleRule]] = [:]
    for sheet in sheets.prefix(Self.mostSheets) {
      rules[drawing(around: sheet), default: []] += StyleRule.all(of: text(in: sheet, most: Self.longestSheet))
    }
    for (drawing, rules) in rules.sorted(by: { $0.key < $1.key }) where drawing >= 0 {
      apply(rules, to: drawing, &budget)
    }
  }

  /// Says the size of a drawing by attributes, when its style says it: an icon without it fills the page.
  private mutating func keepSize(of drawing: Int32) {
    guard let css = value(of: "style", drawing), css.count < 1000 else { return }
    for (name, value) in Self.sizes(bytes[css]) { set(name, store(value.utf8), of: drawing) }
  }

  private static let sizeNames = NameIndex(["width", "height"])

  private static func sizes(_ css: ArraySlice<UInt8>) -> [(name: String, value: String)] {
    var sizes: [(name: String, value: String)] = []
    var declarations = InlineStyle(css, of: sizeNames)
    while let declaration = declarations.next() {
      let unit = declaration.value.drop { $0.isASCII && $0.isNumber || $0 == "." }
      if unit.utf8.count < declaration.value.utf8.count, ["px", "em", "rem", "ex", "pt", "%"].contains(unit) {
        sizes.append((declaration.name, declaration.value))
      }
    }
    return sizes
  }

  private static let mostSheets = 20
  /// The maximum size of a sheet in bytes.
  private static let longestSheet = 1 << 16

  /// Returns the outermost element of the drawing around a node; -1 when there is none.
  private func drawing(around node: Int32) -> Int32 {
    var (drawing, node): (Int32, Int32) = (-1, nodes[Int(node)].parent)
    while node > 0, nodes[Int(node)].namespace == .svg {
      drawing = node
      node = nodes[Int(node)].parent
    }
    return drawing
  }

  private mutating func apply(_ rules: [StyleRule], to drawing: Int32, _ budget: inout Int) {
    let sorted = rules.prefix(StyleRule.most).enumerated().sorted {
      ($0.element.selector.specificity, $0.offset) < ($1.element.selector.specificity, $1.offset)
    }.map(\.element)
    let index = SelectorIndex(sorted.map(\.selector))
    let matcher = SelectorMatcher(
      index, elements: index.elementNames.map { name in knownNumber(ofElement: name) },
      attributes: index.attributeNames.map { name in knownNumber(ofAttribute: name) })
    guard matcher.canMatch else { return }
    var pass = StylePass(matcher: matcher, budget: budget)
    if pass.enter(drawing, of: self) { visit(&pass, in: drawing) }
    budget = pass.budget
    for (node, matched) in pass.matched {
      let own = value(of: "style", node).map { Array(bytes[$0]) } ?? []
      let declarations = matched.map { sorted[$0].declarations + [UInt8(ascii: ";")] }.joined()
      set("style", store(Array(declarations) + own), of: node)
    }
  }
}

/// A rule of a style sheet: one selector, and what it says.
private struct StyleRule {
  /// The maximum number of rules of a drawing.
  static let most = 2000
  /// The maximum size in bytes of the declarations of a rule.
  private static let longest = 1000

  let selector: CSSSelector
  let declarations: [UInt8]

  /// Returns the rules of a sheet outside of at-rules, whose selectors can be decided.
  static func all(of sheet: [UInt8]) -> [StyleRule] {
    var (rules, rest): ([StyleRule], ArraySlice<UInt8>) = ([], withoutComments(sheet)[...])
    while let open = rest.firstIndex(of: UInt8(ascii: "{")), rules.count < most {
      let head = rest[..<open].split(separator: UInt8(ascii: ";")).last ?? []
      var (end, depth) = (open, 0)
      repeat {
        if rest[end] == UInt8(ascii: "{") { depth += 1 } else if rest[end] == UInt8(ascii: "}") { depth -= 1 }
        end += 1
      } while depth > 0 && end < rest.endIndex
      let declarations = rest[(open + 1)..<max(open + 1, end - 1)]
      rest = rest[end...]
      let text = String(streamSafe: head).trimmed()
      if text.hasPrefix("@") || declarations.count > longest || depth > 0 { continue }
      for one in text.split(separator: ",") {
        guard let selector = try? CSSSelector(String(one).trimmed()) else { continue }
        rules.append(StyleRule(selector: selector, declarations: Array(declarations)))
      }
    }
    return rules
  }

  private static func withoutComments(_ sheet: [UInt8]) -> [UInt8] {
    var (plain, index): ([UInt8], Int) = ([], 0)
    while let start = ByteScan.index(of: "/*" as StaticString, in: sheet.span, from: index) {
      plain += sheet[index..<start]
      guard let end = ByteScan.index(of: "*/" as StaticString, in: sheet.span, from: start + 2) else { return plain }
      index = end + 2
    }
    return plain + sheet[index...]
  }
}

/// Finds the rules that match the elements of a drawing.
private struct StylePass: HTMLTreeVisitor {
  var matcher: SelectorMatcher
  /// The number of matches that may still be.
  var budget: Int
  var matched: [(node: Int32, rules: [Int])] = []

  mutating func enter(_ node: Int32, of tree: borrowing HTMLTree) -> Bool {
    guard tree.nodes[Int(node)].kind == .element, budget >= 0 else { return false }
    var compared: [SelectorMatcher.Attribute] = []
    for index in tree.nodes[Int(node)].content {
      let attribute = tree.attributes[Int(index)]
      if matcher.compares(attribute.name) { compared.append((attribute.name, tree.bytes[attribute.value])) }
    }
    let rules = matcher.enter(tree.nodes[Int(node)].name, compared)
    budget -= rules.count
    if !rules.isEmpty { matched.append((node, rules)) }
    return true
  }

  mutating func leave(_ node: Int32, of tree: borrowing HTMLTree) { matcher.leave() }
}

extension CSSSelector {
  /// The specificity (Selectors Level 4, 17), of the first alternative.
  fileprivate var specificity: Int {
    (alternatives.first ?? []).reduce(0) {
      $0 + ($1.id == nil ? 0 : 1_000_000) + ($1.classes.count + $1.attributes.count) * 1000 + ($1.name == nil ? 0 : 1)
    }
  }
}
