package import TamisPlanet
package import TamisSite
import TamisZones

extension Site.Zone {
  /// Creates a zone from its name in the time zone database of the machine.
  ///
  /// The offset is constant before 1970, when most zones went by the sun, and after 2100.
  package init(_ name: Planet.ZoneName) {
    switch name {
    case .fixed(let seconds): self.init(seconds: seconds)
    case .place(let place):
      // The database has every `Planet.ZoneName`, unless it has changed since.
      let zone = ZoneDatabase.system.zone(named: place)
      let changes = zone?.changes ?? []
      let later = changes.drop { $0.time < 0 }
      self.init(
        seconds: changes[..<later.startIndex].last?.seconds ?? zone?.first ?? 0,
        changes: later.map { Change(time: $0.time, seconds: $0.seconds) })
    }
  }
}
