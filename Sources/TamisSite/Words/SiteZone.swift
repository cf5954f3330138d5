/// A time zone as a table: how far clocks are ahead of UTC, and since when.
///
/// It is a plain value, so that pages do not depend on the machine's time zone data; the caller makes the table.
public struct SiteZone: Sendable, Hashable {
  /// A time at which clocks were set.
  public struct Change: Sendable, Hashable {
    /// Seconds since 1970-01-01T00:00:00Z.
    public var time: Int64
    /// How far clocks are ahead of UTC from then on, in seconds.
    public var seconds: Int

    /// Makes a change.
    public init(time: Int64, seconds: Int) { (self.time, self.seconds) = (time, seconds) }
  }

  /// No distance from UTC.
  public static let utc = SiteZone(seconds: 0)

  /// Farthest distance from UTC, in seconds; what is beyond counts as this.
  public static let farthest = 18 * 3600

  private let first: Int
  private let changes: [Change]

  /// A zone.
  ///
  /// - Parameters:
  ///   - seconds: how far clocks are ahead of UTC before the first change.
  ///   - changes: when they were set, in any order.
  public init(seconds: Int, changes: [Change] = []) {
    first = Self.bounded(seconds)
    self.changes = changes.map { Change(time: $0.time, seconds: Self.bounded($0.seconds)) }.sorted { $0.time < $1.time }
  }

  private static func bounded(_ seconds: Int) -> Int { min(max(seconds, -farthest), farthest) }

  /// How far clocks are ahead of UTC at a time, in seconds.
  public func seconds(at time: Int64) -> Int {
    // The first change that is later.
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? first : changes[low - 1].seconds
  }

  /// The distance as people write it: `UTC`, `UTC+1`, `UTC-3:30`.
  static func name(_ seconds: Int) -> String {
    let minutes = abs(seconds) / 60
    guard minutes > 0 else { return "UTC" }
    let part = minutes % 60
    return "UTC\(seconds < 0 ? "-" : "+")\(minutes / 60)\(part == 0 ? "" : part < 10 ? ":0\(part)" : ":\(part)")"
  }

  /// The table as text, for comparison of zones.
  var text: String {
    ([first] + changes.flatMap { [Int($0.time), $0.seconds] }).map(String.init).joined(separator: " ")
  }
}
