/// An optional value that is stored out of line, so that a struct with a rarely used member stays small.
@propertyWrapper public struct Rare<Value> {
  /// The value in an array; empty for nil.
  private var aside: [Value] = []

  /// Makes a nil value.
  public init() {}

  /// The value; nil when there is none.
  public var wrappedValue: Value? {
    get { aside.first }
    set { aside = newValue.map { [$0] } ?? [] }
  }
}

extension Rare: Sendable where Value: Sendable {}
extension Rare: Equatable where Value: Equatable {}
extension Rare: Hashable where Value: Hashable {}

extension Rare: Encodable where Value: Encodable {
  /// Writes the value, or null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension KeyedEncodingContainer {
  /// Writes a rarely used member like an optional one: not at all when there is none.
  mutating func encode<Value: Encodable>(_ value: Rare<Value>, forKey key: Key) throws {
    try encodeIfPresent(value.wrappedValue, forKey: key)
  }
}
