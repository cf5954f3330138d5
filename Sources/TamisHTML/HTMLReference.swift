import TamisCore

/// A character reference in text or in an attribute's value (HTML Standard, 13.2.5.72 to 13.2.5.80).
struct HTMLReference {
  /// The character that it stands for.
  let first: Unicode.Scalar
  /// A second one, for a few names.
  let second: Unicode.Scalar?
  /// Its length in bytes, from the ampersand on.
  let length: Int

  /// The reference at an ampersand; nil when the ampersand is text.
  ///
  /// - Parameter isInAttribute: in a value a name without its semicolon counts only when no letter, digit or `=` follows.
  static func match(_ source: borrowing Span<UInt8>, at start: Int, isInAttribute: Bool) -> HTMLReference? {
    guard start + 1 < source.count else { return nil }
    if source[start + 1] == UInt8(ascii: "#") { return numeric(source, at: start) }
    let name = start + 1
    var end = name
    while end < source.count, end - name < NamedReferenceIndex.longestName, source[end].isASCIIAlphanumeric { end += 1 }
    if end < source.count, source[end] == UInt8(ascii: ";"),
      let found = NamedReferenceIndex.shared.find(source, name..<end)
    {
      return HTMLReference(first: found.first, second: found.second, length: end + 1 - start)
    }
    // The longest name that counts without its semicolon.
    var last = min(end, name + NamedReferenceIndex.longestUnclosedName)
    while last > name + 1 {
      if let found = NamedReferenceIndex.shared.find(source, name..<last), found.countsUnclosed {
        let next = last < source.count ? source[last] : 0
        if isInAttribute, next == UInt8(ascii: "=") || next.isASCIIAlphanumeric { return nil }
        return HTMLReference(first: found.first, second: found.second, length: last - start)
      }
      last -= 1
    }
    return nil
  }

  private static func numeric(_ source: borrowing Span<UInt8>, at start: Int) -> HTMLReference? {
    var index = start + 2
    let isHex = index < source.count && source[index] | 0x20 == UInt8(ascii: "x")
    if isHex { index += 1 }
    let first = index
    var value: UInt32 = 0
    while index < source.count, let digit = source[index].hexDigitValue, isHex || digit < 10 {
      value = min(value * (isHex ? 16 : 10) + UInt32(digit), 0x110000)
      index += 1
    }
    if index == first { return nil }
    if index < source.count, source[index] == UInt8(ascii: ";") { index += 1 }
    return HTMLReference(first: CharacterReference.scalar(forNumber: value), second: nil, length: index - start)
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
