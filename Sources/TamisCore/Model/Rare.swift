/// An optional value that is stored out of line: a struct with a rarely used member stays small.
@propertyWrapper public struct Rare<Value> {
  /// The value, or nothing.
  private var aside: [Value] = []

  /// No value.
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
