import CCurl
package import TamisCore

/// How long a server says that its answer stays as it is, and when to come again.
package struct Freshness: Sendable, Hashable {
  /// Seconds from now for which it stays as it is (`Cache-Control: max-age`, else `Expires`; RFC 9111, section 5); nil when nothing
  /// is said.
  package var lifetime: Int64?
  /// Seconds from now before which not to come again (`Retry-After`; RFC 9110, section 10.2.3); nil when nothing is said.
  package var retryAfter: Int64?

  /// Reads what header fields say.
  ///
  /// - Parameter now: the time, seconds since 1970.
  package init(_ fields: [HeaderField], now: Int64) {
    // Relative to the server's `Date` field if there is one: our clock may differ.
    let date = fields.value(of: "Date").flatMap(Self.date) ?? now
    retryAfter = fields.value(of: "Retry-After").flatMap { Self.wait($0, from: date) }
    lifetime = Self.lifetime(fields, from: date)
  }

  private static func lifetime(_ fields: [HeaderField], from date: Int64) -> Int64? {
    var age: Int64?
    for field in fields where field.name.asciiLowercased() == "cache-control" {
      for directive in field.value.asciiLowercased().split(separator: ",") {
        let sides = directive.split(separator: "=", maxSplits: 1).map { String($0).trimmed() }
        if sides.first == "no-store" || sides.first == "no-cache" { return 0 }
        guard sides.count == 2, sides[0] == "max-age" else { continue }
        age = seconds(sides[1].filter { $0 != "\"" })
      }
    }
    if let age { return max(0, age - (fields.value(of: "Age").flatMap(seconds) ?? 0)) }
    return fields.value(of: "Expires").flatMap { Self.date($0) }.map { max(0, $0 - date) }
  }

  private static func wait(_ text: String, from date: Int64) -> Int64? {
    if let seconds = seconds(text) { return seconds }
    return Self.date(text).map { max(0, $0 - date) }
  }

  /// A number of seconds, at most a hundred years.
  private static func seconds(_ text: String) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return min(Int64(text) ?? .max, 100 * 366 * Schedule.day)
  }

  /// An HTTP date, seconds since 1970 (RFC 9110, section 5.6.7); nil when it is none.
  package static func date(_ text: String) -> Int64? {
    guard CurlLibrary.problem == nil else { return nil }
    let time = unsafe tamis_curl_getdate(text)
    return time < 0 ? nil : Int64(time)
  }
}
