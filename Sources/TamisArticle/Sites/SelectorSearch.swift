import TamisHTML

extension PageTape {
  /// A matching element with the first selector that it matches.
  struct Match {
    var element: Int
    var selector: Int
  }

  /// Returns the elements that match selectors, in document order.
  func matches(of selectors: [CSSSelector]) -> [Match] {
    if selectors.isEmpty { return [] }
    let index = SelectorIndex(selectors)
    var matcher = SelectorMatcher(
      index, elements: Self.numbers(of: index.elementNames, in: names),
      attributes: Self.numbers(of: index.attributeNames, in: attributeNames))
    guard matcher.canMatch else { return [] }
    var (matches, open) = ([Match](), [Int32]())
    for element in elements.indices {
      let parent = elements[element].parent
      while let last = open.last, last != parent {
        open.removeLast()
        matcher.leave()
      }
      open.append(Int32(element))
      let selector = matcher.enter(elements[element].name, comparedAttributes(of: element, matcher)).first
      if let selector { matches.append(Match(element: element, selector: selector)) }
    }
    return matches
  }

  /// Returns the numbers of names; -1 for those that the page does not have.
  private static func numbers(of wanted: [String], in names: [String]) -> [Int32] {
    var numbers: [String: Int32] = [:]
    for (number, name) in names.enumerated() where numbers[name] == nil { numbers[name] = Int32(number) }
    return wanted.map { numbers[$0] ?? -1 }
  }

  private func comparedAttributes(of element: Int, _ matcher: SelectorMatcher) -> [SelectorMatcher.Attribute] {
    let list = elements[element].attributes
    return attributes[Int(list.lowerBound)..<Int(list.upperBound)].compactMap { attribute in
      guard matcher.compares(attribute.name) else { return nil }
      return (attribute.name, bytes[Int(attribute.value.lowerBound)..<Int(attribute.value.upperBound)])
    }
  }
}
