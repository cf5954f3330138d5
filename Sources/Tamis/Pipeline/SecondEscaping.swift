import TamisCore
import TamisFeed

/// Undoes a second escaping of all texts of a feed, whose pages would show tags.
///
/// A single post may be about markup. So the escaping is undone only when each text of the feed with a tag has no other
/// than escaped ones, at least two entries have such texts, and none has code in them.
struct SecondEscaping: Sendable {
  private static let fewest = 2
  private var isPossible = true
  private var count = 0

  /// Whether the texts noted so far are escaped twice.
  private var isWhole: Bool { isPossible && count >= Self.fewest }

  /// Looks at an entry before it is sanitized.
  mutating func note(_ entry: Feed.Entry) {
    guard isPossible else { return }
    var isEscaped = false
    for text in [entry.summary].compactMap(\.self) + entry.content + entry.otherTexts where text.kind != .text {
      guard let decoded = Self.decoded(text.value) else {
        // Words without any markup say nothing.
        isPossible = isPossible && !text.value.utf8.contains(UInt8(ascii: "<")) && !text.value.contains("&lt;")
        continue
      }
      isEscaped = true
      isPossible = isPossible && !["<code", "<pre", "<kbd", "&lt;"].contains(where: decoded.contains)
    }
    if isEscaped { count += 1 }
  }

  /// Returns an entry with its texts decoded, when all texts of its feed are escaped twice.
  func undone(_ entry: Feed.Entry) -> Feed.Entry {
    guard isWhole else { return entry }
    var entry = entry
    for index in entry.content.indices { Self.undo(&entry.content[index]) }
    for index in entry.otherTexts.indices { Self.undo(&entry.otherTexts[index]) }
    if var summary = entry.summary {
      Self.undo(&summary)
      entry.summary = summary
    }
    return entry
  }

  private static func undo(_ text: inout Feed.Markup) {
    if text.kind != .text, let decoded = decoded(text.value) { text.value = decoded }
  }

  /// Returns a text that begins or ends with an escaped tag, and has no other, with its tags decoded.
  private static func decoded(_ text: String) -> String? {
    guard text.contains("&lt;"), !text.utf8.contains(UInt8(ascii: "<")) else { return nil }
    let decoded = text.decodingCharacterReferences()
    guard decoded.hasPrefix("<") || decoded.hasSuffix(">") else { return nil }
    return FeedParser.hasElements(decoded) ? decoded : nil
  }
}
