import Foundation
import TamisCore
import TamisSite
import TestSupport
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Feeds, maps and data to search in.
@Suite struct OutputTests {
  private let site = Samples.site { $0.link = "https://t.example/" }

  private func entry(_ number: Int, _ body: String? = "<p>Hello</p>") -> OutputEntry {
    OutputEntry(item: Samples.item(number), content: body.map(Samples.sanitized), details: Post.Details())
  }

  @Test func feedsContainBodies() throws {
    let list = PostList.feed(Samples.feed)
    let own = site.feeds(of: list, entries: [entry(2), entry(1, nil)])
    #expect(own.map(\.path.text) == ["feeds/a.atom.xml"] && own.map(\.path) == list.feedPaths)
    let files = site.feeds(of: .all, entries: [entry(2), entry(1, nil)]) + own
    #expect(files.map(\.path) == PostList.all.feedPaths + list.feedPaths)
    for file in files {
      #expect(file.text.contains("Post 2") && file.text.contains("https://t.example/posts/a/2.html"), "\(file.path)")
      #expect(file.text.contains("p&gt;Hello") || file.text.contains("<p>Hello"), "\(file.path)")
      #expect(Site.wrote(Array(file.bytes.prefix(2048))), "\(file.path)")
    }
    let json = try #require(try JSONSerialization.jsonObject(with: Data(files[2].bytes)) as? [String: Any])
    #expect(json["feed_url"] as? String == "https://t.example/feed.json")
    #expect(site.feeds(of: .month(year: 2026, month: 11), entries: [entry(1)]).isEmpty)
  }

  private final class SectionReader: NSObject, XMLParserDelegate {
    var text = ""
    func parser(_ parser: XMLParser, foundCDATA block: Data) { text += String(decoding: block, as: UTF8.self) }
  }

  /// A CDATA section cannot contain its own end, controls and noncharacters.
  @Test(arguments: [
    "a ]]> b ]] > c", "]]>]]>", "\u{FFFE}a\u{FFFF} \u{1}]]\u{C}>b", "ﻇ ] \u{FEFF}é，", "]\u{0}]>", "plain\n\ttext",
  ])
  func markupStaysInItsSection(_ text: String) {
    var xml = XMLText()
    xml.markup("a", text)
    let wanted = text.unicodeScalars.filter {
      $0.value >= 0x20 && $0.value != 0xFFFE && $0.value != 0xFFFF || $0 == "\n" || $0 == "\t"
    }
    let (reader, parser) = (SectionReader(), XMLParser(data: Data(xml.bytes)))
    parser.delegate = reader
    #expect(parser.parse() && reader.text == String(String.UnicodeScalarView(wanted)))
  }

  /// A change of an item does not reach others that share its card and feed.
  @Test func changedItemsLeaveOthersAsTheyAre() {
    let shared = Samples.item(1)
    var (changed, same) = (shared, shared)
    changed.card.title = "Other"
    changed.feed.title = "Other"
    same.card.title = shared.card.title
    #expect(shared.card.title == "Post 1" && shared.feed.title == "Feed" && same == shared && changed != shared)
    var sharer = CardItem(card: shared.$card, sortDate: nil, page: shared.page, feed: shared.$feed)
    sharer.card.tags = ["a"]
    #expect(shared.card.tags.isEmpty && sharer.card.title == "Post 1")
  }

