extension Int {
  /// A number with what it counts: `1 feed`, `2 feeds`, `2 entries`.
  ///
  /// - Parameter many: the word for all numbers but one; nil for `one` with an s.
  public func counted(_ one: String, plural many: String? = nil) -> String {
    "\(self) \(self == 1 ? one : many ?? one + "s")"
  }
}
