import Tamis
import TestSupport
import Testing

/// `Fixtures/Bodies/*.txt`: which text of an entry is its body, and how it is read.
@Suite struct BodyTests {
  static let cases = Case.all(in: "Bodies")

  @Test func fixtureCasesExist() { #expect(Self.cases.count > 12) }

  @Test(arguments: cases)
  func bodyIsRichestText(_ each: Case) throws {
    let item = try #require(each.sections["input"])
    let feed = item.hasPrefix("<entry") ? Self.atom(item) : Self.rss(item)
    let output = try Pipeline().process(FeedDocument(name: "case", bytes: Array(feed.utf8)))
    let html = try #require(output.posts.first).content.string
    let shown = html.replacing(#" rel="noopener noreferrer nofollow""#, with: "").replacing(
      #" loading="lazy""#, with: "")
    #expect(shown == each.sections["output"], "\(each)")
  }

  private static func rss(_ item: String) -> String {
    """
    <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" \
    xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:media="http://search.yahoo.com/mrss/" \
    xmlns:yandex="http://news.yandex.ru"><channel><link>https://a.example/</link>\(item)</channel></rss>
    """
  }

  private static func atom(_ entry: String) -> String {
    let isOld = entry.contains("mode=")
    let namespace = isOld ? "http://purl.org/atom/ns#" : "http://www.w3.org/2005/Atom"
    return "<feed\(isOld ? " version=\"0.3\"" : "") xmlns=\"\(namespace)\"><title>t</title>\(entry)</feed>"
  }

  /// Finding texts that several elements repeat takes time proportional to their size.
  @Test func bodySelectionTimeIsLinear() throws {
    let text = String(repeating: "words and more words ", count: 40_000)
    let item = "<item><description>\(text)</description><content:encoded>x \(text)</content:encoded></item>"
    let time = try processorTime {
      _ = try Pipeline().process(FeedDocument(name: "case", bytes: Array(Self.rss(item).utf8)))
    }
    #expect(time < .seconds(60), "\(time)")
  }
}
