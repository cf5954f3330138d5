import TamisCore

/// A list of query parameters that serve only to track readers.
package struct TrackingParameters: Sendable, Hashable {
  private let names: Set<String>
  private let prefixes: [[UInt8]]

  /// Creates a list of names in lower case; `utm_*` matches all names that begin with `utm_`.
  package init(_ patterns: Set<String>) {
    names = patterns.filter { !$0.hasSuffix("*") }
    prefixes = patterns.filter { $0.hasSuffix("*") }.sorted().map { Array($0.utf8.dropLast()) }
  }

  /// Whether the list is empty.
  package var isEmpty: Bool { names.isEmpty && prefixes.isEmpty }

  /// Returns an http(s) URL without the listed parameters; any other URL, and one without such parameters, unchanged.
  package func removed(from url: WebURL) -> WebURL {
    guard !isEmpty, url.isHTTP else { return url }
    return url.removingQueryParameters(whereName: contains)
  }

  private func contains(_ name: ArraySlice<UInt8>) -> Bool {
    let name = name.contains { $0.asciiLowercased != $0 } ? name.map(\.asciiLowercased)[...] : name
    return prefixes.contains { name.starts(with: $0) } || names.contains(String(streamSafe: name))
  }
}
