import TamisCore

/// Finds the rules that apply to the elements that a rule may hide, to what is in these, and to what is around text
/// whose color may be lost.
///
/// What rules say of other elements does not matter.
struct SheetPass: HTMLTreeVisitor {
  /// A selector of a rule, which is tried for the elements that have what its last compound asks for.
  private struct Entry {
    var selector: Int32
    var rule: Int32
    var traits: SheetTraits
    var isUnsure: Bool
    /// Whether it is in several buckets.
    var isRepeated = false
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

  /// An entry that matches an element: its number, how it stands, and how near the root of its scope is.
  private struct Match: Hashable, Comparable {
    var entry: Int32
    var standing: SheetStyles.Standing
    var distance = SheetMatcher.withoutScope

    static func < (left: Match, right: Match) -> Bool {
      left.entry == right.entry ? left.standing.rawValue < right.standing.rawValue : left.entry < right.entry
    }
  }

  /// An element that is open.
  private struct Open {
    var node: Int32
    /// What is around the elements in it.
    var inner: NameFilter
    /// The entries that match and may hide.
    var hiding: [Match] = []
    /// The questions for which its rules were tried, and those for which they are tried for what is in it.
    var asked: HidingProperty.Questions = []
    var askedInside: HidingProperty.Questions = []
  }

  private let reader: SheetReader
  private let words: PageWords
  private let layerOrder: [Int32]
  private(set) var matcher: SheetMatcher
  private var entries: [Entry] = []
  /// The entries by what the matched element must have: an id, a class, a name, or nothing.
  private var byID: [Bucket]
  private var byClass: [Bucket]
  private var byName: [Bucket]
  private var unnamed = Bucket()
  /// Those for the root alone.
  private var ofRoot = Bucket()
  /// The entries of other states whose last compound has no id and no class of the page.
  private var states: [Int32] = []
  private var open: [Open]
  private let style: Int32
  private let hidingAttributes: [Int32]
  private let isFragment: Bool
  private(set) var styles: [SheetStyles.Style] = []
  private(set) var styleOfNode: [Int32]
  private var numbers: [[Match]: Int32] = [:]

  init(_ reader: SheetReader, _ tree: borrowing HTMLTree, steps: Int, isFragment: Bool) {
    (self.reader, words, layerOrder) = (reader, reader.table.words, reader.layerOrder)
    matcher = SheetMatcher(reader.table, tree, steps: steps, isFragment: isFragment)
    styleOfNode = Array(repeating: -1, count: tree.nodes.count)
    self.isFragment = isFragment
    style = tree.knownNumber(ofAttribute: "style")
    hidingAttributes = ["hidden", "popover"].map { (name: String) in tree.knownNumber(ofAttribute: name) }
    open = [Open(node: -1, inner: NameFilter(isFragment ? [.html, .body] : []), asked: [.all, .custom])]
    byID = Array(repeating: Bucket(), count: reader.table.words.ids.count)
    byClass = Array(repeating: Bucket(), count: reader.table.words.classes.count)
    byName = Array(repeating: Bucket(), count: reader.table.words.elements.count)
    for rule in reader.rules.indices {
      let (traits, isUnsure) = (reader.rules[rule].traits, reader.rules[rule].isUnsure)
      if traits.declares == .custom, !reader.hasReferences { continue }
      for selector in reader.rules[rule].selectors {
        add(Entry(selector: selector, rule: Int32(rule), traits: traits, isUnsure: isUnsure), reader.table)
      }
    }
  }

  private mutating func add(_ entry: Entry, _ table: SelectorTable) {
    let number = Int32(entries.count)
    entries.append(entry)
    var isNamed = false
    for test in table.subject(of: entry.selector) {
      switch test {
      case .id(let id) where id >= 0:
        isNamed = true
        byID[Int(id)].states.append(number)
      case .word(let word) where word >= 0:
        isNamed = isNamed || !matcher.isState(word)
        byClass[Int(word)].states.append(number)
      default: continue
      }
    }
    if !isNamed, matcher.asksForState(entry.selector) { states.append(number) }
    if table.selectors[Int(entry.selector)].isImpossible { return }
    var keys: [Key] = []
    addKeys(of: entry.selector, table, &keys)
    if keys.count > Self.mostKeys { keys = [.none] }
    entries[Int(number)].isRepeated = keys.count > 1
    for key in keys { add(number, hides: !entry.traits.hides.isEmpty, for: key) }
  }

