/// The attributes of one start tag while they are decided about; one buffer holds all values, so that a tag costs no
/// allocation.
struct AttributeList {
  struct Item {
    var attribute: Int
    var value: Range<Int>
  }

  /// Attributes that stay, in document order.
  private(set) var items: [Item] = []
  /// Attributes as they were, whether they stay or not.
  private(set) var originals: [Item] = []
  private(set) var bytes: [UInt8] = []

  mutating func removeAll() {
    items.removeAll(keepingCapacity: true)
    originals.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Keeps an attribute's value as it was.
  mutating func addOriginal(_ attribute: Int, _ value: borrowing Span<UInt8>) {
    let start = bytes.count
    value.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    originals.append(Item(attribute: attribute, value: start..<bytes.count))
  }

  /// Lets an attribute stay with a value; one of the same name is replaced.
  mutating func set(_ attribute: Int, _ value: some Collection<UInt8>) {
    remove(attribute)
    let start = bytes.count
    bytes.append(contentsOf: value)
    items.append(Item(attribute: attribute, value: start..<bytes.count))
  }

  /// Lets an attribute stay with the value it had.
  mutating func keep(_ original: Item) { items.append(original) }

  mutating func remove(_ attribute: Int) { items.removeAll { $0.attribute == attribute } }

  func value(of attribute: Int) -> ArraySlice<UInt8>? {
    items.first { $0.attribute == attribute }.map { bytes[$0.value] }
  }

  func original(_ attribute: Int) -> ArraySlice<UInt8>? {
    originals.first { $0.attribute == attribute }.map { bytes[$0.value] }
  }

  /// Writes what stays, in the order of the names, so that output does not depend on the order of input.
  mutating func write(to output: inout OutputBuffer, tables: RuleTables, namespace: Policy.Namespace) {
    items.sort { tables.attributes[$0.attribute].rank < tables.attributes[$1.attribute].rank }
    for item in items {
      output.attribute(tables.attributes[item.attribute].name(in: namespace), bytes[item.value])
    }
  }
}
