/// Language tags (RFC 5646).
package enum LanguageTag {
  /// Returns a tag that a page may declare; nil for invalid ones, which many feeds have.
  ///
  /// Underscores become hyphens. Only the syntax is checked, and that the tag has at most 100 bytes.
  package static func normalized(_ text: String) -> String? {
    guard text.utf8.count <= 100 else { return nil }
    let subtags = text.trimmed().utf8.split(omittingEmptySubsequences: false) {
      $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
    }
    guard let primary = subtags.first, (2...3).contains(primary.count), primary.allSatisfy(\.isASCIILetter),
      subtags.dropFirst().allSatisfy({ tag in
        (1...8).contains(tag.count)
          && tag.allSatisfy { $0.isASCIILetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      })
    else { return nil }
    return subtags.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
  }
}
