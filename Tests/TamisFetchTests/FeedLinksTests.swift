import TamisFetch
import TamisURL
import TestSupport
import Testing

@Suite struct FeedLinksTests {
  @Test(arguments: Case.all(in: "Fetch/Pages"))
  func pageLinksMatchFixture(_ each: Case) {
    let links = DiscoveredFeeds.find(
      in: Array((each.sections["page"] ?? "").utf8), base: each.settings["base"].flatMap { WebURL($0) })
    let lines = links.map { link in
      "\(link.source) \(link.address)" + (link.title.isEmpty ? "" : " \(link.title)")
    }
    #expect(lines.joined(separator: "\n") == (each.sections["links"] ?? ""), "\(each)")
  }

  @Test func foundLinksAreBounded() {
    let page = String(
      repeating: "<a href=/feed?x>x</a><link rel=alternate type=application/rss+xml href=a", count: 100_000)
    #expect(
      DiscoveredFeeds.find(in: Array(page.utf8), base: WebURL("https://a.example/")).count <= DiscoveredFeeds.most)
  }
}
