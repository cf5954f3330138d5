import Foundation
import Tamis
import TestSupport
import Testing

/// What must hold of an archive and its site, whatever was built before.
///
/// The site is a function of the archive and the options, cost follows change, order makes no difference, and nothing
/// is lost.
@Suite struct ArchivePropertyTests {
  private let folder: TemporaryFolder
  private var feeds: String { "\(folder.path)/feeds" }

  init() throws { folder = try Fixtures.temporaryFolder() }

  // MARK: - The site is a function of the archive

  @Test(arguments: [UInt64(1), 2, 3, 4, 5, 18])
  func siteDependsOnlyOnArchiveAndOptions(_ seed: UInt64) async throws {
    var random = SeededRandom(seed: seed &* 1000)
    var planet = RandomPlanet(seed: seed, feeds: 2 + random.below(4), posts: 1 + random.below(7))
    var options = Options()
    for step in 0..<6 {
      for _ in 0..<random.below(4) { planet.change() }
      try planet.write(feeds)
      if random.chance(35) { options = Options(&random) }
      let marked = try random.chance(35) ? mark("a", &random) : "nothing marked"
      let purge = random.one(of: [PurgePolicy.keep, .keep, .keep, .now, .after(looks: 1)])
      let jobs = 1 + random.below(2)
      let report = try await build("a") {
        options.apply(&$0)
        ($0.site.purge, $0.jobs) = (purge, jobs)
      }
      guard report.pages != nil else { continue }
      let (site, anew) = (try bytes("a"), try await publishedAnew("a", options))
      let others = Self.differences(site, anew)
      #expect(others.isEmpty, "seed \(seed), step \(step), \(options), purge \(purge), \(marked): \(others.prefix(8))")
      let problems = try Archive(file: "\(folder.path)/a.archive", mode: .reading).verify()
      #expect(problems.isEmpty, "seed \(seed), step \(step): \(problems)")
      if !others.isEmpty || !problems.isEmpty { return }
    }
  }

  /// Older posts may get a tag that newer posts had before.
  @Test func tagReachingThresholdIsLinkedByAllItsPosts() async throws {
    var planet = RandomPlanet(seed: 3, feeds: 1, posts: 7)
    for index in planet.feeds[0].posts.indices {
      planet.feeds[0].posts[index].date = 1_700_000_000 + Int64(index) * 86_400
      planet.feeds[0].posts[index].tags = index < 5 ? [] : ["Land"]
    }
    var options = Options()
    options.threshold = 3
    for tags in [[], ["Land"]] {
      for index in 0..<3 { planet.feeds[0].posts[index].tags = tags }
      try planet.write(feeds)
      _ = try await build("tags") { options.apply(&$0) }
      let others = Self.differences(try bytes("tags"), try await publishedAnew("tags", options))
      #expect(others.isEmpty, "\(others)")
    }
    #expect(try bytes("tags")["tags/land.html"] != nil)
  }

  @Test(arguments: UInt64(1)...2)
  func outputIsIndependentOfJobCount(_ seed: UInt64) async throws {
    var planet = RandomPlanet(seed: seed, feeds: 5, posts: 12)
    planet.copyAcross(3)
    for _ in 0..<3 {
      try planet.write(feeds)
      for jobs in 1...2 { _ = try await build("jobs\(jobs)") { $0.jobs = jobs } }
      let others = Self.differences(try bytes("jobs1"), try bytes("jobs2"))
      #expect(others.isEmpty, "seed \(seed): \(others.prefix(8))")
      #expect(try export("jobs1") == export("jobs2"))
      for _ in 0..<3 { planet.change() }
    }
  }

  // MARK: - Cost follows change

  @Test func newPostTouchesBoundedNumberOfFiles() async throws {
    var counts: [Int] = []
    for feedCount in [3, 9] {
      let name = "bounded\(feedCount)"
      var planet = RandomPlanet(seed: 5, feeds: feedCount, posts: 100)
      try planet.write(feeds)
      _ = try await build(name)
      let before = try bytes(name)
      var post = planet.post()
      (post.date, post.tags) = (1_750_000_000, ["Sea", "Land"])
      planet.feeds[0].posts.insert(post, at: 0)
      try planet.write(feeds)
      let report = try await build(name)
      let ingest = try #require(report.ingest)
      #expect(ingest.feeds == 1 && ingest.count(.new) == 1 && ingest.unchanged == feedCount - 1)
      let pages = try #require(report.pages)
      let others = Self.differences(before, try bytes(name))
      #expect(pages.written == others.count, "what is written is what has changed")
      #expect(pages.written < 60 && pages.removed == 0, "\(feedCount * 100) posts: \(others)")
      #expect(try pages.files == bytes(name).count)
      counts.append(pages.written)
    }
    #expect(abs(counts[0] - counts[1]) <= 5, "files written with 300 and with 900 posts: \(counts)")
  }

