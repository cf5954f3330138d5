import Foundation
import Synchronization

/// The offsets of the C library, which reads the same database of time zones as the program, whatever its version.
public enum CLibraryZones {
  /// The zone is a variable of the process: one test at a time.
  private static let turn = Mutex(())

  /// Returns the offsets from UTC in seconds.
  ///
  /// - Parameters:
  ///   - name: the value of `TZ`, such as `:Europe/Vienna`.
  ///   - times: the times in seconds since 1970.
  /// - Returns: the offset at each time.
  public static func offsets(in name: String, at times: [Int64]) -> [Int] {
    turn.withLock { _ in
      setenv("TZ", name, 1)
      tzset()
      defer {
        unsetenv("TZ")
        tzset()
      }
      return times.map { time in
        var (seconds, parts) = (time_t(time), tm())
        localtime_r(&seconds, &parts)
        return Int(parts.tm_gmtoff)
      }
    }
  }
}
