import TamisCore

/// The content of an output, for comparison by meaning with that of another program for the same fragment.
struct OtherInventory {
  private var elements: [String: Int] = [:]
  private var attributes: [String: Int] = [:]
  private var addresses: [String: Int] = [:]
  private var values: [String: Int] = [:]
  private let text: VisibleText
  private let tree: BrowserTree

  init(_ html: String) {
    tree = BrowserTree(html)
    text = VisibleText(tree)
    for (node, _) in tree.inOrder {
      guard let element = tree.element(node), !element.isSupplied else { continue }
      elements["<\(element.name)>", default: 0] += 1
      for (name, value) in element.attributes {
        attributes["\(element.name)@\(name)", default: 0] += 1
        if Self.holdsAddress(name) {
          addresses[value, default: 0] += 1
        } else {
          values["\(element.name)@\(name)=\"\(value)\"", default: 0] += 1
        }
      }
    }
  }

  private static func holdsAddress(_ name: String) -> Bool {
    ["href", "src", "srcset", "cite", "action", "poster", "data", "background", "longdesc", "xlink:href"].contains(name)
  }

  /// Returns what only this inventory has, in words; empty when there is nothing.
  func surplus(over other: OtherInventory) -> [String] {
    let parts = [
      (elements, other.elements), (attributes, other.attributes), (addresses, other.addresses),
    ].flatMap { Self.surplus(of: $0, over: $1) }
    let words = other.text.missing(of: text)
    let shown = words.prefix(8).joined(separator: " ") + (words.count > 8 ? " …" : "")
    return parts + (words.isEmpty ? [] : ["the words '\(shown)'"])
  }

  private static func surplus(of one: [String: Int], over other: [String: Int]) -> [String] {
    one.keys.sorted().compactMap { key in
      let count = one[key, default: 0] - other[key, default: 0]
      return count > 0 ? (count > 1 ? "\(count) × \(key)" : key) : nil
    }
  }

  /// Returns the difference from an inventory with the same elements, attributes, URLs and words, or nil when there is
  /// none.
  func difference(from other: OtherInventory) -> String? {
    if tree.html == other.tree.html { return nil }
    if let one = Self.surplus(of: values, over: other.values).first,
      let two = Self.surplus(of: other.values, over: values).first
    {
      return "\(one) in one, \(two) in the other"
    }
    return text.solid == other.text.solid ? nil : "the same words in another order"
  }
}
