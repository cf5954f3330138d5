import TamisCore

/// The replacement texts of the entities that a document type declares.
///
/// Each is plain text that refers to no other, so none grows by itself; ``Limits/entityBytes`` bounds the total length
/// of all expansions.
struct DeclaredEntities {
  private var values: [String: String] = [:]
  /// The number of bytes expanded so far.
  private var expanded = 0

  /// The expansion of an entity reference.
  enum Value: Equatable {
    case text(String)
    /// The entity was declared, but all expansions together would exceed the limit.
    case tooMuch
    /// The entity was not declared.
    case unknown
  }

  /// Stores an entity by the quoted text of its declaration; the first declaration counts.
  mutating func declare(_ name: String, as value: String) {
    guard values[name] == nil else { return }
    let allowed = value.decodingCharacterReferences().unicodeScalars.filter { XMLCharacter.isAllowed($0.value) }
    values[name] = String(String.UnicodeScalarView(allowed))
  }

  /// Returns the expansion of a name, counted against the limit.
  ///
  /// - Parameters:
  ///   - name: the name of the entity.
  ///   - most: the maximum number of bytes of all expansions.
  /// - Returns: the expansion, or the reason why there is none.
  mutating func use(_ name: String, most: Int) -> Value {
    guard let value = values[name] else { return .unknown }
    guard expanded + value.utf8.count <= most else { return .tooMuch }
    expanded += value.utf8.count
    return .text(value)
  }
}
