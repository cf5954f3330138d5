import Foundation
import Tamis

/// What deciding about a post costs when very many are known: `make bench-index`.
///
/// Fills an index with posts of many feeds, then decides about documents of one of them, and prints microseconds of CPU a
/// post and bytes of the file a post. Timings are printed, never judged.
@main struct IndexBenchmark {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    let total = arguments.first ?? 1_000_000
    let size = 10_000
    let folder = FileManager.default.temporaryDirectory.appending(path: "tamis-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let index = try PostIndex(file: folder.path + "/posts.index")
    var run = try index.beginRun()
    let filling = time {
      for feed in 0..<max(1, total / size) {
        _ = try? index.record(keys(feed, 0..<size), of: FeedKey("feed\(feed)"), run: run, ending: .complete)
      }
    }
    try index.endRun(run)
    let bytes = try FileManager.default.attributesOfItem(atPath: index.file)[.size] as? Int ?? 0
    print("\(total) posts: \(bytes) bytes, \(bytes / total) a post; filled in \(Int(filling)) s")
    for (name, range) in [
      ("all known", 0..<size), ("one in ten new", size / 10..<size + size / 10), ("all new", 3 * size..<4 * size),
    ] {
      let posts = keys(total / size / 2, range)
      run = try index.beginRun()
      var verdicts: [Verdict] = []
      let seconds = time {
        verdicts = (try? index.record(posts, of: FeedKey("feed\(total / size / 2)"), run: run, ending: .complete)) ?? []
      }
      let folding = try time {
        let new = zip(verdicts, posts).filter { $0.0.isNew }.map { ($0.0.post, $0.1) }
        _ = try index.fold(run: run, new: Dictionary(new) { first, _ in first })
      }
      try index.endRun(run)
      let new = verdicts.count { $0.decision == .new }
      print(
        "\(name) (\(new) of \(size) new): \(microseconds(seconds, size)) us a post, folding \(microseconds(folding, size)) us"
      )
    }
  }

  /// Posts of about 90 words as blogs have them: an id that is the address, or one of the feed's own.
  private static func keys(_ feed: Int, _ range: Range<Int>) -> [PostKeys] {
    let content = Sanitizer(policy: .reading).sanitize("<p>body</p>").html
    let entries = range.map { number -> (post: Post, text: String) in
      let url = "https://blog\(feed).example/2026/\(number)/a-title-of-some-length"
      var random = UInt64(feed) &* 1_000_003 &+ UInt64(number)
      let words = (0..<90).map { _ in
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return "w\(random >> 33 % 5000)"
      }.joined(separator: " ")
      let post = Post(
        title: "A title of some length, number \(number)", excerpt: "", content: content,
        permalink: Permalink(url: url, source: "link"), links: [], thumbnail: nil, enclosures: [], authors: [],
        categories: [], published: 1_500_000_000 + Int64(number) * 3600, updated: nil, comments: nil, language: "en",
        direction: .leftToRight, readingMinutes: 1, id: number % 2 == 0 ? url : "id-\(number)", fields: [:],
        location: SourceLocation(file: "bench"))
      return (post, words + " \(feed) \(number)")
    }
    return PostKeys.all(
      of: entries.map(\.0), texts: entries.map(\.1), home: "https://blog\(feed).example/",
      tracking: TrackingParameters(["utm_*"]), name: Site.name)
  }

  private static func time(_ body: () throws -> Void) rethrows -> Double {
    let start = clock()
    try body()
    return Double(clock() - start) / Double(CLOCKS_PER_SEC)
  }

  private static func microseconds(_ seconds: Double, _ count: Int) -> String {
    String(format: "%.1f", seconds * 1_000_000 / Double(count))
  }
}
