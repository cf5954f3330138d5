import TamisCore

/// A search for the elements of a page that match selectors, in one walk.
///
/// Each open element keeps which parts of selectors it and its ancestors match, so that no element is examined for
/// another. Elements share these sets as long as nothing is added; memory use depends on the depth of the page.
struct SelectorSearch {
  /// A matching element with the first selector that it matches.
  struct Match {
    var element: Int
    var selector: Int
  }

  /// A part of a selector.
  private struct Step {
    var part: PageSelector.Part
    /// The previous step in the selector.
    var before: Int?
    /// The selector that this step completes.
    var selector: Int?
    var name: Int32?
    var attributes: [(number: Int32, value: (PageSelector.Comparison, [UInt8])?)] = []
    /// Whether the page has all of its names.
    var isPossible = true
  }

  /// An open element with the steps that it matches, and those that it or an ancestor matches.
  private struct Open {
    var element: Int32
    var own: StepSet
    var all: StepSet
  }

  /// The number of bytes of a long value searched for words and substrings.
  private static let longestValue = 4096

  private let tape: PageTape
  private var steps: [Step] = []
  private var byName: [Int32: [Int]] = [:]
  private var byClass: [String: [Int]] = [:]
  private var byID: [String: [Int]] = [:]
  private var others: [Int] = []
  private var hasClasses = false
  private let classNumber: Int32?
  private let idNumber: Int32?

  /// Returns the matching elements, in document order.
  static func matches(of selectors: [PageSelector], in tape: PageTape) -> [Match] {
    if selectors.isEmpty { return [] }
    let search = SelectorSearch(selectors, tape)
    return search.steps.contains { $0.isPossible && $0.selector != nil } ? search.run() : []
  }

  private init(_ selectors: [PageSelector], _ tape: PageTape) {
    self.tape = tape
    let attributes = Self.numbers(tape.attributeNames)
    let names = Self.numbers(tape.names)
    (classNumber, idNumber) = (attributes["class"], attributes["id"])
    for (number, selector) in selectors.enumerated() {
      for alternative in selector.alternatives {
        add(alternative, selector: number, names: names, attributes: attributes)
      }
    }
  }

  private static func numbers(_ names: [String]) -> [String: Int32] {
    Dictionary(names.enumerated().map { ($1, Int32($0)) }) { first, _ in first }
  }

  private mutating func add(
    _ parts: [PageSelector.Part], selector: Int, names: [String: Int32], attributes: [String: Int32]
  ) {
    for (index, part) in parts.enumerated() {
      var step = Step(part: part, before: index == 0 ? nil : steps.count - 1)
      if index == parts.count - 1 { step.selector = selector }
      if let name = part.name {
        step.name = names[name]
        step.isPossible = step.name != nil
      }
      for attribute in part.attributes {
        guard let number = attributes[attribute.name] else {
          step.isPossible = false
          continue
        }
        step.attributes.append((number, attribute.value.map { ($0.0, Array($0.1.utf8)) }))
      }
      if let before = step.before, !steps[before].isPossible { step.isPossible = false }
      if step.isPossible { enter(step) }
      steps.append(step)
    }
  }

  /// Indexes a step under its most selective condition.
  private mutating func enter(_ step: Step) {
    let number = steps.count
    hasClasses = hasClasses || !step.part.classes.isEmpty
    if let id = step.part.id {
      byID[id, default: []].append(number)
    } else if let name = step.part.classes.first {
      byClass[name, default: []].append(number)
    } else if let name = step.name {
      byName[name, default: []].append(number)
    } else {
      others.append(number)
    }
  }

  // MARK: - The walk

