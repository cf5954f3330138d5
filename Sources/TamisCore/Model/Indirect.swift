/// A large value that copies of its owner share until one of them changes it.
///
/// A copy of the owner costs one reference, not one for each member of the value. ``Rare`` suits optional values that
/// are seldom there.
@propertyWrapper
@usableFromInline
package struct Indirect<Value: Sendable>: Sendable {
  /// The storage is changed only while no other copy refers to it; therefore `@unchecked` is correct.
  @usableFromInline
  final class Storage: @unchecked Sendable {
    // The value is changed only by the one owner of the storage, whose own exclusivity is checked.
    @exclusivity(unchecked) @usableFromInline var value: Value

    @usableFromInline init(_ value: Value) { self.value = value }
  }

  @usableFromInline var storage: Storage

  /// Stores a value.
  @inlinable
  package init(wrappedValue: Value) { storage = Storage(wrappedValue) }

  /// The value.
  @inlinable
  package var wrappedValue: Value {
    _read { yield storage.value }
    _modify {
      if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
      yield &storage.value
    }
  }

  /// The wrapper itself, with which another owner shares the value instead of copying it.
  package var projectedValue: Self { self }
}

extension Indirect: Equatable where Value: Equatable {
  @usableFromInline
  package static func == (left: Self, right: Self) -> Bool {
    left.storage === right.storage || left.storage.value == right.storage.value
  }
}

extension Indirect: Hashable where Value: Hashable {
  @usableFromInline
  package func hash(into hasher: inout Hasher) { hasher.combine(storage.value) }
}
