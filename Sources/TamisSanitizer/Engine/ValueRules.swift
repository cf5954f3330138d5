import TamisCore

/// The rules for the values of single attributes, by the numbers of their names.
struct ValueRules {
  private struct Place: Hashable {
    /// The number of the element; nil for every element.
    let element: Int?
    let attribute: Int
  }

  /// The allowed values, in the order of their bytes.
  private var values: [Place: [[UInt8]]] = [:]
  private var schemes: [Place: Set<String>] = [:]
  private var forced: [Int: [(attribute: Int, value: [UInt8])]] = [:]

  /// Whether there are no rules.
  var isEmpty: Bool { values.isEmpty && schemes.isEmpty && forced.isEmpty }

  /// Makes no rules.
  init() {}

  /// Makes the rules of a policy, all of whose names have numbers.
  init(_ policy: Policy, element: (String) -> Int?, attribute: (String) -> Int?) {
    func place(_ name: String, _ attributeName: String) -> Place? {
      let number = element(name)
      guard let attribute = attribute(attributeName), number != nil || name == "*" else { return nil }
      return Place(element: number, attribute: attribute)
    }
    for (name, lists) in policy.values {
      for (attribute, list) in lists {
        if let place = place(name, attribute) { values[place] = list.sorted().map { Array($0.utf8) } }
      }
    }
    for (name, lists) in policy.urls.schemesByAttribute {
      for (attribute, list) in lists {
        if let place = place(name, attribute) { schemes[place] = list }
      }
    }
    for (name, texts) in policy.forcedAttributes {
      guard let number = element(name) else { continue }
      forced[number] = texts.sorted { $0.key < $1.key }.compactMap { name, value in
        attribute(name).map { ($0, Array(value.utf8)) }
      }
    }
  }

  /// Returns the schemes of an attribute's URLs; nil when the policy has none for it alone.
  func schemes(of attribute: Int, on element: Int) -> Set<String>? {
    schemes[Place(element: element, attribute: attribute)] ?? schemes[Place(element: nil, attribute: attribute)]
  }

  /// Returns the attributes that an element has whatever the source says.
  func forced(on element: Int) -> [(attribute: Int, value: [UInt8])] { forced[element] ?? [] }

  /// Returns the value that an attribute keeps; nil when it is not among the allowed ones.
  ///
  /// A value that differs in case alone is written as the policy has it, except a single letter, whose case is the kind
  /// of numbers of a list. The words of `class` are allowed one by one.
  func listed(_ value: ArraySlice<UInt8>, of attribute: Int, on element: Int, isClass: Bool) -> ArraySlice<UInt8>? {
    let list =
      values[Place(element: element, attribute: attribute)] ?? values[Place(element: nil, attribute: attribute)]
    guard let list else { return value }
    if isClass {
      let words = value.split(whereSeparator: \.isHTMLSpace).filter { word in list.contains { $0.elementsEqual(word) } }
      return words.isEmpty ? nil : Array(words.joined(separator: [ASCII.space]))[...]
    }
    if list.contains(where: { $0.elementsEqual(value) }) { return value }
    guard value.count != 1 else { return nil }
    let lowered = value.lazy.map(\.asciiLowercased)
    return list.first { $0.lazy.map(\.asciiLowercased).elementsEqual(lowered) }?[...]
  }
}
