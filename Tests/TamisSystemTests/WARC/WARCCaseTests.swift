import TamisCore
import TamisSystem
import TestSupport
import Testing

/// What comes out of the files in `Fixtures/WARC`.
@Suite struct WARCCaseTests {
  @Test(arguments: Case.all(in: "WARC"))
  func recordsMatchFixture(_ each: Case) throws {
    let text = WARCText(each)
    let limits = Self.limits(each)
    let outcome = try WARCOutcome(text.bytes(.plain), limits: limits)
    #expect(outcome.lines.joined(separator: "\n") == each.sections["output"])
    let inBytes = try WARCOutcome(text.bytes(.plain), pieces: 1, limits: limits)
    #expect(inBytes.lines == outcome.lines, "byte by byte")
    for packing in WARCText.Packing.allCases where each.settings["packed"] != "no" {
      let packed = try WARCOutcome(text.bytes(packing), limits: limits)
      #expect(packed.withoutLocations == outcome.withoutLocations, "\(packing)")
    }
  }

  @Test func fixtureCasesExist() { #expect(Case.all(in: "WARC").count > 40) }

  private static func limits(_ each: Case) -> WARCLimits {
    var limits = WARCLimits.standard
    if let value = each.settings["record-bytes"].flatMap({ Int($0) }) { limits.recordBytes = value }
    if let value = each.settings["header-bytes"].flatMap({ Int($0) }) { limits.headerBytes = value }
    if let value = each.settings["body-bytes"].flatMap({ Int($0) }) { limits.bodyBytes = value }
    if let value = each.settings["findings"].flatMap({ Int($0) }) { limits.findings = value }
    return limits
  }
}
