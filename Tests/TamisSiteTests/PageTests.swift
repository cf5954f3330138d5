import Foundation
import TamisCore
import TamisSite
import TestSupport
import Testing

/// Pages of posts, and what holds for every page.
@Suite struct PageTests {
  @Test func everyValueIsEscaped() {
    // A quotation mark with a combining accent is one character to Swift and another one to a browser.
    let evil = "\"\u{301} onmouseover=\"alert(1)\" <\u{301}script>&'"
    var item = Samples.item(1) { card in
      card.title = evil
      card.excerpt = evil
      card.authors = [evil]
      card.tags = [evil]
      card.language = evil
      card.thumbnail = Post.Thumbnail(url: "https://a.example/\(evil)", alternative: evil, width: 1, height: 1)
      card.permalink = Post.Permalink(url: "https://a.example/\(evil)")
    }
    item.feed.title = evil
    item.feed.subtitle = evil
    item.feed.link = "https://a.example/\(evil)"
    item.feed.image = "https://a.example/\(evil)"
    item.feed.face = "https://a.example/\(evil)"
    item.feed.language = evil
    item.feed.rights = evil
    item.feed.status.failure = evil
    item.feed.status.problems = [evil]
    item.feed.status.removals = [FeedStatus.Removals(rule: evil, count: 1)]
    var view = Samples.view(item)
    view.details.removals = [FeedStatus.Removals(rule: evil, count: 1, examples: [evil])]
    view.details.enclosures = [
      Post.File(url: "https://a.example/\(evil)", type: evil, length: 1 << 20, title: evil)
    ]
    let link = "https://a.example/\(evil)"
    view.details.chapters = [Feed.Chapter(start: evil, seconds: nil, title: evil, link: link, image: nil)]
    view.details.comments = "https://a.example/\(evil)"
    view.details.rights = evil
    view.copies = [PostView.Copy(item: item)]
    view.neighbours.newer = Neighbour(title: evil, page: item.page)
    for file in Samples.pages(Samples.site { $0.title = evil }, item, view) {
      #expect(!file.text.contains("<\u{301}script"), "\(file.path)")
      let scalars = file.text.unicodeScalars.map(String.init).joined(separator: "|")
      #expect(!scalars.contains("\"|\u{301}| |o|n"), "\(file.path)")
      #expect(file.text.contains("&quot;\u{301} onmouseover=&quot;alert(1)&quot;"), "\(file.path)")
    }
  }

  @Test func sanitizedMarkupIsInsertedUnescaped() {
    let page = Samples.site().postPage(Samples.view(Samples.item(1), "<h1>A</h1><p onclick=x>Hello <em>you</em></p>"))
    #expect(page.path == Samples.page(1))
    #expect(page.text.contains("<h2>A</h2><p>Hello <em>you</em></p>"))
  }

  /// The headings of a post itself are its contents, from the fourth on; those in quotations and tables are not.
  @Test(arguments: [
    ("<h2>A</h2><h2>B</h2><h2>C</h2>", []),
    (
      "<h2>A &amp; <math><mi>x</mi><annotation>y</annotation></math></h2><h3 id=b>B</h3><h4>deep</h4><h2> </h2><h2>C</h2>",
      [
        ##"<li><a href="#section-1" dir="auto">A &amp; x</a></li>"##,
        ##"<li class="deep"><a href="#post-b" dir="auto">B</a></li>"##,
        ##"<li><a href="#section-3" dir="auto">C</a></li>"##,
      ]
    ),
    ("<h2>A</h2><blockquote><h2>B</h2></blockquote><h2>C</h2><table><tr><td><h2>D</h2></table>", []),
    (String(repeating: "<h2>A</h2>", count: 101), []),
  ])
  func postPageListsItsSections(_ body: String, _ items: [String]) {
    let page = Samples.site().postPage(Samples.view(Samples.item(1), body)).text
    let shown = page.split(separator: "\n").filter { $0.hasPrefix("<li") && $0.contains("#") }.map(String.init)
    #expect(shown == items)
    #expect(page.contains("<details class=\"contents\">") == !items.isEmpty)
    for id in items.compactMap({ $0.split(separator: "\"").first { $0.hasPrefix("#") }?.dropFirst() }) {
      #expect(page.contains("id=\"\(id)\""), "\(id)")
    }
  }

