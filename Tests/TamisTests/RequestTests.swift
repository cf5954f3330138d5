import Foundation
import Tamis
import TamisFetch
import TamisURL
import TestSupport
import Testing

/// What builds send for feeds, by their configuration, and to whom.
@Suite struct RequestTests {
  private let planet: TestPlanet
  private let a = "https://a.example/feed"
  private let b = "https://b.example/feed"
  private static let password = "correct horse battery"

  init() throws {
    planet = try TestPlanet()
    planet.web[a] = .document(TestPlanet.feed("A", ["One", "Two"]), etag: "1")
    planet.web[b] = .document(TestPlanet.feed("B", ["Three"]), etag: "1")
    planet.secrets = SecretStore(environment: ["TAMIS_SECRET_PAPER": Self.password], file: nil)
  }

  private static let login = "login: {user: ann, password: {secret: PAPER}}"

  /// The requests by their addresses, each in words.
  private func asked() -> [String: String] {
    Dictionary(planet.web.takeRequests().map { ($0.address, Self.words($0)) }) { $1 }
  }

  private static func words(_ request: HTTPRequest) -> String {
    let login = request.credentials.map { "\($0.name.revealed):\($0.password.revealed)" }
    let fields = request.hiddenFields.map { "\($0.name)=\($0.value.revealed)" }
    return ([request.userAgent, login].compactMap { $0 } + fields).joined(separator: " | ")
  }

