import TamisCore

/// The value of an SVG attribute that may refer to another element (SVG 2, 13.2).
///
/// The value is simple, `url(#name)`, or both, the simple value as a fallback.
struct Paint {
  /// The value as it is to be written.
  let text: [UInt8]

  /// Reads a value; nil when it could load a resource, or is not valid.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - prefix: the prefix of ids in the output; nil for none.
  init?(_ value: [UInt8], prefix: String?) {
    let trimmed = value.trimmed
    guard trimmed.prefix(4).lazy.map(\.asciiLowercased).elementsEqual("url(".utf8) else {
      guard StyleFilter.isSimple(value.span) else { return nil }
      text = value
      return
    }
    guard let end = trimmed.firstIndex(of: UInt8(ascii: ")")), let name = Self.name(in: trimmed[..<end].dropFirst(4))
    else { return nil }
    let rest = Array(trimmed[(end + 1)...].trimmed)
    guard StyleFilter.isSimple(rest.span) else { return nil }
    let start = Array((prefix ?? "").utf8)
    text =
      Array("url(#".utf8) + (name.starts(with: start) ? [] : start) + name + [UInt8(ascii: ")")]
      + (rest.isEmpty ? [] : [ASCII.space] + rest)
  }

  /// Returns the name in `#name`, which may be in quotation marks; nil for any other argument.
  private static func name(in argument: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var argument = argument.trimmed
    if let quote = argument.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      guard argument.count > 1, argument.last == quote else { return nil }
      argument = argument.dropFirst().dropLast()
    }
    guard argument.count > 1, argument.first == UInt8(ascii: "#") else { return nil }
    let name = argument.dropFirst()
    let isPlain = name.allSatisfy {
      $0.isASCIIAlphanumeric || $0 >= 0x80 || [0x2D, 0x2E, 0x3A, 0x5F].contains($0)
    }
    return isPlain ? name : nil
  }
}

extension Collection<UInt8> where Self: BidirectionalCollection {
  /// The bytes without white space at both ends.
  fileprivate var trimmed: SubSequence {
    guard let first = firstIndex(where: { !$0.isHTMLSpace }), let last = lastIndex(where: { !$0.isHTMLSpace }) else {
      return self[startIndex..<startIndex]
    }
    return self[first...last]
  }
}
