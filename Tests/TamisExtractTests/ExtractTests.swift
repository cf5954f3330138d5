import Tamis
import TestSupport
import Testing

/// `Fixtures/Extract/*.txt`: an RSS item, and what must be picked from it.
@Suite struct ExtractTests {
  static let cases = Case.all(in: "Extract")

  @Test func thereAreCases() { #expect(Self.cases.count > 10) }

  @Test(arguments: cases)
  func picksByTheRules(_ each: Case) throws {
    let post = try Self.post(try #require(each.sections["item"]))
    for line in try #require(each.sections["expect"]).split(separator: "\n") {
      let parts = line.split(separator: " = ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      try #require(parts.count == 2, "'\(line)' is no expectation")
      #expect(Self.value(parts[0], of: post) == parts[1], "\(each): \(parts[0])")
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

  private static func post(_ item: String) throws -> Post {
    let namespaces = """
      xmlns:media="http://search.yahoo.com/mrss/" xmlns:dz="http://www.developerzone.com/modules/dz/1.0" \
      xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
      """
    let text = """
      <rss version="2.0" \(namespaces)><channel><link>https://a.example/</link><item>\(item)</item></channel></rss>
      """
    let output = try Pipeline().process(FeedDocument(name: "case", bytes: Array(text.utf8)))
    return try #require(output.posts.first)
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
