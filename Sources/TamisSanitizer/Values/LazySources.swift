import TamisCore

/// Finds placeholder sources whose URLs do not look like placeholders (Tamis.docc/HowAThumbnailIsPicked.md, T2).
///
/// Several pictures of the fragment have such a source, each with another URL for a script to load.
struct LazySources {
  /// The number of pictures from which on a shared source is a placeholder.
  private static let repetitions = 3

  private var counts: [[UInt8]: Int] = [:]
  private var placeholders: Set<[UInt8]> = []

  /// Records the source of a picture for which a script would load another one.
  mutating func note(_ source: [UInt8]) { counts[source, default: 0] += 1 }

  /// Whether a source was found to be a placeholder.
  func isPlaceholder(_ source: ArraySlice<UInt8>) -> Bool {
    !placeholders.isEmpty && placeholders.contains(Array(source))
  }

  /// Decides about the sources that were recorded, once; returns whether placeholders were found.
  mutating func hasFoundMore() -> Bool {
    guard !counts.isEmpty, placeholders.isEmpty else { return false }
    placeholders = Set(counts.filter { $0.value >= Self.repetitions }.keys)
    return !placeholders.isEmpty
  }

  /// Whether a text can be a URL rather than a switch such as `true` or `1`, or data for a script.
  static func looksLikeAddress(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first(where: { !$0.isHTMLSpace }), first != UInt8(ascii: "{"), first != UInt8(ascii: "[")
    else {
      return false
    }
    return !text.starts(with: "data:".utf8) && text.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }
  }

  /// Whether a text is a URL with the extension of a picture file.
  static func looksLikePicture(_ text: [UInt8]) -> Bool {
    guard !text.contains(where: { $0 <= ASCII.space }) else { return false }
    let path = text.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }.map(\.asciiLowercased)
    return endings.contains { path.count > $0.count && path.suffix($0.count).elementsEqual($0) }
  }

  private static let endings = [".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif"].map { Array($0.utf8) }
}
