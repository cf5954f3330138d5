import Foundation
import TamisCore
import TamisSite
import TestSupport
import Testing

/// Pages in another language: nothing on them is English but what a feed or a tool says.
@Suite struct LanguageTests {
  /// Pages that show everything there is, with nothing of a feed's in Latin letters.
  private static func pages(_ site: Site) -> [SiteFile] {
    var item = Samples.item(1) { card in
      (card.title, card.excerpt, card.authors, card.tags) = ("雨", "雨の日", ["雨", "風"], ["雨"])
      (card.kind, card.playingSeconds, card.readingMinutes) = (.podcast, 3723, 3)
      card.updated = 1_800_000_000
      card.permalink = Post.Permalink(url: "https://1.example/")
    }
    item.sortDate = 1_600_000_000
    item.feed.title = "風"
    (item.feed.link, item.feed.subtitle) = ("https://1.example/", "風の日")
    item.feed.status.isPartial = true
    item.feed.status.problems = ["雨"]
    item.feed.status.removals = [FeedStatus.Removals(rule: "unfinished", count: 3)]
    let body = Samples.sanitized(
      "<table><tr><td>雨</td></tr></table><pre>雨</pre><a href='https://1.example/'></a><img src='https://1.example/1'>"
        + "<audio src='https://1.example/1'></audio><video src='https://1.example/1'></video>"
        + "<a href='https://1.example/'><img src='https://1.example/1' alt=''></a>")
    var view = PostView(
      item: item, details: Post.Details(), body: PageBody(body, isOffline: true, words: site.words))
    let url = "https://1.example/1"
    view.details.enclosures = ["audio/mpeg", "video/mp4", "image/png"].map {
      Post.File(url: url, type: $0, length: 1_500_000)
    }
    view.details.chapters = [Feed.Chapter(start: "", seconds: 1, title: nil, link: nil, image: nil)]
    view.details.comments = url
    view.copies = [PostView.Copy(item: item)]
    let neighbour = Neighbour(title: "", page: item.page)
    view.neighbours = Neighbours((neighbour, neighbour), inFeed: (neighbour, neighbour))
    let untitled = Samples.item(2) { $0.title = "" }.sorted(by: nil)
    var plain = Samples.view(untitled, "")
    plain.item.feed = item.feed
    let feed = FeedItem(feed: item.feed, count: 3)
    var files = Samples.pages(site, item, view) + [site.postPage(plain)]
    var undated = untitled
    undated.feed = item.feed
    files += [
      site.indexPage(FrontView(items: [undated], feeds: [feed], postCount: 1, feedCount: 1, pageCount: 0)),
      site.indexPage(FrontView(items: [], feeds: [], postCount: 0, feedCount: 0, pageCount: 0)),
      site.archivePage(years: [], hasUndated: false, hasTags: false, pageCount: 0),
      site.tagIndexPage(parts: [""]), site.tagPartPage(prefix: "", tags: []), site.updatedPage([]),
      site.listPage(.all, items: [], count: 0, pageCount: 0, newest: nil),
    ]
    return files + statusPages(site, feed)
  }

  private static func statusPages(_ site: Site, _ item: FeedItem) -> [SiteFile] {
    let problem = FetchProblem(.timeout, "雨")
    var failing = FetchState(address: "https://1.example/")
    failing.failure = FetchState.Failure(since: 1_600_000_000, count: 3, problem: problem)
    (failing.asked, failing.fetched, failing.next) = (1_600_000_000, 1_600_000_000, 1_600_000_000)
    failing.answerTimes = [20, 40]
    failing.move = FetchState.Move(to: "https://1.example/2", count: 1)
    var gone = failing
    (gone.isGone, gone.answerTimes) = (true, [20])
    var unread = item
    unread.feed.status.failure = "雨"
    let states = [
      StatusItem(item, fetching: failing, weeks: [1, 2]), StatusItem(item, fetching: gone), StatusItem(unread),
    ]
    return [
      site.statusPage(number: 2, of: 3, feeds: states), site.searchPage(),
    ]
  }

