/// What numbers come about in an index: others are from elsewhere and may not be calculated with.
enum Limits {
  static let runs: ClosedRange<Int64> = 0...(1 << 40)
  /// Four times a run, and how a post has changed in it.
  static let changes: ClosedRange<Int64> = 0...(1 << 42)
  static let words: ClosedRange<Int64> = 0...(1 << 31)
  static let numbers: ClosedRange<Int64> = 0...(1 << 32)
  static let flags: ClosedRange<Int64> = 0...127
  static let levels: ClosedRange<Int64> = 0...4
  /// The years 1 to 9999.
  static let dates: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
}

extension Int64 {
  func clamped(to range: ClosedRange<Int64>) -> Int64 { Swift.min(Swift.max(self, range.lowerBound), range.upperBound) }
}
