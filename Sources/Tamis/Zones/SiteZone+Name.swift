import Foundation
import TamisCore
package import TamisPlanet
package import TamisSite

extension Site.Zone {
  /// The years for which clock changes are looked up; the offset is constant before and after them.
  package static let years = 1970...2100

  /// Creates a zone from its name in Foundation's time zone database.
  package init(_ name: Planet.ZoneName) {
    switch name {
    case .fixed(let seconds): self.init(seconds: seconds)
    case .place(let place):
      guard let zone = TimeZone(identifier: place) else {
        // Foundation knows every `Planet.ZoneName`.
        self.init(seconds: 0)
        return
      }
      let (first, last) = (Self.beginning(of: Self.years.lowerBound), Self.beginning(of: Self.years.upperBound + 1))
      self.init(seconds: Self.seconds(zone, first), changes: Self.changes(zone, from: first, to: last))
    }
  }

  /// The changes after `first` up to `last`, found by sampling: two changes are never within ten days.
  private static func changes(_ zone: TimeZone, from first: Int64, to last: Int64) -> [Change] {
    var changes: [Change] = []
    var (time, seconds) = (first, Self.seconds(zone, first))
    while time < last {
      let next = min(time + 10 * 86_400, last)
      let later = Self.seconds(zone, next)
      if later != seconds {
        var (before, after) = (time, next)
        while after - before > 1 {
          let middle = (before + after) / 2
          if Self.seconds(zone, middle) == seconds { before = middle } else { after = middle }
        }
        changes.append(Change(time: after, seconds: later))
      }
      (time, seconds) = (next, later)
    }
    return changes
  }

  private static func seconds(_ zone: TimeZone, _ time: Int64) -> Int {
    zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time)))
  }

  private static func beginning(of year: Int) -> Int64 {
    CivilTime(year: year, month: 1, day: 1, hour: 0, minute: 0, second: 0).seconds(offset: 0) ?? 0
  }
}
