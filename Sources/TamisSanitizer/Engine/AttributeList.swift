import TamisCore

/// The attributes of one start tag during the decision.
///
/// One buffer holds all values, so that a tag needs no allocation.
struct AttributeList {
  struct Item {
    var attribute: Int
    var value: Range<Int>
  }

  /// The kept attributes, in document order.
  private(set) var items: [Item] = []
  /// The original attributes, whether they are kept or not.
  private(set) var originals: [Item] = []
  private(set) var bytes: [UInt8] = []

  mutating func removeAll() {
    if !items.isEmpty { items.removeAll(keepingCapacity: true) }
    if !originals.isEmpty { originals.removeAll(keepingCapacity: true) }
    if !bytes.isEmpty { bytes.removeAll(keepingCapacity: true) }
  }

  /// Clears the kept attributes, not the original ones.
  mutating func removeItems() { if !items.isEmpty { items.removeAll(keepingCapacity: true) } }

  /// Adds an original attribute; a reader reports each name once.
  mutating func addOriginal(_ attribute: Int, _ value: borrowing Span<UInt8>) {
    let start = bytes.count
    bytes.append(value, 0..<value.count)
    originals.append(Item(attribute: attribute, value: start..<bytes.count))
  }

  /// Removes original attributes.
  mutating func removeOriginals(_ attributes: [Int]) { originals.removeAll { attributes.contains($0.attribute) } }

  /// Adds an original attribute whose value was appended from `start` on.
  mutating func endOriginal(_ attribute: Int, from start: Int) {
    if originals.contains(where: { $0.attribute == attribute }) {
      bytes.removeLast(bytes.count - start)
    } else {
      originals.append(Item(attribute: attribute, value: start..<bytes.count))
    }
  }

  /// Keeps an attribute with a value, replacing one with the same name.
  mutating func set(_ attribute: Int, _ value: some Collection<UInt8>) {
    remove(attribute)
    let start = bytes.count
    bytes.append(contentsOf: value)
    items.append(Item(attribute: attribute, value: start..<bytes.count))
  }

  /// Returns an original attribute with another value.
  mutating func replacing(_ original: Item, with value: some Collection<UInt8>) -> Item {
    let start = bytes.count
    bytes.append(contentsOf: value)
    return Item(attribute: original.attribute, value: start..<bytes.count)
  }

  /// Keeps an attribute with its original value.
  mutating func keep(_ original: Item) { items.append(original) }

  mutating func remove(_ attribute: Int) {
    if items.contains(where: { $0.attribute == attribute }) { items.removeAll { $0.attribute == attribute } }
  }

  func value(of attribute: Int) -> ArraySlice<UInt8>? {
    items.first { $0.attribute == attribute }.map { bytes[$0.value] }
  }

  func original(_ attribute: Int) -> ArraySlice<UInt8>? {
    originals.first { $0.attribute == attribute }.map { bytes[$0.value] }
  }

  /// The length from which on a list is not short; only patterns of names let that many attributes stay.
  private static let longList = 32

  private mutating func sort(by tables: borrowing RuleTables) {
    guard items.count < Self.longList else {
      return items.sort { tables.isOrdered(attribute: $0.attribute, before: $1.attribute) }
    }
    // A short list is mostly in order, which suits an insertion sort.
    for index in items.indices.dropFirst() {
      var position = index
      while position > 0,
        tables.isOrdered(attribute: items[position].attribute, before: items[position - 1].attribute)
      {
        items.swapAt(position, position - 1)
        position -= 1
      }
    }
  }

  /// Writes the kept attributes in the order of their names.
  ///
  /// The output therefore does not depend on the order of the input.
  mutating func write(to output: inout OutputBuffer, tables: borrowing RuleTables, namespace: Policy.Namespace) {
    sort(by: tables)
    for item in items {
      let beginning = tables.beginning(ofAttribute: item.attribute, in: namespace)
      output.attribute(tables.written.span.extracting(beginning), bytes.span.extracting(item.value))
    }
  }
}
