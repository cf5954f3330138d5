import TamisCore

/// Playing times as players show them in all languages.
enum PlayingText {
  /// The maximum plausible playing time, in seconds: 100 hours.
  private static let longest = 360_000

  /// Returns `1:02:03`, or `2:03` below an hour, or nil for an implausible value.
  static func clock(_ seconds: Int) -> String? {
    guard (1..<longest).contains(seconds) else { return nil }
    return mark(seconds)
  }

  /// Returns a position in audio or video; `0:00` is the beginning.
  static func mark(_ seconds: Double) -> String {
    // The comparison is false for NaN.
    mark(seconds > 0 ? Int(min(seconds, Double(longest))) : 0)
  }

  private static func mark(_ seconds: Int) -> String {
    let minutesAndSeconds = "\(seconds / 60 % 60):\((seconds % 60).padded())"
    if seconds < 3600 { return minutesAndSeconds }
    return "\(seconds / 3600):\((seconds / 60 % 60).padded()):\((seconds % 60).padded())"
  }
}
