extension StringProtocol {
  /// Whether the text begins like an http or https URL; only parsing tells whether it is one (`WebURL.isHTTP`).
  package var beginsAsHTTP: Bool { hasPrefix("https://") || hasPrefix("http://") }
}
