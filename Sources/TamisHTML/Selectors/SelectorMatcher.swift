import TamisCore

/// A search for the elements that match selectors, in one walk through a document.
///
/// Each open element keeps which steps of selectors it and its ancestors match, so that no element is examined for
/// another. Elements share these sets as long as nothing is added; memory use depends on the depth of the document.
package struct SelectorMatcher {
  /// An attribute of an element: the document's number of its name, and its value.
  package typealias Attribute = (name: Int32, value: ArraySlice<UInt8>)

  /// An open element with the steps that it matches, and those that it or an ancestor matches.
  private struct Open {
    var own = StepSet()
    var all = StepSet()
  }

  /// The number of bytes of a long value searched for words and substrings.
  private static let longestValue = 4096

  private let index: SelectorIndex
  /// The positions in the index of the document's names.
  private var elements: [Int32: Int] = [:]
  private var attributes: [Int32: Int] = [:]
  /// Whether the document has the names of a step and of those before it.
  private let isPossible: [Bool]
  private var open: [Open] = []

  /// Whether a selector can match at all, by the names in the document.
  package let canMatch: Bool

  /// Starts a search.
  ///
  /// - Parameters:
  ///   - index: the selectors.
  ///   - elements: the document's numbers for ``SelectorIndex/elementNames``, -1 for names that it does not have.
  ///   - attributes: the document's numbers for ``SelectorIndex/attributeNames``, -1 likewise.
  package init(_ index: SelectorIndex, elements: [Int32], attributes: [Int32]) {
    self.index = index
    for (position, number) in elements.enumerated() where number >= 0 { self.elements[number] = position }
    for position in index.compared where attributes[position] >= 0 { self.attributes[attributes[position]] = position }
    var isPossible: [Bool] = []
    for step in index.steps {
      let hasNames =
        (step.name.map { elements[$0] >= 0 } ?? true) && step.attributes.allSatisfy { attributes[$0.name] >= 0 }
        && (step.part.id == nil || attributes[SelectorIndex.id] >= 0)
        && (step.part.classes.isEmpty || attributes[SelectorIndex.classes] >= 0)
      isPossible.append(hasNames && (step.before.map { isPossible[$0] } ?? true))
    }
    self.isPossible = isPossible
    canMatch = zip(index.steps, isPossible).contains { $0.selector != nil && $1 }
  }

  /// Returns whether an attribute, given by the document's number of its name, is compared.
  package func compares(_ attribute: Int32) -> Bool { attributes[attribute] != nil }

  /// Enters an element.
  ///
  /// - Parameters:
  ///   - name: the document's number of its name.
  ///   - attributes: its attributes, of which others than the compared ones may be left out.
  /// - Returns: the numbers of the selectors that the element matches, in ascending order.
  package mutating func enter(_ name: Int32, _ attributes: [Attribute]) -> [Int] {
    let around = open.last ?? Open()
    let own = steps(metBy: Element(elements[name], values(attributes)), in: around)
    open.append(Open(own: own, all: own.isEmpty ? around.all : around.all.union(own)))
    return own.isEmpty ? [] : Set(own.numbers.compactMap { index.steps[$0].selector }).sorted()
  }

  /// Leaves the innermost element.
  package mutating func leave() { open.removeLast() }

  /// Returns the id and the classes of an element as selectors have them, `#about` and `.promo`.
  package func names(in attributes: [Attribute]) -> [String] {
    if attributes.isEmpty { return [] }
    let element = Element(nil, values(attributes))
    return (element.id.map { ["#\($0)"] } ?? []) + element.classes.map { ".\($0)" }
  }

  // MARK: - One element

  /// An element with the values of its compared attributes, by position in the index.
  private struct Element {
    let name: Int?
    let values: [Int: ArraySlice<UInt8>]
    let id: String?
    let classes: Set<String>

    init(_ name: Int?, _ values: [Int: ArraySlice<UInt8>]) {
      (self.name, self.values) = (name, values)
      id = values[SelectorIndex.id].map { String(streamSafe: $0) }
      classes =
        values[SelectorIndex.classes].map { Set(SelectorMatcher.words($0).map { String(streamSafe: $0) }) } ?? []
    }
  }

  /// Returns the first value of each compared attribute.
  private func values(_ attributes: [Attribute]) -> [Int: ArraySlice<UInt8>] {
    if attributes.isEmpty { return [:] }
    return Dictionary(attributes.compactMap { item in self.attributes[item.name].map { ($0, item.value) } }) {
      first, _ in
      first
    }
  }

  private func steps(metBy element: Element, in around: Open) -> StepSet {
    var found = StepSet()
    func look(at candidates: [Int]?) {
      for number in candidates ?? [] where isPossible[number] && isMet(index.steps[number], by: element, around) {
        found.insert(number)
      }
    }
    look(at: element.name.flatMap { index.byName[$0] })
    look(at: element.id.flatMap { index.byID[$0] })
    if !index.byClass.isEmpty { for name in element.classes { look(at: index.byClass[name]) } }
    look(at: index.others)
    return found
  }

  private func isMet(_ step: SelectorIndex.Step, by element: Element, _ around: Open) -> Bool {
    if let before = step.before {
      guard (step.part.isChild ? around.own : around.all).contains(before) else { return false }
    }
    if let name = step.name, name != element.name { return false }
    if let id = step.part.id, id != element.id { return false }
    guard step.part.classes.allSatisfy(element.classes.contains) else { return false }
    return step.attributes.allSatisfy { attribute in
      guard let value = element.values[attribute.name] else { return false }
      guard let comparison = attribute.comparison else { return true }
      if !attribute.ignoresCase { return Self.holds(comparison, attribute.text, in: value) }
      let part = comparison == .ends ? value.suffix(attribute.text.count) : value.prefix(Self.longestValue)
      return Self.holds(comparison, attribute.text, in: part.map(\.asciiLowercased)[...])
    }
  }

  private static func words(_ value: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    value.prefix(longestValue).split(whereSeparator: \.isHTMLSpace)
  }

  private static func holds(_ comparison: CSSSelector.Comparison, _ text: [UInt8], in value: ArraySlice<UInt8>) -> Bool
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
private struct StepSet {
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
