import Foundation
import TamisCore
import TamisFeed
import TamisPlanet

/// Reads dates without a time zone in the zone of their feed.
struct LocalDates: Sendable {
  private let zone: TimeZone

  /// Creates the dates of a zone.
  ///
  /// - Returns: nil for a zone that this machine does not know.
  init?(_ name: Planet.ZoneName) {
    let zone =
      switch name {
      case .place(let name): TimeZone(identifier: name)
      case .fixed(let seconds): TimeZone(secondsFromGMT: seconds)
      }
    guard let zone else { return nil }
    self.zone = zone
  }

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
    let guess = seconds - offset(at: seconds)
    let ahead = offset(at: guess)
    return Feed.Timestamp(source: date.source, seconds: seconds - ahead, offset: Int(ahead))
  }

  private func offset(at seconds: Int64) -> Int64 {
    Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
  }
}
