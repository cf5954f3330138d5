package import TamisCore
import TamisFiles

/// Collects the files around a book's chapters (EPUB 3.3, https://www.w3.org/TR/epub-33/): the package and the contents.
package struct Book: Sendable {
  /// A chapter in the contents.
  struct Entry: Sendable {
    var title: String
    var language: String?
    var direction: TextDirection
    var feed: String
    /// The day, as it is read.
    var day: String
    var properties: [String]
  }

  let site: Site
  let name: String
  private(set) var entries: [Entry] = []
  private(set) var pictures: [PagePath] = []
  private var feeds: Set<FeedKey> = []
  private(set) var times: ClosedRange<Int64>?
  private var newestChange: Int64?
  private let identity: String
  private let modified: Int64?

  /// The file that comes first, and is not packed.
  package static let mediaType = SiteFile(path: PagePath("mimetype"), bytes: Array("application/epub+zip".utf8))

  /// The folder in which the files of a book are, with a slash at its end.
  package static let folder = "EPUB/"

  /// A book without a chapter.
  ///
  /// - Parameters:
  ///   - name: what of the site it has; empty for all.
  ///   - identity: the same for each edition of a book.
  ///   - modified: when it was made, seconds since 1970-01-01T00:00:00Z; nil for when the newest post was.
  package init(_ site: Site, name: String, identity: String, modified: Int64?) {
    (self.site, self.name, self.identity, self.modified) = (site, name, identity, modified)
  }

  /// How many chapters there are.
  package var count: Int { entries.count }

  /// How many pictures there are.
  package var pictureCount: Int { pictures.count }

  /// The file of a chapter, from 1.
  static func page(_ number: Int) -> String { "post-\(number.padded(to: 5)).xhtml" }

  /// The media type of a picture by its name; nil for one that not all readers know.
  static func pictureType(_ path: PagePath) -> String? {
    switch path.text.split(separator: ".").last {
    case "png": "image/png"
    case "jpg": "image/jpeg"
    case "gif": "image/gif"
    case "webp": "image/webp"
    default: nil
    }
  }

  /// Notes a chapter.
  package mutating func add(_ chapter: BookChapter, _ item: CardItem) {
    let card = item.card
    feeds.insert(item.feed.key)
    if let sortDate = card.sortDate {
      times = min(times?.lowerBound ?? sortDate, sortDate)...max(times?.upperBound ?? sortDate, sortDate)
      newestChange = max(newestChange ?? sortDate, sortDate)
    }
    let day = card.sortDate.map { site.times.day($0) } ?? site.words.text(.undated)
    entries.append(
      Entry(
        title: site.named(card.title, at: card.sortDate), language: card.language, direction: card.direction,
        feed: item.feed.title, day: day, properties: chapter.properties))
  }

  /// Notes a picture, each once.
  package mutating func add(picture: PagePath) { pictures.append(picture) }

  // MARK: - Titles

  var words: Words { site.words }

  /// The site's name, and what the book has of it.
  var heading: String { name.isEmpty ? site.options.title : "\(site.options.title): \(name)" }

  /// The dates of its first and its last post; nil when there are none.
  var days: String? {
    guard let times else { return nil }
    let (first, last) = (site.times.day(times.lowerBound), site.times.day(times.upperBound))
    return first == last ? first : words.text(.dateRange, [.first: first, .next: last])
  }

  var extent: String {
    words.text(
      .postsFromFeeds,
      [.posts: words.counted(.posts, entries.count), .feeds: words.counted(.feeds, feeds.count)])
  }

  var title: String { days.map { "\(heading), \($0)" } ?? heading }

  /// A name-based UUID (RFC 9562, 5.8) of what the book is.
  var identifier: String {
    var bytes = Array(SHA256("\(site.options.title)\n\(site.options.address ?? "")\n\(identity)").bytes.prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x50
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = bytes.map { byte in
      let text = String(byte, radix: 16)
      return text.utf8.count == 1 ? "0" + text : text
    }
    let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
    return "urn:uuid:" + groups.joined(separator: "-")
  }

  /// When it was made.
  var change: DateText { DateText(max(modified ?? newestChange ?? 0, 0)) }

  /// The chapters one day after the other.
  var entriesByDay: [(day: String, entries: Range<Int>)] {
    var days: [(day: String, entries: Range<Int>)] = []
    for index in entries.indices {
      if let last = days.last, last.day == entries[index].day {
        days[days.count - 1].entries = last.entries.lowerBound..<index + 1
      } else {
        days.append((entries[index].day, index..<index + 1))
      }
    }
    return days
  }
}
