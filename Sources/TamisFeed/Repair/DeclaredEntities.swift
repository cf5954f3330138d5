import TamisCore

/// What the entities stand for that a document type declares.
///
/// Each is plain text, none refers to another, so none grows by itself; ``Limits/entityBytes`` bounds what all uses of them
/// may come to.
struct DeclaredEntities {
  private var values: [String: String] = [:]
  /// Bytes that uses of them have stood for.
  private var expanded = 0

  /// What a name in an ampersand stands for.
  enum Value: Equatable {
    case text(String)
    /// It was declared, but all uses together stand for more than may be.
    case tooMuch
    /// It was not declared.
    case unknown
  }

  /// Remembers an entity by the text between the quotes of its declaration; the first declaration counts.
  mutating func declare(_ name: String, as value: String) {
    guard values[name] == nil else { return }
    values[name] = value.decodingCharacterReferences()
  }

  /// What a name stands for, at one more place.
  ///
  /// - Parameter most: bytes that all uses may come to.
  mutating func use(_ name: String, most: Int) -> Value {
    guard let value = values[name] else { return .unknown }
    guard expanded + value.utf8.count <= most else { return .tooMuch }
    expanded += value.utf8.count
    return .text(value)
  }
}
