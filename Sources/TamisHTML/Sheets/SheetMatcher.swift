import TamisCore

/// Matches selectors with the elements of a tree, from the matched element outward.
struct SheetMatcher {
  /// The result for a part of a selector.
  private enum Outcome { case no, noneAround, maybe, yes }

  private let words: PageWords
  private let selectors: [SelectorTable.Selector]
  private let allCompounds: [SelectorTable.Compound]
  private let allTests: [SelectorTable.Test]
  private let comparisons: [SelectorTable.TextComparison]
  private let positionTests: [SelectorTable.Position]
  private let scopes: [SelectorTable.Scope]
  /// The number of comparisons that may still be made; negative when there would have been more.
  private(set) var steps: Int
  /// Whether the tree is a fragment, whose root stands for `html` and `body`.
  private let isFragment: Bool
  private let root: Int32
  /// The elements of a document that a fragment has not: its root is the body.
  static let (html, head): (Int32, Int32) = (-2, -3)
  /// The last of the elements of a fragment that a browser puts into the head, which are before all others.
  private let lastOfHead: Int32
  private let (href, language, dir): (Int32, Int32, Int32)
  private let stateAttributes: Set<Int32>
  private let rootNames: Set<Int32>
  private let stateWords: Set<Int32>
  private let waiting: [Int32]
  private let leaving: [Int32]
  /// The element that is asked about.
  private var asked: Int32 = -1
  private var anchor: Int32 = -1
  private var positions: SiblingPositions?
  /// Whether classes and attributes that scripts set count as there.
  private var isLenient = false

  init(_ table: SelectorTable, _ tree: borrowing HTMLTree, steps: Int, isFragment: Bool) {
    (self.steps, self.isFragment) = (steps, isFragment)
    // Arrays of its own: those of an object are checked for other accesses each time.
    (words, selectors, allCompounds, allTests) = (table.words, table.selectors, table.compounds, table.tests)
    (comparisons, positionTests, scopes) = (table.comparisons, table.positions, table.scopes)
    root = SheetMatcher.root(of: tree)
    lastOfHead = isFragment ? tree.lastOfHead(in: root) : -1
    href = tree.knownNumber(ofAttribute: "href")
    language = tree.knownNumber(ofAttribute: "lang")
    dir = tree.knownNumber(ofAttribute: "dir")
    stateAttributes = Set(
      SelectorTable.stateAttributes.map { (name: String) in tree.knownNumber(ofAttribute: name) }.filter { $0 >= 0 })
    rootNames = [Int32(HTMLName.html.rawValue), Int32(HTMLName.body.rawValue)]
    var numbers: Set<Int32> = []
    for word in SelectorTable.states {
      let number = table.words.number(of: Array(word.utf8), of: .classes)
      if number >= 0 { numbers.insert(number) }
    }
    stateWords = numbers
    waiting = SelectorTable.waiting.map { table.words.number(of: Array($0.utf8), of: .classes) }.filter { $0 >= 0 }
    leaving = SelectorTable.beforeScripts.map { table.words.number(of: Array($0.utf8), of: .classes) }
      .filter { $0 >= 0 }
  }

  private static func root(of tree: borrowing HTMLTree) -> Int32 {
    var node = tree.nodes[0].first
    while node >= 0, tree.nodes[Int(node)].kind != .element { node = tree.nodes[Int(node)].next }
    return node
  }

  /// Counts work as comparisons.
  mutating func charge(_ count: Int) { steps -= count }

  /// Returns whether an element matches a selector.
  mutating func matches(_ selector: Int32, _ node: Int32, _ tree: borrowing HTMLTree) -> Truth {
    truth(match(selectors[Int(selector)].compounds, node, tree))
  }

  /// Returns whether an element matches a selector, by what is around it.
  mutating func matches(
    _ selector: Int32, _ node: Int32, _ around: NameFilter, _ tree: borrowing HTMLTree
  ) -> Truth {
    around.mayContain(selectors[Int(selector)].around) ? matches(selector, node, tree) : .no
  }

