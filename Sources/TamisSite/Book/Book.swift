package import TamisCore
import TamisSystem

/// A collection of the files around a book's chapters (EPUB 3.3, https://www.w3.org/TR/epub-33/): package and contents.
package struct Book: Sendable {
  /// A chapter in the contents.
  struct Entry: Sendable {
    var title: String
    var language: String?
    var direction: TextDirection
    var feed: String
    /// The day as shown.
    var day: String
    var properties: [String]
  }

  let site: Site
  let name: String
  private(set) var entries: [Entry] = []
  private(set) var pictures: [PagePath] = []
  private var feeds: Set<Feed.Key> = []
  private(set) var times: ClosedRange<Int64>?
  private var newestChange: Int64?
  private let identity: String
  private let modified: Int64?

  /// The file that comes first and is not compressed.
  package static let mediaType = SiteFile(path: PagePath("mimetype"), bytes: Array("application/epub+zip".utf8))

  /// The folder of the files of a book, with a trailing slash.
  package static let folder = "EPUB/"

  /// Creates a book without chapters.
  ///
  /// - Parameters:
  ///   - site: the site.
  ///   - name: the part of the site in the book; empty for all.
  ///   - identity: a text that is the same for each edition of a book.
  ///   - modified: the time of creation in seconds since 1970-01-01T00:00:00Z; nil for that of the newest post.
  package init(_ site: Site, name: String, identity: String, modified: Int64?) {
    (self.site, self.name, self.identity, self.modified) = (site, name, identity, modified)
  }

  /// The number of chapters.
  package var count: Int { entries.count }

  /// The number of pictures.
  package var pictureCount: Int { pictures.count }

  /// Returns the file of a chapter, counted from 1.
  static func page(_ number: Int) -> String { "post-\(number.padded(to: 5)).xhtml" }

  /// Returns the media type of a picture by its name, or nil for one that not all readers support.
  static func pictureType(_ path: PagePath) -> String? {
    switch path.text.split(separator: ".").last {
    case "png": "image/png"
    case "jpg": "image/jpeg"
    case "gif": "image/gif"
    case "webp": "image/webp"
    default: nil
    }
  }

  /// Adds a chapter to the contents.
  package mutating func add(_ chapter: BookChapter, _ item: CardItem) {
    let card = item.card
    feeds.insert(item.feed.key)
    if let sortDate = item.sortDate {
      times = min(times?.lowerBound ?? sortDate, sortDate)...max(times?.upperBound ?? sortDate, sortDate)
      newestChange = max(newestChange ?? sortDate, sortDate)
    }
    let day = item.sortDate.map { site.times.day($0) } ?? site.words.text(.undated)
    entries.append(
      Entry(
        title: site.named(card.heading, at: item.sortDate), language: card.language, direction: card.direction,
        feed: item.feed.title, day: day, properties: chapter.properties))
  }

  /// Adds a picture to the package; each is added once.
  package mutating func add(picture: PagePath) { pictures.append(picture) }

  // MARK: - Titles

  var words: Site.Words { site.words }

  /// The site's name, and the part of it in the book.
  var heading: String { name.isEmpty ? site.settings.title : "\(site.settings.title): \(name)" }

  /// The dates of the first and the last post; nil when there are none.
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

  /// A name-based UUID (RFC 9562, 5.8) of the book's identity.
  var identifier: String {
    var bytes = Array(SHA256("\(site.settings.title)\n\(site.settings.link ?? "")\n\(identity)").bytes.prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x50
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = bytes.map { byte in
      let text = String(byte, radix: 16)
      return text.utf8.count == 1 ? "0" + text : text
    }
    let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
    return "urn:uuid:" + groups.joined(separator: "-")
  }

  /// The time of creation.
  var change: DateText { DateText(max(modified ?? newestChange ?? 0, 0)) }

  /// The chapters grouped by consecutive days.
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
