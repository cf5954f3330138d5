extension Int {
  /// Returns the number with its noun: `1 feed`, `2 feeds`, `2 entries`.
  ///
  /// - Parameters:
  ///   - one: the noun in the singular.
  ///   - many: the noun in the plural; nil for `one` with an s.
  /// - Returns: the number and the noun, with a space between them.
  package func counted(_ one: String, plural many: String? = nil) -> String {
    "\(self) \(self == 1 ? one : many ?? one + "s")"
  }

  /// Returns the number with leading zeros: `07`.
  ///
  /// - Parameter width: the minimum number of characters.
  /// - Returns: the digits, with as many zeros before them as the width requires.
  package func padded(to width: Int = 2) -> String {
    let digits = String(self)
    return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}
