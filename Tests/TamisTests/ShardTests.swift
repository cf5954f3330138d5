import Foundation
import Tamis
import TamisRecords
import TestSupport
import Testing

/// Feeds that are read in shards: merged, they are what one process reads.
@Suite struct ShardTests {
  private let folder: TemporaryFolder
  private var feeds: String { "\(folder.path)/feeds" }

  init() throws { folder = try Fixtures.temporaryFolder() }

  // MARK: - The same as one process

  @Test(arguments: [1, 2, 3, 8], [UInt64(1), 2, 3])
  func mergedShardsEqualSingleProcessArchive(_ count: Int, _ seed: UInt64) async throws {
    var random = SeededRandom(seed: seed &* 31 &+ UInt64(count))
    try corpus(seed)
    let whole = try await ingest("whole")
    let shards = try await read(count, jobs: 1 + random.below(2))
    // In any order, some of them twice and under other names, and drafts that killed runs have left.
    try Data("half".utf8).write(to: URL(filePath: "\(folder.path)/shards/0-of-\(count).archive.tmp-0badc0de"))
    var inputs = shards.shuffled(using: &random)
    for (number, shard) in shards.enumerated() where random.chance(40) {
      let copy = FilePath("\(folder.path)/copy-\(number).archive")
      try FileManager.default.copyItem(atPath: shard.description, toPath: copy.description)
      inputs += [copy, shard]
    }
    inputs.append(FilePath("\(folder.path)/shards"))
    let all = try await compare("all", whole) {
      _ = try Archive.merge(try MergeInputs(inputs.shuffled(using: &random)), into: $0)
    }
    guard all else { return }
    // In two halves that overlap, and one after the other into one that is there.
    _ = try await compare("halves", whole) {
      let middle = shards.count / 2
      let halves = [Array(shards[...middle]), Array(shards[middle...])]
      for (number, half) in halves.enumerated() {
        _ = try Archive.merge(try MergeInputs(half), into: FilePath("\(folder.path)/half\(number).archive"))
      }
      let files = [1, 0].map { FilePath("\(folder.path)/half\($0).archive") }
      _ = try Archive.merge(try MergeInputs(files), into: $0)
    }
    _ = try await compare("grown", whole) { file in
      for shard in shards.shuffled(using: &random) + shards.prefix(1) {
        _ = try Archive.merge(try MergeInputs([shard]), into: file)
      }
    }
  }

  /// Merges into an archive, and compares it and its site with those of one process.
  private func compare(_ name: String, _ whole: Result, _ merge: (FilePath) throws -> Void) async throws -> Bool {
    try merge(FilePath("\(folder.path)/\(name).archive"))
    let result = try await self.result(name)
    #expect(result.problems == [])
    let lines = zip(result.export, whole.export).first { $0 != $1 }
    #expect(result.export == whole.export, "\(name): \(lines.map { "\($0)\n\($1)" } ?? "one has more")")
    let others = Set(whole.site.keys).union(result.site.keys).filter { whole.site[$0] != result.site[$0] }.sorted()
    #expect(others.isEmpty, "\(name): \(others.count) of \(whole.site.count) files differ: \(others.prefix(6))")
    return result.export == whole.export && others.isEmpty
  }

  @Test func doublingShardCountSplitsEachShard() throws {
    for number in 0..<200 {
      let name = "https://feed\(number).example/"
      let owners = try [1, 3, 6, 12].map { count in
        let all = (0..<count).compactMap { Archive.Shard(index: $0, of: count) }.filter { $0.holds(feedNamed: name) }
        #expect(all.count == 1)
        return try #require(all.first).index
      }
      #expect(owners[0] == 0 && owners[2] / 2 == owners[1] && owners[3] / 4 == owners[1])
    }
  }

  /// Feeds that claim the same key are told apart by place, whichever shards they are in.
  @Test func feedsWithSameKeyInDifferentShardsStayDistinct() async throws {
    for number in 0..<6 {
      try write("twin\(number).xml", "<atom:link rel='self' href='https://twin.example/feed'/>", item: number)
      try write("home\(number).xml", "<link>https://home.example/</link>", item: 10 + number)
    }
    let whole = try await ingest("whole")
    let shards = try await read(8)
    #expect(shards.count { ((try? Archive(file: $0.description, mode: .reading).countPosts()) ?? 0) > 0 } > 2)
    _ = try await compare("all", whole) { _ = try Archive.merge(try MergeInputs(shards.reversed()), into: $0) }
    let keys = Set(
      whole.export.filter { $0.hasPrefix("{\"feed\":{") }.compactMap { line in
        line.firstRange(of: "\"key\":\"").map { String(line[$0.upperBound...].prefix { $0 != "\"" }) }
      })
    #expect(keys.contains("https://twin.example/feed") && keys.contains("https://twin.example/feed feeds/twin5.xml"))
  }