  @Test func settingsOfDefaultsGroupsAndFeedsAreSent() async throws {
    _ = try await planet.build(
      """
      defaults: {user-agent: Planet Fog, headers: {Accept-Language: de, X-Reader: fog}}
      feeds:
        - headers: {x-reader: other}
          cookies: {consent: yes}
          feeds: [{address: "\(a)", \(Self.login), cookies: {paper: {secret: PAPER}}}]
        - \(b)
      """)
    let asked = asked()
    #expect(
      asked[a]
        == "Planet Fog | ann:\(Self.password) | Accept-Language=de | x-reader=other | Cookie=consent=yes; paper=\(Self.password)"
    )
    #expect(asked[b] == "Planet Fog | Accept-Language=de | X-Reader=fog")
  }

  @Test(arguments: [
    ("https://a.example/other", true), ("https://a.example:443/", true), ("https://www.a.example/", false),
    ("https://b.example/", false), ("https://a.example:8443/", false), ("https://a.example.b.example/", false),
  ])
  func loginStaysWithServerOfFeed(_ target: String, _ isSent: Bool) async throws {
    planet.web[a] = .redirect(302, to: target)
    let there = WebURL(target)?.href ?? target
    planet.web[there] = .redirect(302, to: "https://a.example/end")
    planet.web["https://a.example/end"] = .document(TestPlanet.feed("A", ["One"]))
    let report = try await planet.build(
      "feeds: [{address: '\(a)', \(Self.login), user-agent: Fog, headers: {X-Key: {secret: PAPER}}}]")
    #expect(report.ingest?.failed == 0)
    let (asked, all) = (asked(), "Fog | ann:\(Self.password) | X-Key=\(Self.password)")
    #expect(asked == [a: all, there: isSent ? all : "", "https://a.example/end": all])
  }

  /// A feed that was refused is asked as soon as its requests send something else, and by the same settings not again.
  @Test(arguments: [login, "user-agent: Fog", "headers: {X-Key: {secret: PAPER}}", "cookies: {consent: yes}"])
  func newRequestSettingsAreTriedAtOnceAfterRefusal(_ setting: String) async throws {
    planet.web[a] = .failure(401)
    for (settings, isAsked) in [("", true), ("", false), (", \(setting)", true), (", \(setting)", false)] {
      planet.now += 1
      _ = try await planet.build("feeds: [{address: '\(a)'\(settings)}]")
      #expect(asked().isEmpty != isAsked, "\(settings)")
    }
  }

  /// A secret that is not there is nobody's failure but this machine's.
  @Test func missingSecretCostsOnlyItsFeed() async throws {
    let configuration = "feeds:\n  - {address: '\(a)', \(Self.login)}\n  - \(b)\n"
    planet.secrets = SecretStore()
    let report = try await planet.build(configuration)
    #expect(asked() == [b: ""])
    let findings = report.ingest?.findings.filter { $0.severity == .error } ?? []
    #expect(findings.map(\.code) == ["fetch.request"] && findings.map(\.location.file) == [a])
    for words in ["'PAPER'", "line 2", "TAMIS_SECRET_PAPER", "--set fetch.secrets"] {
      #expect(findings.first?.message.contains(words) == true, "\(findings)")
    }
    #expect(report.ingest?.failed == 1)
    #expect(try planet.contents()["status.html"]?.contains("PAPER") == false)
    planet.secrets = SecretStore(environment: ["TAMIS_SECRET_PAPER": Self.password], file: nil)
    planet.now += 60
    _ = try await planet.build(configuration)
    #expect(asked().keys.sorted() == [a], "it is due at once")
    // Without its secret once more, what it had stays, and it is not counted as failing.
    planet.secrets = SecretStore()
    _ = try await planet.build(configuration, days: 2)
    #expect(try planet.titles() == ["One", "Two", "Three"])
    #expect(try planet.status(of: "A")["state"] as? String == "ok")
  }

  /// Without the login another document would come, and replace the right one.
  @Test func feedWhoseLoginCannotBeReadIsNotAsked() async throws {
    _ = try await planet.build("feeds: [{address: '\(a)', \(Self.login)}, \(b)]")
    _ = asked()
    let report = try await planet.build(
      "feeds:\n  - {login: {user: ann, password: hunter2}, feeds: [\(a)]}\n  - \(b)\n", days: 2)
    #expect(asked().keys.sorted() == [b])
    #expect(report.ingest?.findings.contains { $0.code == "fetch.request" && $0.location.file == a } == true)
    #expect(try planet.titles() == ["One", "Two", "Three"])
  }

  @Test(arguments: ["a\nb", "a\u{7F}b", String(repeating: "a", count: 5000)])
  func secretThatCannotBeSentIsRefusedWithoutShowingIt(_ value: String) async throws {
    planet.secrets = SecretStore(environment: ["TAMIS_SECRET_PAPER": value], file: nil)
    let report = try await planet.build("feeds: [{address: '\(a)', \(Self.login)}]")
    #expect(asked().isEmpty)
    let message = report.ingest?.findings.first?.message ?? ""
    #expect(message.contains("'PAPER'") && !message.contains(value), "\(message)")
  }

  /// Another login may be given other posts under the same ETag.
  @Test func changeOfWhatIsSentRequestsDocumentAnew() async throws {
    let plain = "feeds: [{address: '\(a)'}]"
    let closed = "feeds: [{address: '\(a)', \(Self.login)}]"
    for (text, isAsked) in [(plain, true), (closed, true), (closed, false), (plain, true)] {
      _ = try await planet.build(text)
      let requests = planet.web.takeRequests()
      #expect(requests.map(\.isOnCondition) == (isAsked ? [false] : []), "\(text)")
      planet.now += 60
    }
    _ = try await planet.build(plain, days: 2)
    #expect(planet.web.takeRequests().map(\.isOnCondition) == [true])
  }

  /// The owner of a remote list must not get a login by naming a feed.
  @Test func secretsAreNotForFeedsOfRemoteLists() async throws {
    let list = "https://a.example/list"
    planet.web[list] = .document("\(a)\n\(b)\n")
    let key = "headers: {X-Key: {secret: PAPER}, X-Reader: fog}"
    _ = try await planet.build("defaults: {\(key)}\nlists: [{address: '\(list)', \(Self.login)}]")
    let (asked, all) = (asked(), "ann:\(Self.password) | X-Key=\(Self.password) | X-Reader=fog")
    #expect(asked == [list: all, a: all, b: "X-Reader=fog"])
  }

  @Test func pagesOfFeedGetItsLoginOnItsOwnServerAlone() async throws {
    let (own, foreign) = ("https://a.example/paid", "https://c.example/free")
    let (other, stolen) = ("https://a.example/private", "https://b.example/thief")
    func feed(_ links: [String]) -> TestWeb.Page {
      let items = links.map { "<item><title>T</title><link>\($0)</link><description>More […]</description></item>" }
      return .document("<rss version='2.0'><channel><title>F</title>\(items.joined())</channel></rss>")
    }
    for page in [own, foreign, other, stolen] { planet.web[page] = .document("<html><p>Words</p></html>") }
    planet.web[a] = feed([own, foreign])
    planet.web[b] = feed([own, other, stolen])
    let configuration = """
      defaults: {full-text: yes}
      feeds:
        - {address: "\(a)", \(Self.login)}
        - \(b)
      """
    _ = try await planet.build(configuration)
    let login = "ann:\(Self.password)"
    #expect(asked() == [a: login, own: login, foreign: "", b: "", other: "", stolen: ""])
  }

  /// Pages behind a login are not asked for without it: what comes would be kept as the article.
  @Test func pagesOfFeedWithoutSecretWait() async throws {
    let page = "https://a.example/one"
    let configuration = "defaults: {full-text: yes}\nfeeds: [{address: '\(a)', \(Self.login)}]"
    planet.web[page] = .failure(500)
    _ = try await planet.build(configuration)
    #expect(asked()[page] != nil)
    planet.secrets = SecretStore()
    _ = try await planet.build(configuration, days: 1)
    #expect(asked().isEmpty)
  }

  @Test func secretIsInNoFile() async throws {
    planet.web[a] = TestWeb.Page(
      fields: [HeaderField(name: "Set-Cookie", value: "session=\(Self.password)")],
      body: TestPlanet.feed("A", ["One", "Two"]))
    let report = try await planet.build(
      """
      feeds:
        - {address: "\(a)", \(Self.login), headers: {X-Key: {secret: PAPER}}, cookies: {c: {secret: PAPER}}}
        - {address: "\(b)", login: {user: {secret: NONE}, password: {secret: PAPER}}}
      """)
    let encoded = Data("ann:\(Self.password)".utf8).base64EncodedString()
    for text in [Self.password, encoded] {
      for file in FileManager.default.enumerator(atPath: planet.folder.path)?.allObjects as? [String] ?? [] {
        let bytes = FileManager.default.contents(atPath: "\(planet.folder.path)/\(file)") ?? Data()
        #expect(bytes.range(of: Data(text.utf8)) == nil, "\(file)")
      }
      #expect(!"\(report)".contains(text))
    }
  }
}