  private mutating func add(_ number: Int32, hides: Bool, for key: Key) {
    switch key {
    case .id(let id): byID[Int(id)].add(number, hides)
    case .word(let word): byClass[Int(word)].add(number, hides)
    case .name(let name): byName[Int(name)].add(number, hides)
    case .root: ofRoot.add(number, hides)
    case .none: unnamed.add(number, hides)
    }
  }

  /// What an element must have so that a selector can match.
  private enum Key { case id(Int32), word(Int32), name(Int32), root, none }

  /// The maximum number of alternatives, as of `:is(.a, .b)`, by which an entry is found.
  private static let mostKeys = 8

  /// Adds what a selector asks of the matched element, or one of these where it asks for several together.
  private func addKeys(of selector: Int32, _ table: SelectorTable, _ keys: inout [Key]) {
    var (word, name, list, isOfRoot): (Int32?, Int32?, Range<Int32>?, Bool) = (nil, nil, nil, false)
    for test in table.subject(of: selector) {
      switch test {
      case .id(let id): return keys.append(.id(id))
      case .word(let number): word = word ?? number
      case .type(let number): name = number
      case .any(let first, let end, isNegated: false): list = first..<end
      case .root: isOfRoot = true
      default: break
      }
    }
    if let word { return keys.append(.word(word)) }
    if let name { return keys.append(.name(name)) }
    if isOfRoot { return keys.append(.root) }
    guard let list else { return keys.append(.none) }
    for selector in list where keys.count <= Self.mostKeys && !table.selectors[Int(selector)].isImpossible {
      addKeys(of: selector, table, &keys)
    }
  }

  /// The questions that attributes of an element may answer by hiding it.
  private func questions(_ node: Int32, _ tree: borrowing HTMLTree) -> HidingProperty.Questions {
    var questions: HidingProperty.Questions = tree.htmlName(node) == .dialog ? .display : []
    for index in tree.nodes[Int(node)].content {
      let attribute = tree.attributes[Int(index)]
      if attribute.name == style { questions.formUnion(SheetTraits(inline: tree.bytes[attribute.value]).hides) }
      if hidingAttributes.contains(attribute.name) { questions.insert(.display) }
    }
    return questions
  }

  /// The cost of a rule in a style that is made, in comparisons.
  private static let costOfSource = 16

  // MARK: - Elements

  mutating func enter(_ node: Int32, of tree: borrowing HTMLTree) -> Bool {
    guard tree.nodes[Int(node)].kind == .element, matcher.steps >= 0 else { return false }
    let (around, askedAround) = (open[open.count - 1].inner, open[open.count - 1].askedInside)
    var own = Open(node: node, inner: around)
    match(node, around, nil, tree, &own.hiding)
    var (hides, refers) = (questions(node, tree), false)
    for match in own.hiding {
      hides.formUnion(entries[Int(match.entry)].traits.hides)
      refers = refers || entries[Int(match.entry)].traits.refers
    }
    own.inner.formUnion(words.names(of: node))
    own.asked = askedAround.union(hides)
    if refers { own.asked.insert(.custom) }
    own.askedInside = own.asked.intersection(.inherited)
    if !own.asked.isEmpty { read(node, around, own.hiding, own.asked, tree) }
    var outside = own.asked.intersection(.custom)
    if hides.contains(.color) { outside.insert(.color) }
    if !outside.isEmpty { ask(outside, tree) }
    open.append(own)
    return true
  }

  mutating func leave(_ node: Int32, of tree: borrowing HTMLTree) { open.removeLast() }

  /// Tries the rules that answer questions for the elements around the present one too, which may have what is behind
  /// its text, or the values it refers to.
  private mutating func ask(_ questions: HidingProperty.Questions, _ tree: borrowing HTMLTree) {
    for index in open.indices.reversed() where !open[index].asked.isSuperset(of: questions) {
      open[index].asked.formUnion(questions)
      read(open[index].node, open[index - 1].inner, open[index].hiding, open[index].asked, tree)
    }
  }

  /// Makes the style of an element of the rules that may hide it, and of others that answer the same questions.
  private mutating func read(
    _ node: Int32, _ around: NameFilter, _ hiding: [Match], _ questions: HidingProperty.Questions,
    _ tree: borrowing HTMLTree
  ) {
    var matched = hiding
    match(node, around, questions, tree, &matched)
    if matched.isEmpty { return }
    addStates(node, tree, hiding, &matched)
    matched.sort()
    if questions.contains(.custom) { matcher.charge(matched.count * Self.costOfSource) }
    styleOfNode[Int(node)] = style(matched)
  }

