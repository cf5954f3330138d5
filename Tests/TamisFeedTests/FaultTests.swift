import Foundation
import Tamis
import TestSupport
import Testing

/// Faults that are put into feeds.
///
/// `Fixtures/Faults/faults.json` lists them; each goes into each feed: at its front, into its first, its middle or its
/// last entry, in turn, for all of them would take minutes (`make check-faults` takes them). What it does not touch
/// must be as it is without it.
@Suite struct FaultTests {
  /// A kind of fault, and where it is put.
  struct Fault: Decodable, Sendable, CustomTestStringConvertible {
    enum Location: String, Decodable {
      /// Before everything; instead of the XML declaration; before the root element; behind everything.
      case start, declaration, prolog, end
      /// Directly behind a start tag; in the text of the first title; instead of what is found first.
      case inside, title, replace

      /// Whether it goes into an entry, or into what stands before all entries; else there is one place for it.
      var isInPart: Bool { [.inside, .title, .replace].contains(self) }
    }

    var name: String
    var at: Location
    var find: String?
    var text: String?
    var hex: String?

    var testDescription: String { name }

    var bytes: [UInt8] {
      if let text { return Array(text.utf8) }
      let digits = Array(hex ?? "")
      return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    }
  }

  static let faults: [Fault] = {
    let data = (try? Data(contentsOf: Fixtures.url("Faults/faults.json"))) ?? Data()
    return (try? JSONDecoder().decode([Fault].self, from: data)) ?? []
  }()

  /// The feeds of the project, and real ones where they are at hand.
  static let feeds: [URL] = {
    let own = ["rss", "atom", "rdf", "xml"].flatMap { Fixtures.files(in: "Feeds", withExtension: $0) }
    let folder = Fixtures.suite("feeds/real")
    let real = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    return (own + real).sorted { $0.path < $1.path }
  }()

  /// How many entries were looked at, and how many were as they are without the fault.
  struct Score {
    var entries = 0
    var same = 0
    var losses: [String] = []

    var share: Double { entries == 0 ? 0 : Double(same) / Double(entries) }
  }

  @Test func faultsPreserveOtherEntries() async throws {
    #expect(Self.faults.count >= 40)
    let documents = try Self.feeds.map {
      FaultyFeed(name: $0.lastPathComponent, bytes: Array(try Data(contentsOf: $0)))
    }
    let scores = await withTaskGroup(of: (Int, Score).self) { group in
      for (index, fault) in Self.faults.enumerated() {
        group.addTask {
          var score = Score()
          for (turn, document) in documents.enumerated() { document.count(fault, turn: index + turn, into: &score) }
          return (index, score)
        }
      }
      return await group.reduce(into: [Int: Score]()) { $0[$1.0] = $1.1 }
    }
    var all = Score()
    for (index, fault) in Self.faults.enumerated() {
      guard let score = scores[index] else { continue }
      (all.entries, all.same) = (all.entries + score.entries, all.same + score.same)
      if score.share < 1 { print("\(fault.name): \(score.same) of \(score.entries), \(score.losses.prefix(3))") }
    }
    let percent = (all.share * 10_000).rounded() / 100
    print(
      "\(Self.faults.count) faults in \(documents.count) feeds: \(percent) % of \(all.entries) entries are as they were"
    )
    #expect(all.share >= 0.99)
  }
}

/// A feed, and what its entries say.
private struct FaultyFeed: Sendable {
  let name: String
  private let bytes: [UInt8]
  private let reference: [[String]]
  /// Where its root element begins.
  private let root: Int
  /// Where its entries stand.
  private let entries: [Range<Int>]

