extension StringProtocol {
  /// Whether the text begins like an http or https URL; only parsing tells whether it is one (`WebURL.isHTTP`).
  package var beginsAsHTTP: Bool { hasPrefix("https://") || hasPrefix("http://") }
}

extension String {
  /// The host name without a leading `www.`, as readers know the site.
  package var withoutWWW: String { hasPrefix("www.") ? String(dropFirst(4)) : self }
}
