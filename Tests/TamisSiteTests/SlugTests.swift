import TamisCore
import TamisSite
import TestSupport
import Testing

/// Names of pages.
@Suite struct SlugTests {
  @Test(arguments: [
    ("Hello, World!", "hello-world"), ("../../etc/passwd", "etc-passwd"), ("...", "post"),
    ("Grüße aus Köln", "grüße-aus-köln"),
    ("雨の音", "雨の音"), ("😀", "post"), ("a\u{0}b", "a-b"), ("CON", "con"), ("حديقة الدار", "حديقة-الدار"),
    ("\u{301}a -\u{301}b", "a-b"), ("e\u{301}t\u{e9}", "\u{e9}t\u{e9}"),
  ])
  func postSlugIsDerivedFromTitle(_ title: String, _ slug: String) {
    #expect(Slug.of(title, fallback: "post") == slug)
    #expect(Slug.ofPost(title: title, excerpt: "") == slug)
  }

  @Test func untitledPostSlugIsDerivedFromExcerpt() {
    #expect(Slug.ofPost(title: "", excerpt: "Some words") == "some-words")
    #expect(Slug.ofPost(title: "", excerpt: "") == "post")
  }

  @Test func longSlugsAreTruncated() {
    #expect(Slug.of(String(repeating: "é", count: 1000), fallback: "post").utf8.count <= 60)
  }

  /// Titles of ASCII and punctuation take another path than others.
  @Test func punctuationIsNormalizedInAllTitles() {
    for code in UInt32(0x2010)...0x2023 {
      guard let scalar = Unicode.Scalar(code) else { continue }
      let title = "Rene\(scalar)s \(scalar) First, Look"
      let plain = Slug.of(title, fallback: "post")
      #expect(Slug.of(title + " é", fallback: "post") == plain + "-é", "U+\(String(code, radix: 16))")
    }
  }

  @Test func tagsDifferingInPunctuationGetDistinctSlugs() {
    let long = String(repeating: "x", count: 70)
    let tags = ["C", "C++", "C#", "net", ".NET", "😀", long + "1", long + "2", long.prefix(60) + "", "Web Dev"]
    let slugs = tags.map(Slug.ofTag)
    #expect(Set(slugs).count == tags.count, "\(slugs)")
    for (one, other) in [("Web Dev", "web-dev"), ("Swift", "swift"), ("web_dev", "WEB DEV"), ("C#", "c#")] {
      #expect(Slug.ofTag(one) == Slug.ofTag(other))
    }
    #expect(Slug.ofTag("Swift") == "swift" && Slug.ofTag("web dev") == "web-dev")
  }

  @Test(arguments: [
    ("https://blog.example/feed.xml", "blog-example"), ("https://blog.example/a/rss", "blog-example-a"),
    ("folder/news.atom.gz", "news"), ("", "feed"),
  ])
  func feedSlugIsDerivedFromKey(_ key: String, _ beginning: String) {
    let slug = Slug.ofFeed(Feed.Key(key))
    #expect(slug == beginning || slug.hasPrefix(beginning + "-") && slug.utf8.count == beginning.utf8.count + 9)
  }

  @Test func queryOfAddressIsHiddenInSlug() {
    let slug = Slug.ofFeed("https://blog.example/feed?key=secret")
    #expect(!slug.contains("secret") && slug != Slug.ofFeed("https://blog.example/feed?key=other"))
  }
}
