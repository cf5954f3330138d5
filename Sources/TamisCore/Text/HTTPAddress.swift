extension StringProtocol {
  /// Whether a text begins as an http or https URL does; whether it is one, only parsing tells (`WebURL.isHTTP`).
  package var beginsAsHTTP: Bool { hasPrefix("https://") || hasPrefix("http://") }
}
