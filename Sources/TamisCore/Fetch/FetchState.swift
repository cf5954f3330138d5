/// The data about fetching a feed that is stored between runs; times are seconds since 1970.
package struct FetchState: Sendable, Hashable {
  /// The URL to fetch: the feed's own, or the one that it has moved to permanently.
  package var address: String
  /// The validators of the last stored document (ETag, date); nil when the server sent none.
  package var validators: Validators?
  /// The target of permanent redirects, and their number in a row; nil when there were none.
  ///
  /// When it equals ``address``, the move was followed.
  package var move: Move?
  /// The time of the last request; nil when the feed was never requested.
  package var asked: Int64?
  /// The time at which a document was last fetched; nil when none was.
  package var fetched: Int64?
  /// The time at which the feed is due again; nil for the next run.
  package var next: Int64?
  /// The current series of failures; nil when the last request succeeded.
  package var failure: Failure?
  /// Whether the server has reported the feed as permanently gone; it is not fetched any more.
  package var isGone = false
  /// The data that determine how often the feed is fetched.
  package var pace = Pace()
  /// The durations of the last responses in milliseconds, the newest last, at most ``lengthOfHistory``.
  package var answerTimes: [Int] = []

  /// The maximum number of durations that are stored.
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

    /// Makes validators.
    package init(address: String, etag: String?, lastModified: String?) {
      (self.address, self.etag, self.lastModified) = (address, etag, lastModified)
    }
  }

  /// The target of permanent redirects.
  package struct Move: Sendable, Hashable {
    /// The new address.
    package var address: String
    /// The number of times in a row that redirects have led there.
    package var count: Int

    /// Makes a move.
    package init(to address: String, count: Int) { (self.address, self.count) = (address, count) }
  }

  /// A series of failed requests.
  package struct Failure: Sendable, Hashable {
    /// The time of the first failure.
    package var since: Int64
    /// The number of failures.
    package var count: Int
    /// The problem of the last failure.
    package var problem: FetchProblem
    /// The digest of the allowlist and of what the request sent; nil when there was no request.
    package var guardDigest: Int64?

    /// Makes a failure.
    package init(since: Int64, count: Int, problem: FetchProblem, guardDigest: Int64? = nil) {
      (self.since, self.count, self.problem, self.guardDigest) = (since, count, problem, guardDigest)
    }
  }

  /// The data that determine how often a feed is fetched.
  package struct Pace: Sendable, Hashable {
    /// The typical time between two posts, in seconds; nil when the dates do not tell it.
    package var gap: Int64?
    /// The time for which the feed declares its documents unchanged (`ttl`, `sy:updatePeriod`), in seconds.
    ///
    /// The value is nil when the feed declares none.
    package var lifetime: Int64?
    /// The hours of the day in UTC in which the feed must not be fetched (RSS `skipHours`), one bit each.
    package var skippedHours: UInt32 = 0
    /// The days of the week in UTC on which the feed must not be fetched (RSS `skipDays`), one bit each from Sunday.
    package var skippedDays: UInt8 = 0
    /// The number of fetches in a row that found nothing new.
    package var quiet = 0

    /// Makes an empty pace.
    package init() {}
  }
}
