import TamisCore

/// Looks for aliases before a parser does, which would follow them.
///
/// Anything that could be one is taken for one, in quotes too, if an anchor of its name could be there: an alias without an
/// anchor is not an alias.
enum AliasSearch {
  /// Where the first alias is, nil when there is none.
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

  /// Gives the names behind a sign that stands where a value can begin, until it is told that no more are wanted.
  private static func forEachName(
    after sign: UInt8, in bytes: [UInt8], _ body: (Int, ArraySlice<UInt8>) -> Bool
  ) {
    for (index, byte) in bytes.enumerated() where byte == sign && (index == 0 || canEnd(bytes[index - 1])) {
      let name = bytes[(index + 1)...].prefix { $0.isASCIIAlphanumeric || $0 == 0x5F || $0 == 0x2D }
      if !name.isEmpty, !body(index, name) { return }
    }
  }

  /// Whether what is before a value can end in this byte: white space, brackets, commas, colons and quotation marks.
  private static func canEnd(_ byte: UInt8) -> Bool { byte <= 0x20 || byte >= 0x80 || "[]{},:\"'".utf8.contains(byte) }
}
