import Foundation
import TamisSystem
import TamisLibC
import TamisServe
import TestSupport
import Testing

@Suite("Server of a site")
struct SiteServerTests {
  @Test("requests", arguments: Case.all(in: "Serve"))
  func fixtureCasePasses(_ item: Case) throws {
    let site = try ServedSite()
    site.server.show(.site)
    let request = try #require(item.sections["request"])
    let answer = try site.answer(request.replacing("\n", with: "\r\n") + "\r\n\r\n")
    let found = [answer.status, answer.fields["content-type"] ?? "none"].joined(separator: " ")
    #expect(found == item.sections["answer"]?.trimmingCharacters(in: .whitespacesAndNewlines))
    #expect(!answer.body.contains("secret"))
  }

  @Test("a page gets the script and a policy that allows it; the file stays")
  func pageGetsScript() throws {
    let site = try ServedSite()
    site.server.show(.site)
    let answer = try site.get("/index.html")
    let header = try #require(answer.fields["content-security-policy"])
    let hash = try #require(header.firstMatch(of: /script-src ('sha256-[^']+')/)?.1)
    #expect(header.hasPrefix("default-src 'none'; frame-ancestors 'none'; "))
    #expect(answer.body.contains("style-src &#39;self&#39;; script-src \(hash.replacing("'", with: "&#39;"))"))
    let script = try #require(answer.body.firstMatch(of: /<script data-version="[\d.]+">([^<]+)<\/script>/)?.1)
    #expect("'sha256-\(SHA256(String(script)).base64)'" == hash)
    #expect(try site.read("index.html") == ServedSite.page)
    #expect(!(try site.get("/atom.xml").fields["content-security-policy"]?.contains("script-src") ?? false))
  }

  @Test("messages of a failed build stand in place of every page, as text")
  func failureIsShown() throws {
    let site = try ServedSite()
    site.server.show(.failure("tamis.yaml:2:3: <script>alert(1)</script>"))
    let (page, feed) = (try site.get("/posts/"), try site.get("/atom.xml"))
    #expect(page.status == "500")
    #expect(page.body.contains("tamis.yaml:2:3: &lt;script>alert(1)&lt;/script>"))
    #expect(feed.status == "200")
    let version = try site.get("/.tamis/version").body
    site.server.show(.site)
    #expect(try site.get("/posts/").status == "200")
    #expect(try site.get("/.tamis/version").body != version)
  }

  @Test("a port in use is told")
  func portInUseIsTold() throws {
    let site = try ServedSite()
    let port = try #require(UInt16(site.url.split(separator: ":")[2].dropLast()))
    let other = SiteServer("nowhere")
    #expect(throws: SiteServer.Failure.self) { try other.start(address: "127.0.0.1", port: port) }
    #expect(throws: SiteServer.Failure.self) { try other.start(address: "example.org", port: 0) }
  }
}

@Suite("Watch over files")
struct FileWatchTests {
  @Test("a write, a replacement, a new file in a folder, and a file that goes")
  func changesAreTold() throws {
    let folder = try Fixtures.temporaryFolder()
    func write(_ name: String, _ text: String) throws {
      try Data(text.utf8).write(to: URL(filePath: folder.path).appending(path: name), options: .atomic)
    }
    try FileManager.default.createDirectory(
      at: URL(filePath: folder.path).appending(path: "feeds"), withIntermediateDirectories: true)
    try write("tamis.yaml", "a")
    let paths = ["tamis.yaml", "feeds", "later.yaml"].map {
      FilePath(URL(filePath: folder.path).appending(path: $0).path)
    }
    let watch = FileWatch(paths, exceptSite: "site", archive: "site.archive")
    for step in [
      { try write("tamis.yaml", "ab") }, { try write("feeds/a.xml", "a") }, { try write("later.yaml", "a") },
      { try FileManager.default.removeItem(at: URL(filePath: folder.path).appending(path: "feeds/a.xml")) },
    ] as [() throws -> Void] {
      try step()
      watch.wait()
    }
  }
}

/// A site in a folder, and its server.
private final class ServedSite {
  static let page = """
    <meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;self&#39;">
    <p>A page</p>
    """
  let folder: TemporaryFolder
  let server: SiteServer
  let url: String

  init() throws {
    folder = try Fixtures.temporaryFolder()
    let site = URL(filePath: folder.path).appending(path: "site")
    try FileManager.default.createDirectory(at: site.appending(path: "posts"), withIntermediateDirectories: true)
    for name in ["index.html", "404.html", "posts/index.html", "posts/a b.html", "atom.xml"] {
      try Data(Self.page.utf8).write(to: site.appending(path: name))
    }
    let headers = "# Headers.\n/*\n  Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\n"
    try Data(headers.utf8).write(to: site.appending(path: "_headers"))
    let secret = URL(filePath: folder.path).appending(path: "secret.txt")
    try Data("secret".utf8).write(to: secret)
    try FileManager.default.createSymbolicLink(at: site.appending(path: "link.txt"), withDestinationURL: secret)
    server = SiteServer(FilePath(site.path))
    url = try server.start(address: "127.0.0.1", port: 0)
  }

  deinit { server.stop() }

  func read(_ name: String) throws -> String {
    try String(contentsOf: URL(filePath: folder.path).appending(path: "site/\(name)"), encoding: .utf8)
  }

  func get(_ target: String) throws -> (status: String, fields: [String: String], body: String) {
    try answer("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
  }

  /// Sends a request as it is.
  func answer(_ request: String) throws -> (status: String, fields: [String: String], body: String) {
    let end = socket(AF_INET, Self.streamType, 0)
    defer { _ = close(end) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = try #require(UInt16(url.split(separator: ":")[2].dropLast())).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(end, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(connected == 0)
    _ = request.withCString { send(end, $0, strlen($0), 0) }
    _ = shutdown(end, Self.noMoreWrites)
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    while case let count = recv(end, &buffer, buffer.count, 0), count > 0 { bytes += buffer.prefix(count) }
    let text = String(decoding: bytes, as: UTF8.self)
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1)
    let lines = (parts.first ?? "").split(separator: "\r\n")
    let fields = lines.dropFirst().compactMap { line in
      line.firstIndex(of: ":").map { (line[..<$0].lowercased(), String(line[line.index($0, offsetBy: 2)...])) }
    }
    let status = lines.first?.split(separator: " ").dropFirst().first.map(String.init) ?? "none"
    return (status, Dictionary(fields, uniquingKeysWith: { $1 }), parts.count > 1 ? String(parts[1]) : "")
  }

  #if canImport(Glibc)
    private static let streamType = Int32(SOCK_STREAM.rawValue)
    private static let noMoreWrites = Int32(SHUT_WR)
  #else
    private static let streamType = SOCK_STREAM
    private static let noMoreWrites = SHUT_WR
  #endif
}
