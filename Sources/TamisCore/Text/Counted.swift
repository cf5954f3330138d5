extension Int {
  /// A number with what it counts: `1 feed`, `2 feeds`, `2 entries`.
  ///
  /// - Parameter many: the word for all numbers but one; nil for `one` with an s.
  public func counted(_ one: String, plural many: String? = nil) -> String {
    "\(self) \(self == 1 ? one : many ?? one + "s")"
  }

  /// The number with zeros before it: `07`.
  ///
  /// - Parameter width: the least number of characters.
  package func padded(to width: Int = 2) -> String {
    let digits = String(self)
    return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}
