import Foundation
import Tamis
import TamisRecords
import TamisCheck
import TestSupport
import Testing

/// Pages whose articles people have marked; skipped where they are not at hand.
///
/// The floors stand a little below what is reached. The pages were also what the trees were trained on, but for `traf`.
@Suite(.enabled(if: Fixtures.hasSuite("article-pages/zyte"), Fixtures.needs("article-pages/zyte")))
struct ArticleFloors {
  private struct Truth: Decodable {
    var url: String?
    var kind: String?
    var text: String?
    var with: [String]?
    var without: [String]?
  }

  private static let folder = Fixtures.suite("article-pages")
  private static let pipeline = ArticlePipeline(sanitizer: .reading)

  /// The pages of a set with what is right, and what is found.
  private static func found(in set: String, kind: String? = nil) throws -> [(truth: Truth, text: String)] {
    let data = try Data(contentsOf: folder.appending(path: "\(set)/truth.json"))
    let truths = try JSONDecoder().decode([String: Truth].self, from: data)
    return try truths.sorted { $0.key < $1.key }.filter { kind == nil || $0.value.kind == kind }.map { id, truth in
      let output = pipeline.process(.init(page: try page(id, of: set), url: truth.url.flatMap { WebURL($0) }))
      return (truth, output.article.text)
    }
  }

  private static func page(_ id: String, of set: String) throws -> [UInt8] {
    let path = folder.appending(path: "\(set)/pages/\(id).html.gz").path
    var reader = try FileSource(FilePath(path)).makeReader()
    var page: [UInt8] = []
    var chunk = try reader.next()
    while !chunk.isEmpty {
      page += chunk
      chunk = try reader.next()
    }
    return PageEncoding.decode(page)
  }

  private static func words(_ text: String) -> [Substring] {
    text.split { !($0.isLetter || $0.isNumber || $0 == "_") }
  }

  private static func counts<Item: Hashable>(_ items: some Sequence<Item>) -> [Item: Int] {
    items.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  private static func shared<Item>(_ one: [Item: Int], _ other: [Item: Int]) -> Int {
    one.reduce(0) { $0 + min($1.value, other[$1.key] ?? 0) }
  }

  private static func mean(_ precision: [Double], _ recall: [Double]) -> Double {
    let p = precision.reduce(0, +) / Double(max(1, precision.count))
    let r = recall.reduce(0, +) / Double(max(1, recall.count))
    return p + r == 0 ? 0 : 2 * p * r / (p + r)
  }

  /// Scores are of runs of four words, as in the set's own measure.
  @Test func newsArticlesReachFloor() throws {
    var (precision, recall): ([Double], [Double]) = ([], [])
    for (truth, text) in try Self.found(in: "zyte") {
      let (right, found) = (Self.runs(truth.text ?? ""), Self.runs(text))
      let shared = Double(Self.shared(right, found))
      if !found.isEmpty { precision.append(shared / Double(found.values.reduce(0, +))) }
      if !right.isEmpty { recall.append(shared / Double(right.values.reduce(0, +))) }
    }
    #expect(precision.count == 90 && Self.mean(precision, recall) > 0.965, "\(Self.mean(precision, recall))")
  }

  private static func runs(_ text: String) -> [[Substring]: Int] {
    let words = words(text)
    return counts((0..<max(0, words.count - 3)).map { Array(words[$0..<($0 + 4)]) })
  }

  /// Scores are of words in any order, as in the set's own measure.
  @Test(arguments: [
    ("wcxb", "article", 190, 0.968), ("wcxb", "documentation", 20, 0.945), ("wcxb", "forum", 20, 0.875),
    ("types", "collection", 53, 0.77), ("types", "listing", 53, 0.745), ("types", "product", 53, 0.715),
    ("types", "service", 53, 0.855),
  ])
  func pagesOfEachKindReachFloor(_ set: String, _ kind: String, _ count: Int, _ floor: Double) throws {
    let scores = try Self.found(in: set, kind: kind).map { truth, text in
      let (right, found) = (
        Self.counts(Self.words((truth.text ?? "").lowercased())), Self.counts(Self.words(text.lowercased()))
      )
      let all = right.values.reduce(0, +) + found.values.reduce(0, +)
      return all == 0 ? 1 : 2 * Double(Self.shared(right, found)) / Double(all)
    }
    let mean = scores.reduce(0, +) / Double(max(1, scores.count))
    #expect(scores.count == count && mean > floor, "\(scores.count) pages: \(mean)")
  }

  /// Scores are of pieces that must be present or absent; no page of this set was used for training.
  @Test func pagesOfUnseenSitesReachFloor() throws {
    var (right, wrong, missing) = (0, 0, 0)
    for (truth, text) in try Self.found(in: "traf") {
      let text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      func isThere(_ piece: String) -> Bool {
        text.contains(piece.split(whereSeparator: \.isWhitespace).joined(separator: " "))
      }
      let kept = (truth.with ?? []).count(where: isThere)
      right += kept
      missing += (truth.with ?? []).count - kept
      wrong += (truth.without ?? []).count(where: isThere)
    }
    let score = 2 * Double(right) / Double(2 * right + wrong + missing)
    #expect(score > 0.925, "\(score)")
  }

  /// Hostile inputs inside of articles keep the output contract.
  @Test(.enabled(if: Fixtures.hasSuite("xss-cases/cases.jsonl"), Fixtures.needs("xss-cases/cases.jsonl")))
  func hostileArticlesKeepOutputContract() throws {
    let sanitizer = Sanitizer.reading
    let contract = OutputContract(policy: .reading)
    let prose =
      "<p>The keeper of the sluice, who had waited for this morning all winter, opened both of the gates at once.</p>"
    let url = WebURL("https://gull.example/harbour")
    let lines = try String(contentsOf: Fixtures.suite("xss-cases/cases.jsonl"), encoding: .utf8)
    var shown = 0
    for line in lines.split(separator: "\n") {
      let record = try Record(line: Array(line.utf8))
      guard case .text(let text) = record.body else { continue }
      let html = String(decoding: text, as: UTF8.self)
      let page =
        "<title>The sluice</title><main><h1>The sluice</h1>\(prose)\(prose)<p>It \(html) was.</p>\(prose)</main>"
      let output = Self.pipeline.process(.init(page: Array(page.utf8), url: url))
      guard let content = output.content else { continue }
      shown += 1
      #expect(contract.breach(of: content, by: sanitizer, base: url, page: url) == nil, "\(record.id)")
    }
    #expect(shown > 5000, "most of them do not hide the article: \(shown)")
  }
}
