import TamisCheck
import TamisSite
import TamisArchive
import TamisCore
import TamisURL
import Foundation
import Tamis
import TamisSystem

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
    _ posts: [TestPost], of feed: Feed.Key, home: String? = nil, address: String? = nil, ending: Feed.Ending = .complete
  ) -> RecordedDocument {
    document(posts.map(model), texts: posts.map(\.text), of: feed, home: home, address: address, ending: ending)
  }

  static func document(
    _ models: [Post], texts: [String], of feed: Feed.Key, home: String? = nil, address: String? = nil,
    ending: Feed.Ending = .complete
  ) -> RecordedDocument {
    let keys = DocumentKeys.all(
      of: models, texts: texts, names: models.map { Slug.ofPost(title: $0.title, excerpt: $0.excerpt) },
      home: home, address: address, tracking: TrackingParameters([]))
    let recorded = models.indices.map { index in
      var keys = keys[index]
      if case .insideEntry(let cut) = ending { keys.isCutOff = cut == index }
      return RecordedPost(keys: keys, post: models[index], slugs: models[index].tags.map(Slug.ofTag))
    }
    // Two documents of the same posts are one document.
    let source = ReadSource(
      stamp: nil, document: Checksum(Array("\(feed) \(ending) \(models) \(models.map(\.published))".utf8)).hex,
      reading: "test")
    var document = RecordedDocument(
      card: FeedCard(key: feed, slug: Slug.ofFeed(feed), title: feed.publicName), posts: recorded, ending: ending,
      source: source, day: nil)
    document.rules = "test"
    return document
  }

  private static func model(_ post: TestPost) -> Post {
    var card = Post.Card()
    (card.title, card.tags, card.published) = (post.title, post.tags, post.date)
    card.permalink = post.link.map { Post.Permalink(url: $0) }
    return Post(
      card: card, content: Sanitizer.reading.sanitize(post.text).html, id: post.id,
      location: Finding.Location(file: "test"))
  }
}

extension Archive {
  /// A run that records some documents.
  func ingest(_ documents: [RecordedDocument], settings: SiteSettings = SiteSettings()) throws
    -> [[Verdict]]
  {
    let run = try begin(settings: settings)
    let verdicts = try documents.map { try run.record($0) }
    try run.finish()
    return verdicts
  }

  /// A run without a clock.
  func begin(settings: SiteSettings = SiteSettings()) throws -> Ingest {
    try Ingest(self, now: nil, settings: settings, paths: [], existing: [])
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
