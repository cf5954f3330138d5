import Foundation
import TamisCore
import TamisSystem
import TestSupport
import Testing

/// Zones by their names, as tables for pages.
@Suite struct ZoneTests {
  @Test(arguments: ["Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Kolkata"])
  func zoneTableMatchesCLibrary(_ name: String) throws {
    let zone = Zone(try #require(ZoneName(name)))
    // Every five days and an hour of some years.
    let times = Array(stride(from: Int64(300_000_000), to: 2_500_000_000, by: 435_600))
    let offsets = CLibraryZones.offsets(in: ":\(name)", at: times)
    for (time, offset) in zip(times, offsets) { #expect(zone.seconds(at: time) == offset, "\(time)") }
  }

  @Test func zoneTransitionsAreExactToTheSecond() throws {
    let zone = Zone(try #require(ZoneName("Europe/Vienna")))
    // 29 March 2026, 01:00 UTC, and 25 October.
    #expect([1_774_745_999, 1_774_746_000].map(zone.seconds) == [3600, 7200])
    #expect([1_792_889_999, 1_792_890_000].map(zone.seconds) == [7200, 3600])
    // Beyond the years that are looked up.
    #expect(zone.seconds(at: .max) == 3600 && zone.seconds(at: .min) == 3600)
  }

  @Test func utcOffsetIsReadAsZone() throws {
    #expect(Zone(try #require(ZoneName("-03:30"))) == Zone(.fixed(seconds: -12_600)))
    #expect(Zone(.fixed(seconds: 90_000)).seconds(at: 0) == 64_800)
  }

  @Test(arguments: [
    ("Europe/Vienna", "Europe/Vienna"), ("utc", "UTC"), ("+0530", "+05:30"), ("-03:00", "-03:00"), ("+02", "+02:00"),
    ("Z", "UTC"), ("-00:00", "UTC"), ("+00:30", "+00:30"),
  ])
  func zonesAreRead(_ text: String, _ name: String) throws {
    #expect(try #require(ZoneName(text)).description == name)
  }

  @Test(arguments: ["", "CET", "Europe/Vienn", "+19:00", "+2", "+02:60", "../etc/passwd", "/etc/localtime", "+1:234"])
  func unknownZoneIsRejected(_ text: String) { #expect(ZoneName(text) == nil) }
}
