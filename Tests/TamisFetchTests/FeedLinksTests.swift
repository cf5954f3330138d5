import TamisCore
import TamisFetch
import TamisURL
import TestSupport
import Testing

@Suite struct FeedLinksTests {
  @Test(arguments: Case.all(in: "Fetch/Pages"))
  func pageLinksMatchFixture(_ each: Case) {
    let page = Array((each.sections["page"] ?? "").utf8)
    let base = each.settings["base"].flatMap { WebURL($0) }
    let fields = each.settings["link"].map { [HeaderField(name: "Link", value: $0)] } ?? []
    let links = DiscoveredFeeds.find(in: page, base: base, fields: fields)
    let refresh = base.flatMap { DiscoveredFeeds.refresh(of: page, base: $0, fields: fields) }
    #expect(refresh?.href == each.settings["refresh"], "\(each)")
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
