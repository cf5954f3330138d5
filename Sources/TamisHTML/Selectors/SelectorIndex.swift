import TamisCore

/// Selectors prepared for any number of documents.
///
/// Each compound selector is a step. An element is compared only with the steps that its id, its classes or its name
/// can meet, and with those that have none of these.
package struct SelectorIndex: Sendable {
  /// A compound selector, with its names as positions in ``elementNames`` and ``attributeNames``.
  struct Step: Sendable {
    var part: CSSSelector.Part
    /// The previous step in the selector.
    var before: Int?
    /// The selector that this step completes.
    var selector: Int?
    var name: Int?
    var attributes: [Attribute] = []
  }

  /// A condition for an attribute.
  struct Attribute: Sendable {
    var name: Int
    /// The comparison of the value with ``text``; nil when any value matches.
    var comparison: CSSSelector.Comparison?
    /// The text, in lower case if ``ignoresCase``.
    var text: [UInt8] = []
    var ignoresCase = false

    init(_ attribute: CSSSelector.Attribute, name: Int) {
      self.name = name
      guard let (comparison, text) = attribute.value else { return }
      ignoresCase = attribute.ignoresCase
      self.comparison = comparison
      self.text = Array((ignoresCase ? text.asciiLowercased() : text).utf8)
    }
  }

  /// The names of elements in the selectors.
  package private(set) var elementNames: [String] = []
  /// The names of attributes in the selectors, behind `id` and `class`.
  package private(set) var attributeNames = ["id", "class"]
  /// The positions of `id` and `class` in ``attributeNames``.
  static let (id, classes) = (0, 1)

  /// The positions of the attributes that are compared.
  private(set) var compared: Set<Int> = []
  private(set) var steps: [Step] = []
  private(set) var byName: [Int: [Int]] = [:]
  private(set) var byClass: [String: [Int]] = [:]
  private(set) var byID: [String: [Int]] = [:]
  private(set) var others: [Int] = []

  /// Prepares selectors.
  ///
  /// - Parameter selectors: the selectors, which are numbered in their order.
  package init(_ selectors: [CSSSelector]) {
    for (number, selector) in selectors.enumerated() {
      for parts in selector.alternatives { add(parts, selector: number) }
    }
  }

  private mutating func add(_ parts: [CSSSelector.Part], selector: Int) {
    for (index, part) in parts.enumerated() {
      var step = Step(part: part, before: index == 0 ? nil : steps.count - 1)
      if index == parts.count - 1 { step.selector = selector }
      step.name = part.name.map { Self.position(of: $0, in: &elementNames) }
      step.attributes = part.attributes.map { attribute in
        Attribute(attribute, name: Self.position(of: attribute.name, in: &attributeNames))
      }
      compared.formUnion(step.attributes.map(\.name))
      if part.id != nil { compared.insert(Self.id) }
      if !part.classes.isEmpty { compared.insert(Self.classes) }
      enter(step)
      steps.append(step)
    }
  }

  private static func position(of name: String, in names: inout [String]) -> Int {
    if let position = names.firstIndex(of: name) { return position }
    names.append(name)
    return names.count - 1
  }

  /// Indexes a step under its most selective condition.
  private mutating func enter(_ step: Step) {
    let number = steps.count
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
}