  /// Returns whether an element would match a selector with other states of the page: `.tab.open` is the state of a tab
  /// that a script opens.
  mutating func matchesInAnotherState(_ selector: Int32, _ node: Int32, _ tree: borrowing HTMLTree) -> Bool {
    // A rule for all elements names none.
    if subject(of: selector).isEmpty { return false }
    (isLenient, asked) = (true, node)
    defer { isLenient = false }
    return truth(match(selectors[Int(selector)].compounds, node, tree)) != .no
  }

  /// Whether a class names a state.
  func isState(_ word: Int32) -> Bool { stateWords.contains(word) }

  /// Returns whether a selector asks for a state, besides the name of the element, an attribute, or an element around.
  func asksForState(_ selector: Int32) -> Bool {
    let hasAttribute = subject(of: selector).contains { if case .attribute = $0 { true } else { false } }
    let selector = selectors[Int(selector)]
    guard selector.compounds.count > 1 || hasAttribute else { return false }
    return selector.namesState
      || selector.compounds.contains { compound in
        allCompounds[Int(compound)].tests.contains {
          switch allTests[Int($0)] {
          case .word(let word): stateWords.contains(word)
          case .state: true
          default: false
          }
        }
      }
  }

  /// The tests of the matched element.
  private func subject(of selector: Int32) -> ArraySlice<SelectorTable.Test> {
    let compound = allCompounds[Int(selectors[Int(selector)].compounds.lowerBound)]
    return allTests[Int(compound.tests.lowerBound)..<Int(compound.tests.upperBound)]
  }

  private func truth(_ outcome: Outcome) -> Truth {
    switch outcome {
    case .yes: .yes
    case .maybe: .maybe
    case .no, .noneAround: .no
    }
  }

  // MARK: - Compounds

  private mutating func match(_ compounds: Range<Int32>, _ node: Int32, _ tree: borrowing HTMLTree) -> Outcome {
    steps -= 1
    let compound = allCompounds[Int(compounds.lowerBound)]
    // The root of a fragment stands for others.
    if !isLenient, node >= 0, node != root, !words.names(of: node).mayContain(compound.names) { return .no }
    let own = isLenient ? lenient(compound.tests, node, tree) : strict(compound.tests, node, tree)
    if own == .no { return .no }
    let rest = compounds.dropFirst()
    if rest.isEmpty { return own == .yes ? .yes : .maybe }
    let outer = outer(rest, compound.combinator, node, tree)
    return own == .maybe && outer == .yes ? .maybe : outer
  }

  private mutating func outer(
    _ rest: Range<Int32>, _ combinator: SelectorTable.Combinator, _ node: Int32, _ tree: borrowing HTMLTree
  ) -> Outcome {
    var best = Outcome.noneAround
    switch combinator {
    case .child:
      let parent = parent(of: node, tree)
      return parent == -1 ? .no : match(rest, parent, tree)
    case .next:
      let other = previous(node, tree)
      return other == -1 ? .no : match(rest, other, tree)
    case .descendant:
      var other = parent(of: node, tree)
      while other != -1, steps >= 0 {
        let outcome = match(rest, other, tree)
        if outcome == .yes { return .yes }
        if outcome == .maybe { best = .maybe }
        // What is not around this ancestor is not around those further out either.
        if outcome == .noneAround { break }
        other = parent(of: other, tree)
      }
      return best
    case .later:
      var other = previous(node, tree)
      while other != -1, steps >= 0 {
        let outcome = match(rest, other, tree)
        if outcome == .yes { return .yes }
        if outcome == .maybe { best = .maybe }
        other = previous(other, tree)
      }
      return best == .noneAround ? .no : best
    }
  }

  private func isOfHead(_ node: Int32, _ tree: borrowing HTMLTree) -> Bool {
    node <= lastOfHead && node >= 0 && tree.nodes[Int(node)].parent == root
  }

  private func parent(of node: Int32, _ tree: borrowing HTMLTree) -> Int32 {
    if node == root { return isFragment ? Self.html : -1 }
    if node < 0 { return node == Self.head ? Self.html : -1 }
    if isOfHead(node, tree) { return Self.head }
    let parent = tree.nodes[Int(node)].parent
    return parent > 0 ? parent : -1
  }

  private func previous(_ node: Int32, _ tree: borrowing HTMLTree) -> Int32 {
    if node < 0 { return -1 }
    if node == root, isFragment { return Self.head }
    var other = tree.nodes[Int(node)].previous
    while other >= 0, tree.nodes[Int(other)].kind != .element { other = tree.nodes[Int(other)].previous }
    return isOfHead(other, tree) ? -1 : other
  }

