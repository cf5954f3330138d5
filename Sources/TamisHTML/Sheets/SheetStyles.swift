import TamisCore

/// What the style sheets of a tree say of its elements, as far as it can hide them.
///
/// Sheets are those of `style` elements. No linked sheet is fetched. Elements of which the same rules say the same
/// share a style.
package struct SheetStyles: Sendable {
  /// Declarations that apply to an element, with what decides between them (CSS Cascading and Inheritance Level 5, 6).
  struct Source: Sendable {
    var layer: Int32
    var specificity: Int32
    /// The number of the rule, whose declarations are in ``SheetStyles/declarations``.
    var order: Int32
    var standing: Standing
  }

  /// The declarations of all rules that say something of an element, and what these may do together.
  struct Style: Sendable {
    var sources: [Source]
    var traits: SheetTraits
  }

  /// Whether declarations apply.
  enum Standing: Sendable {
    case applies
    /// Whether they apply depends on what is not known.
    case isUnsure
    /// They do in another state of the page, as when a script sets a class.
    case isState
  }

  /// The reason why no sheet is applied.
  package enum Refusal: String, Sendable {
    /// The sheets are longer than ``Limits/sheetBytes``.
    case bytes
    /// Their selectors take more comparisons than ``Limits/sheetSteps``.
    case steps
    /// They would hide more than a fifth of the page's prose, which scripts show then.
    case share
  }

  /// The declarations of the rules, each read once.
  private(set) var declarations: [Int32: HidingStyle.Declarations] = [:]
  /// The names of the custom properties to which each rule refers.
  private(set) var references: [Int32: Set<String>] = [:]
  /// The different styles.
  private(set) var styles: [Style] = []
  /// Whether all sheets of the page are at hand, so that the color of its ground can be known.
  private(set) var isGroundKnown = true
  /// The custom properties of the page.
  private(set) var customProperties = CustomProperties(hasOthers: true)
  /// The reason why they are not applied; nil when they are.
  package private(set) var refusal: Refusal?
  private var styleOfNode: [Int32] = []

  /// Makes a value for a tree without sheets.
  init() {}

  /// Whether no element has a style.
  var isEmpty: Bool { styles.isEmpty }

  /// The number of the style of a node; nil when no rule says anything of it.
  func style(of node: Int32) -> Int? {
    guard Int(node) < styleOfNode.count, styleOfNode[Int(node)] >= 0 else { return nil }
    return Int(styleOfNode[Int(node)])
  }

  /// Forgets all styles, for a reason.
  mutating func refuse(_ reason: Refusal) {
    (styles, styleOfNode) = ([], [])
    refusal = reason
  }

  /// Says that a node is a copy of another.
  mutating func noteCopy(_ copy: Int32, of node: Int32) {
    guard let style = style(of: node) else { return }
    while styleOfNode.count <= Int(copy) { styleOfNode.append(-1) }
    styleOfNode[Int(copy)] = Int32(style)
  }

  // MARK: - Finding

  /// Reads the sheets of a tree and applies them.
  ///
  /// - Parameters:
  ///   - tree: the tree.
  ///   - limits: the limits of sheets.
  ///   - isFragment: whether the tree is that of a fragment.
  init(_ tree: borrowing HTMLTree, _ limits: Limits, isFragment: Bool) {
    let (sheets, isComplete) = Self.sheets(of: tree)
    if sheets.isEmpty { return }
    guard sheets.reduce(0, { $0 + tree.sizeOfSheet($1.node) }) <= limits.sheetBytes else {
      refusal = .bytes
      return
    }
    var reader = SheetReader(PageWords(tree))
    for sheet in sheets {
      reader.read(
        tree.dataSheet(sheet.node) ?? tree.textOfSheet(sheet.node), isUnsure: sheet.isUnsure,
        in: tree.nodes[Int(sheet.node)].parent)
    }
    reader.findLostColors(besides: tree)
    guard !reader.rules.isEmpty,
      tree.mayBeHidden || reader.rules.contains(where: { !$0.traits.isDisjoint(with: [.hides, .mayBeLost]) })
    else { return }
    var pass = SheetPass(reader, tree, steps: limits.sheetSteps, isFragment: isFragment)
    tree.visit(&pass)
    guard pass.matcher.steps >= 0 else {
      refusal = .steps
      return
    }
    (styles, styleOfNode) = (pass.styles, pass.styleOfNode)
    for style in styles {
      for source in style.sources where declarations[source.order] == nil {
        let rule = reader.rules[Int(source.order)]
        declarations[source.order] = HidingStyle.Declarations(reader.css[rule.declarations])
        if rule.traits.contains(.refers) {
          references[source.order] = CustomProperties.names(in: reader.css[rule.declarations])
        }
      }
    }
    isGroundKnown = isComplete
    readCustomProperties(reader, tree, isComplete: isComplete)
  }

  /// Returns the sheets that apply to a screen, and whether these are all that the page names.
  private static func sheets(of tree: borrowing HTMLTree) -> (list: [(node: Int32, isUnsure: Bool)], isComplete: Bool) {
    var sheets: [(node: Int32, isUnsure: Bool)] = []
    var isComplete = true
    let link = Int32(HTMLName.link.rawValue)
    let style = Int32(HTMLName.style.rawValue)
    for node in tree.nodes.indices where tree.nodes[node].kind == .element {
      if tree.nodes[node].name == link, tree.plainValue(of: "rel", Int32(node)).contains("stylesheet") {
        if tree.dataSheet(Int32(node)) != nil { sheets.append((Int32(node), false)) } else { isComplete = false }
      }
      guard tree.nodes[node].name == style else { continue }
      let type = tree.value(of: "type", Int32(node)).map { String(streamSafe: tree.bytes[$0]).asciiLowercased() } ?? ""
      guard type.isEmpty || type == "text/css", tree.nodes[node].first >= 0 else { continue }
      let media = SheetCondition.media(tree.plainValue(of: "media", Int32(node)))
      if media == .no { continue }
      switch tree.fallbackAround(Int32(node)) {
      case .none: sheets.append((Int32(node), media == .maybe))
      // Scripts run for those who read the page.
      case .noscript: sheets.append((Int32(node), true))
      case .other: break
      }
    }
    return (sheets, isComplete)
  }

  /// The maximum length in bytes of a value of a custom property.
  private static let longestValue = 200

  private mutating func readCustomProperties(
    _ reader: SheetReader, _ tree: borrowing HTMLTree, isComplete: Bool
  ) {
    customProperties = CustomProperties(
      hasOthers: !isComplete, animations: reader.animations, registered: reader.registered)
    guard reader.rules.contains(where: { ByteScan.contains(Array("var(".utf8), in: reader.css[$0.declarations]) })
    else {
      return
    }
    // Elements that declare a property themselves do not have that of the page.
    let style = tree.knownNumber(ofAttribute: "style")
    for attribute in tree.attributes where attribute.name == style {
      let css = tree.bytes[attribute.value]
      guard ByteScan.contains(Array("--".utf8), in: css) else { continue }
      var declarations = InlineStyle(css, of: [], wantsCustom: true)
      while let declaration = declarations.next() { customProperties.note(declaration.name, nil) }
    }
    for property in reader.customProperties {
      // Names have case, and values were read without it.
      let isKnown =
        property.isOfRoot && property.value.count <= Self.longestValue
        && !reader.css[property.name].contains { (0x41...0x5A).contains($0) }
      if reader.css[property.name].contains(where: { (0x41...0x5A).contains($0) }) {
        customProperties.hasCapitals = true
      }
      customProperties.note(
        String(streamSafe: reader.css[property.name]).asciiLowercased(),
        isKnown ? String(streamSafe: reader.css[property.value]).trimmed().asciiLowercased() : nil)
    }
  }
}