  private func run() -> [Match] {
    var matches: [Match] = []
    var open: [Open] = []
    for element in tape.elements.indices {
      let parent = tape.elements[element].parent
      while let last = open.last, last.element != parent { open.removeLast() }
      let around = open.last
      let own = steps(of: element, in: around)
      let all = own.isEmpty ? around?.all ?? StepSet() : (around?.all ?? StepSet()).union(own)
      open.append(Open(element: Int32(element), own: own, all: all))
      let selector = own.isEmpty ? nil : own.numbers.compactMap { steps[$0].selector }.min()
      if let selector { matches.append(Match(element: element, selector: selector)) }
    }
    return matches
  }

  private func steps(of element: Int, in around: Open?) -> StepSet {
    let id = idNumber.flatMap { value(of: $0, in: element) }.map { String(streamSafe: $0) }
    let classes = hasClasses ? self.classes(of: element) : []
    var candidates = byName[tape.elements[element].name] ?? []
    if let id, let named = byID[id] { candidates += named }
    for name in classes { if let named = byClass[name] { candidates += named } }
    var found = StepSet()
    for number in candidates + others where isMet(steps[number], by: element, id, classes, around) {
      found.insert(number)
    }
    return found
  }

  private func isMet(
    _ step: Step, by element: Int, _ id: String?, _ classes: Set<String>, _ around: Open?
  ) -> Bool {
    if let before = step.before {
      guard let around, (step.part.isChild ? around.own : around.all).contains(before) else { return false }
    }
    if let name = step.name, name != tape.elements[element].name { return false }
    if let wanted = step.part.id, wanted != id { return false }
    if !step.part.classes.allSatisfy(classes.contains) { return false }
    return step.attributes.allSatisfy { attribute in
      guard let value = value(of: attribute.number, in: element) else { return false }
      return attribute.value.map { Self.holds($0.0, $0.1, in: value) } ?? true
    }
  }

  // MARK: - Attributes

  private func value(of attribute: Int32, in element: Int) -> ArraySlice<UInt8>? {
    let list = tape.elements[element].attributes
    for index in Int(list.lowerBound)..<Int(list.upperBound) where tape.attributes[index].name == attribute {
      let range = tape.attributes[index].value
      return tape.bytes[Int(range.lowerBound)..<Int(range.upperBound)]
    }
    return nil
  }

  private func classes(of element: Int) -> Set<String> {
    guard let classNumber, let value = value(of: classNumber, in: element) else { return [] }
    return Set(Self.words(value).map { String(streamSafe: $0) })
  }

  private static func words(_ value: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    value.prefix(longestValue).split(whereSeparator: \.isHTMLSpace)
  }

  private static func holds(_ comparison: PageSelector.Comparison, _ text: [UInt8], in value: ArraySlice<UInt8>) -> Bool
  {
    switch comparison {
    case .equals: value.elementsEqual(text)
    case .begins: value.starts(with: text)
    case .ends: value.count >= text.count && value.suffix(text.count).elementsEqual(text)
    case .hasWord: words(value).contains { $0.elementsEqual(text) }
    case .contains: ByteScan.contains(text, in: value.prefix(longestValue))
    }
  }
}

/// A set of small numbers; copies share their memory.
struct StepSet {
  private var words: [UInt64] = []

  var isEmpty: Bool { words.isEmpty }

  func contains(_ number: Int) -> Bool {
    number / 64 < words.count && words[number / 64] & 1 << UInt64(number % 64) != 0
  }

  mutating func insert(_ number: Int) {
    while words.count <= number / 64 { words.append(0) }
    words[number / 64] |= 1 << UInt64(number % 64)
  }

  /// Returns the union, which shares memory with this set when nothing is added.
  func union(_ other: StepSet) -> StepSet {
    var sum = self
    for (index, word) in other.words.enumerated() where word != 0 {
      if index < sum.words.count, sum.words[index] | word == sum.words[index] { continue }
      while sum.words.count <= index { sum.words.append(0) }
      sum.words[index] |= word
    }
    return sum
  }

  var numbers: [Int] {
    words.indices.flatMap { index in (0..<64).filter { words[index] & 1 << UInt64($0) != 0 }.map { index * 64 + $0 } }
  }
}
