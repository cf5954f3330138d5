import TamisCore
import Testing

@Suite struct LibraryMinimumTests {
  @Test(arguments: ["2.9.14", "2.9.15", "2.10.0", "2.15.0-GITv2.15", "3.0", "10.0.0", "2.9.14+dfsg-1.3"])
  func newEnoughVersionsAreTaken(_ version: String) { #expect(LibraryMinimum.libxml2.objection(to: version) == nil) }

  @Test(arguments: ["2.9.13", "2.9.4", "2.9", "2", "1.99.99", "", "unknown"])
  func olderVersionsAreRefused(_ version: String) throws {
    let objection = try #require(LibraryMinimum.libxml2.objection(to: version))
    #expect(objection.contains("2.9.14") && objection.contains("CVE-2022-29824"))
  }
}
