/// What is stored about fetching a feed between runs; times are seconds since 1970.
package struct FetchState: Sendable, Hashable {
  /// The URL to fetch: the feed's own, or the one that it has moved to for good.
  package var address: String
  /// The validators of the last stored document (ETag, date); nil when the server sent none.
  package var validators: Validators?
  /// The target of permanent redirects, and how many times in a row; nil when there were none.
  package var move: Move?
  /// When it was last requested; nil when it never was.
  package var asked: Int64?
  /// When a document was last fetched; nil when none was.
  package var fetched: Int64?
  /// When it is due again; nil for at the next run.
  package var next: Int64?
  /// Since when it fails; nil when it does not.
  package var failure: Failure?
  /// Whether the server has said that it is gone for good: it is not fetched any more.
  package var isGone = false
  /// How often the feed should be fetched, and how often it changes.
  package var pace = Pace()
  /// The duration of the last responses in milliseconds, the newest last, at most ``lengthOfHistory``.
  package var answerTimes: [Int] = []

  /// How many durations are stored.
  package static let lengthOfHistory = 30

  /// The state of a feed that was never fetched.
  package init(address: String) { self.address = address }

  /// The validators that a server sent with a document (RFC 9110, section 8.8).
  package struct Validators: Sendable, Hashable {
    /// The URL that they are valid for.
    package var address: String
    /// The entity tag, as it was sent.
    package var etag: String?
    /// The date of the last change, as it was sent.
    package var lastModified: String?

    /// Makes them.
    package init(address: String, etag: String?, lastModified: String?) {
      (self.address, self.etag, self.lastModified) = (address, etag, lastModified)
    }
  }

  /// The target of permanent redirects.
  package struct Move: Sendable, Hashable {
    /// The new address.
    package var address: String
    /// How many times in a row they have led there.
    package var count: Int

    /// Makes a move.
    package init(to address: String, count: Int) { (self.address, self.count) = (address, count) }
  }

  /// A series of failed requests.
  package struct Failure: Sendable, Hashable {
    /// When the first failed.
    package var since: Int64
    /// How many there were.
    package var count: Int
    /// Why the last one failed.
    package var problem: FetchProblem
    /// The digest of the guard that refused the address; nil when another problem was the last.
    package var guardDigest: Int64?

    /// Makes a failure.
    package init(since: Int64, count: Int, problem: FetchProblem, guardDigest: Int64? = nil) {
      (self.since, self.count, self.problem, self.guardDigest) = (since, count, problem, guardDigest)
    }
  }

  /// How often a feed should be fetched.
  package struct Pace: Sendable, Hashable {
    /// The typical time between two posts, seconds; nil when it cannot be told from the dates.
    package var gap: Int64?
    /// How long its documents stay unchanged by their own data (`ttl`, `sy:updatePeriod`), seconds; nil when they have none.
    package var lifetime: Int64?
    /// The hours of the day in UTC in which not to fetch (RSS `skipHours`), a bit each.
    package var skippedHours: UInt32 = 0
    /// The days of the week in UTC on which not to fetch (RSS `skipDays`), a bit each from Sunday.
    package var skippedDays: UInt8 = 0
    /// How many fetches in a row found nothing new.
    package var quiet = 0

    /// Makes an empty pace.
    package init() {}
  }
}
