import Foundation
import Tamis
import TamisRecords
import TestSupport
import Testing

/// An engine that groups exported keys, asks about pairs and clusters them comes to the folds of the archive.
@Suite struct PairExportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try Fixtures.temporaryFolder() }

  @Test(arguments: UInt64(1)...6)
  func externalEngineFoldsLikeArchive(_ seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    var planet = RandomPlanet(seed: seed, feeds: 9, posts: 6)
    planet.copyAcross(3)
    planet.copyAcross(2)
    for index in planet.feeds.indices where index % 2 == 0 {
      // Nearly the same words, and a text that one feed has again and again.
      let near = planet.copy(of: planet.feeds[(index + 1) % 9].posts[0])
      planet.feeds[index].posts.append(near)
      planet.feeds[index].posts[planet.feeds[index].posts.count - 1].words[0] = "edited"
    }
    let boiler = planet.feeds[3].posts[1]
    for _ in 0..<4 { planet.feeds[4].posts.append(planet.copy(of: boiler)) }
    for index in planet.feeds.indices { planet.feeds[index].posts.append(planet.copy(of: boiler)) }
    try add(70, linkingTo: "https://popular.example/page", to: &planet, random.below(2) == 0)
    try planet.write("\(folder.path)/feeds")
    let sources = FeedSources([FilePath("\(folder.path)/feeds")], home: FilePath(folder.path))
    _ = try await SiteBuild(TestSite.configuration(folder, "all", sources)).ingest()
    let archive = try Archive(file: "\(folder.path)/all.archive")
    if seed > 3 {
      for entry in try archive.entries(.all) where random.chance(5) { _ = try archive.forget([.page(entry.name)]) }
      try archive.settle()
    }
    var folds: [String: String] = [:]
    for entry in try archive.entries(.all) {
      if let other = entry.foldedInto { folds[String(entry.name.suffix(16))] = String(other.suffix(16)) }
    }
    var engine = Engine()
    try archive.exportKeys {
      engine.lines += String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init)
    }
    let found = try engine.folds()
    #expect(folds.count > 10 && engine.dropped > 0)
    #expect(found == folds)
  }

  /// Feeds of one post each, all of which lead to one page.
  private func add(_ count: Int, linkingTo link: String, to planet: inout RandomPlanet, _ isShort: Bool) throws {
    for number in 0..<count {
      var post = planet.post()
      (post.link, post.title) = (link, "Popular")
      post.words = (0..<(isShort ? 5 : 60)).map { "popular\($0)" }
      planet.feeds.append(RandomPlanet.Feed(name: "many\(number)", title: "Many \(number)", posts: [post]))
    }
  }

  /// The steps of docs/scale.md, as an engine does them.
  ///
  /// They are: explode and group, count before collecting, pairs, decisions, clusters.
  private struct Engine {
    var lines: [String] = []
    private(set) var dropped = 0

    private struct Row {
      var facts: [String: String]
      var keys: [String]
      var rank: [Int64]

      func isBefore(_ other: Row) -> Bool {
        if rank != other.rank { return rank.lexicographicallyPrecedes(other.rank) }
        let (feed, otherFeed) = (facts["feed"] ?? "", other.facts["feed"] ?? "")
        if feed != otherFeed { return feed < otherFeed }
        func id(_ row: Row) -> Int64 { Int64(bitPattern: UInt64(row.facts["post"] ?? "", radix: 16) ?? 0) }
        return id(self) < id(other)
      }
    }

    mutating func folds() throws -> [String: String] {
      var rows = try lines.map(Self.row)
      try count(&rows)
      let near = try decide(pairs(rows), rows)
      var folds: [Int: Int] = [:]
      for post in rows.indices.sorted(by: { rows[$0].isBefore(rows[$1]) }) {
        let others = (near[post] ?? [:]).filter { rows[$0.key].isBefore(rows[post]) }
        let canonical = others.keys.sorted { rows[$0].isBefore(rows[$1]) }.first { other in
          if folds[other] != nil { return false }
          let folded = (near[other] ?? [:]).keys.count { folds[$0] == other && rows[$0].isBefore(rows[post]) }
          return others[other] == false || folded + 2 <= 8
        }
        if let canonical { folds[post] = canonical }
      }
      var named: [String: String] = [:]
      for (post, other) in folds { named[rows[post].facts["post"] ?? ""] = rows[other].facts["post"] }
      return named
    }

    private static func row(_ line: String) throws -> Row {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let facts = try #require(object["facts"] as? [String: String])
      let keys = try #require(object["keys"] as? [String])
      #expect(facts["feed"] == object["feed"] as? String && facts["post"] == object["post"] as? String)
      func number(_ name: String) -> Int64? { facts[name].flatMap { Int64($0) } }
      let marks = facts["marks"] ?? ""
      let rank: [Int64] = [
        number("first") ?? 0 as Int64, marks.contains("o") ? 0 : 1, marks.contains("a") ? 1 : 0,
        -(number("words") ?? 0),
        number("since") ?? 0, number("date") ?? .max,
      ]
      return Row(facts: facts, keys: keys, rank: rank)
    }

    /// How often the feed has a text that has it most often.
    private func count(_ rows: inout [Row]) throws {
      var counts: [String: [String: Int]] = [:]
      for row in rows {
        if let text = row.facts["text"] { counts[text, default: [:]][row.facts["feed"] ?? "", default: 0] += 1 }
      }
      for index in rows.indices {
        if let text = rows[index].facts["text"], let most = counts[text]?.values.max(), most > 1 {
          rows[index].facts["copies"] = "\(most)"
        }
      }
    }

    private mutating func pairs(_ rows: [Row]) -> Set<[Int]> {
      var groups: [String: [Int]] = [:]
      for (index, row) in rows.enumerated() { for key in row.keys { groups[key, default: []].append(index) } }
      dropped = groups.values.count { $0.count > Archive.mostForSharedKey }
      var pairs: Set<[Int]> = []
      for group in groups.values where (2...Archive.mostForSharedKey).contains(group.count) {
        for (index, one) in group.enumerated() { for other in group[(index + 1)...] { pairs.insert([one, other]) } }
      }
      return pairs
    }

    /// For each post those it is the same as, and whether only nearly.
    private func decide(_ pairs: Set<[Int]>, _ rows: [Row]) throws -> [Int: [Int: Bool]] {
      var near: [Int: [Int: Bool]] = [:]
      for pair in pairs {
        let line = try JSONSerialization.data(withJSONObject: [
          "id": 7, "a": rows[pair[0]].facts, "b": rows[pair[1]].facts,
        ])
        var writer = JSONWriter()
        var findings: [Finding] = []
        let record = try Record(line: [UInt8](line))
        writer.beginObject()
        try SameMapper().answer(record, into: &findings, to: &writer)
        writer.endObject()
        let answer = try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String: Any]
        guard answer?["same"] as? Bool == true else { continue }
        let reason = answer?["reason"] as? String
        near[pair[0], default: [:]][pair[1]] = reason == "near"
        near[pair[1], default: [:]][pair[0]] = reason == "near"
      }
      return near
    }
  }
}