  @Test func unchangedBuildReadsAndWritesNothing() async throws {
    var planet = RandomPlanet(seed: 6, feeds: 4, posts: 20)
    planet.copyAcross(2)
    planet.feeds[1].state = .cut
    try planet.write(feeds)
    _ = try await build("same")
    let before = try stamps("same")
    // A file that is written again with the same bytes is read and found unchanged.
    try planet.write(feeds)
    for _ in 0..<2 {
      let report = try await build("same")
      let (ingest, pages) = (try #require(report.ingest), try #require(report.pages))
      #expect(ingest.feeds == 0 && ingest.unchanged == 4 && ingest.failed == 0)
      #expect(pages.written == 0 && pages.removed == 0 && pages.files == before.count)
      #expect(try stamps("same") == before)
    }
  }

  /// A file that was touched, or was new when it was read, is compared by its bytes once, and by its stamp from then on.
  @Test func stampOfUnchangedFileIsStored() async throws {
    try RandomPlanet(seed: 7, feeds: 2, posts: 2).write(feeds)
    func knownFiles() -> [String: FileStamp] { Archive.knownFiles(in: "\(folder.path)/touched.archive") }
    _ = try await build("touched")
    let names = try FileManager.default.contentsOfDirectory(atPath: feeds)
    for year in 1...2 {
      let time = Date(timeIntervalSince1970: Double(year) * 31_556_952)
      for name in names {
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: "\(feeds)/\(name)")
      }
      let report = try await build("touched")
      #expect(report.ingest?.unchanged == 2)
      #expect(
        knownFiles().mapValues(\.modified)
          == Dictionary(
            uniqueKeysWithValues: names.map { ("feeds/\($0)", Int64(year) * 31_556_952_000_000_000) }))
    }
  }

  // MARK: - Order makes no difference

  @Test(arguments: UInt64(1)...4)
  func mergedArchivesEqualArchiveOfSingleBuild(_ seed: UInt64) async throws {
    var planet = RandomPlanet(seed: seed, feeds: 4, posts: 4)
    planet.copyAcross(2)
    let names = planet.feeds.map(\.name)
    for round in 0..<3 {
      // One document of the second round is cut off, and whole again in the third.
      planet.feeds[Int(seed) % 4].state = round == 1 ? .cut : .whole
      try planet.write(feeds)
      _ = try await build("all")
      for name in names { try await ingest(name, into: name) }
      for index in planet.feeds.indices {
        planet.feeds[index].posts.removeLast()
        planet.feeds[index].posts.insert(planet.post(), at: 0)
      }
      planet.copyAcross(1)
    }
    try join(names + names.prefix(1), into: "forward")
    try join([names[3], names[2]], into: "half")
    try join([names[2], names[1], names[0]], into: "rest")
    try join(["rest", "half", names[1]], into: "backward")
    let exports = try ["all", "forward", "backward"].map(export)
    #expect(exports[1] == exports[2], "seed \(seed): joined in two orders and bracketings")
    #expect(exports[0] == exports[1], "seed \(seed): joined, and read at once")
    var sites: [[String: Data]] = []
    for name in ["all", "forward", "backward"] { sites.append(try await publishedAnew(name, Options())) }
    for other in sites.dropFirst() {
      let others = Self.differences(sites[0], other)
      #expect(others.isEmpty, "seed \(seed): \(others.prefix(8))")
    }
  }

  // MARK: - Nothing is lost

  /// Posts that have left their feeds get the current theme, title and sanitizer policy.
  @Test func postsGoneFromFeedAreRenderedLikeAllOthers() async throws {
    let planet = RandomPlanet(seed: 9, feeds: 2, posts: 6)
    var fewer = planet
    for index in fewer.feeds.indices { fewer.feeds[index].posts.removeLast(4) }
    let gone = planet.feeds.flatMap { $0.posts.suffix(4) }
    try planet.write(feeds)
    _ = try await build("left")
    try fewer.write(feeds)
    _ = try await build("left")
    for (theme, sanitizer) in [("plain", Sanitizer.reading), ("newspaper", .reading), ("newspaper", .text)] {
      let change: (inout SiteBuild.Configuration) -> Void = {
        ($0.theme, $0.site.title, $0.sanitizer) = (
          Site.Theme.shipped(theme) ?? .standard, "Of \(theme)", sanitizer
        )
      }
      let report = try await build("left", change)
      #expect(try #require(report.ingest).count(.new) == 0)
      let site = try bytes("left")
      let sheets = site.keys.filter { $0.hasPrefix("style-") }
      #expect(sheets.count == 1)
      for post in gone {
        let page = try #require(self.page(of: post, in: site), "\(post.title)")
        #expect(page.contains(sheets[0]) && page.contains("Of \(theme)") && page.contains(post.words[0]))
        #expect(page.contains("<b>\(post.words[0])") == (sanitizer.policy == .reading) && !page.contains("onclick"))
        for list in ["index.html", "feed.json", "search/1.json"] where site[list] != nil {
          #expect(Self.text(site[list]).contains(post.title), "\(post.title) in \(list)")
        }
        #expect(
          site.contains {
            $0.key.hasPrefix("feeds/") && $0.key.hasSuffix(".html") && Self.text($0.value).contains(post.title)
          })
      }
      #expect(sanitizer.policy == .reading || !Self.text(site["feed.json"]).contains("<b>"))
    }
    // The files are written again, so that no feed is missing.
    try planet.write(feeds)
    _ = try await build("stayed")
    _ = try await build("stayed")
    _ = try await build("left") { $0.site = SiteSettings(title: "Test") }
    let others = Self.differences(try bytes("stayed"), try bytes("left"))
    #expect(others.isEmpty, "\(others)")
  }

  /// The archive is damaged at several places in the file, its header among them.
  @Test(arguments: [0, 10, 35, 60, 85])
  func damagedArchiveRemovesNoPages(_ percent: Int) async throws {
    let planet = RandomPlanet(seed: 11, feeds: 2, posts: 30)
    var fewer = planet
    for index in fewer.feeds.indices { fewer.feeds[index].posts.removeLast(25) }
    for each in [planet, fewer] {
      try each.write(feeds)
      _ = try await build("hurt")
    }
    let before = try bytes("hurt")
    let file = URL(filePath: "\(folder.path)/hurt.archive")
    var damaged = try Data(contentsOf: file)
    let start = damaged.count * percent / 100 / 4096 * 4096
    let stretch = start..<min(start + 8192, damaged.count)
    damaged.replaceSubrange(stretch, with: Data(repeating: 0xA5, count: stretch.count))
    try damaged.write(to: file)
    // A file without its head may be anything: then it is named and left alone.
    do {
      let report = try await build("hurt")
      let rescue = try #require(report.rescue)
      #expect(try Data(contentsOf: URL(filePath: rescue.aside)) == damaged, "what was damaged is kept as it is")
      #expect(try Archive(file: file.path, mode: .reading).verify().isEmpty)
    } catch {
      #expect(percent == 0, "\(error)")
      #expect("\(error)".contains("hurt.archive"), "\(error)")
      #expect(try Data(contentsOf: file) == damaged)
    }
    let missing = Set(before.keys).subtracting(try bytes("hurt").keys).filter { !$0.hasPrefix("style-") }
    #expect(missing.isEmpty, "\(missing.sorted())")
  }

  // MARK: - Helpers

  /// Options of a site, as a reader may change them from build to build.
  private struct Options: CustomStringConvertible {
    var title = "A"
    var theme = "default"
    var isStrict = false
    var isOffline = false
    var onlyUnread = false
    var address: String?
    var threshold = 2

    init() {}

    init(_ random: inout SeededRandom) {
      title = random.one(of: ["A", "B"])
      theme = random.one(of: ["default", "plain", "newspaper"])
      isStrict = random.chance(50)
      switch random.below(5) {
      case 0: isOffline = true
      case 1: onlyUnread = true
      case 2: address = "https://x.example/"
      case 3: threshold = 3
      default: break
      }
    }

    var description: String {
      "\(title) \(theme)\(isStrict ? " strict" : "")\(isOffline ? " offline" : "")\(onlyUnread ? " only-new" : "") \(address ?? "-") \(threshold)"
    }

    func apply(_ configuration: inout SiteBuild.Configuration) {
      configuration.site = SiteSettings(title: title)
      configuration.theme = Site.Theme.shipped(theme) ?? .standard
      (configuration.site.isOffline, configuration.site.link) = (isOffline, address)
      configuration.site.tagThreshold = threshold
      configuration.sanitizer = isStrict ? .strict : .reading
      configuration.site.showsUnreadOnly = onlyUnread
    }
  }

  private func build(
    _ name: String, _ change: (inout SiteBuild.Configuration) -> Void = { _ in }
  ) async throws -> SiteBuild.Report {
    let sources = FeedSources([FilePath(feeds)], home: FilePath(folder.path))
    var configuration = TestSite.configuration(folder, name, sources)
    change(&configuration)
    return try await SiteBuild(configuration).run()
  }

  /// Reads one feed into an archive.
  private func ingest(_ feed: String, into name: String) async throws {
    let sources = FeedSources([FilePath("\(feeds)/\(feed).xml")], home: FilePath(folder.path))
    _ = try await SiteBuild(TestSite.configuration(folder, name, sources)).ingest()
  }

  private func join(_ names: [String], into name: String) throws {
    let files = names.map { FilePath("\(folder.path)/\($0).archive") }
    _ = try Archive.merge(try MergeInputs(files), into: FilePath("\(folder.path)/\(name).archive"))
  }

  private func export(_ name: String) throws -> Data {
    var export = Data()
    try Archive(file: "\(folder.path)/\(name).archive", mode: .reading).export { export += $0 }
    return export
  }

  /// Marks a post as read, or forgets it.
  private func mark(_ name: String, _ random: inout SeededRandom) throws -> String {
    guard FileManager.default.fileExists(atPath: "\(folder.path)/\(name).archive") else { return "no archive" }
    let archive = try Archive(file: "\(folder.path)/\(name).archive")
    let names = try archive.entries(.all).map(\.name)
    guard !names.isEmpty else { return "no posts" }
    let page = random.one(of: names)
    if random.chance(67) {
      _ = try archive.markRead([.page(page)])
      return "\(page) read"
    }
    _ = try archive.forget([.page(page)])
    return "\(page) forgotten"
  }

  private func publishedAnew(_ name: String, _ options: Options) async throws -> [String: Data] {
    _ = try await TestSite.publishedAnew(folder, name) { options.apply(&$0) }
    return try bytes("\(name)-anew")
  }

  /// The files of a site by their paths, byte for byte, because equality of strings ignores normalization.
  private func bytes(_ name: String) throws -> [String: Data] {
    let root = "\(folder.path)/\(name)"
    var bytes: [String: Data] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: root)
    where FilePath("\(root)/\(path)").kind == .file {
      bytes[path] = try Data(contentsOf: URL(filePath: "\(root)/\(path)"))
    }
    return bytes
  }

  private func stamps(_ name: String) throws -> [String: FileStamp] {
    let root = "\(folder.path)/\(name)"
    var stamps: [String: FileStamp] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: root) {
      stamps[path] = FilePath("\(root)/\(path)").stamp
    }
    return stamps
  }

  private static func differences(_ one: [String: Data], _ other: [String: Data]) -> [String] {
    Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }.sorted().map { path in
      one[path] == nil ? "missing in the first: \(path)" : other[path] == nil ? "missing in the second: \(path)" : path
    }
  }

  private static func text(_ bytes: Data?) -> String { bytes.map { String(decoding: $0, as: UTF8.self) } ?? "" }

  /// The page of a post, by its title and first words.
  private func page(of post: RandomPlanet.Post, in site: [String: Data]) -> String? {
    site.filter { $0.key.hasPrefix("posts/") }.map { Self.text($0.value) }
      .first {
        $0.contains(post.title) && $0.contains(post.words.prefix(3).joined(separator: " ")) && $0.contains("h-entry")
      }
  }
}