  /// What the page of a post shows beside its body is in its feeds too.
  @Test func feedsHavePicturesBesideBody() {
    var pictured = entry(1, "<p>Hello</p>")
    pictured.item.card.thumbnail = Post.Thumbnail(url: "https://p.example/lead.jpg", alternative: "The <lead>")
    pictured.details.pictures = [Post.Picture(url: "https://p.example/2.jpg", caption: "Two", width: nil, height: nil)]
    var bare = entry(2, "")
    bare.details.pictures = [Post.Picture(url: "https://p.example/3.jpg", caption: "", width: nil, height: nil)]
    for file in site.feeds(of: .all, entries: [pictured, bare]) {
      for picture in ["lead", "2", "3"] { #expect(file.text.contains("p.example/\(picture).jpg"), "\(file.path)") }
      #expect(!file.text.contains("<lead>"), "\(file.path)")
    }
  }

  @Test func mailsHavePicturesBesideBody() {
    var view = Samples.view(Samples.item(1) { $0.thumbnail = Post.Thumbnail(url: "https://p.example/lead.jpg") })
    view.details.pictures = [Post.Picture(url: "https://p.example/2.jpg", caption: "Two", width: nil, height: nil)]
    for form in MailDigest.Form.allCases {
      var digest = MailDigest(site, form, name: "", isWhole: true)
      let text = String(decoding: digest.post(view), as: UTF8.self)
      #expect(text.contains("https://p.example/lead.jpg") && text.contains("https://p.example/2.jpg"), "\(form)")
    }
  }

  /// A letter with a combining mark is another character to Swift, but not to a program that reads mail.
  @Test(arguments: ["~\u{301}! id", "From \u{301}nobody", "~x", "From x"])
  func mailCommandsAreIndented(_ line: String) {
    var digest = MailDigest(site, .text, name: "", isWhole: true)
    let text = digest.post(Samples.view(Samples.item(1), "<p>\(line)</p>"))
    let lines = text.split(separator: 0x0A)
    #expect(!lines.contains { $0.starts(with: "~".utf8) || $0.starts(with: "From ".utf8) })
    #expect(lines.contains { $0.starts(with: " ".utf8) && $0.dropFirst().starts(with: line.utf8.prefix(5)) })
  }

  /// Headings of a post stand below its own, which is not repeated, and links to its places lead to its page.
  @Test func markdownNestsPostsBelowTheirHeadings() {
    let markup = """
      <h1>post  1!</h1><p id=b>B <a href=#b>here</a></p><h1>C</h1><blockquote><h3>D</h3></blockquote>
      <img src=https://p.example/e.png alt=E><ul><li>f</ul>
      """
    var view = Samples.view(Samples.item(1) { $0.permalink = Post.Permalink(url: "https://p.example/1#top") })
    view.content = Samples.sanitized(markup)
    var digest = MailDigest(site, .markdown, name: "", isWhole: true)
    let text = String(decoding: digest.post(view), as: UTF8.self)
    let expected = """

      ## [Post 1](https://p.example/1#top)

      Feed · 14 November 2023

      B [here](https://p.example/1#top)

      ### C

      > ##### D

      [E](https://p.example/e.png)

      -   f

      &nbsp;

      -   [Read it at p.example](https://p.example/1#top)

      """
    #expect(text == expected, "\(text)")
  }

  /// Titles and names are text, whatever is in them, and only http(s) URLs become links.
  @Test func markdownOfTitlesIsEscaped() {
    let hostile = "<script>*a*\u{1B}\n# [b](javascript:c) `d` ~~e~~ | ![f](g)\u{FEFF}"
    var view = Samples.view(
      Samples.item(1) {
        ($0.title, $0.authors) = (hostile, [hostile])
        $0.permalink = Post.Permalink(url: "javascript:alert(1)")
      })
    (view.details.rights, view.content) = (hostile, Samples.sanitized("<p>From me<pre>~! x\nFrom you</pre>"))
    for isWhole in [true, false] {
      var digest = MailDigest(site, .markdown, name: hostile, isWhole: isWhole)
      let text = String(decoding: digest.beginning(posts: 1) + digest.post(view), as: UTF8.self)
      #expect(
        !text.contains("<") && !text.replacing("\\]", with: "").contains("](") && !text.contains("\u{1B}"), "\(text)")
      #expect(!text.contains("*a*") && !text.contains("\n# [b") && !text.contains(" `d`") && !text.contains("~~"))
      #expect(!text.split(separator: "\n").contains { $0.hasPrefix("~") || $0.hasPrefix("From ") }, "\(text)")
    }
  }

  /// No line of a mail means something to mail programs, in HTML neither.
  @Test func linesOfMailsAreNoCommands() {
    let html = Samples.sanitized("<p title='a\n~!x'>one\n~!touch x<pre>\n\nFrom you\n~! x</pre>")
    var view = Samples.view(Samples.item(1))
    (view.content, view.body) = (html, PageBody(html, isOffline: true))
    for form in [MailDigest.Form.html, .text, .markdown] {
      for isWhole in [true, false] {
        var digest = MailDigest(site, form, name: "D", isWhole: isWhole)
        let text = String(decoding: digest.beginning(posts: 1) + digest.post(view), as: UTF8.self)
        #expect(!text.split(separator: "\n").contains { $0.hasPrefix("~") || $0.hasPrefix("From ") }, "\(text)")
        #expect(!isWhole || text.contains("touch x"))
      }
    }
  }

  /// Feed readers recognize a post by its id, whatever else changes.
  @Test func entryIDsAreStable() {
    func ids(_ files: [SiteFile]) -> [Substring] {
      files[0].text.split(separator: "<id>").dropFirst().map { $0.prefix { $0 != "<" } }
    }
    let before = ids(site.feeds(of: .all, entries: [entry(2), entry(1)]))
    var changed = entry(2, "<p>Other</p>")
    changed.item.card.title = "Other"
    changed.item.card.updated = 1_800_000_000
    let after = ids(Samples.site { $0.title = "U" }.feeds(of: .all, entries: [entry(3), changed, entry(1)]))
    #expect(after[0] == before[0] && Array(after[2...]) == Array(before[1...]) && Set(after).count == 4)
    #expect(before[1] == "urn:uuid:700458f7-1fa5-820a-a866-9abd3ec24a75")
  }

  @Test func duplicateEntryAppearsOnceInFeed() {
    let twice = site.feeds(of: .all, entries: [entry(2), entry(2), entry(1)])
    #expect(twice == site.feeds(of: .all, entries: [entry(2), entry(1)]))
  }

