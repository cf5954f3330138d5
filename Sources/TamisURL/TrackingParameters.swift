/// A list of query parameters that serve only to track readers.
package struct TrackingParameters: Sendable, Hashable {
  private let names: Set<String>
  private let prefixes: [String]

  /// Creates a list of names in lower case; `utm_*` matches all names that begin with `utm_`.
  package init(_ patterns: Set<String>) {
    names = patterns.filter { !$0.hasSuffix("*") }
    prefixes = patterns.filter { $0.hasSuffix("*") }.map { String($0.dropLast()) }.sorted()
  }

  /// Whether the list is empty.
  package var isEmpty: Bool { names.isEmpty && prefixes.isEmpty }

  /// Returns an http(s) URL without the listed parameters; any other URL, and one without such parameters, unchanged.
  package func removed(from url: WebURL) -> WebURL {
    guard !isEmpty, url.isHTTP else { return url }
    return url.removingQueryParameters { name in
      let name = String(decoding: name.utf8.map(\.asciiLowercased), as: UTF8.self)
      return names.contains(name) || prefixes.contains { name.hasPrefix($0) }
    }
  }
}
