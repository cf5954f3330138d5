import GRDB
import TamisCore
import TamisFoundation

/// A stored post: its keys, its state in its feed, and its read state.
struct StoredPost: Sendable, Hashable {
  /// Facts about a post besides its keys.
  struct Flags: OptionSet, Sendable, Hashable {
    var rawValue: Int64
    /// The permalink is on the feed's site.
    static let own = Flags(rawValue: 1)
    /// The post came as part of a backfill (Tamis.docc/HowAPostIsRecognized.md, K8).
    static let backfill = Flags(rawValue: 2)
    /// The name of the page is not made from a title.
    static let untitled = Flags(rawValue: 4)
    /// The id means the same in all feeds.
    static let global = Flags(rawValue: 8)
    /// A filter excludes the post.
    static let heldBack = Flags(rawValue: 16)
    /// The text contains most words of the title (``TextForm/speaksOfTitle``).
    static let speaking = Flags(rawValue: 32)
    /// The permalink is on the host from which the feed was fetched, which no other feed can claim.
    static let hosted = Flags(rawValue: 64)
    /// The words are those of before, since a document came without them (``LostBodies``).
    static let kept = Flags(rawValue: 1024)
    /// The three bits of ``depth``.
    fileprivate static let folders = Flags(rawValue: 7 << 7)

    /// The number of folders that the permalink and the address of the feed have in common, at most 7.
    fileprivate(set) var depth: Int {
      get { Int(rawValue >> 7 & 7) }
      set { self = subtracting(.folders).union(Flags(rawValue: Int64(min(newValue, 7)) << 7)) }
    }
  }

  var number = PostNumber(rawValue: 0)
  var feed = FeedNumber(rawValue: 0)
  var id = PostID(rawValue: 0)
  /// The file name of its page, without folder and extension.
  var name = ""
  /// The identifiers: id, link and file.
  var ids = PostIdentifiers()
  var title: Int64 = 0
  /// The words of the title; empty when there is none.
  var titleWords = ""
  var text: Int64?
  var markup: Int64 = 0
  var words = 0
  var numbers: Int64 = 0
  var sketch: [UInt8]?
  /// The landmarks of the text, none or two.
  var landmarks: [Int64] = []
  var date: Int64?
  var flags: Flags = []
  /// The moment at which the post was first seen.
  var first = Moment.never
  /// The moment since which the post has had its present title and text.
  var since = Moment.never
  /// The wordings that the post has had, when there are several and they were looked up (``Wordings``); no column.
  var wordings: [Wording] = []
  /// The moment of the last major change.
  var changed = Moment.never
  /// The moment at which a complete document of the feed first lacked the post; `.never` while it is present.
  var missed = Moment.never
  /// The moment at which a cut-off document last had the post; `.never` when none did.
  var partial = Moment.never
  /// The moment at which the post was last marked as read.
  var read = Moment.never
  /// The moment at which the user deleted the post.
  var forgotten = Moment.never
  /// The moment at which the content was deleted.
  var purged = Moment.never
  /// The index in the document in which the post came.
  var position = 0
  /// The digest of the card, the details and the body.
  var content: Int64 = 0
  /// The place of the post on a site: on its own page, or on that of another post.
  var listing = Listing.hidden
  /// The canonical post into which the post is folded; its own number or 0 when there is none.
  var fold = PostNumber(rawValue: 0)

  /// The place of a post on a site.
  enum Listing: Int64, Sendable {
    case hidden = 0
    /// The post has a page.
    case own = 1
    /// The post is folded into another post.
    case folded = 2
  }

  /// The columns, in the order in which ``init(row:)`` reads and ``append(to:)`` writes them, with the identifiers at
  /// the end.
  static let columns =
    [
      "feed", "pid", "name", "title", "titleWords", "text", "markup", "words", "numbers", "sketch", "least", "greatest",
      "date", "flags", "first", "since", "changed", "missed", "partial", "read", "forgotten", "purged", "position",
      "content",
    ] + PostIdentifiers.columns.map { $0.name }
  /// The columns that settling decides, which are read after the others and not written with them.
  static let settledColumns = ["shown", "fold"]

  init() {}

  init(row: Row) throws {
    number = try PostNumber(rawValue: row[0])
    feed = try row[1]
    id = try PostID(rawValue: row[2])
    name = try row[3]
    title = try row[4]
    titleWords = try row[5]
    text = try row[6]
    markup = try row[7]
    // Numbers from the file are limited, so that arithmetic cannot overflow.
    words = try Int((row[8] as Int64).clamped(to: ValidValue.words))
    numbers = try row[9]
    sketch = try (row[10] as Data?).map { Array($0) }
    landmarks = try [row[11] as Int64?, row[12]].compactMap { $0 }
    date = try (row[13] as Int64?)?.clamped(to: CheckedValue.times)
    flags = try Flags(rawValue: row[14])
    first = try Self.moment(row[15])
    since = try Self.moment(row[16])
    changed = try Self.moment(row[17])
    missed = try Self.moment(row[18])
    partial = try Self.moment(row[19])
    read = try Self.moment(row[20])
    forgotten = try Self.moment(row[21])
    purged = try Self.moment(row[22])
    position = try Int((row[23] as Int64).clamped(to: ValidValue.words))
    content = try row[24]
    var column = 25
    for identifier in PostIdentifiers.columns {
      ids[keyPath: identifier.path] = try row[column]
      column += 1
    }
    listing = try Listing(rawValue: row[column]) ?? .hidden
    fold = try PostNumber(rawValue: row[column + 1])
  }

