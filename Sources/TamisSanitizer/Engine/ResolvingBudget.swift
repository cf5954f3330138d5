import TamisCore

/// The number of bytes that resolving URLs may add to a fragment.
///
/// Without this limit, a page of short links would grow by the length of its base URL for each of them.
struct ResolvingBudget {
  private var bytes: Int
  /// Whether a URL of the current tag was removed because the budget was used up.
  private(set) var isExceeded = false

  /// Makes the budget of a fragment.
  ///
  /// - Parameters:
  ///   - limits: the limits that set the allowance and the growth per byte.
  ///   - size: the size of the fragment in bytes.
  init(_ limits: Limits, size: Int) {
    let (growth, isTooLarge) = max(0, limits.resolvingGrowth).multipliedReportingOverflow(by: size)
    let (sum, isSumTooLarge) = growth.addingReportingOverflow(max(0, limits.resolvingAllowance))
    bytes = isTooLarge || isSumTooLarge ? .max : sum
  }

  init() { bytes = 0 }

  /// Whether the budget allows a URL in place of one with `length` bytes; if so, the budget is charged.
  mutating func affords(_ url: [UInt8], insteadOf length: Int) -> Bool {
    let growth = url.count - length
    guard growth > 0 else { return true }
    isExceeded = growth > bytes
    if !isExceeded { bytes -= growth }
    return !isExceeded
  }

  /// Resets ``isExceeded`` after it was reported.
  mutating func noted() { isExceeded = false }
}
