import Foundation
import TamisSystem
import TestSupport
import Testing

/// The zones of the machine and rules, against the C library, which reads the same files.
@Suite struct ZoneDatabaseTests {
  @Test("every zone of the database has the C library's offsets")
  func everyZoneAgreesWithCLibrary() throws {
    let database = ZoneDatabase.system
    try #require(database.names.count > 300, "this machine has no time zone database")
    for name in database.names {
      let zone = try #require(database.zone(named: name), "\(name)")
      // The C library knows older names only where they have files.
      guard FileManager.default.fileExists(atPath: "\(database.folder)/\(name)") else { continue }
      #expect(Self.differences(zone, in: ":\(name)").isEmpty, "\(name)")
    }
  }

  @Test(
    "a rule has the C library's offsets",
    arguments: [
      "UTC0", "CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT,M3.2.0,M11.1.0", "NZST-12NZDT,M9.5.0,M4.1.0/3",
      "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "IST-2IDT,M3.4.4/26,M10.5.0",
      "AAA3BBB,J60,J300", "AAA3BBB,59,300/1:30:15", "<-03>3<-02>,M3.5.0/-167,M10.1.6/167",
    ])
  func ruleAgreesWithCLibrary(_ text: String) throws {
    let rule = try #require(ZoneRule(text))
    #expect(Self.differences(Zone(rule: rule), in: text) == [])
  }

  @Test(
    "what is no rule is refused",
    arguments: [
      "", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0",
      "CET-1CEST,J0,J3", "CET-1CEST,M3.5.0,M10.5.0/168", "CET-25", "<CET-1", "CET-1CEST,M3.5.0,M10.5.0x",
    ])
  func otherTextIsNoRule(_ text: String) { #expect(ZoneRule(text) == nil) }

  @Test("a file that is cut or changed anywhere is refused or read, and never ends the process")
  func damagedFileIsRefused() throws {
    let bytes = try Array(Data(contentsOf: URL(filePath: ZoneDatabase.system.folder + "/Europe/Vienna")))
    for count in 0..<bytes.count - 30 { #expect(Zone(Array(bytes[..<count])) == nil, "\(count) bytes") }
    for index in bytes.indices {
      for value: UInt8 in [0, 0x7F, 0x80, 0xFF] {
        var changed = bytes
        changed[index] = value
        _ = Zone(changed)
      }
    }
  }

  @Test("an older name without a file is that of its zone")
  func olderNameIsLink() throws {
    let folder = try Fixtures.temporaryFolder()
    try FileManager.default.copyItem(
      atPath: "\(ZoneDatabase.system.folder)/Europe/Vienna", toPath: "\(folder.path)/Vienna")
    try Data("L Vienna US/Vienna\n".utf8).write(to: URL(filePath: "\(folder.path)/tzdata.zi"))
    let database = ZoneDatabase(folder: folder.path)
    #expect(database.zone(named: "US/Vienna")?.changes.count == database.zone(named: "Vienna")?.changes.count)
    #expect(database.zone(named: "US/Graz") == nil)
  }

  @Test("the last change may be at any time", arguments: [Int64.min, -1, 0, 4_200_000_000, .max])
  func extremeTimeIsRead(_ time: Int64) throws {
    func block(_ word: [UInt8]) -> [UInt8] {
      let counts: [UInt8] = [0, 0, 0, 1, 1, 1].flatMap { [0, 0, 0, $0] }
      return Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15) + counts + word + [0] + [0, 0, 0x0E, 0x10, 0, 0, 0]
    }
    let word = (0..<8).map { UInt8(truncatingIfNeeded: time >> (56 - 8 * $0)) }
    let file = block([0, 0, 0, 0]) + block(word) + Array("\nCET-1CEST,M3.5.0,M10.5.0/3\n".utf8)
    let zone = try #require(Zone(file))
    #expect(zone.first == 3600 && zone.changes.first?.time == time && zone.changes.count < 300)
  }

  @Test("a folder without a database, and names that leave it, have no zone")
  func nothingIsReadOutsideOfDatabase() {
    let database = ZoneDatabase.system
    for name in ["", "/etc/passwd", "../zoneinfo/Europe/Vienna", "Europe", "Europe/", "Europe/Nowhere", "tzdata.zi"] {
      #expect(database.zone(named: name) == nil, "\(name)")
    }
    // It counts leap seconds, which Unix time does not.
    #expect(database.zone(named: "right/Europe/Vienna") == nil)
    let none = ZoneDatabase(folder: "/nowhere")
    #expect(none.names.isEmpty && none.release == nil && none.zone(named: "Europe/Vienna") == nil)
    #expect(database.release?.hasPrefix("20") == true)
  }

  /// Returns the times, every nine days and at each change, at which the C library has another offset.
  private static func differences(_ zone: Zone, in name: String) -> [Int64] {
    let steps = stride(from: Int64(0), to: 4_102_444_800, by: 9 * 86_400 + 3601)
    var times = steps + zone.changes.flatMap { [$0.time - 1, $0.time] }.filter { $0 >= 0 }
    times.sort()
    var (next, offset) = (zone.changes.startIndex, zone.first)
    return zip(times, CLibraryZones.offsets(in: name, at: times)).filter { time, seconds in
      while next < zone.changes.count, zone.changes[next].time <= time {
        offset = zone.changes[next].seconds
        next += 1
      }
      return seconds != offset
    }.map(\.0)
  }
}
