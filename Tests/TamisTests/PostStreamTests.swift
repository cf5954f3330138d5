import Foundation
import Synchronization
import Tamis
import TamisCore
import TestSupport
import Testing

/// Posts as they are asked for are those of a whole document.
@Suite struct PostStreamTests {
  static let feeds = ["rss", "atom", "rdf", "xml"].flatMap { Fixtures.files(in: "Feeds", withExtension: $0) }
    .map(\.lastPathComponent)

  private final class Findings: Sendable {
    private let all = Mutex<[Finding]>([])
    var list: [Finding] { all.withLock { $0 } }
    func add(_ finding: Finding) { all.withLock { $0.append(finding) } }
  }

  private static func document(_ name: String) throws -> FeedDocument {
    let bytes = try Data(contentsOf: Fixtures.url("Feeds/\(name)"))
    return FeedDocument(name: name, bytes: Array(bytes), url: "https://feed.example/\(name)")
  }

  @Test(arguments: feeds)
  func streamedPostsAreThoseOfProcess(_ name: String) async throws {
    let document = try Self.document(name)
    let whole = try Pipeline().process(document)
    let findings = Findings()
    let (feed, stream) = try await Pipeline().posts(of: document) { findings.add($0) }
    var posts: [Post] = []
    for try await post in stream { posts.append(post) }
    #expect(posts == whole.posts)
    #expect(feed.title == whole.feed.title && feed.link == whole.feed.link)
    let codes = findings.list.map(\.description).sorted()
    #expect(codes == whole.findings.map(\.description).sorted())
  }

  private static func feed(of count: Int) -> FeedDocument {
    let items = (0..<count).map {
      "<item><guid>\($0)</guid><title>\($0)</title><description>&lt;img src='http://e.example/logo.png'> &lt;p>\($0)</description></item>"
    }
    let text = "<rss version='2.0'><channel><title>t</title>\(items.joined())</channel></rss>"
    return FeedDocument(name: "feed.xml", bytes: Array(text.utf8))
  }

  /// The reader of a document does not run ahead of the task that asks for posts.
  @Test func streamIsReadAsItIsAskedFor() async throws {
    struct Counting: PostStage {
      let version = "1"
      let count: Mutex<Int>.Box
      func run(_ post: Post, of feed: Feed, into findings: inout [Finding]) -> StagedPost? {
        count.add()
        return StagedPost(post)
      }
    }
    let count = Mutex<Int>.Box()
    let pipeline = Pipeline(stages: Stages(afterExtracting: [Counting(count: count)]))
    let (_, stream) = try await pipeline.posts(of: Self.feed(of: 1000))
    var posts = stream.makeAsyncIterator()
    for number in 0..<10 { #expect(try await posts.next()?.title == "\(number)") }
    try await Task.sleep(for: .milliseconds(50))
    #expect((10...40).contains(count.value), "\(count.value)")
  }

  @Test func cancelledStreamThrows() async throws {
    let (_, stream) = try await Pipeline().posts(of: Self.feed(of: 1000))
    let count = Mutex<Int>.Box()
    let task = Task {
      for try await _ in stream {
        count.add()
        if count.value == 5 { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(count.value == 5)
  }

  /// Streams that nobody reads to their end leave no thread behind that waits for room.
  @Test func abandonedStreamsEnd() async throws {
    for _ in 0..<200 {
      let (_, stream) = try await Pipeline().posts(of: Self.feed(of: 100))
      var posts = stream.makeAsyncIterator()
      #expect(try await posts.next() != nil)
    }
  }

  @Test func picturesOfTheDesignAreKnownBeforeTheFirstPost() async throws {
    let (_, stream) = try await Pipeline().posts(of: Self.feed(of: 5))
    for try await post in stream { #expect(post.thumbnail == nil) }
  }

  @Test func documentThatIsNoFeedIsThrown() async {
    await #expect(throws: FeedParser.Failure.self) {
      _ = try await Pipeline().posts(of: FeedDocument(name: "x", bytes: Array("<html></html>".utf8)))
    }
  }
}

extension Mutex<Int> {
  /// A count that values share.
  final class Box: Sendable {
    private let count = Mutex<Int>(0)
    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
  }
}
