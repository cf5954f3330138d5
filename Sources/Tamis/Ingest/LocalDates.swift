import TamisCore
import TamisFeed
import TamisSystem

/// Reads dates without a time zone in the zone of their feed, and those that name a place in the zone of the place.
struct LocalDates: Sendable {
  private let zone: Zone?

  /// Creates the dates of a zone; nil when the feed has none.
  init(_ name: ZoneName? = nil) { zone = name.map { Zone($0) } }

  /// Moves the dates of an entry to the zone.
  func apply(to entry: inout Feed.Entry, _ findings: inout [Finding]) {
    for path in [\Feed.Entry.published, \.updated, \.created, \.expired] {
      guard let date = entry[keyPath: path], date.seconds != nil, date.offset == nil, date.isLocal else { continue }
      let place = date.zoneName.flatMap { ZoneName($0) }.map { Zone($0) }
      if let zone = place ?? zone {
        entry[keyPath: path] = Self.placed(date, in: zone)
      } else if let name = date.zoneName {
        let message =
          "the time zone '\(name)' is not known, so the date is UTC; give the feed's with the setting time-zone"
        findings.append(
          Finding(.warning, "parse.time-zone", message, at: entry.location, entry: entry.title?.value ?? entry.id))
      }
    }
  }

  private static func placed(_ date: Feed.Timestamp, in zone: Zone) -> Feed.Timestamp {
    guard let seconds = date.seconds else { return date }
    // Near a change of clocks the first guess may be on the other side of it, so the offset is looked up at that local
    // time.
    let guess = seconds - Int64(zone.seconds(at: seconds))
    let ahead = zone.seconds(at: guess)
    return Feed.Timestamp(source: date.source, seconds: seconds - Int64(ahead), offset: ahead)
  }
}
