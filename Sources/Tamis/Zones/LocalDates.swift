import TamisCore
import TamisFeed
import TamisPlanet
import TamisSite

/// Reads dates without a time zone in the zone of their feed.
struct LocalDates: Sendable {
  private let zone: Site.Zone

  /// Creates the dates of a zone.
  init(_ name: Planet.ZoneName) { zone = Site.Zone(name) }

  /// Moves the dates of an entry to the zone.
  func apply(to entry: inout Feed.Entry) {
    entry.published = entry.published.map(placed)
    entry.updated = entry.updated.map(placed)
    entry.created = entry.created.map(placed)
    entry.expired = entry.expired.map(placed)
  }

  private func placed(_ date: Feed.Timestamp) -> Feed.Timestamp {
    guard date.isLocal, let seconds = date.seconds else { return date }
    // Near a change of clocks the first guess may be on the other side of it, so the offset is looked up at that local
    // time.
    let guess = seconds - Int64(zone.seconds(at: seconds))
    let ahead = zone.seconds(at: guess)
    return Feed.Timestamp(source: date.source, seconds: seconds - Int64(ahead), offset: ahead)
  }
}