  // MARK: - Receipts

  @Test func shardMatchingReceiptIsNotReadAgain() async throws {
    try corpus(4)
    let shard = try #require(Archive.Shard(index: 1, of: 2))
    let shards = FilePath("\(folder.path)/shards")
    #expect(try await !wasDone(shard))
    let (archive, receipt) = (try Data(shard.archive(in: shards)), try Data(shard.receipt(in: shards)))
    #expect(try await wasDone(shard))
    // What is not as the receipt says is read again, and comes to the same bytes.
    try Data(archive.prefix(archive.count / 2)).write(to: URL(filePath: shard.archive(in: shards).description))
    #expect(try await !wasDone(shard))
    #expect(try Data(shard.archive(in: shards)) == archive && Data(shard.receipt(in: shards)) == receipt)
    try FileManager.default.removeItem(atPath: shard.receipt(in: shards).description)
    #expect(try await !wasDone(shard))
    #expect(try Data(shard.archive(in: shards)) == archive && Data(shard.receipt(in: shards)) == receipt)
    #expect(try await !wasDone(shard) { $0.sanitizer = .strict })
    #expect(try await !wasDone(shard))
    let file = try #require(sources(shard).files.first).path.description
    try Data((try String(contentsOfFile: file, encoding: .utf8) + "<!-- changed -->").utf8).write(
      to: URL(filePath: file))
    #expect(try await !wasDone(shard))
    #expect(try FileManager.default.contentsOfDirectory(atPath: shards.description).count == 2, "nothing else is left")
  }

  @Test func shardWithoutFeedsGetsReceiptAndMerges() async throws {
    try write("only.xml", "", item: 1)
    let shards = try await read(3)
    let receipts = (0..<3).compactMap {
      Archive.Shard(index: $0, of: 3).flatMap { ShardReceipt(of: $0, in: shards[0].folder) }
    }
    #expect(receipts.map(\.feeds).sorted() == [0, 0, 1] && receipts.map(\.posts).sorted() == [0, 0, 1])
    let whole = try await ingest("whole")
    _ = try await compare("all", whole) { _ = try Archive.merge(try MergeInputs([shards[0].folder]), into: $0) }
  }

  @Test func unreadableFeedsAreCountedInReceipt() async throws {
    try write("good.xml", "", item: 1)
    try Data("<rss version='2.0'><channel></rss".utf8).write(to: URL(filePath: "\(feeds)/odd.xml"))
    try Data([0x1F, 0x8B, 8, 0, 1, 2, 3]).write(to: URL(filePath: "\(folder.path)/damaged.gz"))
    let shard = try #require(Archive.Shard(index: 0, of: 1))
    let paths = [FilePath(feeds), FilePath("\(folder.path)/damaged.gz")]
    let configuration = TestSite.configuration(
      folder, "none", FeedSources(paths, home: FilePath(folder.path), shard: shard))
    let build = ShardBuild(configuration, shard, into: FilePath("\(folder.path)/shards"), isClocked: false)
    guard case .done(let receipt, _) = try await build.run() else { throw TestSite.NothingPublished() }
    #expect(receipt.errors == ["read.failed": 1])
    #expect(receipt.feeds == 3 && receipt.posts == 1)
  }

  // MARK: - What is not merged

