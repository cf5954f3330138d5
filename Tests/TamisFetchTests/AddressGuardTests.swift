import TamisCore
import TamisFetch
import TamisURL
import TestSupport
import Testing

@Suite struct AddressGuardTests {
  @Test(arguments: Case.all(in: "Fetch/Guard"))
  func guardMatchesFixtureVerdicts(_ each: Case) throws {
    var guardian = AddressGuard()
    guardian.allowed = (each.settings["allow"] ?? "").split(separator: " ").compactMap { IPRange(String($0)) }
    for line in (each.sections["urls"] ?? "").split(separator: "\n") {
      let parts = line.split(separator: " ")
      let url = try #require(WebURL(String(parts[0])), "\(each): \(line)")
      #expect(guardian.objection(to: url)?.reason.rawValue ?? "-" == parts[1], "\(each): \(line)")
    }
  }

  @Test(arguments: ["10.0.0.0/33", "10.0.0/8", "fd00::/129", "x", "", "10.0.0.0/-1", "10.0.0.0/"])
  func malformedRangeIsRejected(_ text: String) { #expect(IPRange(text) == nil) }

  @Test func zeroLengthPrefixContainsItsWholeFamily() throws {
    let all = try #require(IPRange("0.0.0.0/0"))
    #expect(all.contains(try #require(IPAddress("255.255.255.255"))))
    #expect(!all.contains(try #require(IPAddress("2001:db8::1"))))
    #expect(try #require(IPRange("::/0")).contains(try #require(IPAddress("2001:db8::1"))))
  }
}