  /// A mark of a note opens it: the note stands a second time without ids, links back and what it shows besides text.
  @Test func postPageHasNotesAtTheirMarks() {
    let page = Samples.site().postPage(
      Samples.view(
        Samples.item(1),
        """
        <p>One<sup><a href="#n1" id="r1">1</a></sup>, two<a href="#n2" id="r2">[2]</a>, one<a href="#n1" id="r3">1</a>.</p>\
        <ol><li id="n1"><p id="p">First <b>note</b>. <a href="#r1">↩</a><a href="#r3">↩</a></p></li>\
        <li id="n2">Second <img src="https://a.example/p.png" alt="p"> <a href="#r2">↩</a></li></ol>\
        <p><a href="#n1">to the first note</a></p>
        """)
    ).text
    let button = "<button type=\"button\" hidden popovertarget=\"popover-1\">1</button></span>"
    #expect(
      page.contains(
        "<span class=\"noteref\" id=\"post-r1\"><a href=\"#post-n1\">1</a>\(button)</sup>, two"
          + "<a href=\"#post-n2\" id=\"post-r2\">[2]</a>, one"
          + "<span class=\"noteref\" id=\"post-r3\"><a href=\"#post-n1\">1</a>\(button).</p>"))
    #expect(
      page.contains(
        "<div class=\"note\" id=\"popover-1\" popover hidden><a href=\"#post-n1\">1</a> <p>First <b>note</b>. </p></div>"
      ))
    #expect(page.components(separatedBy: "popover hidden").count == 2)
  }

  @Test(arguments: [
    "<p>no notes <a href=\"#x\">x</a></p><h2 id=x>X</h2>",
    "<p>a<a href=\"#n\" id=r>1</a></p><p id=n>\(String(repeating: "word ", count: 3000)) <a href=\"#r\">↩</a></p>",
  ])
  func postPageHasNoNoteAtAMark(_ body: String) {
    #expect(!Samples.site().postPage(Samples.view(Samples.item(1), body)).text.contains("popover"))
  }

  @Test func pagesForbidScriptsAndInlineStyles() {
    let site = Samples.site()
    let sheet = site.styleSheet().path.text
    #expect(sheet.wholeMatch(of: /style-[0-9a-f]{8}\.css/) != nil)
    for file in Samples.pages(site, Samples.item(1), Samples.view(Samples.item(1))) {
      #expect(
        file.text.contains("Content-Security-Policy\" content=\"default-src &#39;none&#39;;"), "\(file.path)")
      #expect(file.text.contains("style-src &#39;self&#39; file:;"), "\(file.path)")
      let lower = file.text.lowercased()
      #expect(!lower.contains("<script") && !lower.contains("<style") && !lower.contains(" style="), "\(file.path)")
      let root = file.path.text == "404.html" ? "/" : file.path.root
      #expect(file.text.contains("<link rel=\"stylesheet\" href=\"\(root)\(sheet)\">"), "\(file.path)")
      #expect(Site.wrote(Array(file.bytes.prefix(2048))), "\(file.path)")
    }
  }

  @Test func styleSheetNameDependsOnItsContent() throws {
    let names = try Site.Theme.names.map { name in
      let theme = try #require(Site.Theme.shipped(name))
      let file = Samples.site(theme: theme).styleSheet()
      #expect(Site.wrote(Array(file.bytes.prefix(2048))))
      return file.path
    }
    #expect(Set(names).count == Site.Theme.names.count)
  }

  @Test func postPageIsSmall() {
    let page = Samples.site().postPage(Samples.view(Samples.item(1)))
    #expect(page.bytes.count < 8192)
  }

  /// An attribute that is missing would give the post the language of the page.
  @Test func unknownLanguageIsEmpty() {
    let site = Samples.site()
    for language in [nil, "he"] as [String?] {
      let item = Samples.item(1) { $0.language = language }
      let pages = [
        site.postPage(Samples.view(item)), site.numberedPage(.feed(item.feed), number: 1, items: [item], pageCount: 2),
      ]
      for page in pages { #expect(page.text.contains(" lang=\"\(language ?? "")\""), "\(page.path)") }
    }
  }

  @Test func contactSheetEmbedsItsStyles() {
    let item = ContactSheet.Item(title: "<A>", location: "a.xml:1", permalink: nil, thumbnail: nil, others: [])
    let page = String(decoding: ContactSheet([item]).page(), as: UTF8.self)
    #expect(page.contains("style-src &#39;sha256-") && page.contains("<style>") && page.contains("--paper"))
    #expect(page.contains("&lt;A&gt;") && !page.contains("rel=\"stylesheet\""))
  }

  @Test func nonWebURLsAreNotLinked() {
    let evil = "javascript:alert(1)"
    var item = Samples.item(1) { card in
      card.permalink = Post.Permalink(url: evil)
      card.thumbnail = Post.Thumbnail(url: evil)
    }
    item.feed.link = evil
    (item.feed.image, item.feed.face) = (evil, evil)
    item.feed.address = evil
    var view = Samples.view(item)
    view.details.enclosures = [Post.File(url: evil, type: "audio/mpeg", length: nil)]
    view.details.chapters = [Feed.Chapter(start: "", seconds: 1, title: "A", link: evil, image: nil)]
    view.details.comments = evil
    view.copies = [PostView.Copy(item: item)]
    let site = Samples.site { $0.link = "https://t.example/" }
    let entry = OutputEntry(item: item, content: nil, details: view.details)
    let files =
      Samples.pages(site, item, view) + site.feeds(of: .all, entries: [entry]) + [site.opml(feeds: [item.feed])]
    for file in files { #expect(!file.text.contains("\"javascript:"), "\(file.path)") }
    // A page of the site is one, whatever it is called.
    item.page = PagePath("javascript:alert(1)")
    #expect(!site.updatedPage([item]).text.contains("\"javascript:"))
    item.page = PagePath("//x.example/")
    #expect(!site.updatedPage([item]).text.contains("\"//x"))
  }

  /// A file that the body plays is linked, without a second player; programs add queries to its address there.
  @Test(arguments: [
    ("<audio controls><source src='https://a.example/t.mp3?_=1'></audio>", 0),
    ("<audio controls src='https://a.example/t.mp3'></audio>", 0), ("<p>https://a.example/t.mp3</p>", 1),
    ("<a href='https://a.example/t.mp3'>x</a>", 1), ("<audio controls src='https://a.example/u.mp3'></audio>", 1),
  ])
  func fileOfBodyHasOnePlayer(_ html: String, _ players: Int) {
    var view = Samples.view(Samples.item(1))
    view.body = PageBody(Sanitizer.reading.sanitize(html).html, isOffline: false)
    view.details.enclosures = [Post.File(url: "https://a.example/t.mp3?x=2", type: "audio/mpeg", length: nil)]
    let page = Samples.site().postPage(view).text
    let inBody = html.components(separatedBy: "<audio").count - 1
    #expect(page.components(separatedBy: "<audio").count - 1 == players + inBody)
    #expect(page.contains(">t.mp3</a>"))
  }

  /// Names of files are decoded for people, but characters that break a line or hide text stay encoded.
  @Test(arguments: [
    ("My%20talk.mp3", ">My talk.mp3</a>"), ("caf%C3%A9.mp3", ">café.mp3</a>"), ("a%3Cb.mp3", ">a&lt;b.mp3</a>"),
    ("%E2%80%AEexe.mp3", ">%E2%80%AEexe.mp3</a>"), ("a%0Ab.mp3", ">a%0Ab.mp3</a>"), ("caf%E9.mp3", ">caf%E9.mp3</a>"),
    ("100%.mp3", ">100%.mp3</a>"), ("a%2.mp3", ">a%2.mp3</a>"), ("%20", ">%20</a>"),
  ])
  func enclosureNamesAreDecodedSafely(_ name: String, _ shown: String) {
    var view = Samples.view(Samples.item(1))
    view.details.enclosures = [Post.File(url: "https://a.example/\(name)", type: "audio/mpeg", length: nil)]
    let page = Samples.site().postPage(view).text
    #expect(page.contains(shown) && page.contains("href=\"https://a.example/\(name)\""), "\(page)")
  }

  /// A picture with words of its own is not reduced to a poster or cover, which have none.
  @Test(arguments: [
    ("video/mp4", "", "", "poster="), ("video/mp4", "A ferry.", "", "<figcaption dir=\"auto\">A ferry."),
    ("video/mp4", "", "A ferry", "class=\"lead\" src=\"https://a.example/x.jpg\" alt=\"A ferry\""),
    ("audio/mpeg", "", "A ferry", "class=\"pic cover\""),
    ("audio/mpeg", "A ferry.", "", "<figcaption dir=\"auto\">A ferry."),
  ])
  func pictureCaptionIsShownOnce(_ type: String, _ caption: String, _ alternative: String, _ expected: String) {
    let item = Samples.item(1) {
      $0.thumbnail = Post.Thumbnail(
        url: "https://a.example/x.jpg", alternative: alternative)
    }
    var view = Samples.view(item)
    view.details.enclosures = [Post.File(url: "https://a.example/f", type: type, length: nil)]
    view.details.thumbnailCaption = caption
    let page = Samples.site().postPage(view).text.components(separatedBy: "<body").last ?? ""
    #expect(page.contains(expected), "\(page)")
    #expect(page.components(separatedBy: "x.jpg").count == 2, "once: \(page)")
  }

  @Test func offlineSiteLoadsNothingRemote() {
    let site = Samples.site { $0.isOffline = true }
    var item = Samples.item(1) {
      $0.thumbnail = Post.Thumbnail(url: "https://a.example/x.png")
    }
    (item.feed.image, item.feed.face) = ("https://a.example/y.png", "https://a.example/y.png")
    var view = Samples.view(item, "<p><img src='https://a.example/z.png'></p>", isOffline: true)
    view.details.enclosures = [Post.File(url: "https://a.example/s.mp3", type: "audio/mpeg", length: nil)]
    for file in Samples.pages(site, item, view) {
      for mark in ["src=\"http", "y.png", "<img", "<audio"] {
        #expect(!file.text.contains(mark), "\(file.path)")
      }
      #expect(file.text.contains("img-src &#39;self&#39; file: data:; style-src"), "\(file.path)")
    }
    for name in ["s.mp3", "x.png", "z.png"] {
      #expect(site.postPage(view).text.contains("href=\"https://a.example/\(name)\""), "\(name)")
    }
  }

  @Test(arguments: [Int64.min, -62_135_596_801, 253_402_300_800, .max])
  func outOfRangeTimesRenderWithoutFailure(_ time: Int64) {
    let item = Samples.item(1) { card in
      (card.published, card.updated) = (time, time)
      card.readingMinutes = -1
    }.sorted(by: time)
    var view = Samples.view(item)
    view.details.chapters = [Feed.Chapter(start: "", seconds: .nan, title: nil, link: nil, image: nil)]
    #expect(Samples.pages(Samples.site(), item, view).allSatisfy { !$0.bytes.isEmpty })
    let entry = OutputEntry(item: item, content: nil, details: Post.Details())
    #expect(Samples.site().feeds(of: .all, entries: [entry]).count == 3)
    #expect(!Samples.site().yearPage(year: -5, months: [MonthItem(month: 13, count: 1)]).bytes.isEmpty)
  }

  @Test func postPageShowsAllFields() {
    let item = Samples.item(1) { card in
      card.tags = ["Linked", "Not linked"]
      card.authors = ["Ada", "Bob"]
      card.permalink = Post.Permalink(url: "https://www.a.example/1")
      card.readingMinutes = 7
    }
    var view = Samples.view(item)
    view.linkedTags = [Slug.ofTag("Linked")]
    view.details.comments = "https://a.example/1#comments"
    view.neighbours.newer = Neighbour(title: "Newer one", page: Samples.page(2))
    view.neighbours.olderInFeed = Neighbour(title: "Older one", page: Samples.page(0))
    var copy = Samples.item(9) { $0.permalink = Post.Permalink(url: "https://b.example/copy") }
    copy.feed = Samples.feed("b", title: "Feed B")
    let file = Post.File(url: "https://b.example/9.mp3", type: "audio/mpeg")
    view.copies = [PostView.Copy(item: copy, files: [file])]
    let text = Samples.site().postPage(view).text
    for part in [
      "href=\"../../tags/linked.html\">Linked<", ">Not linked<", "Ada, Bob", "Read it at a.example", "7 min",
      "https://a.example/1#comments", "href=\"../../posts/a/2.html\"", "Newer one", "href=\"../../posts/a/0.html\"",
      "href=\"../../feeds/b.html\"", "https://b.example/copy",
      "<a href=\"https://b.example/9.mp3\"", "href=\"../../feeds/a.html\"",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(!text.contains("tags/not-linked"))
  }

  @Test func postRightsOverrideFeedRights() {
    var item = Samples.item(1)
    item.feed.rights = "The feed's"
    var view = Samples.view(item)
    #expect(Samples.site().postPage(view).text.contains("The feed&#39;s"))
    view.details.rights = "Its own"
    #expect(Samples.site().postPage(view).text.contains("Its own"))
    #expect(!Samples.site().postPage(view).text.contains("The feed&#39;s"))
  }

  @Test func pictureInBodyIsNotRepeatedAsLead() {
    var view = Samples.view(
      Samples.item(1) {
        $0.thumbnail = Post.Thumbnail(url: "https://a.example/x.png")
      })
    #expect(Samples.site().postPage(view).text.contains("<img class=\"lead\""))
    view.item.card.thumbnail?.isInBody = true
    #expect(!Samples.site().postPage(view).text.contains("<img class=\"lead\""))
  }

  @Test func redirectPagePointsToNewPage() {
    let page = Samples.site().redirectPage(from: Samples.page(1), to: PagePath("posts/b/new.html"))
    #expect(page.path == Samples.page(1))
    #expect(page.text.contains(#"content="0; url=../../posts/b/new.html""#))
  }

  /// A server shows the page at any address, and a site may be viewed at another address than its own.
  @Test(arguments: [
    (nil, "/"), ("https://a.example/", "/"), ("https://a.example/planet/", "/planet/"), ("https://a.example", "/"),
  ])
  func missingPageLinksFromServerRoot(_ address: String?, _ root: String) {
    let site = Samples.site { $0.link = address }
    let links = Set(site.missingPage().links)
    #expect(links.isSuperset(of: ["\(root)archive.html", "\(root)\(site.styleSheet().path)"]), "\(links)")
    #expect(links.allSatisfy { $0.hasPrefix(root) })
  }

  @Test func templateAccessesCustomFields() throws {
    let folder = try Fixtures.temporaryFolder()
    let template =
      "[{{post.fields.dz_votes}}|{{#post}}{{fields.b.c}}{{/post}}|{{post.fields.größe}}|"
      + "{{#post.fields}}{{title}}{{lang}}{{/post.fields}}]"
    try Data(template.utf8).write(to: URL(filePath: folder.path + "/foot.mustache"))
    let theme = try Site.Theme(folder: folder.path)
    var view = Samples.view(Samples.item(1))
    view.details.fields = ["dz_votes": "<7>", "b.c": "x & y", "title": "its own", "größe": "10"]
    #expect(
      Samples.site(theme: theme).postPage(view).text.contains("[&lt;7&gt;|x &amp; y|10|its ownen]"))
  }

  /// A post that the front page shows in full has there what its own page has: pictures, players, files.
  @Test func postShownInFullHasItsMedia() {
    var view = Samples.view(Samples.item(1) { $0.thumbnail = Post.Thumbnail(url: "https://a.example/lead.jpg") })
    view.details.enclosures = [
      Post.File(url: "https://a.example/s.mp3", type: "audio/mpeg", length: nil),
      Post.File(url: "https://a.example/paper.pdf", type: "application/pdf", length: nil),
    ]
    view.details.pictures = [Post.Picture(url: "https://a.example/two.jpg", caption: "Two", width: nil, height: nil)]
    var front = FrontView(items: [view.item])
    let brief = Samples.site().indexPage(front).text
    front.wholes = [view.item.page: view]
    let whole = Samples.site().indexPage(front).text
    for file in ["s.mp3", "paper.pdf", "two.jpg"] {
      #expect(!brief.contains(file) && whole.contains("\"https://a.example/\(file)\""), "\(file)")
    }
    #expect(whole.contains("lead.jpg") && whole.contains("<audio") && whole.contains("<figcaption dir=\"auto\">Two<"))
    // Without a body too, but not with so many players that browsers stop.
    view.body = PageBody(.empty, isOffline: false)
    front.wholes = [view.item.page: view]
    #expect(Samples.site().indexPage(front).text.contains("<audio"))
    view.details.enclosures = (0..<1000).map {
      Post.File(url: "https://a.example/\($0).mp3", type: "audio/mpeg", length: nil)
    }
    front.wholes = [view.item.page: view]
    #expect(!Samples.site().indexPage(front).text.contains("<audio"))
  }

  @Test func faceStandsBesideFeed() {
    var item = Samples.item(1)
    item.feed.face = "https://a.example/face.png"
    for name in ["default", "newspaper", "plain"] {
      let site = Samples.site(theme: Site.Theme.shipped(name) ?? .standard)
      let front = FrontView(items: [item], feeds: [], postCount: 1, feedCount: 1, pageCount: 0)
      for file in [site.postPage(Samples.view(item)), site.indexPage(front)] {
        #expect(file.text.contains(#"<img class="pic face" src="https://a.example/face.png" alt="""#), "\(name)")
      }
    }
    let path = PagePath("pictures/aa/aa.png")
    item.feed.keptFace = KeptPicture(path: path, width: 96, height: 96)
    let page = Samples.site { $0.isOffline = true }.postPage(Samples.view(item)).text
    #expect(page.contains(#"src="../../pictures/aa/aa.png""#) && !page.contains("a.example/face.png"))
  }

  /// The page of a post lists what was removed from it only where the owner wants that.
  @Test func removalsOfPostAreListedOnItsPage() {
    var view = Samples.view(Samples.item(1))
    view.details.removals = [FeedStatus.Removals(rule: "tracking", count: 3, examples: ["img", "<a>@href"])]
    #expect(!Samples.site().postPage(view).text.contains("What was removed"))
    let page = Samples.site { $0.showsRemovals = true }.postPage(view).text
    #expect(page.contains("<summary><bdi>What was removed from this post, and why</bdi></summary>"))
    #expect(page.contains(#"<span class="count">3</span> <code dir="ltr">img, &lt;a&gt;@href</code>"#))
    view.details.removals = []
    #expect(!Samples.site { $0.showsRemovals = true }.postPage(view).text.contains("What was removed"))
  }

  @Test func fingerprintChangesWithThemeAndWords() throws {
    let plain = try #require(Site.Theme.shipped("plain"))
    let german = try #require(Site.Words.shipped("de"))
    let prints = [
      Samples.site(), Samples.site(theme: plain), Samples.site(words: german),
      Samples.site { $0.timeZone = .fixed(seconds: 3600) },
    ].map(\.fingerprint)
    #expect(Set(prints).count == prints.count)
    #expect(prints[0] == Samples.site().fingerprint)
  }

  @Test func markerIdentifiesSiteFolder() throws {
    let marker = Samples.site().marker()
    #expect(marker.path.text == Site.markerName && Site.wrote(marker.bytes) && marker.bytes.count < 500)
    #expect(marker == Samples.site().marker())
    let object = try #require(try JSONSerialization.jsonObject(with: Data(marker.bytes)) as? [String: Any])
    #expect(object["version"] as? Int == 1)
    #expect(!Site.wrote(Array("{}".utf8)))
  }
}
