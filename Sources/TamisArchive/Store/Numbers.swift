import GRDB
import TamisCore
import TamisSystem

/// A time by the archive's own clock: seconds since 1970-01-01T00:00:00Z where there is a clock, otherwise a count of
/// runs.
///
/// Each run has a later moment than the previous one, even when the machine's clock was set back, so observations are
/// ordered.
package struct Moment: RawRepresentable, Sendable, Hashable, Comparable {
  /// The number.
  package let rawValue: Int64

  /// Creates a moment from its number, clamped to the valid range.
  package init(rawValue: Int64) { self.rawValue = rawValue.clamped(to: ValidValue.moments) }

  /// The moment before all runs.
  package static let never = Moment(rawValue: 0)

  /// The lowest moment in seconds since 1970; lower ones count runs without a clock.
  static let firstClock: Int64 = 100_000_000

  /// The next moment.
  var next: Moment { Moment(rawValue: rawValue + 1) }

  /// Compares the numbers.
  package static func < (lhs: Moment, rhs: Moment) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension Moment: DatabaseValueConvertible {}

/// The number of a post in one archive; it differs between archives.
package struct PostNumber: RawRepresentable, Sendable, Hashable, Comparable {
  /// The number, from 1.
  package let rawValue: Int64

  /// Creates a post number.
  package init(rawValue: Int64) { self.rawValue = rawValue }

  /// Compares the numbers.
  package static func < (lhs: PostNumber, rhs: PostNumber) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension PostNumber: DatabaseValueConvertible {}

/// The number of a feed in one archive; it differs between archives.
package struct FeedNumber: RawRepresentable, Sendable, Hashable, Comparable {
  /// The number, from 1.
  package let rawValue: Int64

  /// Creates a feed number.
  package init(rawValue: Int64) { self.rawValue = rawValue }

  /// Compares the numbers.
  package static func < (lhs: FeedNumber, rhs: FeedNumber) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension FeedNumber: DatabaseValueConvertible {}

/// The id of a post in its feed, the same in every archive: a digest of the identity that the post had when it was
/// first seen.
package struct PostID: RawRepresentable, Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The digest.
  package let rawValue: Int64

  /// Creates an id from its digest.
  package init(rawValue: Int64) { self.rawValue = rawValue }

  /// Creates the id of a post.
  ///
  /// - Parameters:
  ///   - identity: the post's identity in its feed when it was first seen.
  ///   - key: the key of the feed.
  init(_ identity: String, inFeed key: Feed.Key) { rawValue = Digest.of("\(key)\n\(identity)", kind: "post") }

  /// The ids under which posts of one identity are, in the order in which they were first seen: where a site begins
  /// again with 1, a second post is the first one's neighbour.
  func neighbour(_ distance: Int64) -> PostID { PostID(rawValue: rawValue &+ distance &* Self.distance) }

  /// The distance of neighbours: 2⁶⁴ divided by the golden ratio, so that none is soon that of another identity.
  private static let distance = Int64(bitPattern: 0x9E37_79B9_7F4A_7C15)

  /// The id as sixteen hexadecimal digits, with which the name of the post's page ends.
  package var description: String { Checksum(stored: rawValue).hex }

  /// Compares the digests.
  package static func < (lhs: PostID, rhs: PostID) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension PostID: DatabaseValueConvertible {}

/// The valid ranges of numbers and lengths of texts in an archive; other values come from damaged or hostile files.
enum ValidValue {
  static let moments: ClosedRange<Int64> = 0...(1 << 42)
  static let words: ClosedRange<Int64> = 0...(1 << 31)
  static let numbers: ClosedRange<Int64> = 0...(1 << 32)
  static let flags: ClosedRange<Int64> = 0...4095
  static let levels: ClosedRange<Int64> = 0...4

  /// Returns the name of a post, truncated to its maximum length.
  static func name(_ text: String) -> String { text.prefix(bytes: 2 * Limits.standard.nameBytes) }

  /// Returns the title or the rights of a feed, or the name of a tag or a category, truncated to its maximum length.
  static func title(_ text: String) -> String { text.prefix(bytes: 2 * Limits.standard.feedNameBytes) }

  /// Returns a language; nil for a text of more than 100 bytes.
  static func language(_ text: String?) -> String? { text.flatMap { $0.utf8.count <= 100 ? $0 : nil } }

  /// Whether texts, together with the numbers beside them, fit into a row.
  static func isRow(_ texts: [String]) -> Bool {
    texts.reduce(0) { $0 + $1.utf8.count + 1 } <= Archive.longestTexts
  }
}

extension Int64 {
  func clamped(to range: ClosedRange<Int64>) -> Int64 { Swift.min(Swift.max(self, range.lowerBound), range.upperBound) }
}