  /// What can be read on a page, or is read out: texts, names and titles, each with what it stands in left out.
  private static func texts(_ page: String) -> [String] {
    let attributes = page.matches(of: /(?:aria-label|alt|title)="([^"]*)"/).map { String($0.1) }
    let description = page.matches(of: /name="description" content="([^"]*)"/).map { String($0.1) }
    let parts = page.replacing(/<[^>]*>/, with: "\n").split(separator: "\n").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    return (attributes + description + parts).map(unescaped).filter { !$0.isEmpty }
  }

  private static func unescaped(_ text: String) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")].reduce(text) {
      $0.replacingOccurrences(of: $1.0, with: $1.1)
    }
  }

  /// Words are put in brackets, so text outside of them comes from a template or from code.
  @Test func everyTextComesFromWordsFile() throws {
    let source = String(decoding: try #require(Site.Words.source(of: "en")), as: UTF8.self)
    let lines = source.split(separator: "\n").map { line -> String in
      guard let sign = line.firstIndex(of: "="), !line.hasPrefix("#"), !line.hasPrefix("plural"),
        !line.hasPrefix("lang")
      else { return String(line) }
      return "\(line[...sign]) ⟦\(line[line.index(after: sign)...].trimmingCharacters(in: .whitespaces))⟧"
    }
    let words = try Site.Words(Array(lines.joined(separator: "\n").utf8), file: "brackets.words")
    for form in DateForm.allCases {
      let site = Samples.site(words: words) { ($0.title, $0.dateForm) = ("雨", form) }
      for file in Self.pages(site) {
        #expect(file.text.contains("⟦"), "\(file.path)")
        #expect(!file.text.contains("{"), "\(file.path): something was not put in")
        for text in Self.texts(file.text) {
          var depth = 0
          let outside = text.filter { character in
            if character == "⟦" { depth += 1 }
            if character == "⟧" { depth -= 1 }
            return depth == 0
          }.replacing(/https?:\S*|a\.xml|search\.json|JSON Feed|Atom|RSS|^[ab]…/, with: "")
          #expect(!outside.contains { $0.isASCII && $0.isLetter }, "\(file.path): \(text)")
        }
      }
    }
  }

  /// Every English text that another language translates is absent from its pages.
  @Test(arguments: Site.Words.languages.filter { $0 != "en" })
  func translatedPagesContainNoEnglish(_ language: String) throws {
    func lines(_ language: String) throws -> [Substring: Substring] {
      let text = String(decoding: try #require(Site.Words.source(of: language)), as: UTF8.self)
      let pairs = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
        $0.split(separator: " = ", maxSplits: 1)
      }
      return Dictionary(pairs.map { ($0[0], $0[1]) }) { first, _ in first }
    }
    let (english, own) = (try lines("en"), try lines(language))
    let known = Set(own.values)
    let foreign = Set(
      english.filter { own[$0.key] != $0.value && !known.contains($0.value) && $0.value.contains { $0.isLetter } }
        .values.map(String.init))
    #expect(foreign.count > 100)
    let words = try #require(Site.Words.shipped(language))
    let site = Samples.site(words: words) { $0.title = "雨" }
    for file in Self.pages(site) {
      let direction = language == "ar" ? "rtl" : "ltr"
      #expect(file.text.contains("<html lang=\"\(language)\" dir=\"\(direction)\">"), "\(file.path)")
      let left = foreign.intersection(Self.texts(file.text))
      #expect(left.isEmpty, "\(file.path): \(left)")
    }
  }

  /// A post keeps its own language and direction on a site of another.
  @Test func postKeepsItsLanguageAndDirection() throws {
    let words = try #require(Site.Words.shipped("ar"))
    let item = Samples.item(1) { ($0.language, $0.direction) = ("en", .leftToRight) }
    let page = Samples.site(words: words).postPage(Samples.view(item)).text
    #expect(page.contains("<html lang=\"ar\" dir=\"rtl\">"))
    #expect(page.contains("<article class=\"post h-entry\" dir=\"ltr\">"))
    #expect(page.contains("<div class=\"content e-content\" lang=\"en\">"))
  }

  /// Words are text: a words file cannot inject markup.
  @Test func wordsAreEscaped() throws {
    let evil = "\"><script>alert(1)</script>&"
    let lines = String(decoding: try #require(Site.Words.source(of: "en")), as: UTF8.self).split(separator: "\n").map {
      line in
      guard line.contains(" = "), !line.hasPrefix("#"), !line.hasPrefix("plural"), !line.hasPrefix("lang") else {
        return String(line)
      }
      return "\(line) \(evil)"
    }
    let words = try Site.Words(Array(lines.joined(separator: "\n").utf8), file: "evil.words")
    for file in Self.pages(Samples.site(words: words)) {
      #expect(!file.text.contains("<script"), "\(file.path)")
      #expect(file.text.contains("&quot;&gt;&lt;script&gt;"), "\(file.path)")
    }
  }

  /// Names that may run in another direction are isolated, so they do not move the sign behind them.
  @Test func namesAreIsolatedForBidi() throws {
    var view = Samples.view(Samples.item(1) { $0.permalink = Post.Permalink(url: "https://a.example/") })
    view.neighbours.newerInFeed = Neighbour(title: "Next", page: Samples.page(2))
    let arabic = try #require(Site.Words.shipped("ar"))
    #expect(Samples.site(words: arabic).postPage(view).text.contains("\u{2068}a.example\u{2069}"))
    #expect(Samples.site().postPage(view).text.contains("Newer in Feed"))
    view.item.feed.title = "بستان"
    #expect(Samples.site().postPage(view).text.contains("Newer in \u{2068}بستان\u{2069}"))
  }
}
