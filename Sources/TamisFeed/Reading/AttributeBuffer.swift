import TamisCore

/// The attributes of the start tag being read, in one buffer.
struct AttributeBuffer {
  private(set) var items: [(name: Int, value: Range<Int>)] = []
  private(set) var bytes: [UInt8] = []

  mutating func removeAll() {
    if !items.isEmpty { items.removeAll(keepingCapacity: true) }
    if !bytes.isEmpty { bytes.removeAll(keepingCapacity: true) }
  }

  /// Adds an attribute, whose name is given by number.
  mutating func add(_ name: Int, _ value: borrowing Span<UInt8>) {
    let start = bytes.count
    bytes.append(value, 0..<value.count)
    items.append((name, start..<bytes.count))
  }

  func string(_ value: Range<Int>) -> String { String(bytes.span, value) }
}
