import GRDB
import TamisCore
import TamisFoundation

/// A stored post: its keys, its state in its feed, and its read state.
package struct StoredPost: Sendable, Hashable, ExportedRow {
  /// Facts about a post that are yes or no.
  package struct Flags: OptionSet, Sendable, Hashable {
    package var rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

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
    /// A program among the filters excludes the post.
    static let rejected = Flags(rawValue: 2048)
    /// The three bits of ``depth``.
    fileprivate static let folders = Flags(rawValue: 7 << 7)

    /// The number of folders that the permalink and the address of the feed have in common, at most 7.
    var depth: Int {
      get { Int(rawValue >> 7 & 7) }
      set { self = subtracting(.folders).union(Flags(rawValue: Int64(min(newValue, 7)) << 7)) }
    }

    /// Takes over what the filters have said.
    mutating func takeJudgement(of flags: Flags) {
      let judgement: Flags = [.heldBack, .rejected]
      self = subtracting(judgement).union(flags.intersection(judgement))
    }

    /// Says whether a fact is true.
    mutating func set(_ flag: Flags, _ isTrue: Bool) { self = isTrue ? union(flag) : subtracting(flag) }
  }

  var number = PostNumber(rawValue: 0)
  var feed = FeedNumber(rawValue: 0)
  var id = PostID(rawValue: 0)
  /// The file name of its page, without folder and extension.
  var name = ""
  /// The keys by which it is recognized.
  var keys = PostKeys()
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
  /// The sort date with which the post was given its place among those that came at the same moment; nil before.
  ///
  /// Its date may change, its place does not.
  var arrivalDate: Int64?
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

  /// The columns, in the order of ``visit(_:)``.
  static let columns = {
    var post = StoredPost()
    return ColumnList.of { post.visit(&$0) }
  }()
  static let columnNames = columns.map(\.name)
  /// The columns that settling decides, which are read after the others and not written with them.
  static let settledColumns = ["shown", "fold"]

  /// Visits the columns.
  mutating func visit<Visitor: ColumnVisitor>(_ columns: inout Visitor) throws(Visitor.Failure) {
    try columns.number("feed", &feed)
    try visitExported(&columns)
    try columns.number("since", &since, among: ValidValue.moments)
    try columns.number("missed", &missed, among: ValidValue.moments)
    try columns.number("partial", &partial, among: ValidValue.moments)
  }

  /// Visits the columns that an export has; the others follow from what else it has.
  mutating func visitExported<Visitor: ColumnVisitor>(_ columns: inout Visitor) throws(Visitor.Failure) {
    try columns.number("pid", &id)
    try columns.text("name", &name)
    try keys.visit(&columns)
    try columns.number("first", &first, among: ValidValue.moments)
    try columns.number("changed", &changed, among: ValidValue.moments)
    try columns.number("read", &read, among: ValidValue.moments)
    try columns.number("forgotten", &forgotten, among: ValidValue.moments)
    try columns.number("purged", &purged, among: ValidValue.moments)
    try columns.number("position", &position, among: ValidValue.words)
    try columns.number("arrivalDate", &arrivalDate)
    try columns.number("content", &content)
  }

  init() {}

  init(row: Row) throws {
    number = try PostNumber(rawValue: row[0])
    var reader = ColumnReader(row, from: 1)
    try visit(&reader)
    listing = try Listing(rawValue: row[reader.index]) ?? .hidden
    fold = try PostNumber(rawValue: row[reader.index + 1])
  }

  /// Appends the values of ``columns`` to a row.
  func append(to row: inout RowValues) {
    var post = self
    post.visit(&row)
  }

  /// Takes the keys that the post has in a document.
  mutating func take(_ new: PostKeys) {
    let before = keys.flags
    keys = new
    if before.contains(.backfill) { keys.flags.insert(.backfill) }
    // A program is not asked about what is held back before its turn.
    if before.contains(.rejected), keys.flags.contains(.heldBack) { keys.flags.insert(.rejected) }
    // Long texts that nothing finds are not compared.
    if keys.text.landmarks.isEmpty, keys.text.words > 400 { keys.text.sketch = nil }
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
  func sharedSince(with other: StoredPost) -> Moment? {
    guard since != first else { return first }
    guard let own = keys.text.sketch, let second = other.keys.text.sketch,
      own.common(with: second, in: own).count >= Self.fewestSamples
    else { return keys.text.words < Sameness.fewestWordsToContradict ? since : nil }
    let moments = wordings.filter { wording in
      guard let earlier = wording.sketch.flatMap({ Sketch(bytes: Array($0)) }) else { return false }
      let (count, found) = own.common(with: second, in: earlier)
      // A text that was longer has other samples in place of some of its present ones.
      let ratio = min(max(1, Double(wording.words) / Double(max(1, keys.text.words))), Self.longestWording)
      return found >= min(Self.fewestSamplesFound, (count + 1) / 2) && 2 * ratio * Double(found) >= Double(count)
    }.map(\.since)
    return moments.min().map(Moment.init(rawValue:)) ?? since
  }

  /// The moment of the last major change, of first sight when there was none.
  var sinceMajorChange: Moment { changed == .never ? first : changed }

  /// The digest of the title and the text.
  var wording: Int64 { keys.wording }

  var isForgotten: Bool { forgotten != .never }
  var isPurged: Bool { purged != .never }

  /// Whether the post is never to be shown again.
  var isBuried: Bool { isForgotten || isPurged }

  /// Whether the post was marked as read since its last major change.
  var isRead: Bool { read != .never && read >= changed }
}
