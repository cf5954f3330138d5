import Foundation
import Tamis
import TestSupport
import Testing

/// Builds that keep pictures: what is asked for, what is kept and shown, and what goes.
@Suite struct PictureTests {
  private let folder: TemporaryFolder
  private let server = PictureServer()

  init() throws { folder = try Fixtures.temporaryFolder() }

  @Test func picturesAreStoredShownAndRemovedWithTheirPosts() async throws {
    try await build(["a": ["x.png", "y.png"], "b": ["y.png"]], offline: true)
    #expect(server.takeAsked() == ["x.png", "y.png"])
    #expect(try pictures().count == 2 && stored().count == 2)
    let page = try text("posts").first { $0.contains("Post a") }
    #expect(page?.contains("<img src=\"../../pictures/") == true && page?.contains("pictures.example/x.png") == false)
    #expect(page?.contains("width=\"64\" height=\"48\"") == true)
    #expect(page?.contains("img-src &#39;self&#39; file: data:;") == true)
    // What is known is not asked for again, and nothing is made again.
    let again = try await build(["a": ["x.png", "y.png"], "b": ["y.png"]], offline: true)
    #expect(server.takeAsked().isEmpty && again.pages?.written == 0)
    // One that another post shows too stays; the other goes from the store and the site.
    try await build(["a": [], "b": ["y.png"]], offline: true)
    #expect(server.takeAsked().isEmpty)
    #expect(try pictures().count == 1 && stored().count == 1)
    try await build(["a": [], "b": []], offline: true)
    #expect(try pictures().isEmpty && stored().isEmpty)
  }

  /// The picture of an author is kept like those of posts, and stands on all pages of its posts.
  @Test func facesOfAuthorsAreStored() async throws {
    func build(_ face: String?) async throws -> SiteBuild.Report {
      try write(["a": [], "b": []])
      var configuration = configuration(face: face.map(PictureServer.address))
      configuration.site.isOffline = true
      return try await SiteBuild(configuration).run()
    }
    _ = try await build("x.png")
    #expect(server.takeAsked() == ["x.png"])
    let face = "<img class=\"pic face\" src=\""
    #expect(try text("posts").count { $0.contains(face + "../../pictures/") } == 2)
    #expect(try pictures().count == 1)
    #expect(try String(contentsOfFile: "\(folder.path)/site/index.html", encoding: .utf8).contains(face + "pictures/"))
    #expect(try await build("x.png").pages?.written == 0)
    _ = try await build(nil)
    #expect(try pictures().isEmpty && text("posts").allSatisfy { !$0.contains(face) })
  }

