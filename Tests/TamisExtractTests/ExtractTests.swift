import Tamis
import TestSupport
import Testing

/// `Fixtures/Extract/*.txt`: an RSS item, and what must be picked from it.
@Suite struct ExtractTests {
  static let cases = Case.all(in: "Extract")

  @Test func thereAreCases() { #expect(Self.cases.count > 10) }

  @Test(arguments: cases)
  func picksByTheRules(_ each: Case) throws {
    let extraction = try Self.extraction(try #require(each.sections["item"]))
    for line in try #require(each.sections["expect"]).split(separator: "\n") {
      let parts = line.split(separator: " = ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      try #require(parts.count == 2, "'\(line)' is no expectation")
      #expect(Self.value(parts[0], of: extraction) == parts[1], "\(each): \(parts[0])")
    }
  }

  @Test func excerptsEndAtASentenceOrAWord() throws {
    let sentences = String(repeating: "This is a sentence of some length. ", count: 20)
    let cut = try Self.post("<description>\(sentences)</description>").excerpt
    #expect(cut.count <= 280 && cut.hasSuffix("length."))
    let words = try Self.post("<description>\(String(repeating: "word ", count: 200))</description>").excerpt
    #expect(words.hasSuffix("word…"))
    let one = try Self.post("<description>\(String(repeating: "x", count: 1000))</description>").excerpt
    #expect(one.count == 281)
  }

  private static func post(_ item: String) throws -> Post { try extraction(item).post }

  private static func extraction(_ item: String) throws -> Extraction {
    let namespaces = """
      xmlns:media="http://search.yahoo.com/mrss/" xmlns:dz="http://www.developerzone.com/modules/dz/1.0" \
      xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" \
      xmlns:podcast="https://podcastindex.org/namespace/1.0"
      """
    let text = """
      <rss version="2.0" \(namespaces)><channel><link>https://a.example/</link><item>\(item)</item></channel></rss>
      """
    let output = try Pipeline().process(FeedDocument(name: "case", bytes: Array(text.utf8)))
    return try #require(output.extractions.first)
  }

  private static func value(_ name: String, of extraction: Extraction) -> String {
    let post = extraction.post
    switch name {
    case "pictures":
      return extraction.pictures.map { "\($0.source) \($0.rejection?.rawValue ?? $0.class.rawValue)" }
        .joined(separator: ", ")
    case "links": return extraction.bodyLinks.map(\.kind.rawValue).joined(separator: ", ")
    case "targets": return extraction.bodyLinks.map { $0.target ?? "none" }.joined(separator: ", ")
    case "kind": return extraction.text.kind.rawValue
    case "words": return "\(extraction.text.words) \(extraction.text.ideographs)"
    case "seconds": return extraction.podcast?.seconds.map(String.init) ?? "none"
    case "episode": return "\(extraction.podcast?.season ?? 0).\(extraction.podcast?.episode ?? 0)"
    case "transcripts": return extraction.podcast?.transcripts.map(\.url).joined(separator: ", ") ?? "none"
    case "people": return extraction.podcast?.people.joined(separator: ", ") ?? "none"
    default: return value(name, of: post)
    }
  }

  private static func value(_ name: String, of post: Post) -> String {
    switch name {
    case "permalink": post.permalink?.url ?? "none"
    case "permalink.source": post.permalink?.source ?? "none"
    case "thumbnail": post.thumbnail?.url ?? "none"
    case "thumbnail.source": post.thumbnail?.source ?? "none"
    case "thumbnail.alt": post.thumbnail?.alternative ?? "none"
    case "thumbnail.inBody": post.thumbnail.map { String($0.isInBody) } ?? "none"
    case "title": post.title
    case "excerpt": post.excerpt
    case "content": post.content.string
    case "identity": "\(post.identity.rule.rawValue) \(post.identity.key)"
    case "authors": post.authors.joined(separator: ", ")
    case "categories": post.categories.joined(separator: ", ")
    case "enclosures": post.enclosures.map(\.url).joined(separator: ", ")
    case "comments": post.comments ?? "none"
    case "minutes": post.readingMinutes.map(String.init) ?? "none"
    case "direction": post.direction.rawValue
    default: post.fields[name] ?? "none"
    }
  }
}