extension HTMLTree {
  /// Whether the tree has attributes and elements that hide.
  fileprivate var mayBeHidden: Bool {
    let names = ["hidden", "style", "popover"].map { (name: String) in knownNumber(ofAttribute: name) }
    return attributes.indices.contains { names.contains(attributes[$0].name) }
      || nodes.indices.contains { htmlName(Int32($0)) == .dialog }
  }

  /// What is around a node that is shown to some alone.
  fileprivate enum Fallback { case none, noscript, other }

  fileprivate func fallbackAround(_ node: Int32) -> Fallback {
    var node = nodes[Int(node)].parent
    while node > 0 {
      switch htmlName(node) {
      case .noscript: return .noscript
      case .template, .iframe: return .other
      default: node = nodes[Int(node)].parent
      }
    }
    return .none
  }

  /// The value of an attribute in lower case without white space at its ends.
  fileprivate func plainValue(of name: String, _ node: Int32) -> String {
    value(of: name, node).map { String(streamSafe: bytes[$0.prefix(2000)]).trimmed().asciiLowercased() } ?? ""
  }

  /// The sheet in the address of a `link`; nil when it is elsewhere.
  fileprivate func dataSheet(_ node: Int32) -> [UInt8]? {
    guard htmlName(node) == .link, plainValue(of: "rel", node) == "stylesheet",
      SheetCondition.media(plainValue(of: "media", node)) == .yes
    else { return nil }
    return value(of: "href", node).flatMap { DataSheet.text(of: bytes[$0].drop(while: \.isHTMLSpace)) }
  }

