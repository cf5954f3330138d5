import TamisCore

/// The selectors of style sheets (Selectors Level 4), by number, with names as the numbers that the page has for them.
final class SelectorTable {
  /// What stands between two compound selectors.
  enum Combinator: UInt8 { case descendant, child, next, later }

  /// A comparison of an attribute's value.
  enum Comparison: UInt8 { case exists, equals, word, dash, begins, ends, contains }

  /// A condition for one element; lists, texts and positions are in tables, since a plain value is quick to copy.
  enum Test {
    /// The name of an element, an id, or a class; -1 when the page has none of that name.
    case type(Int32)
    case id(Int32)
    case word(Int32)
    /// An attribute, with the comparison in ``SelectorTable/comparisons``.
    case attribute(Int32, Int32)
    /// One of the selectors from a number up to another matches, as in `:is`; or none does, as in `:not`.
    case any(Int32, Int32, isNegated: Bool)
    /// One of these selectors matches an element that stands in a relation to this one.
    case has(Int32, Int32)
    /// A position in ``SelectorTable/positions``.
    case position(Int32)
    case root, empty, link, defined
    /// One element.
    case node(Int32)
    /// Whether the direction of text is from right to left.
    case direction(isFromRight: Bool)
    /// A part of the page, in ``SelectorTable/scopes``.
    case scope(Int32)
    /// A language, whose tag is the text of a comparison.
    case language(Int32)
    /// The element that `:has` is asked about.
    case anchor
    /// A state that changes while the page is read.
    case state
    case never

    /// Whether nothing on the page can match.
    var isImpossible: Bool {
      switch self {
      case .type(let number), .id(let number), .word(let number), .attribute(let number, _): number < 0
      case .never: true
      default: false
      }
    }

    static func any(_ list: Range<Int32>, isNegated: Bool) -> Test {
      .any(list.lowerBound, list.upperBound, isNegated: isNegated)
    }
  }

  /// A text that the value of an attribute is compared with.
  struct TextComparison {
    var comparison: Comparison
    var text: [UInt8]
    var ignoresCase = false
  }

  /// A part of the page: what is in elements that match `roots`, and not in those in it that match `limits`.
  struct Scope {
    var roots: Range<Int32>
    var limits: Range<Int32>?
    var number: Int32 = -1
  }

  /// A position among the siblings: `step` times n, plus `offset`.
  struct Position {
    var step: Int
    var offset: Int
    var isFromEnd: Bool
    var isOfType: Bool
    /// The selectors that those match which count; nil for all.
    var among: Range<Int32>?
  }

  /// The conditions for one element, and what stands before it in the selector.
  struct Compound {
    var tests: Range<Int32>
    var combinator = Combinator.descendant
  }

  /// A selector: its compounds from the matched element to the outermost one.
  struct Selector {
    var compounds: Range<Int32>
    var specificity: Int32
    /// Whether nothing on the page can match.
    var isImpossible: Bool
    /// Whether it asks for an attribute that says a state, or for a class that does and that no element has.
    var namesState = false
    /// Whether it stands at `:root`, `html`, `body` or `*` alone, whose custom properties the whole page inherits.
    var isRoot: Bool
    /// What is around each element that matches, as ``AncestorFilter`` has it.
    var around: AncestorFilter
  }

  /// The words of classes that scripts set and take away.
  static let states: Set<String> = [
    "active", "current", "expanded", "in", "is-active", "is-expanded", "is-open", "is-visible", "js", "open", "opened",
    "selected", "show", "shown", "toggled", "visible",
  ]

  /// The words of classes that only scripts take away, from what then fades in.
  static let waiting = ["elementor-invisible"]

  /// The attributes whose values scripts change, and those that they only take away.
  static let stateAttributes: Set<String> = [
    "aria-expanded", "aria-selected", "aria-pressed", "aria-checked", "data-state", "ng-cloak", "v-cloak", "x-cloak",
  ]

  let words: PageWords
  private(set) var selectors: [Selector] = []
  private(set) var compounds: [Compound] = []
  private(set) var tests: [Test] = []
  private(set) var comparisons: [TextComparison] = []
  private(set) var positions: [Position] = []
  private(set) var scopes: [Scope] = []

  init(_ words: PageWords) { self.words = words }

  /// Adds the selectors of a list.
  ///
  /// - Parameters:
  ///   - css: the sheet.
  ///   - range: the list in it.
  ///   - parents: the selectors of the rule around, which `&` stands for; nil for none.
  ///   - scope: the part of the page to which they are limited; nil for all.
  /// - Returns: their numbers; nil when the list is none that browsers take.
  func add(
    _ css: [UInt8], _ range: Range<Int>, in parents: Range<Int32>? = nil, _ scope: Scope? = nil
  ) -> Range<Int32>? {
    var parser = SheetSelectorParser(css, range, words, parents, scope)
    return parser.list(.rule, self)
  }