  @Test func inconsistentShardsAreNotMerged() async throws {
    try corpus(5)
    let shards = try await read(3)
    let root = shards[0].folder
    func refusal(_ change: (String) throws -> Void) async throws -> String {
      let copy = "\(folder.path)/changed"
      try? FileManager.default.removeItem(atPath: copy)
      try FileManager.default.copyItem(atPath: root.description, toPath: copy)
      try change(copy)
      let out = FilePath("\(folder.path)/none.archive")
      do { _ = try Archive.merge(try MergeInputs([FilePath(copy)]), into: out) } catch let refusal as Archive.Failure {
        #expect(out.kind == nil, "nothing is left of it")
        return refusal.description
      }
      return "merged"
    }
    let remove = { (path: String) in try FileManager.default.removeItem(atPath: path) }
    #expect(try await refusal { _ in } == "merged")
    try remove("\(folder.path)/none.archive")
    #expect(
      try await refusal { try remove("\($0)/1-of-3.archive") }.contains(
        "of 3 shards these are missing or have no receipt: 1;"))
    #expect(try await refusal { try remove("\($0)/2-of-3.receipt.json") }.contains("no receipt: 2;"))
    let mixed = try await refusal {
      for index in 0..<3 { try remove("\($0)/\(index)-of-3.receipt.json") }
    }
    #expect(mixed.contains("0, 1, 2"))
    #expect(
      try await refusal { try Data("{}".utf8).write(to: URL(filePath: "\($0)/1-of-4.receipt.json")) }
        .contains("different numbers of shards"))
    let damaged = try await refusal {
      let file = URL(filePath: "\($0)/1-of-3.archive")
      var bytes = try Data(contentsOf: file)
      bytes[bytes.count / 2] ^= 0xFF
      try bytes.write(to: file)
    }
    #expect(damaged.contains("1-of-3.archive: this archive does not match its receipt"))
    let by = try await refusal {
      let file = URL(filePath: "\($0)/1-of-3.receipt.json")
      let text = try String(contentsOf: file, encoding: .utf8).replacing("\"by\":\"", with: "\"by\":\"9")
      try Data(text.utf8).write(to: file)
    }
    #expect(
      by.contains("0-of-3.archive") && by.contains("1-of-3.archive") && by.contains("different versions or rules"))
  }

  // MARK: - Helpers

  /// What an archive holds and its site shows.
  private struct Result {
    var export: [String]
    var site: [String: Data]
    var problems: [String]
  }

  /// Feeds with copies across them, cut-off and broken documents, twins by address and by home page, and the fixtures.
  private func corpus(_ seed: UInt64) throws {
    var planet = RandomPlanet(seed: seed, feeds: 9, posts: 5)
    planet.copyAcross(2)
    (planet.feeds[2].state, planet.feeds[5].state) = (.cut, .broken)
    for _ in 0..<6 { planet.change() }
    try planet.write(feeds)
    try FileManager.default.copyItem(atPath: Fixtures.url("Feeds").path, toPath: "\(feeds)/fixtures")
    // Two more that say the home pages of others.
    for (number, name) in ["harbour", "lantern"].enumerated() where FilePath("\(feeds)/\(name).xml").kind == .file {
      try FileManager.default.copyItem(atPath: "\(feeds)/\(name).xml", toPath: "\(feeds)/a-copy-\(number).xml")
    }
    for number in 0..<3 {
      try write("self\(number).xml", "<atom:link rel='self' href='https://twin.example/feed'/>", item: number)
    }
  }

  private func write(_ name: String, _ head: String, item: Int) throws {
    try FileManager.default.createDirectory(atPath: feeds, withIntermediateDirectories: true)
    let text = """
      <rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom'><channel><title>Feed \(item)</title>\(head)\
      <item><title>Post \(item)</title><guid isPermaLink='false'>local \(item)</guid><description>words of \(item)</description></item>\
      \(item % 2 == 0 ? "<item><description>without a name, \(item)</description></item>" : "")</channel></rss>
      """
    try Data(text.utf8).write(to: URL(filePath: "\(feeds)/\(name)"))
  }

  private func sources(_ shard: Archive.Shard? = nil) -> FeedSources {
    FeedSources([FilePath(feeds)], home: FilePath(folder.path), shard: shard)
  }

  /// Reads all in one process.
  private func ingest(_ name: String) async throws -> Result {
    _ = try await SiteBuild(TestSite.configuration(folder, name, sources())).ingest()
    return try await result(name)
  }

  private func result(_ name: String) async throws -> Result {
    var export: [UInt8] = []
    let archive = try Archive(file: "\(folder.path)/\(name).archive", mode: .reading)
    try archive.export { export += $0 }
    let problems = try archive.verify()
    _ = try await SiteBuild(TestSite.configuration(folder, name)).publish()
    var site: [String: Data] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: "\(folder.path)/\(name)") {
      let file = FilePath("\(folder.path)/\(name)/\(path)")
      if file.kind == .file { site[path] = try Data(file) }
    }
    let lines = String(decoding: export, as: UTF8.self).split(separator: "\n").map(String.init)
    return Result(export: lines, site: site, problems: problems)
  }

  private func build(
    _ shard: Archive.Shard, jobs: Int = 1, _ change: (inout SiteBuild.Configuration) -> Void = { _ in }
  )
    -> ShardBuild
  {
    var configuration = TestSite.configuration(folder, "none", sources(shard))
    configuration.jobs = jobs
    change(&configuration)
    return ShardBuild(configuration, shard, into: FilePath("\(folder.path)/shards"), isClocked: false)
  }

  private func wasDone(_ shard: Archive.Shard, _ change: (inout SiteBuild.Configuration) -> Void = { _ in })
    async throws
    -> Bool
  {
    if case .wasDone = try await build(shard, change).run() { return true }
    return false
  }

  /// Reads all in shards.
  private func read(_ count: Int, jobs: Int = 1) async throws -> [FilePath] {
    var files: [FilePath] = []
    for index in 0..<count {
      let shard = try #require(Archive.Shard(index: index, of: count))
      _ = try await build(shard, jobs: jobs).run()
      files.append(shard.archive(in: FilePath("\(folder.path)/shards")))
    }
    return files
  }
}

extension Data {
  fileprivate init(_ file: FilePath) throws { try self.init(contentsOf: URL(filePath: file.description)) }
}
