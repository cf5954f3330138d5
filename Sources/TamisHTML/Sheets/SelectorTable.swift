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

    static func any(_ list: List) -> Test {
      list.isImpossible ? .never : .any(list.range.lowerBound, list.range.upperBound, isNegated: false)
    }
  }

  /// A text that the value of an attribute is compared with.
  struct TextComparison {
    var comparison: Comparison
    var text: [UInt8]
    var ignoresCase = false
  }

  /// The selectors of a rule or of a function.
  struct List {
    /// Those that an element of the page may match.
    var range: Range<Int32>
    /// The greatest specificity of all.
    var specificity: Int
    /// Whether nothing on the page can match.
    var isImpossible: Bool
  }

  /// A part of the page: what is in elements that match `roots`, and not in those in it that match `limits`.
  struct Scope {
    var roots: List
    var limits: List?
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
    /// The names that a matched element has.
    var names = NameFilter()
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
    /// What is around each element that matches, as ``NameFilter`` has it.
    var around: NameFilter
  }

  /// The words of classes that scripts set and take away.
  static let states = ElementTable.words(
    """
    active animated aos-animate aos-init current done expanded fonts-loaded has-js hydrated in in-view initialized \
    inview is-active is-animated is-expanded is-hydrated is-in-view is-initialized is-inview is-loaded is-open \
    is-ready is-revealed is-shown is-visible js js-enabled lazyloaded loaded open opened page-loaded ready revealed \
    selected show shown slick-initialized swiper-initialized toggled true visible wf-active wf-inactive
    """)

  /// The words of classes of the root that scripts take away as soon as they run.
  static let beforeScripts: Set<String> = [
    "is-loading", "loading", "no-js", "no-script", "nojs", "noscript", "preload",
  ]

  private static let stateIndex = {
    var index = NameIndex()
    for state in states.sorted() { index.add(state) }
    return index
  }()

  /// Whether a word names a state.
  static func isState(_ css: [UInt8], _ word: Range<Int>) -> Bool { stateIndex.number(of: css.span, word) != nil }

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

  /// Whether a sheet has declared prefixes of namespaces.
  var hasNamespaces = false

  /// Whether the attributes of `html` and `body` are known.
  let knowsRoot: Bool

  init(_ words: PageWords, knowsRoot: Bool) { (self.words, self.knowsRoot) = (words, knowsRoot) }

  /// Adds the selectors of a list.
  ///
  /// - Parameters:
  ///   - css: the sheet.
  ///   - range: the list in it.
  ///   - parents: the selectors of the rule around, which `&` stands for; nil for none.
  ///   - scope: the part of the page to which they are limited; nil for all.
  /// - Returns: those that may match; nil when the list is none that browsers take.
  func add(_ css: [UInt8], _ range: Range<Int>, in parents: List? = nil, _ scope: Scope? = nil) -> List? {
    var parser = SheetSelectorParser(css, range, words, parents, scope)
    return parser.list(.rule, self)
  }

  /// Returns a selector whose compounds are added to the table.
  ///
  /// - Parameters:
  ///   - parts: where each compound begins in `tests`, up to the next, and what stands before it; the outer ones first.
  ///   - tests: the tests of the compounds.
  ///   - specificity: the specificity.
  ///   - namesState: whether it asks for a state.
  ///   - isRoot: whether it means the page as a whole.
  /// - Returns: the selector.
  func selector(
    _ parts: ArraySlice<(start: Int, combinator: Combinator)>, _ tests: [Test], specificity: Int,
    namesState: Bool, isRoot: Bool
  ) -> Selector {
    let first = Int32(compounds.count)
    var (isImpossible, around, stop) = (false, NameFilter(), tests.count)
    // A sibling has the same elements around it.
    var isAround = false
    for part in parts.reversed() {
      let begin = Int32(self.tests.count)
      let own = tests[part.start..<stop]
      self.tests += own
      isImpossible = isImpossible || own.contains { $0.isImpossible }
      let names = NameFilter(own)
      compounds.append(
        Compound(tests: begin..<Int32(self.tests.count), combinator: part.combinator, names: names))
      if isAround { around.formUnion(names) }
      isAround = part.combinator == .child || part.combinator == .descendant
      stop = part.start
    }
    return Selector(
      compounds: first..<Int32(compounds.count), specificity: Int32(clamping: specificity),
      isImpossible: isImpossible, namesState: namesState, isRoot: isRoot, around: around)
  }

  /// Adds a selector of one element; returns the list of it.
  func add(node: Int32) -> List {
    let one = selector([(0, .descendant)], [.node(node)], specificity: 0, namesState: false, isRoot: false)
    return List(range: add([one]), specificity: 0, isImpossible: false)
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

  /// The tests of the matched element.
  func subject(of selector: Int32) -> ArraySlice<Test> {
    let compound = compounds[Int(selectors[Int(selector)].compounds.lowerBound)]
    return tests[Int(compound.tests.lowerBound)..<Int(compound.tests.upperBound)]
  }
}

/// The names, ids and classes of an element, or of all around one, as bits: what is not among them is surely not there.
struct NameFilter {
  private var bits: SIMD2<UInt64> = .zero

  init(_ names: [HTMLName] = []) {
    for name in names { insert(Int32(name.rawValue), 0) }
  }

  /// Makes a filter of what tests ask for.
  init(_ tests: ArraySlice<SelectorTable.Test>) {
    for test in tests {
      // The attributes of these are not in a fragment.
      if case .type(let name) = test, name == HTMLName.html.rawValue || name == HTMLName.body.rawValue {
        insert(name, 0)
        return
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

  /// Makes a filter of what a node has.
  init(_ name: Int32, id: Int32, classes: ArraySlice<Int32>) {
    insert(name, 0)
    insert(id, 1)
    for word in classes { insert(word, 2) }
  }

  mutating func formUnion(_ other: NameFilter) { bits |= other.bits }

  private mutating func insert(_ number: Int32, _ kind: Int32) {
    if number < 0 { return }
    let hash = UInt32(bitPattern: number &* 3 &+ kind) &* 0x9E37_79B1
    bits[Int(hash >> 31)] |= 1 << UInt64(hash >> 25 & 63)
  }

  /// Whether all of another filter may be in this one.
  func mayContain(_ other: NameFilter) -> Bool { other.bits & ~bits == .zero }
}

/// The parts of a specificity (Selectors Level 4, 17).
enum Specificity {
  static let id = 1 << 20
  static let word = 1 << 10
  static let type = 1
}
