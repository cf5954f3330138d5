/// A value that few have, kept aside: the struct that may have it stays small, which counts where there are many of it.
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
