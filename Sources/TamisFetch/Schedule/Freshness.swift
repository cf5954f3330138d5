import CCurl
package import TamisCore

/// How long a server declares its response fresh, and when it asks to be requested again.
package struct Freshness: Sendable, Hashable {
  /// The seconds from now for which the response stays fresh; nil when the server does not say.
  ///
  /// It is from `Cache-Control: max-age`, or else `Expires` (RFC 9111, section 5).
  package var lifetime: Int64?
  /// The seconds from now before which no request should be made; nil when the server does not say.
  ///
  /// It is from `Retry-After` (RFC 9110, section 10.2.3).
  package var retryAfter: Int64?

  /// Reads the freshness from header fields.
  ///
  /// - Parameters:
  ///   - fields: the header fields.
  ///   - now: the time, in seconds since 1970.
  package init(_ fields: [HeaderField], now: Int64) {
    // Times are relative to the server's `Date` field if there is one, since the local clock may differ.
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

  /// Returns a number of seconds, at most a hundred years; nil when the text is not one.
  private static func seconds(_ text: String) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return min(Int64(text) ?? .max, 100 * 366 * Schedule.day)
  }

  /// Returns the seconds since 1970 of an HTTP date (RFC 9110, section 5.6.7); nil when it is invalid.
  package static func date(_ text: String) -> Int64? {
    guard CurlLibrary.problem == nil else { return nil }
    let time = unsafe tamis_curl_getdate(text)
    return time < 0 ? nil : Int64(time)
  }
}
