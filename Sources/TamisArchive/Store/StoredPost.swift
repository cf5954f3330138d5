import Foundation
import GRDB

/// A stored post: its keys, and what its feed and its readers have done with it.
struct StoredPost: Sendable, Hashable {
  /// Facts about a post besides its keys.
  struct Flags: OptionSet, Sendable, Hashable {
    var rawValue: Int64
    /// Its permalink is on its feed's site.
    static let own = Flags(rawValue: 1)
    /// It came as part of a backfill (Tamis.docc/HowAPostIsRecognized.md, K8).
    static let backfill = Flags(rawValue: 2)
    /// Its page's name is not made of a title.
    static let untitled = Flags(rawValue: 4)
    /// Its id means the same in all feeds.
    static let global = Flags(rawValue: 8)
    /// A filter excludes it.
    static let heldBack = Flags(rawValue: 16)
  }

  var number = PostNumber(rawValue: 0)
  var feed = FeedNumber(rawValue: 0)
  var id = PostID(rawValue: 0)
  /// The file name of its page, without folder and extension.
  var name = ""
  var guid: Int64?
  var guidForm: Int64?
  var link: Int64?
  var file: Int64?
  var title: Int64 = 0
  /// The words of its title; empty when it has none.
  var titleWords = ""
  var text: Int64?
  var markup: Int64 = 0
  var words = 0
  var numbers: Int64 = 0
  var sketch: [UInt8]?
  /// The landmarks of its text, none or two.
  var landmarks: [Int64] = []
  var date: Int64?
  var flags: Flags = []
  /// When it was first seen.
  var first = Moment.never
  /// Since when it has its present title and text.
  var since = Moment.never
  /// When it last had a major change.
  var changed = Moment.never
  /// When a complete document of its feed first lacked it; `.never` while it is there.
  var missed = Moment.never
  /// When a cut-off document last had it; `.never` when none did.
  var partial = Moment.never
  /// When it was last marked as read.
  var read = Moment.never
  /// When the user forgot it.
  var forgotten = Moment.never
  /// When its content was deleted.
  var purged = Moment.never
  /// Its index in the document in which it came.
  var position = 0
  /// The digest of its card and body.
  var content: Int64 = 0
  /// Whether a site shows it: on a page of its own, or below another post.
  var listing = Listing.hidden
  /// The canonical post that it is folded into; its own number or 0 when there is none.
  var fold = PostNumber(rawValue: 0)

  /// How a site shows a post.
  enum Listing: Int64, Sendable {
    case hidden = 0
    /// It has a page.
    case own = 1
    /// It is folded into another post.
    case folded = 2
  }

  /// Its columns, in the order in which ``init(row:)`` reads and ``arguments`` writes them; the columns that settling decides
  /// come last and are only read.
  static let columns = [
    "feed", "pid", "name", "guid", "guidForm", "link", "file", "title", "titleWords", "text", "markup", "words",
    "numbers",
    "sketch", "least", "greatest", "date", "flags", "first", "since", "changed", "missed", "partial", "read",
    "forgotten",
    "purged", "position", "content",
  ]
  static let settledColumns = ["shown", "fold"]

  init() {}

  init(row: Row) {
    number = PostNumber(rawValue: row[0])
    feed = row[1]
    id = PostID(rawValue: row[2])
    name = row[3]
    guid = row[4]
    guidForm = row[5] ?? guid
    link = row[6]
    file = row[7]
    title = row[8]
    titleWords = row[9]
    text = row[10]
    markup = row[11]
    // Numbers from the file are limited, so that arithmetic cannot overflow.
    words = Int((row[12] as Int64).clamped(to: Sound.words))
    numbers = row[13]
    sketch = (row[14] as Data?).map { Array($0) }
    landmarks = [row[15] as Int64?, row[16]].compactMap { $0 }
    date = (row[17] as Int64?)?.clamped(to: Sound.dates)
    flags = Flags(rawValue: row[18])
    first = Self.moment(row[19])
    since = Self.moment(row[20])
    changed = Self.moment(row[21])
    missed = Self.moment(row[22])
    partial = Self.moment(row[23])
    read = Self.moment(row[24])
    forgotten = Self.moment(row[25])
    purged = Self.moment(row[26])
    position = Int((row[27] as Int64).clamped(to: Sound.words))
    content = row[28]
    listing = Listing(rawValue: row[29]) ?? .hidden
    fold = PostNumber(rawValue: row[30])
  }

  private static func moment(_ number: Int64) -> Moment { Moment(rawValue: number.clamped(to: Sound.moments)) }

  var arguments: StatementArguments {
    [
      feed, id, name, guid, guidForm == guid ? nil : guidForm, link, file, title, titleWords, text, markup, words,
      numbers,
      sketch.map { Data($0) }, landmarks.first, landmarks.last, date, flags.rawValue, first, since, changed, missed,
      partial, read, forgotten, purged, position, content,
    ]
  }

  /// Takes over the keys that the post has in a document.
  mutating func take(_ keys: PostKeys, guidForm: Int64?, link: Int64?) {
    guid = keys.guid
    self.guidForm = guidForm
    self.link = link
    file = keys.file
    title = keys.title
    titleWords = keys.titleWords
    text = keys.text.digest
    markup = keys.markup
    words = keys.text.words
    numbers = Int64(keys.text.numbers)
    landmarks = keys.text.landmarks
    sketch = landmarks.isEmpty && words > 400 ? nil : keys.text.sketch?.bytes
    date = keys.date
    flags.subtract([.own, .untitled, .global, .heldBack])
    if keys.isOwn { flags.insert(.own) }
    if keys.isUntitled { flags.insert(.untitled) }
    if keys.isGlobal { flags.insert(.global) }
    if keys.isHeldBack { flags.insert(.heldBack) }
  }

  /// The digest of its title and text.
  var wording: Int64 { Int64(bitPattern: Digest.mix(UInt64(bitPattern: title), UInt64(bitPattern: text ?? 0))) }

  var isForgotten: Bool { forgotten != .never }
  var isPurged: Bool { purged != .never }

  /// Whether it is never to be shown again.
  var isBuried: Bool { isForgotten || isPurged }

  /// Whether it was marked as read since its last major change.
  var isRead: Bool { read != .never && read >= changed }
}