  init(name: String, bytes: [UInt8]) {
    (self.name, self.bytes) = (name, bytes)
    reference = Self.read(bytes)
    var found: [Range<Int>] = []
    var index = 0
    while let start = Self.first(["<item>", "<item ", "<entry>", "<entry "], in: bytes, from: index) {
      guard let end = Self.first(["</item>", "</entry>"], in: bytes, from: start) else { break }
      index = bytes[end...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? bytes.count
      found.append(start..<index)
    }
    entries = found
    root = Self.first(["<rss", "<feed", "<rdf:RDF", "<RDF"], in: bytes, from: 0) ?? 0
  }

  /// Puts a fault into one of its places.
  ///
  /// - Parameters:
  ///   - fault: the fault.
  ///   - turn: the number of the place, counted from 0; higher numbers begin again with the first.
  ///   - score: the score to which the result is added.
  func count(_ fault: FaultTests.Fault, turn: Int, into score: inout FaultTests.Score) {
    guard entries.count == reference.count, !entries.isEmpty else { return }
    let entriesToTry: [Int?] = fault.at.isInPart ? [nil, 0, entries.count / 2, entries.count - 1] : [nil]
    let entry = entriesToTry[turn % entriesToTry.count]
    guard let faulty = mutated(fault, entry) else { return }
    let result = Self.read(faulty)
    // What stands before is counted from the front, what stands behind from the end.
    let before = entry ?? 0
    let behind = entries.count - before - (entry == nil ? 0 : 1)
    for index in 0..<before {
      note(index < result.count && result[index] == reference[index], fault, entry, &score)
    }
    for distance in 1..<behind + 1 {
      let index = result.count - distance
      note(index >= 0 && result[index] == reference[reference.count - distance], fault, entry, &score)
    }
  }

  private func note(_ isSame: Bool, _ fault: FaultTests.Fault, _ entry: Int?, _ score: inout FaultTests.Score) {
    score.entries += 1
    if isSame { score.same += 1 } else { score.losses.append("\(name) \(entry.map(String.init) ?? "front")") }
  }

  /// The feed with a fault; nil when there is no place for it.
  private func mutated(_ fault: FaultTests.Fault, _ entry: Int?) -> [UInt8]? {
    let part = entry.map { entries[$0] } ?? root..<entries[0].lowerBound
    let text = fault.bytes
    switch fault.at {
    case .start: return text + bytes
    case .end: return bytes + text
    case .prolog: return bytes[..<root] + text + bytes[root...]
    case .declaration:
      guard let start = Self.first(["<?xml "], in: bytes, from: 0), start < root,
        let end = Self.first(["?>"], in: bytes, from: start)
      else { return nil }
      return bytes[..<start] + text + bytes[(end + 2)...]
    case .inside:
      guard let end = bytes[part].firstIndex(of: UInt8(ascii: ">")) else { return nil }
      return bytes[...end] + text + bytes[(end + 1)...]
    case .title:
      guard let start = Self.first(["<title"], in: Array(bytes[part]), from: 0).map({ $0 + part.lowerBound }),
        let end = bytes[start..<part.upperBound].firstIndex(of: UInt8(ascii: ">"))
      else { return nil }
      return bytes[...end] + text + bytes[(end + 1)...]
    case .replace:
      let wanted = fault.find ?? ""
      guard let start = Self.first([wanted], in: Array(bytes[part]), from: 0).map({ $0 + part.lowerBound })
      else { return nil }
      return bytes[..<start] + text + bytes[(start + wanted.utf8.count)...]
    }
  }

  private static func first(_ texts: [String], in bytes: [UInt8], from start: Int) -> Int? {
    let wanted = texts.map { Array($0.utf8) }
    var index = start
    while index < bytes.count {
      guard let next = bytes[index...].firstIndex(where: { byte in wanted.contains { $0[0] == byte } }) else {
        return nil
      }
      if wanted.contains(where: { bytes[next...].starts(with: $0) }) { return next }
      index = next + 1
    }
    return nil
  }

  /// Titles and bodies of a document's entries.
  private static func read(_ bytes: [UInt8]) -> [[String]] {
    var findings: [Finding] = []
    let entries = (try? FeedParser().run(FeedDocument(name: "x", bytes: bytes), into: &findings).entries) ?? []
    return entries.map { entry in
      [entry.title, entry.summary].map { $0?.value ?? "" } + entry.content.map(\.value)
    }
  }
}
