import Foundation
import Tamis
import TamisSystem
import TamisSite
import TestSupport
import Testing

/// The fields of a post: each is stored, compared, exported, and given to templates and JSON.
@Suite struct PostFieldTests {
  private let folder: TemporaryFolder
  private var file: String { folder.path + "/a.archive" }

  init() throws { folder = try Fixtures.temporaryFolder() }

  /// Gives one column a value that no other post here has.
  private struct Change: ColumnVisitor {
    static let sets = true
    let name: String

    func number(_ column: StoredColumn, _ value: inout Int64?) {
      guard column.name == name else { return }
      value = column.form == .flag ? 0 : column.form == .time ? 1_234_567_890 : 4321
    }

    func text(_ column: StoredColumn, _ value: inout String?) {
      guard column.name == name else { return }
      let thumbnail = ["https://a.example/thumbnail", "alt", "3", "4", "1"]
      let texts = [
        "kind": "video", "direction": "rtl", "language": "fr", "permalink": "https://a.example/permalink",
        "thumbnail": StoredList.joined(thumbnail),
      ]
      value = column.form == .list ? StoredList.joined(["one", "two"]) : texts[name] ?? "value of \(name)"
    }
  }

  private static func post(with field: StoredColumn) -> Post {
    var (card, change) = (Post.Card(), Change(name: field.name))
    card.visit(&change)
    return Post(card: card, id: "1")
  }

  private static func shown(_ post: Post) -> [UInt8] {
    var bytes: [UInt8] = []
    post.appendShown(to: &bytes, body: post.content.string)
    return bytes
  }

  private static func json(_ post: Post) -> String {
    let entry = Feed.Entry(at: Finding.Location(file: "x"))
    let input = Extractor.Input(
      entry: entry, title: "", summary: "", content: .empty, facts: SanitizedHTML.Facts(), language: nil, base: nil)
    var findings: [Finding] = []
    var extraction = Extractor().extract(input, into: &findings)
    extraction.post = post
    var writer = JSONWriter()
    writer.extraction(extraction, withPost: true)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func everyMemberHasField() {
    let card = Mirror(reflecting: Post.Card()).children.compactMap(\.label)
    #expect(Set(card) == Set(Post.Card.columns.map(\.name)) && card.count == Post.Card.columns.count)
    let details = Mirror(reflecting: Post.Details()).children.compactMap(\.label)
    #expect(details == Post.Details.allFields.map(\.name))
  }

  @Test(arguments: Post.Card.columns.map(\.name))
  func fieldIsStoredComparedExportedAndShown(_ name: String) throws {
    let field = try #require(Post.Card.columns.first { $0.name == name })
    let post = Self.post(with: field)
    let other = Post(card: Post.Card(), id: "1")
    #expect(Self.shown(post) != Self.shown(other))

    let archive = try Archive(file: file)
    _ = try archive.ingest([Documents.document([post], texts: [""], of: "b")])
    let stored = try Ingest(archive, now: nil, settings: SiteSettings(), paths: [], existing: [])
      .posts(of: "b", skipping: 0, count: 1, withBodies: false).map(\.card)
    #expect(stored == [post.card])

    let exported = try archive.exported()
    let joined = try Archive(file: file + "-joined")
    #expect(try joined.join(exported) == 1)
    #expect(try joined.exported() == exported)
    _ = try Archive(file: file + "-other").ingest([Documents.document([other], texts: [""], of: "b")])
    #expect(try Archive(file: file + "-other").exported() != exported)

    // The object `podcast` has what the feed says, not the post.
    if !["isUntitled", "publishedOffset", "playingSeconds", "season", "episode"].contains(name) {
      #expect(Self.json(post) != Self.json(other))
    }
    var context = PageContext()
    context.set(.record, Indirect(wrappedValue: post.card))
    // The only flag is off here.
    #expect(Self.rendered(name, context).hasPrefix(name == "isUntitled" ? "no" : "yes "))
  }

  private static func rendered(_ name: String, _ context: PageContext) -> String {
    let source = "{{#record.\(name)}}yes {{record.\(name)}}{{/record.\(name)}}{{^record.\(name)}}no{{/record.\(name)}}"
    guard let theme = try? Site.Theme(["page.mustache": Array(source.utf8)], named: "x") else { return "" }
    return String(decoding: theme.render("page", context, length: 0), as: UTF8.self)
  }

  @Test func unknownTemplateFieldIsRejected() {
    let error = #expect(throws: Site.ThemeError.self) {
      try Site.Theme(["page.mustache": Array("{{record.seson}}".utf8)], named: "x")
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("did you mean 'record.season'?"))
  }

