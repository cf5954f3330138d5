import Foundation
import Tamis
import TestSupport
import Testing

@Suite struct PlanetFileTests {
  /// Files of any kind are read as a configuration, with findings for what is wrong with them.
  @Test(arguments: Case.all(in: "Planet"))
  func filesAreRead(_ each: Case) {
    let file = PlanetFile(reading: Array(((each.sections["input"] ?? "") + "\n").utf8), name: "x")
    #expect(file.format.rawValue == each.settings["format"], "\(each)")
    if let expected = each.sections["planet"] { #expect(Self.plain(file.planet) == expected, "\(each)") }
    let findings = file.findings.map { finding in
      let location = finding.location.description.dropFirst(2)
      return "\(location)\(location.isEmpty ? "" : " ")\(finding.severity.rawValue): \(finding.message)"
    }
    #expect(findings.joined(separator: "\n") == each.sections["findings"] ?? "", "\(each)")
    // What is written is read as the same, and as OPML it has the same feeds.
    let again = PlanetFile(reading: Array(file.planet.text.utf8), name: "x", as: .tamis)
    #expect(again.planet == file.planet, "\(each): \(again.findings)")
    let outline = PlanetFile(reading: file.planet.opml(), name: "x")
    #expect(outline.format == .opml)
    #expect(Set(outline.planet.feeds.map(\.address)) == Set(file.planet.feeds.map(\.address)), "\(each)")
  }

  /// A configuration without comments and empty lines.
  private static func plain(_ planet: Planet) -> String {
    planet.text.split(separator: "\n").compactMap { line in
      let text = line.firstRange(of: "  # ").map { line[..<$0.lowerBound] } ?? line
      let words = text.trimmingCharacters(in: .whitespaces)
      return words.isEmpty || words.hasPrefix("#") ? nil : String(text)
    }.joined(separator: "\n")
  }

  /// Edits leave all other lines unchanged.
  @Test(arguments: Case.all(in: "PlanetEdits"))
  func configurationsAreEdited(_ each: Case) throws {
    for lineEnd in ["\n", "\r\n"] {
      func text(_ name: String) -> String? {
        each.sections[name].map { ($0 + "\n").replacingOccurrences(of: "\n", with: lineEnd) }
      }
      let (input, output) = (text("input") ?? "", text("output"))
      var edit = try ConfigEdit(Array(input.utf8), file: "x")
      do {
        if let address = each.settings["add"] {
          var settings = Planet.FeedSettings()
          settings.title = each.settings["title"]
          try edit.add([Planet.Subscription(try Planet.Address(address), settings: settings)])
        }
        if let addresses = each.settings["remove"] {
          try edit.remove(Set(addresses.split(separator: " ").map { try Planet.Address(String($0)) }))
        }
        #expect(String(decoding: edit.bytes, as: UTF8.self) == output, "\(each)")
      } catch let error as ConfigEdit.Refusal {
        #expect(error.finding.message == each.sections["refusal"], "\(each)")
        #expect(edit.bytes == Array(input.utf8))
      }
    }
  }

  // MARK: - Values

  @Test(arguments: [
    ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("192.168.1.5", "192.168.1.5", true),
    ("fd00::/8", "fdff::1", true), ("fd00::/8", "fc00::1", false), ("::1", "::1", true), ("0.0.0.0/0", "1.2.3.4", true),
    ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("0.0.0.0/0", "::1", false), ("172.16.0.0/12", "172.31.255.255", true),
    ("172.16.0.0/12", "172.32.0.0", false),
  ])
  func networkContainsItsAddresses(_ range: String, _ address: String, _ isIn: Bool) throws {
    let network = try #require(IPRange(range))
    #expect(network.contains(try #require(IPAddress(address))) == isIn)
    #expect(IPRange(network.description) == network)
  }

  @Test(arguments: [
    "", "10.0.0.1/8", "10.0.0/8", "10.0.0.0/33", "10.0.0.0/-1", "010.0.0.1", "1.2.3.4.5", "::g", "[::1]", "fd00::/129",
    "example.org", "10.0.0.0/", "1.2.3.256", "::1%eth0", "0x7f.1",
  ])
  func malformedNetworkIsRejected(_ text: String) { #expect(IPRange(text) == nil) }

  @Test func feedAddressesAreNormalized() throws {
    #expect(try Planet.Address("HTTPS://Example.org:443/a/../f#x") == Planet.Address(" https://example.org/f "))
    #expect(try Planet.Address("feed://example.org/f") == Planet.Address("http://example.org/f"))
    #expect(try Planet.Address("feed:https://example.org/f").url.href == "https://example.org/f")
    for text in [
      "", "example.org", "file:///etc/passwd", "javascript:alert(1)", "http://", "https://a b/", "https://[",
    ] {
      #expect(throws: Planet.Address.Refusal.self) { try Planet.Address(text) }
    }
  }

  @Test func settingsAreMergedWithDefaults() throws {
    let text = """
      defaults: {tags: [a], rules: strict, max-posts: 5, filters: [drop: {words: [x]}]}
      filters: [drop: {words: [w]}]
      feeds: [{address: "https://example.org/", tags: [b, a], max-posts: 7, filters: [drop: {words: [y]}]}]
      """
    let planet = PlanetFile(reading: Array(text.utf8), name: "x").planet
    let settings = planet.settings(for: try #require(planet.feeds.first))
    #expect(settings.tags == ["a", "b"] && settings.rules == "strict" && settings.maximumPosts == 7)
    let words = settings.filters.map { rule -> [String] in
      if case .drop(let condition) = rule.action { condition.words } else { [] }
    }
    #expect(words == [["w"], ["x"], ["y"]])
  }
}