  /// The size in bytes of the texts that are children of a node.
  fileprivate func count(ofTextsIn node: Int32) -> Int {
    children(of: node).reduce(0) { $0 + (nodes[Int($1)].kind == .text ? count(ofText: $1) : 0) }
  }

  /// The size of a sheet in bytes, or that of its address.
  fileprivate func sizeOfSheet(_ node: Int32) -> Int {
    htmlName(node) == .link ? value(of: "href", node)?.count ?? 0 : count(ofTextsIn: node)
  }

  /// The text of a sheet.
  fileprivate func textOfSheet(_ node: Int32) -> [UInt8] {
    var text: [UInt8] = []
    for child in children(of: node) where nodes[Int(child)].kind == .text {
      var piece = nodes[Int(child)].content.lowerBound
      while piece >= 0 {
        text += bytes[pieces[Int(piece)].range]
        piece = pieces[Int(piece)].next
      }
    }
    return text
  }
}

/// Finds the rules that apply to the elements that a rule may hide, to what is in these, and to what is around text
/// whose color may be lost.
///
/// What rules say of other elements does not matter.
private struct SheetPass: HTMLTreeVisitor {
  /// A selector of a rule, which is tried for the elements that have what its last compound asks for.
  private struct Entry {
    var selector: Int32
    var rule: Int32
  }

  /// The numbers of entries that ask for the same.
  private struct Bucket {
    /// Those of rules that may hide, and those of others.
    var hiding: [Int32] = []
    var others: [Int32] = []
    /// Those that another state of the page may let match.
    var states: [Int32] = []

    mutating func add(_ entry: Int32, _ hides: Bool) { if hides { hiding.append(entry) } else { others.append(entry) } }
  }

  /// An element that is open.
  private struct Open {
    var node: Int32
    /// What is around the elements in it.
    var inner: AncestorFilter
    /// Whether all rules were tried for it, and whether they are for what is in it.
    var isRead = false
    var readsContent = false
  }

  private let reader: SheetReader
  private let words: PageWords
  private let table: SelectorTable
  private let layerOrder: [Int32]
  private(set) var matcher: SheetMatcher
  private var entries: [Entry] = []
  /// The entries by what the matched element must have: an id, a class, a name, or nothing.
  private var byID: [Bucket]
  private var byClass: [Bucket]
  private var byName: [Int32: Bucket] = [:]
  private var unnamed = Bucket()
  /// The entries of other states whose last compound has no id and no class of the page.
  private var states: [Int32] = []
  private var open: [Open]
  private let hidingAttributes: [Int32]
  private let isFragment: Bool
  private(set) var styles: [SheetStyles.Style] = []
  private(set) var styleOfNode: [Int32]
  private var numbers: [[Int32]: Int32] = [:]