  private static func moment(_ number: Int64) -> Moment { Moment(rawValue: number.clamped(to: ValidValue.moments)) }

  /// Appends the values of ``columns`` to a row.
  func append(to row: inout RowValues) {
    row.append(feed)
    row.append(id)
    row.append(name)
    row.append(title)
    row.append(titleWords)
    row.append(text)
    row.append(markup)
    row.append(words)
    row.append(numbers)
    row.append(sketch.map { Data($0) })
    row.append(landmarks.first)
    row.append(landmarks.last)
    row.append(date)
    row.append(flags.rawValue)
    for moment in [first, since, changed, missed, partial, read, forgotten, purged] { row.append(moment) }
    row.append(position)
    row.append(content)
    for identifier in ids.values { row.append(identifier) }
  }

  /// Takes the keys that the post has in a document.
  ///
  /// - Parameters:
  ///   - keys: the keys of the post in the document.
  ///   - ids: the usable identifiers of the post.
  mutating func take(_ keys: PostKeys, ids: PostIdentifiers) {
    self.ids = ids
    title = keys.title
    titleWords = keys.titleWords
    text = keys.text.digest
    markup = keys.markup
    words = keys.text.words
    numbers = Int64(keys.text.numbers)
    landmarks = keys.text.landmarks
    sketch = landmarks.isEmpty && words > 400 ? nil : keys.text.sketch?.bytes
    date = keys.date
    flags.subtract([.own, .untitled, .global, .heldBack, .speaking, .hosted, .kept])
    if keys.isOwn { flags.insert(.own) }
    if keys.isHosted { flags.insert(.hosted) }
    if keys.isKept { flags.insert(.kept) }
    flags.depth = keys.depth
    if keys.lacksTitle { flags.insert(.untitled) }
    if keys.isGlobal { flags.insert(.global) }
    if keys.isHeldBack { flags.insert(.heldBack) }
    if keys.text.speaksOfTitle { flags.insert(.speaking) }
  }

  /// The minimum number of samples that two posts have in common for them to tell.
  private static let fewestSamples = 4
  /// The minimum number of these samples in a wording that said it, unless half of them are fewer.
  private static let fewestSamplesFound = 8
  /// The greatest ratio of lengths of a wording and the present text, of which fewer samples are expected in it.
  ///
  /// With a greater one, a footer of all posts would be half of a post: whoever knows it chooses the other words.
  private static let longestWording = 2.0

  /// Returns the moment since which the post says at least half of what it and another post have in common.
  ///
  /// A feed can give an old item the words of another feed's post, among others of its own. What a post says besides
  /// does not count: a report that grows says the same as its copy, and has said it longer.
  ///
  /// - Parameter other: the other post.
  /// - Returns: the moment, for a few words that of the present wording; nil when they have too few in common to tell.
  func told(beside other: StoredPost) -> Moment? {
    guard since != first else { return first }
    guard let own = samples, let second = other.samples,
      own.common(with: second, in: own).count >= Self.fewestSamples
    else { return words < Sameness.fewestWordsToContradict ? since : nil }
    let moments = wordings.filter { wording in
      guard let earlier = wording.sketch.flatMap({ Sketch(bytes: Array($0)) }) else { return false }
      let (count, found) = own.common(with: second, in: earlier)
      // A text that was longer has other samples in place of some of its present ones.
      let ratio = min(max(1, Double(wording.words) / Double(max(1, words))), Self.longestWording)
      return found >= min(Self.fewestSamplesFound, (count + 1) / 2) && 2 * ratio * Double(found) >= Double(count)
    }.map(\.since)
    return moments.min().map(Moment.init(rawValue:)) ?? since
  }

  /// The moment of the last major change, of first sight when there was none.
  var sinceMajorChange: Moment { changed == .never ? first : changed }

  /// The sketch of the text; nil when it has too few words.
  var samples: Sketch? { sketch.flatMap { Sketch(bytes: $0) } }

  /// The digest of the title and the text.
  var wording: Int64 { Int64(bitPattern: Digest.mix(UInt64(bitPattern: title), UInt64(bitPattern: text ?? 0))) }

  var isForgotten: Bool { forgotten != .never }
  var isPurged: Bool { purged != .never }

  /// Whether the post is never to be shown again.
  var isBuried: Bool { isForgotten || isPurged }

  /// Whether the post was marked as read since its last major change.
  var isRead: Bool { read != .never && read >= changed }
}
