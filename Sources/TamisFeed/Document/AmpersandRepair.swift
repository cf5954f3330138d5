import TamisCore

/// Makes ampersands that begin no reference into ones that do: `?a=1&b=2` in a link is the most common fault of feeds, and
/// libxml2 drops the ampersand with the name behind it.
enum AmpersandRepair {
  /// Where the first ampersand was repaired, counted as ``SourceLocation`` does.
  struct Place {
    var line: Int
    var column: Int
  }

  /// Repairs a document in place; nil when there was nothing to repair.
  static func repair(_ bytes: inout [UInt8]) -> Place? {
    var first: Int?
    var output: [UInt8] = []
    var copied = 0
    var index = 0
    while let next = bytes[index...].firstIndex(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") }) {
      if bytes[next] == UInt8(ascii: "<") {
        index = endOfSection(bytes, at: next)
        continue
      }
      index = next + 1
      if isReference(bytes, at: next) { continue }
      if next + 2 < bytes.count, bytes[next + 1] == UInt8(ascii: "#"), bytes[next + 2] == UInt8(ascii: "X") {
        // HTML writes it so too.
        bytes[next + 2] = UInt8(ascii: "x")
        if isReference(bytes, at: next) {
          first = first ?? next
          continue
        }
        bytes[next + 2] = UInt8(ascii: "X")
      }
      first = first ?? next
      output.append(contentsOf: bytes[copied..<index])
      output.append(contentsOf: "amp;".utf8)
      copied = index
    }
    guard let first else { return nil }
    let before = bytes[..<first]
    let line = before.count { $0 == ASCII.lineFeed } + 1
    let lineStart = before.lastIndex(of: ASCII.lineFeed).map { $0 + 1 } ?? 0
    output.append(contentsOf: bytes[copied...])
    bytes = output
    return Place(line: line, column: first - lineStart + 1)
  }

  /// Behind a section in which an ampersand is only a character, when one begins here; else behind the `<`.
  private static func endOfSection(_ bytes: [UInt8], at start: Int) -> Int {
    for (opening, closing) in [("<![CDATA[", "]]>"), ("<!--", "-->"), ("<?", "?>")]
    where bytes[start...].starts(with: opening.utf8) {
      let end = Array(closing.utf8)
      var index = start + opening.utf8.count
      while let candidate = bytes[index...].firstIndex(of: end[0]) {
        if bytes[candidate...].starts(with: end) { return candidate + end.count }
        index = candidate + 1
      }
      return bytes.count
    }
    return start + 1
  }

  /// Whether `&name;`, `&#1;` or `&#x1;` stands here.
  private static func isReference(_ bytes: [UInt8], at start: Int) -> Bool {
    var name = bytes[(start + 1)...].prefix(64)
    if name.first == UInt8(ascii: "#") {
      name = name.dropFirst()
      let isHex = name.first == UInt8(ascii: "x")
      if isHex { name = name.dropFirst() }
      let digits = name.prefix { isHex ? $0.hexDigitValue != nil : $0.isASCIIDigit }
      return !digits.isEmpty && name.dropFirst(digits.count).first == UInt8(ascii: ";")
    }
    guard let initial = name.first, initial.isASCIILetter || initial == UInt8(ascii: "_") || initial >= 0x80 else {
      return false
    }
    let letters = name.prefix {
      $0.isASCIIAlphanumeric || $0 >= 0x80
        || [UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":")].contains($0)
    }
    return name.dropFirst(letters.count).first == UInt8(ascii: ";")
  }
}