  /// What others put into the folder stays, and what a link there leads to.
  @Test func foreignFilesInPictureFolderStay() async throws {
    try await build(["a": ["x.png"]], offline: true)
    let own = try #require(try stored().first)
    let (store, manager) = ("\(folder.path)/site.archive.pictures", FileManager.default)
    try manager.createDirectory(atPath: "\(store)/2025", withIntermediateDirectories: true)
    let digest = String(repeating: "a", count: 64)
    for name in ["2025/beach.jpg", "diary.txt", "2025/\(digest).png"] {
      try Data("mine".utf8).write(to: URL(filePath: "\(store)/\(name)"))
    }
    let victim = "\(folder.path)/victim"
    try Data("mine".utf8).write(to: URL(filePath: victim))
    try manager.removeItem(atPath: own)
    try manager.createSymbolicLink(atPath: own, withDestinationPath: victim)
    try await build(["a": ["x.png", "y.png"]], offline: true)
    #expect(try String(contentsOfFile: victim, encoding: .utf8) == "mine")
    try await build(["a": []], offline: true)
    #expect(
      try stored().map { $0.split(separator: "/").suffix(2).joined(separator: "/") }.sorted() == [
        "2025/\(digest).png", "2025/beach.jpg", "site.archive.pictures/diary.txt",
      ])
  }

  /// A URL hook rewrites only the addresses of pictures that are not stored.
  @Test func urlHooksAreNotCalledForStoredPictures() async throws {
    var hooks = Sanitizer.Hooks(version: "1")
    hooks.rewriteURL = { url, use in
      use.element == "img" ? WebURL("https://proxy.example\(url.path)") : url
    }
    server.put(.nothing, at: "y.png")
    let sanitizer = try Sanitizer(policy: .reading, hooks: hooks)
    try await build(["a": ["x.png", "y.png"]]) { $0.sanitizer = sanitizer }
    #expect(try stored().count == 1)
    let page = try #require(try text("posts").first { $0.contains("Post a") })
    #expect(page.contains("<img src=\"../../pictures/") && page.contains("src=\"https://proxy.example/y.png\""))
    #expect(!page.contains("https://proxy.example/x.png"))
  }

  @Test func bookContainsStoredPictures() async throws {
    try await build(["a": ["x.png", "y.png"], "b": ["y.png"]])
    let file = "\(folder.path)/a.epub"
    func write() throws -> PostBook.Summary {
      try PostBook(configuration(), Archive.PostChoice()).write(epub: FilePath(file), name: "", modified: nil)
    }
    let summary = try write()
    #expect(summary.posts == 2 && summary.pictures == 2)
    let kept = try #require(try stored().first)
    #expect(try Data(contentsOf: URL(filePath: file)).range(of: Data(contentsOf: URL(filePath: kept))) != nil)
    // One that has gone from the store is a link, and the book is whole.
    try FileManager.default.removeItem(atPath: kept)
    #expect(try write().pictures == 1)
  }

  @Test func nonPictureStaysLinkAndIsRequestedAgainLater() async throws {
    server.put(.bytes(Array("<!DOCTYPE html><script>x</script>".utf8)), at: "x.png")
    server.put(.nothing, at: "y.png")
    let report = try await build(["a": ["x.png", "y.png", "z.png"]], now: 1_000_000)
    #expect(report.ingest?.pictures == 1)
    let codes = (report.ingest?.findings ?? []).map(\.code).filter { $0.hasPrefix("pictures.") }.sorted()
    #expect(codes == ["pictures.missing", "pictures.not-found", "pictures.refused"])
    let summary = report.ingest?.findings.first { $0.code == "pictures.missing" }
    #expect(summary?.message.hasPrefix("2 pictures could not be fetched") == true)
    let page = try text("posts").first { $0.contains("Post a") }
    #expect(page?.contains("src=\"\(PictureServer.address("x.png"))\"") == true)
    #expect(page?.contains(PictureServer.address("z.png")) == false)
    #expect(server.takeAsked().count == 3)
    // Asked again later, and later still; what comes then is shown.
    _ = try await build(["a": ["x.png", "y.png", "z.png"]], now: 1_000_000 + 3000)
    #expect(server.takeAsked().isEmpty)
    _ = try await build(["a": ["x.png", "y.png", "z.png"]], now: 1_000_000 + 3600)
    #expect(server.takeAsked() == ["x.png", "y.png"])
    _ = try await build(["a": ["x.png", "y.png", "z.png"]], now: 1_000_000 + 2 * 3600)
    #expect(server.takeAsked().isEmpty)
    server.put(nil, at: "x.png")
    let later = try await build(["a": ["x.png", "y.png", "z.png"]], now: 1_000_000 + 3 * 3600)
    #expect(later.ingest?.pictures == 1 && server.takeAsked() == ["x.png", "y.png"])
    // The address elsewhere is named to those who show what a link leads to, until it is known where the site is.
    let shown = try text("posts").first { $0.contains("Post a") }
    #expect(shown?.contains("src=\"\(PictureServer.address("x.png"))\"") == false)
  }

  /// A picture that another feed named before it was there is asked for again when the feed of its site shows it.
  @Test func pictureNamedTooEarlyIsAskedAgain() async throws {
    func build(_ feeds: [(name: String, home: String, isShown: Bool)]) async throws -> String {
      var files: [FeedSources.File] = []
      for (name, home, isShown) in feeds {
        let picture = isShown ? "&lt;img src='\(PictureServer.address("48.png"))'&gt;" : ""
        let item =
          "<item><title>\(name)</title><link>\(home)\(name)</link><description>Words of \(name). \(picture)</description></item>"
        _ = try TestSite.write(item, folder, "\(name).xml", head: "<link>\(home)</link>")
        files.append(FeedSources.File(path: FilePath("\(folder.path)/\(name).xml"), name: "\(name).xml"))
      }
      var configuration = configuration()
      configuration.sources = FeedSources(files: files)
      _ = try await SiteBuild(configuration).run()
      return try text("posts").first { $0.contains("Words of victim") && $0.contains("<main") } ?? ""
    }
    server.put(.bytes(PictureServer.png("soon")), at: "48.png")
    let home = "https://victim.example/"
    _ = try await build([("evil", "https://evil.example/", true), ("victim", home, false)])
    server.put(nil, at: "48.png")
    let page = try await build([("evil", "https://evil.example/", true), ("victim", home, true)])
    let shown = SHA256(PictureServer.png(PictureServer.address("48.png"))).hex
    #expect(page.contains(shown))
    #expect(server.takeAsked() == ["48.png", "48.png"])
  }

  /// A host that has taken its time has the rest of its pictures asked for by the next runs.
  @Test func slowHostIsContinuedByNextRuns() async throws {
    let names = (0..<3).map { "\($0).png" }
    for count in 1...3 {
      let report = try await build(["a": names]) {
        ($0.fetching.timePerHost, $0.fetching.pacing.perHost) = (.zero, 1)
      }
      #expect(server.takeAsked().count == 1)
      let left = report.ingest?.findings.first { $0.code == "pictures.more" }?.message
      let rest = (3 - count).counted("picture")
      let said = "pictures.example took too long; \(rest) of it will be fetched in the next runs"
      #expect(left == (count == 3 ? nil : said))
    }
    try await build(["a": names + ["4.png"]]) { $0.fetching.timePerRun = .zero }
    #expect(server.takeAsked().isEmpty)
  }

  /// What failed before, and what is at other ports, does not take the time of a host from the rest.
  @Test func newPicturesComeBeforeThoseThatFailed() async throws {
    server.put(.nothing, at: "0.png")
    let late = (1...3).map { ":844\($0)/late.png" }
    var names = ["0.png"] + late
    func ask(after hours: Int64) async throws -> [String] {
      try await build(["a": names], now: 1_000_000 + hours * 3600) {
        ($0.fetching.timePerHost, $0.fetching.pacing.perHost) = (.zero, 1)
      }
      return server.takeAsked().filter { $0.hasSuffix(".png") && !$0.contains("late") }
    }
    #expect(try await ask(after: 0) == ["0.png"])
    names.append("1.png")
    #expect(try await ask(after: 2) == ["1.png"])
    #expect(try await ask(after: 2) == ["0.png"])
  }

  @Test func missingPictureIsRequestedAtMostTenTimes() async throws {
    server.put(.nothing, at: "x.png")
    for _ in 0..<12 { try await build(["a": ["x.png"]]) }
    #expect(server.takeAsked().count == 10)
  }

  @Test func picturesAreNotRequestedWhereFetchingIsForbidden() async throws {
    let report = try await build(["a": ["x.png"]]) {
      $0.site.isOffline = true
      $0.fetching.extent = .none
    }
    #expect(server.takeAsked().isEmpty && report.ingest?.pictures == 0)
    try write(["a": []], image: "http://127.0.0.1/secret.png")
    let local = try await SiteBuild(configuration()).run()
    #expect(server.takeAsked().isEmpty)
    #expect(local.ingest?.findings.contains { $0.code == "pictures.forbidden" } == true)
  }

  @Test func publishedFeedsLinkStoredPictures() async throws {
    try await build(["a": ["x.png"]]) { $0.site.link = "https://planet.example/" }
    let feed = try String(contentsOfFile: "\(folder.path)/site/atom.xml", encoding: .utf8)
    #expect(feed.contains("https://planet.example/pictures/") && !feed.contains("pictures.example/x.png"))
    try await build(["a": ["x.png"]])
    let unknown = try String(contentsOfFile: "\(folder.path)/site/atom.xml", encoding: .utf8)
    #expect(unknown.contains("pictures.example/x.png"))
  }

  @Test func modifiedPictureIsRestoredAndLostOneRequestedAgain() async throws {
    try await build(["a": ["x.png"]])
    let file = try #require(try pictures().first)
    try FileManager.default.removeItem(atPath: file)
    try Data("mine".utf8).write(to: URL(filePath: file))
    let report = try await build(["a": ["x.png"]]) { $0.makesAll = true }
    #expect(report.pages?.notes.contains { $0.contains("this file was changed by somebody else") } == true)
    #expect(try Data(contentsOf: URL(filePath: file)).starts(with: [0x89, 0x50]))
    // One that is lost is asked for again.
    for path in try stored() { try FileManager.default.removeItem(atPath: path) }
    _ = server.takeAsked()
    try await build(["a": ["x.png"]])
    #expect(server.takeAsked() == ["x.png"])
    #expect(try stored().count == 1)
  }

  /// A site equals the one made from its archive in an empty folder, whatever pictures come, fail, change and go.
  @Test(arguments: [UInt64(1), 2, 3, 4])
  func siteWithPicturesDependsOnlyOnArchive(_ seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let names = (0..<6).map { "\($0).png" }
    var posts: [String: [String]] = [:]
    for step in 0..<7 {
      for _ in 0..<2 {
        posts[random.one(of: ["a", "b", "c"])] = names.filter { _ in random.chance(35) }
        server.put(random.one(of: [.nothing, nil, nil, .bytes(Array("<html>".utf8))]), at: random.one(of: names))
      }
      let (isOffline, isKept, readsNothing) = (random.chance(30), !random.chance(15), random.chance(20))
      let change: (inout SiteBuild.Configuration) -> Void = {
        ($0.site.isOffline, $0.site.pictures) = (isOffline, isKept ? .keep : .link)
        if readsNothing { $0.fetching.extent = .none }
      }
      try write(posts, image: random.chance(50) ? PictureServer.address("logo.png") : nil)
      var own = configuration()
      change(&own)
      _ = try await SiteBuild(own).run()
      for path in ["anew", "anew.archive", "anew.archive.pictures"] {
        try? FileManager.default.removeItem(atPath: "\(folder.path)/\(path)")
      }
      for ending in [".archive", ".archive.pictures"]
      where FileManager.default.fileExists(atPath: "\(folder.path)/site\(ending)") {
        try FileManager.default.copyItem(
          atPath: "\(folder.path)/site\(ending)", toPath: "\(folder.path)/anew\(ending)")
      }
      var anew = TestSite.configuration(folder, "anew")
      change(&anew)
      _ = try await SiteBuild(anew).publish()
      let (one, other) = (try bytes("site"), try bytes("anew"))
      let others = Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }.sorted()
      #expect(others.isEmpty, "seed \(seed), step \(step): \(others)")
      // What pages show is there.
      for (path, page) in one where path.hasSuffix(".html") {
        let text = String(decoding: page, as: UTF8.self)
        for part in text.components(separatedBy: "pictures/").dropFirst() where part.first != "." {
          let name = part.prefix { $0 != "\"" && $0 != "&" }
          guard name.count > 60 else { continue }
          #expect(one["pictures/\(name)"] != nil, "\(path): \(name)")
        }
      }
    }
  }

  // MARK: - Helpers

  @discardableResult
  private func build(
    _ posts: [String: [String]], offline: Bool = false, now: Int64? = nil,
    _ change: (inout SiteBuild.Configuration) -> Void = { _ in }
  ) async throws -> SiteBuild.Report {
    try write(posts)
    var configuration = configuration()
    (configuration.site.isOffline, configuration.now) = (offline, now)
    change(&configuration)
    return try await SiteBuild(configuration).run()
  }

  private func configuration(face: String? = nil) -> SiteBuild.Configuration {
    var source = FeedSources.File(path: FilePath("\(folder.path)/feed.xml"), name: "feed.xml")
    source.settings.face = face
    var configuration = TestSite.configuration(folder, "site", FeedSources(files: [source]))
    configuration.site.pictures = .keep
    configuration.fetching.otherTransport = server
    configuration.fetching.pacing.delay = 0
    return configuration
  }

  /// A feed with posts that show pictures.
  private func write(_ posts: [String: [String]], image: String? = nil) throws {
    let items = posts.sorted { $0.key < $1.key }.map { name, pictures in
      let markup = pictures.map { "&lt;img src='\(PictureServer.address($0))' alt='A'&gt;" }.joined()
      return
        "<item><guid>\(name)</guid><title>Post \(name)</title><description>Words of \(name). \(markup)</description></item>"
    }
    let head = image.map { "<image><url>\($0)</url><title>L</title><link>https://a.example/</link></image>" } ?? ""
    _ = try TestSite.write(items.joined(), folder, "feed.xml", head: head)
  }

  private func files(_ path: String) throws -> [String] {
    let root = "\(folder.path)/\(path)"
    guard FileManager.default.fileExists(atPath: root) else { return [] }
    return try FileManager.default.subpathsOfDirectory(atPath: root).map { "\(root)/\($0)" }
      .filter { FilePath($0).kind == .file }
  }

  private func pictures() throws -> [String] { try files("site/pictures") }
  private func stored() throws -> [String] { try files("site.archive.pictures") }

  private func text(_ path: String) throws -> [String] {
    try files("site/\(path)").map { try String(contentsOfFile: $0, encoding: .utf8) }
  }

  private func bytes(_ name: String) throws -> [String: Data] {
    let root = "\(folder.path)/\(name)/"
    return Dictionary(
      uniqueKeysWithValues: try files(name).map {
        (String($0.dropFirst(root.count)), try Data(contentsOf: URL(filePath: $0)))
      })
  }
}