  /// Adds the entries that match: those that may hide, or the others that answer questions.
  private mutating func match(
    _ node: Int32, _ around: NameFilter, _ questions: HidingProperty.Questions?, _ tree: borrowing HTMLTree,
    _ matched: inout [Match]
  ) {
    match(node, as: node, around, questions, tree, &matched)
    guard isFragment, tree.nodes[Int(node)].parent == 0 else { return }
    // The root of a fragment stands for both, and what is said of both is found twice.
    match(byName[HTMLName.body.rawValue], node, around, questions, tree, &matched)
    match(byName[HTMLName.html.rawValue], SheetMatcher.html, around, questions, tree, &matched)
    match(node, as: SheetMatcher.html, around, questions, tree, &matched)
    matched = Array(Set(matched)).sorted()
  }

  private mutating func match(
    _ node: Int32, as subject: Int32, _ around: NameFilter, _ questions: HidingProperty.Questions?,
    _ tree: borrowing HTMLTree, _ matched: inout [Match]
  ) {
    let id = words.id(of: node)
    if id >= 0 { match(byID[Int(id)], subject, around, questions, tree, &matched) }
    for word in words.classes(of: node) { match(byClass[Int(word)], subject, around, questions, tree, &matched) }
    match(byName[Int(tree.nodes[Int(node)].name)], subject, around, questions, tree, &matched)
    match(unnamed, subject, around, questions, tree, &matched)
    if tree.nodes[Int(node)].parent == 0 { match(ofRoot, subject, around, questions, tree, &matched) }
  }

  /// Adds the number of each entry times four, and how it stands.
  private mutating func match(
    _ bucket: Bucket, _ node: Int32, _ around: NameFilter, _ questions: HidingProperty.Questions?,
    _ tree: borrowing HTMLTree, _ matched: inout [Match]
  ) {
    for number in questions == nil ? bucket.hiding : bucket.others where matcher.steps >= 0 {
      let entry = entries[Int(number)]
      if let questions, entry.traits.declares.isDisjoint(with: questions) { continue }
      let truth = matcher.matches(entry.selector, node, around, tree)
      if truth == .no { continue }
      let match = Match(
        entry: number, standing: truth == .yes && !entry.isUnsure ? .applies : .isUnsure,
        distance: matcher.distance(toScopeOf: entry.selector, node, tree))
      if !entry.isRepeated || !matched.contains(match) { matched.append(match) }
    }
  }

  /// Adds the entries that would match in another state of the page, and then may show what one of those that match
  /// hides.
  private mutating func addStates(
    _ node: Int32, _ tree: borrowing HTMLTree, _ hiding: [Match], _ matched: inout [Match]
  ) {
    var questions: HidingProperty.Questions = []
    for match in hiding { questions.formUnion(entries[Int(match.entry)].traits.hides) }
    // A page says for many states how its colors change.
    questions.remove(.color)
    if questions.isEmpty { return }
    var known = Set(matched.map(\.entry))
    func add(_ candidates: [Int32], _ pass: inout SheetPass, _ tree: borrowing HTMLTree) {
      for number in candidates where pass.matcher.steps >= 0 {
        let entry = pass.entries[Int(number)]
        guard !entry.traits.declares.isDisjoint(with: questions), known.insert(number).inserted else { continue }
        if pass.matcher.matchesInAnotherState(entry.selector, node, tree) {
          matched.append(Match(entry: number, standing: .isState))
        }
      }
    }
    if words.id(of: node) >= 0 { add(byID[Int(words.id(of: node))].states, &self, tree) }
    for word in words.classes(of: node) { add(byClass[Int(word)].states, &self, tree) }
    add(states, &self, tree)
  }

  /// Returns the number of the style that entries make.
  private mutating func style(_ matched: [Match]) -> Int32 {
    if let known = numbers[matched] { return known }
    var all = SheetTraits()
    let sources = matched.map { match in
      let entry = entries[Int(match.entry)]
      all.formUnion(entry.traits)
      return SheetStyles.Source(
        layer: layerOrder[reader.rules[Int(entry.rule)].layer],
        specificity: reader.table.selectors[Int(entry.selector)].specificity, order: entry.rule,
        standing: match.standing, distance: match.distance)
    }
    matcher.charge(matched.count * Self.costOfSource)
    styles.append(SheetStyles.Style(sources: sources, traits: all))
    numbers[matched] = Int32(styles.count - 1)
    return Int32(styles.count - 1)
  }
}
