extension Site {
  /// A time zone as a table of offsets from UTC and the times at which they begin.
  ///
  /// The value does not depend on the machine's time zone data; the caller creates the table.
  public struct Zone: Sendable, Hashable {
    /// A time at which clocks were changed.
    public struct Change: Sendable, Hashable {
      /// The time in seconds since 1970-01-01T00:00:00Z.
      public var time: Int64
      /// The offset from UTC from then on, in seconds.
      public var seconds: Int

      /// Creates a change.
      ///
      /// - Parameters:
      ///   - time: the time in seconds since 1970-01-01T00:00:00Z.
      ///   - seconds: the offset from UTC from then on, in seconds.
      public init(time: Int64, seconds: Int) { (self.time, self.seconds) = (time, seconds) }
    }

    /// UTC.
    public static let utc = Site.Zone(seconds: 0)

    /// The maximum offset from UTC, in seconds; larger ones are clamped.
    package static let farthest = 18 * 3600

    private let first: Int
    private let changes: [Change]

    /// Creates a zone.
    ///
    /// - Parameters:
    ///   - seconds: the offset from UTC before the first change, in seconds.
    ///   - changes: the changes, in any order.
    public init(seconds: Int, changes: [Change] = []) {
      first = Self.bounded(seconds)
      self.changes = changes.map { Change(time: $0.time, seconds: Self.bounded($0.seconds)) }.sorted {
        $0.time < $1.time
      }
    }

    private static func bounded(_ seconds: Int) -> Int { min(max(seconds, -farthest), farthest) }

    /// Returns the offset from UTC at a time, in seconds.
    package func seconds(at time: Int64) -> Int {
      // Find the first later change.
      var (low, high) = (0, changes.count)
      while low < high {
        let middle = (low + high) / 2
        if changes[middle].time <= time { low = middle + 1 } else { high = middle }
      }
      return low == 0 ? first : changes[low - 1].seconds
    }

    /// Returns the offset as people write it: `UTC`, `UTC+1`, `UTC-3:30`.
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
}
