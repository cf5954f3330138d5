/// A table of values by host, in which a name includes all hosts below it and the nearest entry counts.
package struct HostTable<Value: Sendable>: Sendable {
  /// The maximum length of a domain name in bytes (RFC 1035, 2.3.4).
  private static var longestName: Int { 253 }

  private let values: [String: Value]
  /// The number of labels of the longest name in the table; no more labels of a host are compared.
  private let mostLabels: Int

  package init(_ values: [String: Value]) {
    self.values = values
    mostLabels = values.keys.map { $0.utf8.count { $0 == UInt8(ascii: ".") } + 1 }.max() ?? 0
  }

  /// Whether the table has no entries.
  package var isEmpty: Bool { values.isEmpty }

  /// Returns the value for a host, or for the nearest one above it; nil when there is none.
  package func value(for host: String) -> Value? {
    // The dot at the end is that of the root (RFC 1034, 3.1).
    let host = host.hasSuffix(".") ? String(host.dropLast()) : host
    let bytes = host.utf8
    guard !isEmpty, bytes.count <= Self.longestName else { return nil }
    var found: Value?
    var labels = 0
    var index = bytes.endIndex
    while index > bytes.startIndex {
      index = bytes.index(before: index)
      let isName = index == bytes.startIndex || bytes[bytes.index(before: index)] == UInt8(ascii: ".")
      guard isName else { continue }
      labels += 1
      if labels > mostLabels { break }
      // Going from short to long, the last entry found is the nearest.
      if let value = values[String(host[index...])] { found = value }
    }
    return found
  }
}