  private mutating func strict(_ tests: Range<Int32>, _ node: Int32, _ tree: borrowing HTMLTree) -> Truth {
    var truth = Truth.yes
    let isRoot =
      isFragment && (node == root || node == Self.html) && tree.documentTags.isEmpty && namesRoot(tests)
    for index in tests {
      var one = test(allTests[Int(index)], node, tree)
      // The attributes of `html` and `body` are not in a fragment.
      if isRoot, one == .no { one = .maybe }
      if one == .no { return .no }
      truth = min(truth, one)
    }
    return truth
  }

  private func namesRoot(_ tests: Range<Int32>) -> Bool {
    tests.contains {
      switch allTests[Int($0)] {
      case .type(let name): rootNames.contains(name)
      case .root: true
      default: false
      }
    }
  }

  /// Compares with classes and attributes that may still change: those that no element of the page has, those that
  /// name a state, and those beside a class or an id that the element has.
  private mutating func lenient(_ tests: Range<Int32>, _ node: Int32, _ tree: borrowing HTMLTree) -> Truth {
    if node < 0 { return strict(tests, node, tree) == .no && node == Self.head ? .no : .maybe }
    var isNamed = false
    for index in tests where !isNamed {
      isNamed =
        switch allTests[Int(index)] {
        case .word(let word): words.has(word, node)
        case .id(let id): id >= 0 && words.id(of: node) == id
        case .attribute(let name, let number): hasAttribute(name, comparisons[Int(number)], node, tree)
        default: false
        }
    }
    var truth = Truth.yes
    for index in tests {
      let one: Truth
      switch allTests[Int(index)] {
      case .word(let word):
        let mayChange = isNamed || word < 0 && node != asked || stateWords.contains(word)
        one = words.has(word, node) ? .yes : mayChange ? .maybe : .no
      case .attribute, .state, .any(_, _, isNegated: true): one = .maybe
      default: one = test(allTests[Int(index)], node, tree)
      }
      if one == .no { return .no }
      truth = min(truth, one)
    }
    return truth
  }

  // MARK: - Tests

  private mutating func test(_ test: SelectorTable.Test, _ node: Int32, _ tree: borrowing HTMLTree) -> Truth {
    steps -= 1
    if node < 0 { return testOutside(test, node, tree) }
    switch test {
    case .type(let name):
      if isFragment, node == root { return Truth(name == HTMLName.body.rawValue) }
      return Truth(tree.nodes[Int(node)].name == name)
    case .id(let id): return Truth(id >= 0 && words.id(of: node) == id)
    case .word(let word):
      // A class of the root such as `js` is set by a script.
      steps -= words.classCount(of: node) >> 4
      if !words.has(word, node) { return .no }
      let isOfRoot = node == root || tree.htmlName(node) == .body
      return isOfRoot && (stateWords.contains(word) || leaving.contains(word)) || waiting.contains(word) ? .maybe : .yes
    case .attribute(let name, let number):
      let holds = hasAttribute(name, comparisons[Int(number)], node, tree)
      return holds && stateAttributes.contains(name) ? .maybe : Truth(holds)
    case .any(let first, let end, let isNegated):
      let truth = any(first..<end, node, tree)
      if !isNegated { return truth }
      // `.tab:not(.active)` is the state of a tab that a script closes; a closed dialog is hidden in any case.
      return truth == .no && tree.htmlName(node) != .dialog && namesState(first..<end) ? .maybe : !truth
    case .has(let first, let end): return has(first..<end, node, tree)
    case .position(let number): return position(positionTests[Int(number)], node, tree)
    case .root: return Truth(node == root && !isFragment)
    case .empty: return Truth(isEmpty(node, tree))
    case .link:
      let name = HTMLName(rawValue: Int(tree.nodes[Int(node)].name))
      return Truth((name == .a || name == .area) && value(href, node, tree) != nil)
    case .language(let number): return isIn(comparisons[Int(number)].text, node, tree)
    case .defined:
      // Elements with a hyphen are defined by scripts.
      return tree.text(ofElement: tree.nodes[Int(node)].name).contains("-") ? .maybe : .yes
    case .direction(let isFromRight): return direction(node, tree).map { Truth($0 == isFromRight) } ?? .maybe
    case .scope(let number): return isIn(scopes[Int(number)], node, tree)
    case .anchor: return Truth(node == anchor)
    case .node(let one): return Truth(node == one)
    case .state: return .maybe
    case .never: return .no
    }
  }

