import Foundation
import GRDB

/// A post as the index remembers it.
struct StoredPost: Sendable, Hashable {
  /// What is known of a post besides its keys.
  struct Flags: OptionSet, Sendable, Hashable {
    var rawValue: Int64
    /// The user has read it.
    static let read = Flags(rawValue: 1)
    /// Its content was purged; what is left keeps it from coming back as new.
    static let purged = Flags(rawValue: 2)
    /// The user does not want it.
    static let forgotten = Flags(rawValue: 4)
    /// Its permalink is on its feed's site.
    static let own = Flags(rawValue: 8)
    /// It came with many others that were old already.
    static let backfill = Flags(rawValue: 16)
    /// Its name is not of a title.
    static let untitled = Flags(rawValue: 32)
    /// Its id means the same in all feeds.
    static let global = Flags(rawValue: 64)
  }

  var id: Int64 = 0
  var feed: Int64 = 0
  var guid: Int64?
  var guidForm: Int64?
  var link: Int64?
  var file: Int64?
  var title: Int64 = 0
  var text: Int64?
  var markup: Int64?
  var words = 0
  var numbers: Int64 = 0
  var sketch: [UInt8]?
  var date: Int64?
  /// The run in which it was seen first.
  var first: Int64 = 0
  /// The run in which it changed last, times 4, and how; 0 for never.
  var changed: Int64 = 0
  /// The run in which it was found to have left its feed; 0 while it is there.
  var gone: Int64 = 0
  var flags: Flags = []
  /// The post that it is the same as; 0 for none.
  var fold: Int64 = 0
  /// The name of its page, without folder and ending.
  var name = ""
  /// The words of its title; empty when it has none or they are not known.
  var titleWords = ""

  /// Its columns, in the order in which ``init(row:)`` reads and ``arguments`` writes them.
  static let columns = [
    "feed", "guid", "guidForm", "link", "file", "title", "text", "markup", "words", "numbers", "sketch", "date",
    "first",
    "changed", "gone", "flags", "fold", "name", "titleWords",
  ]

  init() {}

  init(row: Row) {
    id = row[0]
    feed = row[1]
    guid = row[2]
    guidForm = row[3] ?? guid
    link = row[4]
    file = row[5]
    title = row[6]
    text = row[7]
    markup = row[8]
    words = Int((row[9] as Int64).clamped(to: Limits.words))
    numbers = row[10]
    sketch = (row[11] as Data?).map { Array($0) }
    // Whatever a file says, these can be calculated with.
    date = (row[12] as Int64?)?.clamped(to: Limits.dates)
    first = (row[13] as Int64).clamped(to: Limits.runs)
    changed = (row[14] as Int64).clamped(to: Limits.changes)
    gone = (row[15] as Int64).clamped(to: Limits.runs)
    flags = Flags(rawValue: row[16])
    fold = row[17]
    name = row[18]
    titleWords = row[19]
  }

  var arguments: StatementArguments {
    [
      feed, guid, guidForm, link, file, title, text, markup, words, numbers, sketch.map { Data($0) }, date, first,
      changed,
      gone, flags.rawValue, fold, name, titleWords,
    ]
  }

  /// Takes over what a document says of it now.
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
    sketch = keys.text.landmarks.isEmpty && keys.text.words > 400 ? nil : keys.text.sketch?.bytes
    date = keys.date
    flags.formSymmetricDifference(flags.intersection([.own, .untitled, .global]))
    if keys.isOwn { flags.insert(.own) }
    if keys.isUntitled { flags.insert(.untitled) }
    if keys.isGlobal { flags.insert(.global) }
  }

  /// Whether it is not to be shown any more.
  var isBuried: Bool { !flags.isDisjoint(with: [.forgotten, .purged]) }

  /// The digests by which it is found, in hexadecimal: id, its normal form, link; and whether the id is one for all feeds.
  ///
  /// Empty when there is none of them.
  ///
  /// - Parameter level: what the feed's posts are known by: ids that are not believed name nothing.
  func memo(_ level: KeyLevel) -> String {
    let (guid, form) = level == .guid ? (guid, guidForm) : (nil, nil)
    if guid == nil, form == nil, link == nil { return "" }
    let digests = [guid, form, link].map { $0.map { String(UInt64(bitPattern: $0), radix: 16) } ?? "" }
    return digests.joined(separator: ".") + (flags.contains(.global) ? ".g" : ".")
  }

  /// A post of which nothing but its memo is left; nil when the text is none.
  init?(memo: String, feed: Int64, name: String) {
    let parts = memo.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    let digests = parts.prefix(3).map { UInt64($0, radix: 16).map { Int64(bitPattern: $0) } }
    (guid, guidForm, link) = (digests[0], digests[1], digests[2])
    if parts[3] == "g" { flags.insert(.global) }
    self.feed = feed
    self.name = name
    first = 1
  }
}
