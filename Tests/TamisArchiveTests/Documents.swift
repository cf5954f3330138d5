import Foundation
import Tamis
import TamisFiles

/// A post as the tests write it.
struct TestPost {
  var id: String?
  var link: String?
  var title = "Title"
  var text = "body"
  var date: Int64?
  var tags: [String] = []
}

/// Documents as the archive is given them.
enum Documents {
  static func document(
    _ posts: [TestPost], of feed: FeedKey, home: String? = nil, ending: Ending = .complete
  ) -> RecordedDocument {
    let models = posts.map(model)
    let keys = PostKeys.all(
      of: models, texts: posts.map(\.text), names: models.map { Slug.ofPost(title: $0.title, excerpt: $0.excerpt) },
      home: home, tracking: TrackingParameters([]))
    let recorded = posts.indices.map { index in
      var card = PostCard()
      card.title = posts[index].title.isEmpty ? "Untitled" : posts[index].title
      (card.isUntitled, card.published) = (posts[index].title.isEmpty, posts[index].date)
      (card.tags, card.original) = (posts[index].tags, posts[index].link)
      var keys = keys[index]
      if case .insideEntry(let cut) = ending { keys.isCutOff = cut == index }
      return RecordedPost(
        keys: keys, card: card, slugs: posts[index].tags.map(Slug.ofTag), details: PostDetails(),
        content: models[index].content)
    }
    // Two documents of the same posts are one document.
    let source = ReadSource(
      stamp: nil, document: Checksum(Array("\(feed) \(ending) \(posts)".utf8)).hex, reading: "test")
    return RecordedDocument(
      card: FeedCard(key: feed, slug: Slug.ofFeed(feed), title: feed.publicName), posts: recorded, ending: ending,
      source: source, day: nil, rules: "test")
  }

  private static func model(_ post: TestPost) -> Post {
    Post(
      title: post.title, excerpt: "", content: Sanitizer.reading.sanitize(post.text).html,
      permalink: post.link.map { Permalink(url: $0, source: "link") }, links: [], thumbnail: nil, enclosures: [],
      authors: [], categories: post.tags, published: post.date, updated: nil, comments: nil, language: nil,
      direction: .leftToRight, readingMinutes: nil, id: post.id, fields: [:], location: SourceLocation(file: "test"))
  }
}

extension Archive {
  /// A run that records some documents.
  func ingest(_ documents: [RecordedDocument], options: IngestOptions = IngestOptions()) throws -> [[Verdict]] {
    let run = try begin(options: options)
    let verdicts = try documents.map { try run.record($0) }
    try run.finish()
    return verdicts
  }

  /// A run without a clock.
  func begin(options: IngestOptions = IngestOptions()) throws -> Ingest {
    try Ingest(self, now: nil, options: options, paths: [], existing: [])
  }

  /// What is exported, as one text.
  func exported() throws -> String {
    var bytes: [UInt8] = []
    try export { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Takes in what was exported.
  func join(_ exported: String) throws -> Int {
    var lines = exported.split(separator: "\n")[...]
    return try join(linesOf: "x") { lines.popFirst().map { Array($0.utf8) } }
  }
}

extension Ingest {
  /// Records a document of a feed that lies where its key says.
  func record(_ document: RecordedDocument) throws -> [Verdict] {
    let identity = FeedIdentity(
      address: nil, home: nil, path: document.card.key.text, tracking: TrackingParameters([]))
    return try record(document, identity)
  }
}