  /// Tests `html` or `head` of a fragment; the attributes of its tags are those of its root.
  private mutating func testOutside(_ test: SelectorTable.Test, _ node: Int32, _ tree: borrowing HTMLTree) -> Truth {
    let isHTML = node == Self.html
    switch test {
    case .type(let name): return Truth(name == (isHTML ? HTMLName.html : HTMLName.head).rawValue)
    case .root: return Truth(isHTML)
    case .anchor: return Truth(node == anchor)
    case .any(let first, let end, let isNegated):
      let truth = any(first..<end, node, tree)
      return isNegated ? !truth : truth
    case .has(let first, let end): return has(first..<end, node, tree)
    case .position(let number):
      let position = positionTests[Int(number)]
      return position.among == nil
        ? holds(position, isHTML || !position.isFromEnd || position.isOfType ? 1 : 2) : .maybe
    case .empty: return isHTML ? .no : .maybe
    case .state: return .maybe
    case .defined: return .yes
    case .never, .link, .node: return .no
    case .id, .word, .attribute, .language, .direction, .scope: return isHTML ? self.test(test, root, tree) : .no
    }
  }

  private mutating func any(_ list: Range<Int32>, _ node: Int32, _ tree: borrowing HTMLTree) -> Truth {
    var best = Truth.no
    for selector in list where !selectors[Int(selector)].isImpossible {
      best = max(best, matches(selector, node, tree))
      if best == .yes || steps < 0 { break }
    }
    return best
  }

  /// Whether one of the selectors asks for a class alone that names a state.
  private func namesState(_ list: Range<Int32>) -> Bool {
    list.contains {
      let subject = subject(of: $0)
      if subject.count == 1, case .attribute(_, let number)? = subject.first {
        let text = comparisons[Int(number)].text
        return selectors[Int($0)].namesState || SelectorTable.isState(text, text.indices)
      }
      guard subject.count == 1, case .word(let word)? = subject.first else { return false }
      return stateWords.contains(word) || word < 0 && selectors[Int($0)].namesState
    }
  }

  /// Whether an element is in a part of the page.
  private mutating func isIn(_ scope: SelectorTable.Scope, _ node: Int32, _ tree: borrowing HTMLTree) -> Truth {
    var (best, node) = (Truth.no, node)
    while node != -1, steps >= 0 {
      if let limits = scope.limits, any(limits.range, node, tree) != .no { return best }
      best = max(best, any(scope.roots.range, node, tree))
      if best == .yes { return best }
      node = parent(of: node, tree)
    }
    return best
  }

  /// The distance of what is in no scope.
  static let withoutScope = Int32.max

  /// Returns the number of elements from one up to the root of the scope of a selector that matches it.
  mutating func distance(toScopeOf selector: Int32, _ node: Int32, _ tree: borrowing HTMLTree) -> Int32 {
    guard !scopes.isEmpty, case .scope(let number)? = subject(of: selector).last else { return Self.withoutScope }
    var (distance, node): (Int32, Int32) = (0, node)
    while node != -1, steps >= 0, any(scopes[Int(number)].roots.range, node, tree) == .no {
      distance += 1
      node = parent(of: node, tree)
    }
    return distance
  }

  /// Whether text in an element runs from right to left; nil when its letters decide.
  private mutating func direction(_ node: Int32, _ tree: borrowing HTMLTree) -> Bool? {
    var node = node
    while node > 0 {
      steps -= 1
      if let value = value(dir, node, tree) {
        let word = tree.bytes[value.prefix(10)].map(\.asciiLowercased)
        if word.elementsEqual("rtl".utf8) { return true }
        if word.elementsEqual("ltr".utf8) { return false }
        if word.elementsEqual("auto".utf8) { return nil }
      }
      node = tree.nodes[Int(node)].parent
    }
    return false
  }

