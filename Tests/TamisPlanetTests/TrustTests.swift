import Tamis
import TestSupport
import Testing

/// What a configuration of somebody else does not decide.
@Suite struct TrustTests {
  @Test func foreignProgramsNetworksAndProxiesAreDropped() {
    let program = "program: {command: [sh, -c, evil]}"
    let text = """
      fetch: {allow: [10.0.0.0/8, 127.0.0.1], proxy: 'http://proxy.example:3128/', timeout: 9s}
      filters: [{\(program)}, drop: {words: [x]}]
      defaults: {filters: [{\(program)}]}
      feeds: [{address: 'https://example.org/', filters: [{program: {command: [./other]}}]}]
      lists: [{address: 'https://example.org/list', filters: [{\(program)}]}]
      """
    var file = PlanetFile(reading: Array(text.utf8), name: "x")
    #expect(file.isValid, "\(file.findings)")
    file.dropUntrustedSettings()
    #expect(file.planet.filters.count == 1 && file.planet.defaults.filters.isEmpty)
    #expect(file.planet.feeds.map(\.settings.filters) == [[]])
    #expect(file.planet.readingLists.map(\.settings.filters) == [[]])
    #expect(file.planet.fetching.allowedNetworks.isEmpty && file.planet.fetching.proxy == nil)
    #expect(file.planet.fetching.timeout == .seconds(9), "the rest stays")
    #expect(!file.planet.text.contains("evil") && !file.planet.text.contains("10.0.0"))
    let said = file.findings.filter { $0.severity == .warning }.map(\.message).joined(separator: "\n")
    for words in ["sh -c evil", "./other", "10.0.0.0/8, 127.0.0.1", "proxy"] {
      #expect(said.contains(words), "\(said)")
    }
  }

  @Test func secretsAreNotSentWhereForeignConfigurationSays() {
    let request = "login: {user: me, password: {secret: A}}, headers: {X-Key: {secret: B}, X-Plain: x}"
    let text = """
      fetch: {secrets: /home/me/secrets}
      defaults: {cookies: {c: {secret: C}, d: plain}}
      feeds: [{address: 'https://example.org/', \(request)}]
      lists: [{address: 'https://example.org/list', \(request)}, {file: list.opml, \(request)}]
      """
    var file = PlanetFile(reading: Array(text.utf8), name: "x")
    #expect(file.isValid, "\(file.findings)")
    file.dropUntrustedSettings()
    let settings = [file.planet.defaults] + file.planet.feeds.map(\.settings) + file.planet.readingLists.map(\.settings)
    #expect(settings.allSatisfy { $0.request.secrets.isEmpty && $0.request.login == nil })
    #expect(settings.map { $0.request.headers.map(\.name) } == [[], ["X-Plain"], ["X-Plain"], ["X-Plain"]])
    #expect(settings[0].request.cookies.map(\.name) == ["d"] && file.planet.fetching.secrets == nil)
    let said = file.findings.map(\.message).filter { $0.contains("is left out") }
    #expect(said.count == 2 && said.contains { $0.contains("(A, B, C)") }, "\(said)")
  }

  @Test(arguments: [
    ("../../x", true), ("/etc/x", true), ("a/../../x", true), ("public", false), ("a/b..c", false),
  ]) func pathsOutsideFolderAreDropped(_ path: String, _ isLeftOut: Bool) {
    var file = PlanetFile(
      reading: Array("site: {output: '\(path)', archive: '\(path).archive'}\nfeeds: []".utf8), name: "x")
    file.dropUntrustedSettings()
    #expect((file.planet.site.output == "site") == isLeftOut && (file.planet.site.archive == nil) == isLeftOut)
    #expect(file.findings.count { $0.message.contains("is left out") } == (isLeftOut ? 2 : 0), "\(file.findings)")
  }

  @Test func credentialsAreKeptOnlyForSameServer() throws {
    let own = try Planet.Address("http://me:pw@a.example/old")
    for (text, expected) in [
      ("http://a.example/new", "http://me:pw@a.example/new"), ("http://a.example:80/", "http://me:pw@a.example/"),
      ("https://a.example/new", "https://a.example/new"), ("http://a.example:81/", "http://a.example:81/"),
      ("http://b.example/", "http://b.example/"), ("http://you@a.example/", "http://you@a.example/"),
    ] { #expect(try Planet.Address(text).takingCredentials(of: own).url.href == expected) }
    #expect(own.forAll == "http://a.example/old")
  }
}
