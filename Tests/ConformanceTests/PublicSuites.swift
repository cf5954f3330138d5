import Foundation
import Tamis
import TamisCheck
import TestSupport
import Testing

/// Public collections; each test is skipped where its collection is not at hand.
@Suite struct PublicSuites {
  /// Hostile inputs, 5,694 of them, keep the output contract under every policy.
  @Test(
    .enabled(if: Fixtures.hasSuite("xss-cases/cases.jsonl"), Fixtures.needs("xss-cases/cases.jsonl")),
    arguments: Policy.shippedNames)
  func hostileInputsKeepOutputContract(_ name: String) throws {
    let policy = try #require(Policy.shipped(named: name))
    let sanitizer = try Sanitizer(policy: policy)
    let contract = OutputContract(policy: policy)
    let lines = try String(contentsOf: Fixtures.suite("xss-cases/cases.jsonl"), encoding: .utf8)
    for line in lines.split(separator: "\n") {
      guard let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
        let html = record["html"] as? String, let id = record["id"] as? String
      else { continue }
      let base = (record["base"] as? String).flatMap { WebURL($0) }
      #expect(
        contract.breach(
          of: sanitizer.sanitize(html, base: base, page: base).html, by: sanitizer, base: base, page: base)
          == nil, "\(id)")
    }
  }

  /// Real feeds, 35 of them, are all read.
  @Test(.enabled(if: Fixtures.hasSuite("feeds/real"), Fixtures.needs("feeds/real")))
  func realFeedsAreRead() throws {
    let folder = Fixtures.suite("feeds/real")
    let pipeline = Pipeline()
    var posts = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
      let document = FeedDocument(name: name, bytes: Array(try Data(contentsOf: folder.appending(path: name))))
      let output = try pipeline.process(document)
      #expect(!output.feed.version.isEmpty, "\(name)")
      posts += output.posts.count
    }
    #expect(posts == 676, "as many entries as feedparser sees")
  }
}