  init(_ reader: SheetReader, _ tree: borrowing HTMLTree, steps: Int, isFragment: Bool) {
    (self.reader, table, words, layerOrder) = (reader, reader.table, reader.table.words, reader.layerOrder)
    matcher = SheetMatcher(reader.table, tree, steps: steps, isFragment: isFragment)
    styleOfNode = Array(repeating: -1, count: tree.nodes.count)
    self.isFragment = isFragment
    hidingAttributes = ["style", "hidden", "popover"].map { (name: String) in tree.knownNumber(ofAttribute: name) }
    open = [Open(node: -1, inner: AncestorFilter(isFragment ? [.html, .body] : []), isRead: true)]
    byID = Array(repeating: Bucket(), count: reader.table.words.ids.count)
    byClass = Array(repeating: Bucket(), count: reader.table.words.classes.count)
    for rule in reader.rules.indices {
      if reader.rules[rule].traits == .defines, !reader.hasReferences { continue }
      for selector in reader.rules[rule].selectors { add(Entry(selector: selector, rule: Int32(rule))) }
    }
  }

  private mutating func add(_ entry: Entry) {
    let number = Int32(entries.count)
    entries.append(entry)
    var (id, word, name, isNamed): (Int32?, Int32?, Int32?, Bool) = (nil, nil, nil, false)
    for test in table.subject(of: entry.selector) {
      switch test {
      case .id(let number) where number >= 0: id = number
      case .word(let number) where number >= 0:
        word = word ?? number
        isNamed = isNamed || !matcher.isState(number)
      case .type(let number): name = number
      default: continue
      }
      if case .id(let id) = test { byID[Int(id)].states.append(number) }
      if case .word(let word) = test { byClass[Int(word)].states.append(number) }
    }
    if id == nil, !isNamed, matcher.asksForState(entry.selector) { states.append(number) }
    if table.selectors[Int(entry.selector)].isImpossible { return }
    let hides = mayHide(number)
    if let id {
      byID[Int(id)].add(number, hides)
    } else if let word {
      byClass[Int(word)].add(number, hides)
    } else if let name {
      byName[name, default: Bucket()].add(number, hides)
    } else {
      unnamed.add(number, hides)
    }
  }

  private func traits(of entry: Int32) -> SheetTraits { reader.rules[Int(entries[Int(entry)].rule)].traits }

  private func mayHide(_ entry: Int32) -> Bool { !traits(of: entry).isDisjoint(with: [.hides, .mayBeLost]) }

  /// Whether attributes may hide an element.
  private func mayHide(_ node: Int32, _ tree: borrowing HTMLTree) -> Bool {
    tree.htmlName(node) == .dialog
      || tree.nodes[Int(node)].content.contains { hidingAttributes.contains(tree.attributes[Int($0)].name) }
  }

  /// The cost of a rule in a style that is made, in comparisons.
  private static let costOfSource = 16

  // MARK: - Elements

  mutating func enter(_ node: Int32, of tree: borrowing HTMLTree) -> Bool {
    guard tree.nodes[Int(node)].kind == .element, matcher.steps >= 0 else { return false }
    let outer = open[open.count - 1]
    var matched: [Int32] = []
    match(node, outer.inner, hiding: true, tree, &matched)
    var own = Open(node: node, inner: outer.inner)
    own.inner.insert(node, tree, words)
    own.readsContent = outer.readsContent || !matched.isEmpty || mayHide(node, tree)
    own.isRead = own.readsContent
    if own.isRead { read(node, outer.inner, tree, matched) }
    if matched.contains(where: { !traits(of: $0 >> 2).isDisjoint(with: [.mayBeLost, .refers]) }) { readOuter(tree) }
    open.append(own)
    return true
  }

  mutating func leave(_ node: Int32, of tree: borrowing HTMLTree) { open.removeLast() }

  /// Tries all rules for the elements around the present one, which may have what is behind its text.
  private mutating func readOuter(_ tree: borrowing HTMLTree) {
    for index in open.indices.reversed() {
      if open[index].isRead { continue }
      open[index].isRead = true
      // None of the rules that hide has matched it.
      read(open[index].node, open[index - 1].inner, tree, [])
    }
  }

