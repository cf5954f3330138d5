import TamisCore

/// Searches for aliases before a parser follows them.
///
/// Anything that may be an alias counts as one, in quotes too, if there may be an anchor of its name: an alias without
/// an anchor is not an alias.
enum AliasSearch {
  /// Returns the index of the first alias; nil when there is none.
  static func firstAlias(in bytes: [UInt8]) -> Int? {
    var anchors: Set<ArraySlice<UInt8>> = []
    forEachName(after: UInt8(ascii: "&"), in: bytes) { _, name in
      anchors.insert(name)
      return true
    }
    if anchors.isEmpty { return nil }
    var found: Int?
    forEachName(after: UInt8(ascii: "*"), in: bytes) { index, name in
      if anchors.contains(name) { found = index }
      return found == nil
    }
    return found
  }

  /// Calls `body` for each name after a sign that is where a value can begin, until it returns false.
  private static func forEachName(after sign: UInt8, in bytes: [UInt8], _ body: (Int, ArraySlice<UInt8>) -> Bool) {
    for (index, byte) in bytes.enumerated() where byte == sign && (index == 0 || canEnd(bytes[index - 1])) {
      let name = bytes[(index + 1)...].prefix { $0.isASCIIAlphanumeric || $0 == 0x5F || $0 == 0x2D }
      if !name.isEmpty, !body(index, name) { return }
    }
  }

  /// Whether the text before a value can end in this byte.
  ///
  /// These are white space, brackets, commas, colons, quotation marks and bytes outside ASCII.
  private static func canEnd(_ byte: UInt8) -> Bool { byte <= 0x20 || byte >= 0x80 || "[]{},:\"'".utf8.contains(byte) }
}