  private mutating func has(_ list: Range<Int32>, _ node: Int32, _ tree: borrowing HTMLTree) -> Truth {
    let outer = anchor
    anchor = node
    defer { anchor = outer }
    var best = Truth.no
    for selector in list where !selectors[Int(selector)].isImpossible {
      best = max(best, has(selector, node, tree))
      if best == .yes || steps < 0 { break }
    }
    return best
  }

  /// Looks for a match among the descendants, or among the siblings behind an element and what is in them.
  private mutating func has(_ selector: Int32, _ node: Int32, _ tree: borrowing HTMLTree) -> Truth {
    let compounds = selectors[Int(selector)].compounds
    let relation = allCompounds[Int(compounds.upperBound) - 2].combinator
    let isBehind = relation == .next || relation == .later
    // `:has(> p)` asks for children alone, and `:has(+ p)` for one sibling.
    let isDeep = compounds.count > 2 || relation == .descendant
    var best = Truth.no
    var other = root
    var top = tree.nodes[Int(root)].parent
    if node >= 0 {
      other = isBehind ? tree.nodes[Int(node)].next : tree.nodes[Int(node)].first
      top = isBehind ? tree.nodes[Int(node)].parent : node
    }
    while other >= 0, other != top, steps >= 0 {
      steps -= 1
      if tree.nodes[Int(other)].kind == .element {
        best = max(best, matches(selector, other, tree))
        if best == .yes || !isDeep && relation == .next { return best }
      }
      if isDeep, tree.nodes[Int(other)].first >= 0 {
        other = tree.nodes[Int(other)].first
        continue
      }
      while other != top, other >= 0, tree.nodes[Int(other)].next < 0 { other = tree.nodes[Int(other)].parent }
      if other != top, other >= 0 { other = tree.nodes[Int(other)].next }
    }
    return best
  }

  private mutating func position(
    _ position: SelectorTable.Position, _ node: Int32, _ tree: borrowing HTMLTree
  ) -> Truth {
    let isFromEnd = position.isFromEnd
    var place = 1
    if let among = position.among {
      guard any(among, node, tree) == .yes else { return .no }
      var other = isFromEnd ? tree.nodes[Int(node)].next : tree.nodes[Int(node)].previous
      while other >= 0, steps >= 0 {
        if tree.nodes[Int(other)].kind == .element, any(among, other, tree) == .yes { place += 1 }
        other = isFromEnd ? tree.nodes[Int(other)].next : tree.nodes[Int(other)].previous
      }
    } else {
      if positions == nil { positions = SiblingPositions(tree, after: lastOfHead, in: root) }
      place = positions?.position(of: node, isFromEnd: isFromEnd, isOfType: position.isOfType) ?? 1
      if isFragment, node == root { place = isFromEnd || position.isOfType ? 1 : 2 }
    }
    return holds(position, place)
  }

  private func holds(_ position: SelectorTable.Position, _ place: Int) -> Truth {
    let (step, distance) = (position.step, place - position.offset)
    return Truth(step == 0 ? distance == 0 : distance.isMultiple(of: step) && distance / step >= 0)
  }

  private func isEmpty(_ node: Int32, _ tree: borrowing HTMLTree) -> Bool {
    var child = tree.nodes[Int(node)].first
    while child >= 0 {
      switch tree.nodes[Int(child)].kind {
      case .element: return false
      case .text: if tree.count(ofText: child) > 0 { return false }
      default: break
      }
      child = tree.nodes[Int(child)].next
    }
    return true
  }

  // MARK: - Attributes

  private func value(_ name: Int32, _ node: Int32, _ tree: borrowing HTMLTree) -> Range<Int>? {
    for index in tree.nodes[Int(node)].content where tree.attributes[Int(index)].name == name {
      return tree.attributes[Int(index)].value
    }
    if node != root { return nil }
    for index in tree.documentTags.joined() where tree.attributes[Int(index)].name == name {
      return tree.attributes[Int(index)].value
    }
    return nil
  }

  /// Whether an element is in a language; that of a fragment may be said around it.
  private mutating func isIn(_ tag: [UInt8], _ node: Int32, _ tree: borrowing HTMLTree) -> Truth {
    var node = node
    while node > 0 {
      steps -= 1
      if let value = value(language, node, tree) {
        let own = tree.bytes[value].prefix(100).map(\.asciiLowercased)
        return Truth(own.starts(with: tag) && (own.count == tag.count || own[tag.count] == UInt8(ascii: "-")))
      }
      node = tree.nodes[Int(node)].parent
    }
    return isFragment ? .maybe : .no
  }