  private mutating func read(
    _ node: Int32, _ around: AncestorFilter, _ tree: borrowing HTMLTree, _ hiding: [Int32]
  ) {
    var matched = hiding
    match(node, around, hiding: false, tree, &matched)
    if matched.isEmpty { return }
    addStates(node, tree, &matched)
    matched.sort()
    if matched.contains(where: { traits(of: $0 >> 2).contains(.refers) }) {
      matcher.charge(matched.count * Self.costOfSource)
    }
    styleOfNode[Int(node)] = style(matched)
  }

  private mutating func match(
    _ node: Int32, _ around: AncestorFilter, hiding: Bool, _ tree: borrowing HTMLTree, _ matched: inout [Int32]
  ) {
    let id = words.id(of: node)
    if id >= 0 { match(byID[Int(id)], hiding, node, around, tree, &matched) }
    for word in words.classes(of: node) { match(byClass[Int(word)], hiding, node, around, tree, &matched) }
    if let bucket = byName[tree.nodes[Int(node)].name] { match(bucket, hiding, node, around, tree, &matched) }
    // The root of a fragment stands for the body too.
    if isFragment, tree.nodes[Int(node)].parent == 0, let bucket = byName[Int32(HTMLName.body.rawValue)] {
      match(bucket, hiding, node, around, tree, &matched)
    }
    match(unnamed, hiding, node, around, tree, &matched)
  }

  /// Adds the entries that match: the number of each times four, and how it stands.
  private mutating func match(
    _ bucket: Bucket, _ hiding: Bool, _ node: Int32, _ around: AncestorFilter, _ tree: borrowing HTMLTree,
    _ matched: inout [Int32]
  ) {
    for entry in hiding ? bucket.hiding : bucket.others where matcher.steps >= 0 {
      let selector = entries[Int(entry)].selector
      if !around.mayContain(table.selectors[Int(selector)].around) { continue }
      switch matcher.matches(selector, node, tree) {
      case .yes: matched.append(entry << 2 | (reader.rules[Int(entries[Int(entry)].rule)].isUnsure ? 1 : 0))
      case .maybe: matched.append(entry << 2 | 1)
      case .no: break
      }
    }
  }

  /// Adds the entries that would match in another state of the page, when one of those that match can hide.
  private mutating func addStates(_ node: Int32, _ tree: borrowing HTMLTree, _ matched: inout [Int32]) {
    guard matched.contains(where: { traits(of: $0 >> 2).contains(.hides) }) else { return }
    var known = Set(matched.map { $0 >> 2 })
    if words.id(of: node) >= 0 { addStates(byID[Int(words.id(of: node))].states, node, tree, &known, &matched) }
    for word in words.classes(of: node) { addStates(byClass[Int(word)].states, node, tree, &known, &matched) }
    addStates(states, node, tree, &known, &matched)
  }

  private mutating func addStates(
    _ candidates: [Int32], _ node: Int32, _ tree: borrowing HTMLTree, _ known: inout Set<Int32>,
    _ matched: inout [Int32]
  ) {
    for entry in candidates {
      if matcher.steps < 0 { return }
      guard known.insert(entry).inserted else { continue }
      if matcher.matchesInAnotherState(entries[Int(entry)].selector, node, tree) { matched.append(entry << 2 | 2) }
    }
  }

  /// Returns the number of the style that entries make.
  private mutating func style(_ matched: [Int32]) -> Int32 {
    if let known = numbers[matched] { return known }
    let sources = matched.map { code in
      let entry = entries[Int(code >> 2)]
      let rule = reader.rules[Int(entry.rule)]
      return SheetStyles.Source(
        layer: layerOrder[rule.layer],
        specificity: table.selectors[Int(entry.selector)].specificity, order: entry.rule,
        standing: code & 3 == 0 ? .applies : code & 3 == 1 ? .isUnsure : .isState)
    }
    let all: SheetTraits = matched.reduce(into: SheetTraits()) { $0.formUnion(traits(of: $1 >> 2)) }
    matcher.charge(matched.count * Self.costOfSource)
    styles.append(SheetStyles.Style(sources: sources, traits: all))
    numbers[matched] = Int32(styles.count - 1)
    return Int32(styles.count - 1)
  }
}
