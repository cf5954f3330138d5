/// A list of hosts whose images serve only to count readers.
package struct TrackingHosts: Sendable {
  private let table: HostTable<Bool>

  /// Creates a list of host names in lower case, each of which includes the hosts below it.
  package init(_ hosts: Set<String>) { table = HostTable(Dictionary(uniqueKeysWithValues: hosts.map { ($0, true) })) }

  /// Whether the list is empty.
  package var isEmpty: Bool { table.isEmpty }

  /// Returns whether the host of a URL, or one above it, is on the list.
  package func contains(_ url: WebURL) -> Bool { url.hostname.flatMap { table.value(for: $0) } != nil }
}
