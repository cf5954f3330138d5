public import GRDB
import TamisCore

/// A time by the archive's own clock: seconds since 1970-01-01T00:00:00Z where there is a clock, else a count of runs.
///
/// Each run has a later moment than the run before, even when the machine's clock was set back, so that observations have an
/// order.
public struct Moment: RawRepresentable, Sendable, Hashable, Comparable {
  /// The number.
  public let rawValue: Int64

  /// A moment by its number; what no archive can have is taken for the nearest that it can.
  public init(rawValue: Int64) { self.rawValue = rawValue.clamped(to: ValidValue.moments) }

  /// Before all runs.
  public static let never = Moment(rawValue: 0)

  /// Those from here on are seconds since 1970; those before are counted, in runs without a clock.
  static let firstClock: Int64 = 100_000_000

  /// The next one.
  var next: Moment { Moment(rawValue: rawValue + 1) }

  /// By their numbers.
  public static func < (lhs: Moment, rhs: Moment) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension Moment: DatabaseValueConvertible {}

/// The number of a post in one archive; another archive has another for it.
public struct PostNumber: RawRepresentable, Sendable, Hashable, Comparable {
  /// The number, from 1.
  public let rawValue: Int64

  /// A post by its number.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// By their numbers.
  public static func < (lhs: PostNumber, rhs: PostNumber) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension PostNumber: DatabaseValueConvertible {}

/// The number of a feed in one archive; another archive has another for it.
public struct FeedNumber: RawRepresentable, Sendable, Hashable, Comparable {
  /// The number, from 1.
  public let rawValue: Int64

  /// A feed by its number.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// By their numbers.
  public static func < (lhs: FeedNumber, rhs: FeedNumber) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension FeedNumber: DatabaseValueConvertible {}

/// The id of a post in its feed, the same in every archive: a digest of the identity that it had when it was first
/// seen.
public struct PostID: RawRepresentable, Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The digest.
  public let rawValue: Int64

  /// An id by its digest.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// The id of a post.
  ///
  /// - Parameter identity: its identity in its feed when it was first seen.
  init(_ identity: String, inFeed key: FeedKey) { rawValue = Digest.of("\(key)\n\(identity)", kind: "post") }

  /// Sixteen hexadecimal digits, as they end the name of the post's page.
  public var description: String {
    let digits = String(UInt64(bitPattern: rawValue), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// By their digests.
  public static func < (lhs: PostID, rhs: PostID) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension PostID: DatabaseValueConvertible {}

/// The ranges of numbers and the lengths of texts that an archive can have; others come from damaged or hostile files.
enum ValidValue {
  static let moments: ClosedRange<Int64> = 0...(1 << 42)
  static let words: ClosedRange<Int64> = 0...(1 << 31)
  static let numbers: ClosedRange<Int64> = 0...(1 << 32)
  static let flags: ClosedRange<Int64> = 0...127
  static let levels: ClosedRange<Int64> = 0...4
  /// The years 1 to 9999.
  static let dates: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// The name of a post, cut where it is longer than one can be.
  static func name(_ text: String) -> String { text.prefix(bytes: 2 * Limits.standard.nameBytes) }

  /// The title or the rights of a feed, or the name of a tag or a category, likewise.
  static func title(_ text: String) -> String { text.prefix(bytes: 2 * Limits.standard.feedNameBytes) }

  /// A language; nil for a longer text.
  static func language(_ text: String?) -> String? { text.flatMap { $0.utf8.count <= 100 ? $0 : nil } }

  /// Whether texts, and the numbers beside them, are together no longer than a row may be.
  static func isRow(_ texts: [String]) -> Bool {
    texts.reduce(0) { $0 + $1.utf8.count + 1 } <= Archive.longestTexts
  }
}

extension Int64 {
  func clamped(to range: ClosedRange<Int64>) -> Int64 { Swift.min(Swift.max(self, range.lowerBound), range.upperBound) }
}
