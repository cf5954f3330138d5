import TamisCore
import TamisSite
import TestSupport
import Testing

/// Lists of posts and of what leads to them.
@Suite struct ListTests {
  private let site = Samples.site()
  private static let lists: [PostList] = [
    .all, .feed(Samples.feed), .tag(slug: "t", name: "t"), .month(year: 2026, month: 11),
  ]

  @Test func listPathsAreDerivedFromKind() {
    #expect(Self.lists.map(\.path.text) == ["index.html", "feeds/a.html", "tags/t.html", "months/2026-11.html"])
    #expect(
      Self.lists.map { $0.path(ofPage: 2).text } == [
        "page/2.html", "feeds/a.2.html", "tags/t.2.html", "months/2026-11.2.html",
      ])
    #expect(PostList.all.feedPaths.map(\.text) == ["atom.xml", "rss.xml", "feed.json"])
    #expect(PostList.tag(slug: "t", name: "t").feedPaths.map(\.text).first == "tags/t.atom.xml")
    #expect(PostList.month(year: 2026, month: 11).feedPaths.isEmpty)
    #expect(PostList.month(year: 33, month: 1).path.text == "months/0033-01.html")
  }

  /// The pages of a list with so many posts; `change` says what else is another.
  private func numbered(_ list: PostList, count: Int) -> [SiteFile] {
    let pageCount = (count + SiteSettings().postsPerPage - 1) / SiteSettings().postsPerPage
    return (1...pageCount).map { number in
      let first = (number - 1) * SiteSettings().postsPerPage + 1
      let last = min(number * SiteSettings().postsPerPage, count)
      return site.numberedPage(list, number: number, items: Samples.items(first...last), pageCount: pageCount)
    }
  }

  @Test(arguments: lists)
  func fullPagesDoNotChange(_ list: PostList) {
    let before = numbered(list, count: 130)
    let after = numbered(list, count: 190)
    #expect(Array(before[..<2]) == Array(after[..<2]))
    #expect(before[2] != after[2] && after.count == 4)
    #expect(after[3].text.contains(">Post 190<") && !after[2].text.contains(">Post 190<"))
    // The last page is the only one without a way to newer ones.
    #expect(after.map { $0.text.contains("rel=\"next\"") } == [true, true, true, false])
    #expect(after.map { $0.text.contains("rel=\"prev\"") } == [false, true, true, true])
  }

  @Test(arguments: lists)
  func numberedPagesLinkToNeighbours(_ list: PostList) {
    let pages = numbered(list, count: 130)
    let paths = Set(pages.map(\.path.text) + [list.path.text])
    for page in pages {
      let links = Set(page.links.map { resolve($0, page.path) })
      let number = pages.firstIndex(of: page) ?? 0
      for near in [number - 1, number + 1] where pages.indices.contains(near) {
        #expect(links.contains(pages[near].path.text))
      }
      #expect(links.contains(list.path.text))
      let beginning = list == .all ? "page/" : list.base + "."
      #expect(links.filter { $0.hasPrefix(beginning) && $0.hasSuffix(".html") }.isSubset(of: paths))
    }
  }

  private func resolve(_ link: String, _ path: PagePath) -> String {
    var folders = path.text.split(separator: "/").dropLast().map(String.init)
    for part in link.split(separator: "/") {
      if part == ".." { _ = folders.popLast() } else { folders.append(String(part)) }
    }
    return folders.joined(separator: "/")
  }

  @Test func listPageDescribesItsFeedOrMonth() {
    var feed = Samples.feed
    (feed.subtitle, feed.link) = ("About", "https://a.example/")
    let page = site.listPage(.feed(feed), items: Samples.items(1...60), count: 90, pageCount: 2, newest: 1_700_000_000)
    for part in [
      ">Feed<", ">About<", "https://a.example/", "90 posts", "2023-11-14T22:13:20Z", "href=\"../feeds/a.2.html\"",
      "href=\"../feeds/a.atom.xml\"", ">Post 60<",
    ] {
      #expect(page.text.contains(part), "\(part)")
    }
    let month = site.listPage(.month(year: 2026, month: 11), items: [], count: 0, pageCount: 0, newest: nil)
    #expect(month.text.contains("November 2026") && !month.text.contains("atom.xml"))
  }

  @Test func frontPageGroupsByDayAndLimitsFeeds() {
    let items = [Samples.item(48), Samples.item(24), Samples.item(23), Samples.item(1).sorted(by: nil)]
    let feeds = (1...Site.sidebarFeeds).map { FeedItem(feed: Samples.feed("f\($0)"), count: $0) }
    let page = site.indexPage(FrontView(items: items, feeds: feeds, postCount: 4, feedCount: 2000, pageCount: 3))
    #expect(page.path.text == "index.html" && page.text.contains("4 posts from 2000 feeds"))
    #expect(page.text.contains("Undated"))
    #expect(page.text.contains("All 2000 feeds") && page.text.contains("page/3.html"))
    let all = site.indexPage(FrontView(items: items, feeds: feeds, postCount: 4, feedCount: feeds.count, pageCount: 0))
    #expect(!all.text.contains("All 60 feeds") && !all.text.contains("page/"))
  }

  @Test func archivePageLinksYearsTagsAndPages() {
    let page = site.archivePage(years: [2026, 2024], hasUndated: true, hasTags: true, pageCount: 9)
    for link in ["archive/2026.html", "archive/2024.html", "archive/tags.html", "page/1.html", "page/9.html"] {
      #expect(page.links.contains(link), "\(link)")
    }
    #expect(!page.links.contains("page/2.html"))
    // Nothing on it changes with a post.
    #expect(!page.text.contains("class=\"count\"") && page.text.contains("without a date"))
    let empty = site.archivePage(years: [], hasUndated: false, hasTags: false, pageCount: 0)
    #expect(empty.text.contains("No post has a date") && !empty.text.contains("page/"))
    let few = MonthItem(
      month: 10, count: 1, posts: [Neighbour(title: "Of apes", page: Samples.page(1), sortDate: 1_790_000_000)])
    let year = site.yearPage(year: 2026, months: [MonthItem(month: 11, count: Site.monthThreshold), few])
    #expect(!year.text.contains("2026-10.html") && year.text.contains("Of apes"))
    #expect(year.path.text == "archive/2026.html" && year.links.contains("../months/2026-11.html"))
    #expect(year.text.contains("November") && year.links.contains("../archive.html"))
  }

  @Test func rareTagsListTheirPosts() {
    let tags = [
      TagItem(slug: "apple", name: "Apple", count: 3, posts: []),
      TagItem(slug: "ape", name: "Ape", count: 1, posts: [Neighbour(title: "Of apes", page: Samples.page(1))]),
    ]
    let page = site.tagPartPage(prefix: "ap", tags: tags)
    #expect(page.links.contains("../../tags/apple.html") && !page.links.contains("../../tags/ape.html"))
    #expect(page.links.contains("../../posts/a/1.html") && page.text.contains("Of apes"))
    let strict = Samples.site { $0.tagThreshold = 4 }.tagPartPage(prefix: "ap", tags: tags)
    #expect(!strict.links.contains("../../tags/apple.html"))
    let cloud = [TagItem(slug: "apple", name: "Apple", count: 40, posts: []), tags[0]]
    let cloudy = site.tagIndexPage(parts: ["ap"], cloud: cloud)
    #expect(cloudy.text.contains("class=\"most\"><a href=\"../tags/apple.html\">Apple</a>"))
    let index = site.tagIndexPage(parts: ["ap", "b"])
    #expect(index.path.text == "archive/tags.html")
    for part in ["ap", "b"] {
      let path = Site.path(ofTagPart: part).text
      #expect(index.links.contains("../" + path))
    }
  }

  @Test func tagPartsHaveDistinctSafePaths() {
    let parts = [
      "", "all", "all-", "a", "a-", "a--", "con", "con-", "é", "雨", "_", "/", "../", "_2F", "A", ".", "..", "a.b",
      "a%b",
    ]
    let paths = parts.map { Site.path(ofTagPart: $0).text }
    #expect(Set(paths.map { $0.lowercased() }).count == parts.count)
    for path in paths {
      #expect(path.hasPrefix("archive/tags/") && path.split(separator: "/").count == 3, "\(path)")
      #expect(!path.contains(".."), "\(path)")
      #expect(!path.contains("con.html"))
    }
  }

  @Test func aboutAndStatusPagesArePaginated() {
    let feeds = (1...Site.feedsPerPage).map { FeedItem(feed: Samples.feed("f\($0)", title: "F \($0)"), count: $0) }
    let first = site.aboutPage(number: 1, of: 3, feeds: feeds, feedCount: 250)
    #expect(first.path.text == "about.html" && first.text.contains("250 feeds"))
    #expect(first.links.contains("about.2.html") && first.links.contains("feeds/f100.html"))
    let last = site.aboutPage(number: 3, of: 3, feeds: [feeds[0]], feedCount: 250)
    #expect(last.path.text == "about.3.html" && last.links.contains("about.2.html"))
    #expect(!last.links.contains("about.4.html"))
    let states = feeds.map { StatusItem($0) }
    let status = site.statusPage(number: 2, of: 2, feeds: states)
    #expect(status.path.text == "status.2.html" && status.links.contains("status.html"))
    #expect(site.statusPage(number: 1, of: 1, feeds: states).path.text == "status.html")
  }

  /// The addresses of paid feeds, which a redirect or a failure tells, are not for readers.
  @Test(arguments: ["token", "Key", "access_token", "X-Amz-Signature", "jwt", "sid", "userToken"])
  func statusHasNoSecretsOfAddresses(_ name: String) {
    let address = "https://a.example/feed?page=2&\(name)=s3cr3t&x=1"
    var feed = Samples.feed
    feed.status.failure = "the file \(address), is not a feed"
    feed.status.problems = [address]
    feed.address = address
    var state = FetchState(address: address)
    state.move = FetchState.Move(to: address, count: 2)
    state.failure = FetchState.Failure(since: 1, count: 1, problem: FetchProblem(.forbidden, "from \(address) to b"))
    let (site, feeds) = (Samples.site(), [StatusItem(FeedItem(feed: feed, count: 1), fetching: state)])
    let files = [
      site.statusPage(number: 1, of: 1, feeds: feeds), site.statusData(number: 1, of: 1, feeds: feeds),
      site.opml(feeds: [feed]), site.aboutPage(number: 1, of: 1, feeds: feeds.map(\.item), feedCount: 1),
    ]
    for file in files { #expect(!file.text.contains("s3cr3t"), "\(file.path)") }
    for file in files.prefix(2) { #expect(file.text.contains("page=2"), "\(file.path)") }
  }

  @Test func statusPageReportsFeedProblems() {
    var feed = Samples.feed
    feed.status.failure = "Not found"
    feed.status.problems = ["Odd thing"]
    feed.status.removals = [FeedStatus.Removals(rule: "content", count: 12, examples: ["script", "object"])]
    let item = StatusItem(FeedItem(feed: feed, count: 5), newest: 1_767_225_600)
    let page = site.statusPage(number: 1, of: 1, feeds: [item])
    #expect(page.path.text == "status.html")
    // Readers learn how it is; what went wrong is folded.
    let parts = page.text.split(separator: "<details>", maxSplits: 1)
    for part in ["Not answering", "Last post: 1 January 2026", "5 posts here"] {
      #expect(parts[0].contains(part), "\(part)")
    }
    for part in ["Not found", "Odd thing", "may run or load", ">12<", "script, object", "a.xml"] {
      #expect(parts[1].contains(part) && !parts[0].contains(part), "\(part)")
    }
  }

  @Test func statusPageGroupsFeedsByActivity() {
    func status(_ name: String, _ weeks: [Int], count: Int = 1) -> StatusItem {
      StatusItem(FeedItem(feed: Samples.feed(name, title: name), count: count), weeks: weeks)
    }
    let year = Array(repeating: 0, count: 26)
    let text = site.statusPage(
      number: 1, of: 1,
      feeds: [
        status("still", [1] + year.dropLast()), status("busy", year.dropLast() + [1]), status("none", year, count: 0),
      ]
    ).text
    let parts = ["With new posts", "busy", "Quiet", "still", "Without a post", "none"]
    let positions = parts.compactMap { text.firstRange(of: ">\($0)<")?.lowerBound }
    #expect(positions == positions.sorted() && positions.count == parts.count)
  }

  @Test func consecutivePostsOfOneFeedAreCollapsed() {
    let own = (1...6).map { number in Samples.item(number).sorted(by: 1_767_225_600) }
    let site = Samples.site { $0.mostInRow = 3 }
    let page = site.indexPage(FrontView(items: own, postCount: 6, feedCount: 1))
    #expect(page.text.contains("3 more posts of this feed"))
    #expect(page.text.ranges(of: "<article").count == 3)
    // A line for one post takes as much room as the post.
    let four = site.indexPage(FrontView(items: Array(own.prefix(4)), postCount: 4, feedCount: 1))
    #expect(four.text.ranges(of: "<article").count == 4 && !four.text.contains("more post"))
    #expect(Samples.site().indexPage(FrontView(items: own)).text.ranges(of: "<article").count == 6)
    // A feed with a post a day is one row under many headings.
    let days = (1...6).map { number in Samples.item(number).sorted(by: 1_767_225_600 - Int64(number) * 86_400) }
    #expect(site.indexPage(FrontView(items: days)).text.ranges(of: "<article").count == 3)
  }

  @Test func searchFormUsesConfiguredAction() {
    let plain = site.searchPage()
    #expect(!plain.text.contains("<form") && plain.text.contains("form-action &#39;none&#39;"))
    let form = SearchForm(
      action: "https://s.example/find", origin: "https://s.example", host: "s.example", wordsName: "q",
      others: [SearchForm.Field(name: "site", value: "\"t\"")])
    let page = Samples.site { $0.search = .engine(form) }.searchPage().text
    for part in [
      "form-action https://s.example\"", #"action="https://s.example/find" method="get""#,
      #"<input type="hidden" name="site" value="&quot;t&quot;">"#, #"type="search" name="q""#, "Search with s.example",
    ] {
      #expect(page.contains(part), "\(part)")
    }
  }

  /// The script of the search page is allowed by its digest, in that page's policy alone.
  @Test func searchScriptIsAllowedOnItsPageOnly() throws {
    let site = Samples.site { $0.search = .page }
    let page = site.searchPage().text
    let script = try #require(page.firstMatch(of: /(?s)<script>(.*?)<\/script>/)?.1)
    let hash = "'sha256-\(SHA256(String(script)).base64)'"
    let policy = "script-src \(hash); connect-src 'self'"
    #expect(page.contains(policy.replacing("'", with: "&#39;")) && page.contains("<noscript><p>The search needs"))
    #expect(page.ranges(of: "<script").count == 1 && page.contains("form-action &#39;none&#39;"))
    #expect(!page.contains("without a line of script"))
    #expect(!site.missingPage().text.contains("script-src"))
    let files = site.serverHeaders().map(\.text)
    // Netlify sends the headers of all patterns that match.
    #expect(files[0].ranges(of: "Content-Security-Policy").count == 1 && files[0].contains(policy))
    for file in files.dropFirst() {
      #expect(file.ranges(of: "default-src 'none'").count == 2 && file.ranges(of: hash).count == 1)
      #expect(file.contains(#"/search\.html$"#) && file.ranges(of: "nosniff").count == 1)
    }
    #expect(site.fingerprint.contains(hash.dropFirst().dropLast()))
  }

  /// A theme can print the script only where markup stands.
  @Test func themesPrintTheScriptBetweenTags() throws {
    for template in [
      "<p title=\"{{script}}\">", "<title>{{script}}</title>", "<!-- {{script}} -->", "<script>{{script}}</script>",
    ] {
      #expect(throws: Site.ThemeError.self, "\(template)") {
        try Site.Theme(["search.mustache": Array(template.utf8)], named: "t")
      }
    }
  }
}
