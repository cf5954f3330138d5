import FoundationEssentials
import TamisCore

/// A JSON Feed as an earlier build has written it: what its feeds do not have any more is still in there.
///
/// The file may be anybody's by now, so that its bodies are sanitized again and its addresses looked at.
struct EarlierFeed {
  private struct File: Decodable {
    var items: [Item]
  }

  private struct Item: Decodable {
    var id: String
    var content_html: String?
    var attachments: [Attachment]?
  }

  private struct Attachment: Decodable {
    var url: String
    var mime_type: String?
    var size_in_bytes: Int?
  }

  private let items: [String: Item]

  init(_ bytes: [UInt8]) {
    let file = try? JSONDecoder().decode(File.self, from: Data(bytes))
    items = Dictionary((file?.items ?? []).map { ($0.id, $0) }) { first, _ in first }
  }

  /// Adds to an entry what there was of it.
  func complete(_ entry: inout FeedOutput.Entry, _ sanitize: (String) -> SanitizedHTML) {
    guard let item = items[entry.id] else { return }
    entry.content = item.content_html.map(sanitize)
    entry.enclosures = (item.attachments ?? []).compactMap { file in
      guard file.url.isWebAddress else { return nil }
      return Enclosure(url: file.url, type: file.mime_type, length: file.size_in_bytes)
    }
  }
}