  /// Changes of the details: each member of each, one by one.
  static let details: [@Sendable (inout Post.Details) -> Void] = [
    { $0.enclosures = [Post.File(url: "u")] }, { $0.enclosures = [Post.File(url: "u", type: "t")] },
    { $0.enclosures = [Post.File(url: "u", length: 1)] }, { $0.enclosures = [Post.File(url: "u", title: "t")] },
    { $0.media = [Post.File(url: "u")] }, { $0.transcripts = [Post.File(url: "u")] },
    { $0.chapters = [Feed.Chapter(start: "1", seconds: nil, title: nil, link: nil, image: nil)] },
    { $0.chapters = [Feed.Chapter(start: "1", seconds: 1, title: nil, link: nil, image: nil)] },
    { $0.chapters = [Feed.Chapter(start: "1", seconds: nil, title: "t", link: nil, image: nil)] },
    { $0.chapters = [Feed.Chapter(start: "1", seconds: nil, title: nil, link: "l", image: nil)] },
    { $0.chapters = [Feed.Chapter(start: "1", seconds: nil, title: nil, link: nil, image: "i")] },
    { $0.pictures = [Post.Picture(url: "u", caption: "", width: nil, height: nil)] },
    { $0.pictures = [Post.Picture(url: "u", caption: "c", width: nil, height: nil)] },
    { $0.pictures = [Post.Picture(url: "u", caption: "", width: 1, height: nil)] },
    { $0.pictures = [Post.Picture(url: "u", caption: "", width: nil, height: 1)] },
    { $0.thumbnailCaption = "c" }, { $0.references = [Post.Reference(.via, url: "u", title: nil)] },
    { $0.references = [Post.Reference(.related, url: "u", title: nil)] },
    { $0.references = [Post.Reference(.via, url: "u", title: "t")] }, { $0.people = ["p"] }, { $0.videoPage = "v" },
    { $0.comments = "c" }, { $0.rights = "r" }, { $0.fields = ["f": "v"] }, { $0.fields = ["f": "w"] },
    { $0.removals = [FeedStatus.Removals(rule: "tracking", count: 1, examples: ["img"])] },
  ]

  @Test func detailsAreComparedStoredAndExported() throws {
    var seen: Set<[UInt8]> = []
    for (index, change) in Self.details.enumerated() {
      var post = Post(card: Post.Card(), id: "1")
      change(&post.details)
      #expect(seen.insert(Self.shown(post)).inserted, "\(index)")
      let archive = try Archive(file: file + "\(index)")
      _ = try archive.ingest([Documents.document([post], texts: [""], of: "b")])
      let exported = try archive.exported()
      let bodies = exported.split(separator: "\n").compactMap { line in
        (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: [String: Any]])?["post"]?["details"]
      }
      let stored = try JSONDecoder().decode(
        Post.Details.self, from: JSONSerialization.data(withJSONObject: try #require(bodies.first)))
      #expect(stored == post.details, "\(index)")
    }
    let changed = Set(
      Self.details.flatMap { change in
        var details = Post.Details()
        change(&details)
        return Post.Details.allFields.filter { $0.parts(details) != $0.parts(Post.Details()) }.map(\.name)
      })
    #expect(changed == Set(Post.Details.allFields.map(\.name)), "each has a change above")
  }
}