  func add(
    _ compounds: [(tests: [Test], combinator: Combinator)], specificity: Int, namesState: Bool, isRoot: Bool
  ) {
    let first = Int32(self.compounds.count)
    var isImpossible = false
    for compound in compounds.reversed() {
      let begin = Int32(tests.count)
      tests += compound.tests
      isImpossible = isImpossible || compound.tests.contains { $0.isImpossible }
      self.compounds.append(Compound(tests: begin..<Int32(tests.count), combinator: compound.combinator))
    }
    selectors.append(
      Selector(
        compounds: first..<Int32(self.compounds.count), specificity: Int32(clamping: specificity),
        isImpossible: isImpossible, namesState: namesState, isRoot: isRoot, around: Self.around(compounds)))
  }

  /// Returns what stands around the elements that match.
  private static func around(_ compounds: [(tests: [Test], combinator: Combinator)]) -> AncestorFilter {
    var around = AncestorFilter()
    for index in compounds.indices.reversed().dropFirst() {
      // A sibling has the same elements around it.
      let combinator = compounds[index + 1].combinator
      if combinator == .child || combinator == .descendant { around.insert(compounds[index].tests) }
    }
    return around
  }

  /// Adds a selector of one element; returns the list of it.
  func add(node: Int32) -> Range<Int32> {
    add([([.node(node)], .descendant)], specificity: 0, namesState: false, isRoot: false)
    return Int32(selectors.count - 1)..<Int32(selectors.count)
  }

  func add(_ comparison: TextComparison) -> Int32 {
    comparisons.append(comparison)
    return Int32(comparisons.count - 1)
  }

  func add(_ scope: Scope) -> Scope {
    var scope = scope
    scope.number = Int32(scopes.count)
    scopes.append(scope)
    return scope
  }

  func add(_ position: Position) -> Test {
    positions.append(position)
    return .position(Int32(positions.count - 1))
  }

  /// Adds copies of selectors, so that a list of several has one range.
  func add(_ list: [Selector]) -> Range<Int32> {
    selectors += list
    return Int32(selectors.count - list.count)..<Int32(selectors.count)
  }

  func removeLast() -> Selector { selectors.removeLast() }

  /// The greatest specificity of a list.
  func specificity(of list: Range<Int32>) -> Int { list.map { Int(selectors[Int($0)].specificity) }.max() ?? 0 }

  /// The tests of the matched element.
  func subject(of selector: Int32) -> ArraySlice<Test> {
    let compound = compounds[Int(selectors[Int(selector)].compounds.lowerBound)]
    return tests[Int(compound.tests.lowerBound)..<Int(compound.tests.upperBound)]
  }
}

/// The names, ids and classes of the elements around one, as bits: what is not among them is surely not around it.
struct AncestorFilter {
  private var bits: SIMD2<UInt64> = .zero

  init(_ names: [HTMLName] = []) {
    for name in names { insert(Int32(name.rawValue), 0) }
  }

  mutating func insert(_ tests: [SelectorTable.Test]) {
    for test in tests {
      // The attributes of these are not in a fragment.
      if case .type(let name) = test, name == HTMLName.html.rawValue || name == HTMLName.body.rawValue {
        return insert(name, 0)
      }
    }
    for test in tests {
      switch test {
      case .type(let name): insert(name, 0)
      case .id(let id): insert(id, 1)
      case .word(let word): insert(word, 2)
      default: break
      }
    }
  }

  mutating func insert(_ node: Int32, _ tree: borrowing HTMLTree, _ words: PageWords) {
    insert(tree.nodes[Int(node)].name, 0)
    insert(words.id(of: node), 1)
    for word in words.classes(of: node) { insert(word, 2) }
  }

  private mutating func insert(_ number: Int32, _ kind: Int32) {
    if number < 0 { return }
    let hash = UInt32(bitPattern: number &* 3 &+ kind) &* 0x9E37_79B1
    bits[Int(hash >> 31)] |= 1 << UInt64(hash >> 25 & 63)
  }

  /// Whether all of another filter may be in this one.
  func mayContain(_ other: AncestorFilter) -> Bool { other.bits & ~bits == .zero }
}

/// The parts of a specificity (Selectors Level 4, 17).
enum Specificity {
  static let id = 1 << 20
  static let word = 1 << 10
  static let type = 1
}
