/// What is remembered of fetching a feed from one time to the next; times are seconds since 1970.
public struct FetchState: Sendable, Hashable {
  /// Where the feed is now: its address, or where it has moved to for good.
  public var address: String
  /// What the server named the document by that was kept last; nil when it named it by nothing.
  public var validators: Validators?
  /// Where permanent redirects have led, and how many times in a row; nil when there were none.
  public var move: Move?
  /// When it was asked for last; nil when it never was.
  public var asked: Int64?
  /// When a document came last; nil when none did.
  public var fetched: Int64?
  /// When it is to be asked for again; nil for as soon as there is occasion.
  public var next: Int64?
  /// Since when it fails; nil when it does not.
  public var failure: Failure?
  /// Whether the server has said that it is gone for good: it is asked for no more.
  public var isGone = false
  /// What the feed asks of those who fetch it, and how often it has something new.
  public var pace = Pace()
  /// How many milliseconds the last answers took, the newest last, at most ``lengthOfHistory``.
  public var answerTimes: [Int] = []

  /// How many times of answers are kept.
  public static let lengthOfHistory = 30

  /// A feed that was never asked for.
  public init(address: String) { self.address = address }

  /// What a server names a document by (RFC 9110, section 8.8).
  public struct Validators: Sendable, Hashable {
    /// The address that gave them: they mean nothing to others.
    public var address: String
    /// The entity tag, as it came.
    public var etag: String?
    /// The date of the last change, as it came.
    public var lastModified: String?

    /// Makes them.
    public init(address: String, etag: String?, lastModified: String?) {
      (self.address, self.etag, self.lastModified) = (address, etag, lastModified)
    }
  }

  /// Where permanent redirects lead.
  public struct Move: Sendable, Hashable {
    /// The new address.
    public var address: String
    /// How many times in a row they have led there.
    public var count: Int

    /// Makes a move.
    public init(to address: String, count: Int) { (self.address, self.count) = (address, count) }
  }

  /// A row of attempts that all failed.
  public struct Failure: Sendable, Hashable {
    /// When the first failed.
    public var since: Int64
    /// How many there were.
    public var count: Int
    /// Why the last one failed.
    public var problem: FetchProblem

    /// Makes a failure.
    public init(since: Int64, count: Int, problem: FetchProblem) {
      (self.since, self.count, self.problem) = (since, count, problem)
    }
  }

  /// How often a feed wants to be asked.
  public struct Pace: Sendable, Hashable {
    /// The typical time between two posts, seconds; nil when its dates do not tell.
    public var gap: Int64?
    /// How long its documents stay as they are by their own word (`ttl`, `sy:updatePeriod`), seconds; nil when they say nothing.
    public var lifetime: Int64?
    /// The hours of the day in UTC in which not to ask (RSS `skipHours`), a bit each.
    public var skippedHours: UInt32 = 0
    /// The days of the week in UTC on which not to ask (RSS `skipDays`), a bit each from Sunday.
    public var skippedDays: UInt8 = 0
    /// How many times in a row nothing was new.
    public var quiet = 0

    /// It says nothing.
    public init() {}
  }
}
