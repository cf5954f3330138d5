import Foundation
import Tamis
import TestSupport
import Testing

/// Public collections that lie beside the project; each test is skipped where its collection is not.
@Suite struct PublicSuites {
  /// 5,694 hostile inputs: the promise is kept under every policy.
  @Test(
    .enabled(if: Fixtures.hasShared("xss-cases/cases.jsonl"), "needs ../shared/xss-cases"), arguments: Rules.names)
  func hostileInputsAreMadeSafe(_ name: String) throws {
    let policy = try #require(Rules.policy(named: name))
    let sanitizer = Sanitizer(policy: policy)
    let promise = Promise(policy: policy)
    let lines = try String(contentsOf: Fixtures.shared.appending(path: "xss-cases/cases.jsonl"), encoding: .utf8)
    for line in lines.split(separator: "\n") {
      guard let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
        let html = record["html"] as? String, let id = record["id"] as? String
      else { continue }
      let base = (record["base"] as? String).flatMap { WebURL($0) }
      #expect(
        promise.breach(of: sanitizer.sanitize(html, base: base, page: base).html, by: sanitizer, base: base, page: base)
          == nil, "\(id)")
    }
  }

  /// 35 feeds as they are in the wild.
  @Test(.enabled(if: Fixtures.hasShared("feeds/real"), "needs ../shared/feeds/real"))
  func realFeedsAreRead() throws {
    let folder = Fixtures.shared.appending(path: "feeds/real")
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
