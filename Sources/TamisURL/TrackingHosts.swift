/// A list of hosts whose pictures only count readers.
public struct TrackingHosts: Sendable {
  private let table: HostTable<Bool>

  /// Makes a list of host names in lower case; each means those below it too.
  public init(_ hosts: Set<String>) { table = HostTable(Dictionary(uniqueKeysWithValues: hosts.map { ($0, true) })) }

  /// Whether nothing is on the list.
  public var isEmpty: Bool { table.isEmpty }

  /// Whether a URL's host, or one above it, is on the list.
  public func contains(_ url: WebURL) -> Bool { url.hostname.flatMap { table.value(for: $0) } != nil }
}