  /// The number of bytes of a long value that are compared.
  private static let longestValue = 4096

  private mutating func hasAttribute(
    _ name: Int32, _ wanted: SelectorTable.TextComparison, _ node: Int32, _ tree: borrowing HTMLTree
  ) -> Bool {
    let (comparison, text) = (wanted.comparison, wanted.text)
    guard let range = value(name, node, tree) else { return false }
    if comparison == .exists { return true }
    steps -= range.count / 16
    var value = tree.bytes[range.prefix(comparison == .ends ? range.count : Self.longestValue)]
    if wanted.ignoresCase { value = value.map(\.asciiLowercased)[...] }
    switch comparison {
    case .exists: return true
    case .equals: return range.count == text.count && value.elementsEqual(text)
    case .word: return !text.isEmpty && value.split(whereSeparator: \.isHTMLSpace).contains { $0.elementsEqual(text) }
    case .dash:
      return value.starts(with: text)
        && (value.count == text.count || value[value.startIndex + text.count] == UInt8(ascii: "-"))
    case .begins: return !text.isEmpty && value.starts(with: text)
    case .ends: return !text.isEmpty && value.count >= text.count && value.suffix(text.count).elementsEqual(text)
    case .contains: return !text.isEmpty && ByteScan.contains(text, in: value)
    }
  }
}

extension HTMLTree {
  /// The last of the first elements of a fragment, which the head has when a browser reads it as a page (HTML Standard,
  /// 13.2.6.4.4); -1 for none.
  func lastOfHead(in root: Int32) -> Int32 {
    var last: Int32 = -1
    guard root >= 0 else { return last }
    for node in children(of: root) {
      switch nodes[Int(node)].kind {
      case .comment: continue
      case .text where isBlank(text: node): continue
      case .element: break
      default: return last
      }
      switch htmlName(node) {
      case .base, .link, .meta, .title, .style, .script, .noscript, .template: last = max(last, node)
      default: return last
      }
    }
    return last
  }
}

/// The positions of elements among their siblings.
private struct SiblingPositions {
  /// The position from the start, and from the end, of each node among all its siblings and among those of its name.
  private var all: [Int32]
  private var allFromEnd: [Int32]
  private var ofType: [Int32]
  private var ofTypeFromEnd: [Int32]

  /// Counts the elements of a tree, besides those of a head that is not there: in the root, up to the last of them.
  init(_ tree: borrowing HTMLTree, after lastOfHead: Int32, in root: Int32) {
    let none = [Int32](repeating: 0, count: tree.nodes.count)
    (all, allFromEnd, ofType, ofTypeFromEnd) = (none, none, none, none)
    for parent in tree.nodes.indices where tree.nodes[parent].first >= 0 {
      let last = parent == root ? lastOfHead : -1
      Self.count(from: tree.nodes[parent].first, isFromEnd: false, tree, last, &all, &ofType)
      Self.count(from: tree.nodes[parent].last, isFromEnd: true, tree, last, &allFromEnd, &ofTypeFromEnd)
    }
  }

  private static func count(
    from first: Int32, isFromEnd: Bool, _ tree: borrowing HTMLTree, _ last: Int32, _ all: inout [Int32],
    _ ofType: inout [Int32]
  ) {
    var (node, count, byName): (Int32, Int32, [Int32: Int32]) = (first, 0, [:])
    while node >= 0 {
      if tree.nodes[Int(node)].kind == .element, node > last {
        count += 1
        let ofName = (byName[tree.nodes[Int(node)].name] ?? 0) + 1
        byName[tree.nodes[Int(node)].name] = ofName
        (all[Int(node)], ofType[Int(node)]) = (count, ofName)
      }
      node = isFromEnd ? tree.nodes[Int(node)].previous : tree.nodes[Int(node)].next
    }
  }

  func position(of node: Int32, isFromEnd: Bool, isOfType: Bool) -> Int {
    let list = isOfType ? (isFromEnd ? ofTypeFromEnd : ofType) : isFromEnd ? allFromEnd : all
    return Int(list[Int(node)])
  }
}