  @Test func foreignTextIsEscapedInFeeds() throws {
    let markup = "<img src=x onerror=alert(1)> AT&T &lt;b&gt; 1 < 2"
    var entry = entry(1)
    entry.item.card.title = markup
    entry.item.card.excerpt = markup
    entry.item.card.tags = [markup]
    entry.item.card.authors = [markup]
    entry.item.feed.title = markup
    entry.item.feed.subtitle = markup
    let lists: [PostList] = [.all, .feed(entry.item.feed), .tag(slug: "t", name: markup)]
    let files = lists.flatMap { site.feeds(of: $0, entries: [entry]) } + [site.opml(feeds: [entry.item.feed])]
    for file in files where file.path.text.hasSuffix("rss.xml") || file.path.text.hasSuffix(".opml") {
      // Escaped once for XML, `<img` would be a tag to who reads HTML there.
      for part in file.text.components(separatedBy: "&lt;img").dropLast() {
        #expect(part.hasSuffix("title=\""), "\(file.path)")
      }
      #expect(file.text.contains("&amp;lt;img src=x"), "\(file.path)")
    }
    #expect(files[1].text.contains("AT&amp;T &amp;amp;lt;b&amp;amp;gt; 1 &lt; 2"))
  }

  @Test func feedDeclaresLanguageOfItsList() throws {
    let words = try #require(Site.Words.shipped("fr"))
    let site = Samples.site(words: words)
    var feed = Samples.feed
    let files = site.feeds(of: .all, entries: [entry(1)])
    #expect(files[0].text.contains("xml:lang=\"fr\""))
    #expect(files[1].text.contains("<language>fr</language>"))
    #expect(files[2].text.contains("\"language\":\"fr\""))
    #expect(!site.feeds(of: .feed(feed), entries: [])[0].text.contains("xml:lang"))
    feed.language = "ja"
    #expect(site.feeds(of: .feed(feed), entries: [])[0].text.contains("xml:lang=\"ja\""))
  }

  @Test func opmlListsFeedAddresses() {
    var known = Samples.feed("b")
    known.address = "https://b.example/feed"
    let text = site.opml(feeds: [Samples.feed("é"), known]).text
    #expect(text.contains("xmlUrl=\"https://t.example/feeds/%C3%A9.atom.xml\""))
    #expect(text.contains("xmlUrl=\"https://b.example/feed\""))
  }

  @Test func sitemapIsSplitIntoParts() throws {
    let items = [Samples.item(2) { $0.updated = 1_800_000_000 }, Samples.item(1)]
    let part = try #require(site.sitemapPart(number: 3, items: items))
    #expect(part.path.text == "sitemap/3.xml")
    #expect(part.text.contains("<loc>https://t.example/posts/a/2.html</loc>\n<lastmod>2027-01-15T08:00:00Z</lastmod>"))
    let index = try #require(site.sitemapIndex(partCount: 3))
    #expect(index.path.text == "sitemap.xml" && !index.text.contains("lastmod"))
    for name in ["lists", "1", "2", "3"] { #expect(index.text.contains("https://t.example/sitemap/\(name).xml")) }
    let lists = try #require(site.sitemapLists([PostList.all.path, PostList.tag(slug: "雨", name: "雨").path]))
    #expect(lists.text.contains("https://t.example/tags/%E9%9B%A8.html"))
    let many = Array(repeating: PostList.all.path, count: Site.sitemapLists + 1)
    #expect(site.sitemapLists(many) == site.sitemapLists(many.dropLast()))
    let nowhere = Samples.site()
    #expect(nowhere.sitemapIndex(partCount: 1) == nil && nowhere.sitemapPart(number: 1, items: items) == nil)
    #expect(nowhere.sitemapLists([]) == nil)
  }

  @Test func searchDataIsSplitIntoParts() throws {
    let part = site.searchPart(number: 2, items: [Samples.item(1) { $0.tags = ["T"] }, Samples.item(2)])
    #expect(part.path.text == "search/2.json" && Site.wrote(Array(part.bytes.prefix(2048))))
    let object = try #require(try JSONSerialization.jsonObject(with: Data(part.bytes)) as? [String: Any])
    let posts = try #require(object["posts"] as? [[String: Any]])
    #expect(posts.map { $0["url"] as? String } == ["posts/a/1.html", "posts/a/2.html"])
    #expect(posts[0]["tags"] as? [String] == ["T"] && posts[0]["feed"] as? String == "Feed")
    let index = site.searchIndex(partCount: 2)
    #expect(index.text == "{\"generator\":\"Tamis\",\"parts\":[\"search/1.json\",\"search/2.json\"]}\n")
  }

  @Test func serverFilesContainContentSecurityPolicy() {
    let files = site.serverHeaders()
    #expect(files.map(\.path.text) == ["_headers", "server/nginx.conf", "server/Caddyfile"])
    for file in files {
      #expect(file.text.hasPrefix("# Written by Tamis") && file.text.contains("style-src 'self'; "), "\(file.path)")
      #expect(!file.text.contains("file:") && !file.text.contains("sha256"), "\(file.path)")
    }
  }
}
