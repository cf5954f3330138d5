import Foundation
import TamisCore
import TamisRules
import TamisSanitizer
import TamisSite
import TestSupport
import Testing

/// What is written, left alone and removed.
@Suite struct PublishTests {
  let folder: TemporaryFolder
  var root: String { folder.path + "/site" }

  init() throws { folder = try Fixtures.temporaryFolder() }

  @Test func pagesThatAreFullNeverChange() throws {
    try publish(1...130)
    let names = ["page/1.html", "page/2.html", "feeds/a.1.html", "feeds/a.2.html", "tags/t.1.html"]
    let before = try names.map(read)
    // New ones, and one that is older than all.
    try publish(1...190, old: true)
    for (name, page) in zip(names, before) { #expect(try page == read(name), "\(name)") }
    #expect(try read("page/4.html").contains(">Post 190<"))
    #expect(try read("index.html").contains(">Post 190<"))
  }

  @Test func whatIsForeignIsLeftAlone() throws {
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    try write("mine", "atom.xml")
    try write("mine too", "notes.txt")
    let error = #expect(throws: SiteError.self) { try publish(1...2) }
    #expect(error?.description.contains("atom.xml: this file was not written by tamis") == true)
    #expect(try read("atom.xml") == "mine")
    try FileManager.default.removeItem(atPath: root + "/atom.xml")
    try publish(1...2)
    #expect(try read("notes.txt") == "mine too")
  }

  @Test func whatIsNoFileIsNotWrittenOver() throws {
    let page = root + "/posts/a/1.html"
    try FileManager.default.createDirectory(atPath: page, withIntermediateDirectories: true)
    let folder = #expect(throws: SiteError.self) { try publish(1...2) }
    #expect(folder?.description.contains("1.html: what has this name is no file that can be read") == true)
    try FileManager.default.removeItem(atPath: page)
    #expect(mkfifo(page, 0o644) == 0)
    // Nobody writes into it: who opens it to read would wait for ever.
    #expect(throws: SiteError.self) { try publish(1...2) }
  }

  @Test func whatIsInThePlaceOfAnOwnFileIsWrittenOverAndSaid() throws {
    try publish(1...2)
    let page = root + "/posts/a/1.html"
    try FileManager.default.removeItem(atPath: page)
    #expect(mkfifo(page, 0o644) == 0)
    let summary = try site().publish([feed([sitePost(1), sitePost(2)])])
    #expect(summary.notes == ["posts/a/1.html: somebody has changed this file; it is written anew"])
    #expect(try read("posts/a/1.html").contains("Post 1"))
  }

  @Test func aManifestThatCannotBeReadStopsTheBuildAtOnce() throws {
    try publish(1...2)
    let before = try contents()
    try FileManager.default.moveItem(atPath: root + "/tamis.json", toPath: folder.path + "/kept.json")
    try FileManager.default.createDirectory(atPath: root + "/tamis.json", withIntermediateDirectories: true)
    let error = #expect(throws: SiteError.self) { try publish(3...4) }
    #expect(error?.description.contains("tamis.json: this manifest cannot be read") == true)
    #expect(try contents() == before.filter { $0.key != "tamis.json" })
  }

  @Test func aTrialRunSaysTheSameEachTime() throws {
    try publish(1...9)
    var options = Site.Options(title: "T")
    options.isDryRun = true
    let moved = (1...9).map { SitePost(post: post($0), path: "posts/a/new\($0).html", memo: "m\($0)") }
    let summary = try Site(path: root, options: options).publish([feed(moved)])
    let old = summary.changes.filter { $0.hasPrefix("write posts/a/") && !$0.contains("new") }
    #expect(old == (1...9).map { "write posts/a/\($0).html" })
  }

  @Test func aTemplateHasTheFieldsOfAFeed() throws {
    let theme = folder.path + "/theme"
    try FileManager.default.createDirectory(atPath: theme, withIntermediateDirectories: true)
    let template =
      "[{{post.fields.dz_votes}}|{{#post}}{{fields.b.c}}{{/post}}|{{post.fields.größe}}|"
      + "{{#post.fields}}{{title}}{{lang}}{{/post.fields}}]"
    try Data(template.utf8)
      .write(to: URL(filePath: theme + "/foot.mustache"))
    var options = Site.Options(title: "T")
    options.theme = try Theme(folder: theme)
    var post = post(1)
    post.fields = ["dz_votes": "<7>", "b.c": "x & y", "title": "its own", "größe": "10"]
    _ = try Site(path: root, options: options).publish([feed([SitePost(post: post, path: "posts/a/1.html")])])
    #expect(try read("posts/a/1.html").contains("[&lt;7&gt;|x &amp; y|10|its ownen]"))
  }

  @Test func staleFilesGoUnlessSomebodyChangedThem() throws {
    try publish(1...3)
    try write(read("tags/t.html") + "<!-- mine -->", "tags/t.html")
    try publish(1...3, tags: ["other"])
    #expect(try read("tags/t.html").hasSuffix("<!-- mine -->"))
    #expect(throws: (any Error).self) { try read("tags/t.atom.xml") }
    #expect(try read("tags/other.html").contains("Post 1"))
  }

  @Test func aPostThatMovedLeadsOn() throws {
    try publish(1...2)
    let moved = SitePost(post: post(1), path: "posts/a/new.html", memo: "m1")
    let other = SitePost(post: post(2), path: "posts/a/2.html", memo: "m2")
    _ = try site().publish([feed([moved, other])], hiding: [])
    // It is listed once, under its new address.
    #expect(try read("posts/a/1.html").contains(#"content="0; url=../../posts/a/new.html""#))
    #expect(try !read("feeds/a.html").contains("posts/a/1.html"))
    _ = try site().publish([feed([moved, other])])
    #expect(try read("posts/a/1.html").contains("url=../../posts/a/new.html"))
  }

  /// What the index has no name for, or one for several, has not moved because something else came.
  @Test(arguments: ["", "...", "..g", "a.b.c."])
  func aPostThatLeftHasNotMovedBecauseAnotherCame(_ memo: String) throws {
    let posts = (1...4).map { SitePost(post: post($0), path: "posts/a/\($0).html", memo: memo) }
    _ = try site().publish([feed(Array(posts[...1]))])
    _ = try site().publish([feed(Array(posts[2...]))])
    let list = try read("feeds/a.html")
    for number in 1...4 {
      #expect(list.contains("posts/a/\(number).html"))
      #expect(try read("posts/a/\(number).html").contains("Text \(number)"))
    }
  }

  @Test(arguments: [true, false])
  func aPostThatIsKnownByItsNameHasNotMoved(_ isKnown: Bool) throws {
    let posts = (1...2).map { SitePost(post: post($0), path: "posts/a/\($0).html", memo: "m") }
    _ = try site().publish([feed([posts[0]])])
    _ = try site().publish([feed([posts[1]])], standing: { isKnown && $0 == "a.xml" && $1 == "posts/a/1.html" })
    #expect(try read("feeds/a.html").contains("posts/a/1.html") == isKnown)
    #expect(try read("posts/a/1.html").contains("Text 1") == isKnown)
  }

  /// The page of a post stays for a copy when its feed goes; the post may come back to the feed of the copy.
  @Test func aPageThatACopyHasInheritedStaysWhenThePostComesBack() throws {
    func copy(_ isFolded: Bool) -> SitePost {
      SitePost(
        post: post(1), path: "posts/b/1.html", foldedInto: isFolded ? "posts/a/1.html" : nil, memo: "c1")
    }
    let other = SitePost(post: post(2), path: "posts/b/2.html", memo: "c2")
    let own = SitePost(post: post(1), path: "posts/a/1.html", memo: "m1")
    _ = try site().publish([feed([own]), feed([copy(true), other], key: "b.xml")])
    _ = try site().publish([feed([own]), feed([other], key: "b.xml")])
    _ = try site().publish([feed([other], key: "b.xml")], removing: ["a.xml"])
    #expect(try read("index.html").contains(">Post 1<"))
    _ = try site().publish([feed([copy(true), other], key: "b.xml")])
    #expect(try read("index.html").contains(">Post 1<"))
    #expect(try read("posts/a/1.html").contains("Text 1"))
    try expectNoDeadLinks()
  }

  @Test func aTrialRunWritesNothing() throws {
    try publish(1...2)
    let before = try contents()
    var options = Site.Options(title: "T")
    options.isDryRun = true
    let summary = try Site(path: root, options: options).publish([feed((1...3).map(sitePost))])
    #expect(summary.changes.contains("write posts/a/3.html") && summary.written > 0)
    #expect(try contents() == before)
    let nowhere = folder.path + "/nowhere"
    _ = try Site(path: nowhere, options: options).publish([feed([sitePost(1)])])
    #expect(!FileManager.default.fileExists(atPath: nowhere))
  }

  @Test func oneRunAtATimeBuildsASite() throws {
    let first = try site()
    #expect(throws: SiteError.self) { try Site(path: root, options: .init(title: "T"), patience: 0) }
    _ = try first.publish([])
  }

  @Test func whatARunThatWasKilledLeftIsTakenOver() throws {
    try publish(1...2)
    let page = try read("posts/a/1.html")
    try FileManager.default.removeItem(atPath: root + "/tamis.json")
    try write(page.replacing("Post 1", with: "Half a post"), "posts/a/1.html")
    try publish(1...2)
    #expect(try read("posts/a/1.html") == page)
  }

  @Test func aPostThatMovesTwiceIsFoundUnderItsFirstName() throws {
    for name in ["one", "two", "three"] {
      _ = try site().publish([feed([SitePost(post: post(1), path: "posts/a/\(name).html", memo: "m1")])])
    }
    #expect(try read("posts/a/one.html").contains("url=../../posts/a/three.html"))
    #expect(try read("posts/a/two.html").contains("url=../../posts/a/three.html"))
  }

  @Test func whatStandsForPostsOfOtherFeedsStaysWithoutItsFeed() throws {
    let copy = SitePost(post: post(1), path: "posts/b/1.html", foldedInto: "posts/a/1.html", memo: "c1")
    _ = try site().publish([feed([sitePost(1), sitePost(2)]), feed([copy], key: "b.xml")])
    _ = try site().publish([feed([], key: "b.xml")], removing: ["a.xml"])
    #expect(try read("posts/a/1.html").contains("Text 1"))
    #expect(try read("feeds/b.html").contains("../posts/a/1.html"))
    #expect((try? read("posts/a/2.html"))?.contains("Text 2") != true)
    try expectNoDeadLinks()
  }

  @Test func pagesThatStayLeadNowhereDead() throws {
    try publish(1...3)
    // The first leaves its feed, the one after it is forgotten.
    _ = try site().publish([feed([sitePost(3)])], hiding: ["posts/a/2.html"])
    #expect(try read("posts/a/1.html").contains("2.html"))
    #expect(try read("posts/a/2.html").contains("This page is gone"))
    try expectNoDeadLinks()
    var options = Site.Options(title: "T")
    options.isDryRun = true
    let again = try Site(path: root, options: options).publish([feed([sitePost(3)])], hiding: ["posts/a/2.html"])
    #expect(again.changes == [])
  }

  @Test func aPostMayBeChangedWithoutEverBeingPublished() throws {
    var post = post(1)
    (post.published, post.updated) = (nil, 1_700_000_000)
    _ = try site().publish([feed([SitePost(post: post, path: "posts/a/1.html")])])
    #expect(try read("updated.html").contains("Post 1"))
  }

  @Test func aPageThatIsLostIsListedNoMore() throws {
    try publish(1...3)
    _ = try site().publish([feed([sitePost(3)])])
    try FileManager.default.removeItem(atPath: root + "/posts/a/1.html")
    let summary = try site().publish([feed([sitePost(3)])])
    #expect(summary.notes.contains { $0.hasPrefix("posts/a/1.html: this page is gone") })
    #expect(try !read("feeds/a.html").contains("posts/a/1.html"))
  }

  @Test func whatSomebodyHasChangedIsSaid() throws {
    try publish(1...2)
    try write(read("about.html") + "mine", "about.html")
    let summary = try site().publish([feed([sitePost(2), sitePost(1)])])
    #expect(summary.notes == ["about.html: somebody has changed this file; it is written anew"])
  }

  @Test(arguments: [
    #""order":9223372036854775807"#, #""place":-9223372036854775808"#, #""published":9223372036854775807,"updated":5"#,
    #""original":"javascript:alert(1)""#, #""path":"../../x.html""#, #""readingMinutes":-1"#,
  ])
  func aManifestThatSomebodyHasChangedDoesNoHarm(_ member: String) throws {
    try publish(1...2)
    let manifest = try read("tamis.json")
    let name = try #require(member.split(separator: ":").first)
    let changed = manifest.split(separator: "\n").map(String.init).map { line in
      guard line.contains(#""title":"Post 1""#) else { return line }
      return line.replacing("\(name):", with: "\"x\":").replacing(#""title":"#, with: member + #","title":"#)
    }
    try write(changed.joined(separator: "\n"), "tamis.json")
    _ = try site().publish([feed([sitePost(2)], key: "b.xml")])
    #expect(try !read("index.html").contains("javascript:"))
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/x.html"))
  }

  @Test func tagsAreToldApartByTheirSigns() throws {
    let tags = [
      "C", "C++", "C#", "net", ".NET", "Web Dev", "web-dev", "😀", String(repeating: "x", count: 70) + "1",
      String(repeating: "x", count: 70) + "2",
    ]
    var post = post(1)
    post.categories = tags
    _ = try site().publish([feed([SitePost(post: post, path: "posts/a/1.html")])])
    let pages = try FileManager.default.contentsOfDirectory(atPath: root + "/tags").filter { $0.hasSuffix(".html") }
    #expect(pages.count == tags.count - 1, "\(pages)")
    try expectNoDeadLinks()
  }

  @Test func anOfflineSiteAsksNobody() throws {
    var options = Site.Options(title: "T")
    options.isOffline = true
    var post = post(1)
    post.thumbnail = Thumbnail(
      url: "https://a.example/x.png", alternative: "", width: nil, height: nil, source: "", reason: "", isInBody: false)
    _ = try Site(path: root, options: options).publish([feed([SitePost(post: post, path: "posts/a/1.html")])])
    for name in ["index.html", "posts/a/1.html", "feeds/a.html"] {
      #expect(try !read(name).contains("https://a.example/x.png"), "\(name)")
      #expect(try read(name).contains("img-src data:; style-src"))
    }
  }

  @Test(arguments: [
    "CON", "..", "a/b", "\u{202E}evil", "😀😀", String(repeating: "x", count: 10_000), "</h1><script>", "\u{301}",
  ])
  func anyTitleAndTagWillDo(_ text: String) throws {
    var post = post(1)
    post.title = text
    post.categories = [text, text + "!"]
    _ = try site().publish([
      feed([SitePost(post: post, path: Site.path(ofPage: Site.name(of: post), inFeed: FeedKey(text)))])
    ])
    #expect(try !contents().isEmpty)
    #expect(try !read("index.html").contains("<script"))
  }

  // MARK: - Helpers

  func site() throws -> Site { try Site(path: root, options: .init(title: "T")) }

  func publish(_ numbers: ClosedRange<Int>, old: Bool = false, tags: [String] = ["t"]) throws {
    var posts = numbers.reversed().map { number in
      var post = sitePost(number)
      post.post.categories = tags
      return post
    }
    if old { posts.append(SitePost(post: post(0), path: "posts/a/0.html", memo: "m0")) }
    _ = try site().publish([feed(posts)])
  }

  func sitePost(_ number: Int) -> SitePost {
    SitePost(post: post(number), path: "posts/a/\(number).html", memo: "m\(number)")
  }

  /// Every link in a page of the site leads to a file of it.
  func expectNoDeadLinks() throws {
    let files = try contents()
    for (name, page) in files where name.hasSuffix(".html") && name != "404.html" {
      for link in String(decoding: page, as: UTF8.self).split(separator: "href=\"").dropFirst() {
        let target = link.prefix { $0 != "\"" && $0 != "#" }
        if target.isEmpty || target.contains(":") { continue }
        let path = URL(filePath: "/" + name).deletingLastPathComponent().appending(path: String(target)).standardized
          .path
        #expect(files[String(path.dropFirst())] != nil, "\(name): \(target)")
      }
    }
  }

  func feed(_ posts: [SitePost], key: FeedKey = "a.xml") -> SiteFeed {
    SiteFeed(key: key, title: "A", subtitle: "", link: nil, image: nil, language: "en", posts: posts)
  }

  func post(_ number: Int) -> Post {
    Post(
      title: "Post \(number)", excerpt: "", content: Sanitizer(policy: .reading).sanitize("<p>Text \(number)</p>").html,
      permalink: nil, links: [], thumbnail: nil, enclosures: [], authors: [], categories: [],
      published: 1_700_000_000 + Int64(number) * 3600, updated: nil, comments: nil, language: "en",
      direction: .leftToRight, readingMinutes: 1, id: nil, fields: [:], location: SourceLocation(file: "a.xml"))
  }

  func read(_ name: String) throws -> String { try String(contentsOfFile: "\(root)/\(name)", encoding: .utf8) }

  func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(root)/\(name)"))
  }

  func contents() throws -> [String: Data] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: root)
    return Dictionary(
      names.compactMap { name in FileManager.default.contents(atPath: "\(root)/\(name)").map { (name, $0) } },
      uniquingKeysWith: { first, _ in first })
  }
}
