import Tamis
import TamisExtract
import Testing

/// What a page says of its pictures, whatever else is in it.
@Suite struct PagePicturesTests {
  private static let picture = "<meta property=og:image content=https://a.example/p.png>"

  /// Pages like these make libxml2 take quadratic time if they reach it unchanged.
  @Test(arguments: [
    "<p " + (0..<40_000).map { "a\($0)=1 " }.joined() + ">",
    String(repeating: "<b>", count: 80_000) + String(repeating: "</i>", count: 80_000),
    String(repeating: "<div><a>", count: 50_000), String(repeating: "<title><!--", count: 40_000),
  ])
  func pageReadingTimeIsLinear(_ rest: String) {
    #expect(PagePictures(html: Self.picture + rest).pictures.map(\.url) == ["https://a.example/p.png"])
  }

  @Test func allPictureDeclarationsAreRead() {
    let page = """
      <!DOCTYPE html><html><head><title>a <meta property=og:image content=no.png></title><!-- <meta property=og:image content=no.png> -->
      <style><frameset></style><script type="application/ld+json"><!-- --></script>
      <script type="application/ld+json">{"@type": "Article", "image": "https://a.example/ld.png"}</script>
      <meta name="twitter:image" content="https://a.example/t.png"><link rel="image_src" href="https://a.example/l.png">
      </head><body>\(Self.picture)
      """
    #expect(
      Set(PagePictures(html: page).pictures.map(\.url))
        == Set(["p", "ld", "t", "l"].map { "https://a.example/\($0).png" }))
  }

  /// Pictures count only if they are of the article, not of other things that a page describes.
  @Test(arguments: ["Person", "Organization", "NewsMediaOrganization", "WebSite", "BreadcrumbList"])
  func picturesOfOtherEntitiesAreIgnored(_ type: String) {
    let other = #"{"@type": "\#(type)", "image": {"url": "https://a.example/other.png"}}"#
    let article = #"{"@type": "NewsArticle", "image": "https://a.example/p.png", "author": \#(other)}"#
    for data in [#"{"@graph": [\#(other), \#(article)]}"#, "[\(other), \(article)]"] {
      let page = "<title>t</title><script type='application/ld+json'>\(data)</script>"
      #expect(PagePictures(html: page).pictures.map(\.url) == ["https://a.example/p.png"])
    }
  }
}