/// The values of secrets.
@Suite struct SecretStoreTests {
  @Test func environmentCountsBeforeFile() throws {
    let (folder, file) = try file("# comment\n\nPAPER = from file \r\nOTHER=a=b # c\n", mode: 0o600)
    let store = SecretStore(
      environment: ["TAMIS_SECRET_PAPER": " from environment\n", "OTHER": "x", "TAMIS_SECRET_EMPTY": ""], file: file)
    #expect(store["PAPER"]?.revealed == "from environment" && store["OTHER"]?.revealed == "a=b # c")
    #expect(store["EMPTY"] == nil && store["NONE"] == nil && store.findings.isEmpty)
    #expect(SecretStore(environment: [:], file: file)["PAPER"]?.revealed == "from file")
    withExtendedLifetime(folder) {}
  }

  @Test(arguments: [
    ("A=hunter2", 0o644, "warning: other users of this machine can read these secrets; run: chmod 600"),
    ("A=hunter2", 0o640, "warning: other users of this machine can read these secrets; run: chmod 600"),
    ("A=hunter2\nhunter2", 0o600, "error: a secret is a line NAME=value, whose name has"),
    ("hunter2=hunter2", 0o600, "error: a secret is a line NAME=value, whose name has"),
    ("A=hunter2\nA=hunter2", 0o600, "warning: the secret 'A' is given before; this line is left out"),
    ("A=\"hunter2\"", 0o600, "warning: quotation marks are part of the value of 'A'; remove them if they are not"),
    ("A=", 0o600, "warning: the secret 'A' has no value"),
  ])
  func faultsOfFileAreReportedWithoutValues(_ text: String, _ mode: Int, _ words: String) throws {
    let (folder, file) = try file(text, mode: mode)
    let findings = SecretStore(environment: [:], file: file).findings
    #expect(findings.count == 1)
    let said = findings.map { "\($0.severity.rawValue): \($0.message)" }.joined()
    #expect(said.hasPrefix(words) && !said.contains("hunter2"), "\(said)")
    withExtendedLifetime(folder) {}
  }

  @Test func missingFileIsReported() {
    let store = SecretStore(environment: ["TAMIS_SECRET_A": "x"], file: "/nowhere/secrets")
    #expect(store.findings.map(\.severity) == [.error] && store["A"] != nil)
  }

  private func file(_ text: String, mode: Int) throws -> (TemporaryFolder, FilePath) {
    let folder = try Fixtures.temporaryFolder()
    let path = "\(folder.path)/secrets"
    try Data(text.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return (folder, FilePath(path))
  }
}
