import TamisCore

/// The replacement texts of the entities that a document type declares.
///
/// Each is plain text, none refers to another, so none grows by itself; ``Limits/entityBytes`` bounds the total length of
/// all expansions.
struct DeclaredEntities {
  private var values: [String: String] = [:]
  /// Bytes that uses of them have stood for.
  private var expanded = 0

  /// The expansion of an entity reference.
  enum Value: Equatable {
    case text(String)
    /// It was declared, but all expansions together would exceed the limit.
    case tooMuch
    /// It was not declared.
    case unknown
  }

  /// Remembers an entity by the text between the quotes of its declaration; the first declaration counts.
  mutating func declare(_ name: String, as value: String) {
    guard values[name] == nil else { return }
    values[name] = value.decodingCharacterReferences()
  }

  /// The expansion of a name, counted against the limit.
  ///
  /// - Parameter most: bytes that all uses may come to.
  mutating func use(_ name: String, most: Int) -> Value {
    guard let value = values[name] else { return .unknown }
    guard expanded + value.utf8.count <= most else { return .tooMuch }
    expanded += value.utf8.count
    return .text(value)
  }
}
