import TamisCore

extension CharacterReference {
  /// The reference at an ampersand; nil when the ampersand is text.
  ///
  /// - Parameter isInAttribute: in a value a name without its semicolon counts only when no letter, digit or `=` follows.
  static func match(_ source: borrowing Span<UInt8>, at start: Int, isInAttribute: Bool) -> CharacterReference? {
    guard start + 1 < source.count else { return nil }
    if source[start + 1] == UInt8(ascii: "#") { return numeric(source, at: start) }
    let name = start + 1
    var end = name
    while end < source.count, end - name < NamedReferenceIndex.longestName, source[end].isASCIIAlphanumeric { end += 1 }
    if end < source.count, source[end] == UInt8(ascii: ";"),
      let found = NamedReferenceIndex.shared.find(source, name..<end)
    {
      return CharacterReference(first: found.first, second: found.second, length: end + 1 - start)
    }
    // The longest name that counts without its semicolon.
    var last = min(end, name + NamedReferenceIndex.longestUnclosedName)
    while last > name + 1 {
      if let found = NamedReferenceIndex.shared.find(source, name..<last), found.countsUnclosed {
        let next = last < source.count ? source[last] : 0
        if isInAttribute, next == UInt8(ascii: "=") || next.isASCIIAlphanumeric { return nil }
        return CharacterReference(first: found.first, second: found.second, length: last - start)
      }
      last -= 1
    }
    return nil
  }

  /// Appends what it stands for, in UTF-8.
  ///
  /// - Parameter cleaned: whether only as far as ``HTMLInput`` lets it pass.
  func append(to bytes: inout [UInt8], cleaned: Bool) {
    for scalar in [first, second] {
      guard let scalar, let character = cleaned ? HTMLInput.character(for: scalar) : scalar else { continue }
      bytes.append(scalar: character)
    }
  }
}
