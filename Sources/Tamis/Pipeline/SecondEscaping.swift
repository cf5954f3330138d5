import TamisCore
import TamisFeed

/// Undoes a second escaping of all texts of a feed, whose pages would show tags.
///
/// A single post may be about markup. So the escaping is undone only when each text of the feed with a tag has no other
/// than escaped ones, none has code in them, and at least two entries have texts that are paragraphs or boxes from
/// their beginning to their end, which a text about an element is not.
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
      isEscaped = isEscaped || Self.isBoxed(decoded)
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

  /// Whether decoded markup is paragraphs or boxes from its beginning to its end: `<p>Words</p>`.
  private static func isBoxed(_ decoded: String) -> Bool {
    let text = decoded.trimmed()
    let begins = ["p", "div", "section", "article", "table", "ul", "ol", "blockquote", "figure"].contains { name in
      text.hasPrefix("<\(name)>") || text.hasPrefix("<\(name) ")
    }
    return begins && text.hasSuffix(">") && ["</p>", "</div>", "</li>", "</td>"].contains(where: text.contains)
  }

  /// Returns a text whose tags are all escaped with its tags decoded; nil for another.
  private static func decoded(_ text: String) -> String? {
    guard text.contains("&lt;"), !text.utf8.contains(UInt8(ascii: "<")) else { return nil }
    let decoded = text.decodingCharacterReferences()
    return FeedParser.hasElements(decoded) ? decoded : nil
  }
}
