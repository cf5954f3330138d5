import Foundation
import Tamis
import TestSupport
import Testing

/// What settings and filters make of posts, and what happens when they change.
@Suite struct PlanetSettingTests {
  private let planet: TestPlanet
  private let a = "https://a.example/feed"

  init() throws {
    planet = try TestPlanet()
    planet.web[a] = .document(TestPlanet.feed("A", ["One", "Two"]), etag: "1")
  }

  private func configuration(_ settings: String) -> String { "feeds:\n  - {address: \"\(a)\", \(settings)}\n" }

  /// Each setting of the command line changes what pages depend on, and is the same as in the file.
  @Test(arguments: [
    "title=U", "link=https://t.example/", "owner={name: A, email: a@e.example}", "theme=plain", "language=de",
    "time-zone=+01:00", "dates=iso", "posts-per-page=7", "keys=guid-or-link", "purge=3", "fold=no", "tag-threshold=4",
    "in-a-row=3", "search=page", "search=https://s.example/?q={words}", "full-posts=yes", "only-new=yes",
    "noindex=true",
    "removals=true", "offline=true", "pictures=keep", "output=x", "archive=x",
  ])
  func settingOfCommandLineIsThatOfFile(_ text: String) throws {
    var planet = Planet()
    let before = planet.site.fingerprint
    try planet.set("site.\(text)")
    #expect(planet.site.fingerprint != before)
    let parts = text.split(separator: "=", maxSplits: 1)
    let file = PlanetFile(reading: Array("site: {\(parts[0]): \(Self.quoted(parts[1]))}".utf8), name: "x", as: .tamis)
    #expect(file.planet.site == planet.site)
  }

  private static func quoted(_ value: Substring) -> String { value.hasPrefix("{") ? String(value) : "\"\(value)\"" }

  @Test(arguments: [
    "", "site", "site.title", "title=x", "site.=x", "sites.title=x", "site.titel=x", "site.in-a-row=x", "feeds.x=y",
    "fetch.delay=-1s", "site.owner={name: A", "site.link=https://a.example/?q", "site.link=https://u:p@a.example/",
    "fetch.allow=[10.0.0.0/8, x]", "defaults.max-age=0d",
  ])
  func otherSettingOfCommandLineIsRefused(_ text: String) {
    var planet = Planet()
    #expect(throws: SettingRefusal.self) { try planet.set(text) }
    #expect(planet == Planet())
  }

  /// What is in the file stays unless it is set; lists are added to.
  @Test func settingsOfCommandLineAddToFile() throws {
    let text = "fetch: {allow: 10.0.0.0/8, delay: 3s}\nsite: {title: T}\ndefaults: {tags: [a], max-age: 9d}\n"
    var planet = PlanetFile(reading: Array(text.utf8), name: "x", as: .tamis).planet
    for text in [
      "fetch.allow=[fd00::/8, 127.0.0.1]", "site.dates=iso", "defaults.tags=b", "defaults.max-age=2d",
      "fetch.proxy=http://me:word@proxy.example:1",
    ] { try planet.set(text) }
    #expect(planet.fetching.allowedNetworks.count == 3 && planet.fetching.delay == .seconds(3))
    #expect(planet.site.title == "T" && planet.site.dateForm == .iso)
    #expect(planet.defaults.tags == ["a", "b"] && planet.defaults.maximumAge == 2)
    #expect(planet.fetching.proxy == "http://me:word@proxy.example:1")
  }

  @Test(arguments: [
    ("title: Another name", "feeds/a-example.html", "Another name"), ("tags: [weather]", "tags/weather.html", "One"),
    ("category: News", "index.html", "News"), ("filters: [{drop: {words: [two]}}]", "status.html", "1 post"),
    ("filters: [{rename: {replace: One, with: First}}]", "index.html", ">First</a>"),
  ])
  func changedSettingsReadFeedAgain(_ settings: String, _ page: String, _ words: String) async throws {
    _ = try await planet.build(configuration("title: A"))
    let before = try planet.contents()
    #expect(before[page]?.contains(words) != true)
    _ = planet.web.takeRequests()
    planet.now += 60
    // It is not due, and would be answered with "not modified".
    _ = try await planet.build(configuration(settings))
    let requests = planet.web.takeRequests()
    #expect(requests.count == 1 && requests.allSatisfy { !$0.isOnCondition })
    let after = try planet.contents()
    #expect(after[page]?.contains(words) == true, "\(after.keys.sorted())")
    #expect(try await planet.publishedAnew() == after)
    // The same again is no reason to ask.
    planet.now += 60
    _ = try await planet.build(configuration(settings))
    #expect(planet.web.takeRequests().isEmpty)
    planet.now += 60
    _ = try await planet.build(configuration("title: A"))
    let pages = before.keys.filter { !$0.hasPrefix("status") }
    #expect(try planet.pages().keys.sorted() == pages.sorted())
    #expect(try planet.pages()["index.html"] == before["index.html"])
  }

  /// Selectors leave out parts of posts; those that match nothing are reported, for the defaults over all feeds.
  @Test func selectorsThatMatchNothingAreReported() async throws {
    let b = "https://b.example/feed"
    func feed(_ title: String, _ body: String) -> String {
      TestPlanet.feed(title, (1...12).map { "\(title) \($0)" }).replacing(
        "</description>", with: body + "</description>")
    }
    planet.web[a] = .document(feed("A", "&lt;p class=shared&gt;Share this&lt;/p&gt;"), etag: "2")
    planet.web[b] = .document(feed("B", "&lt;p class=promo&gt;Buy this&lt;/p&gt;"), etag: "1")
    let report = try await planet.build(
      """
      defaults:
        remove: [.shared, .prmoo]
      feeds:
        - {address: "\(a)", only: .other}
        - {address: "\(b)"}
      """)
    let found = (report.ingest?.findings ?? []).filter { $0.code == "selector.unmatched" }
    #expect(found.map(\.severity) == [.note, .warning], "\(found)")
    #expect(found.first?.message.hasPrefix("'only: .other' matches nothing in 12 posts; ") == true)
    #expect(
      found.last?.message
        == "'remove: .prmoo' matches nothing in 24 posts of 2 feeds; a post has '.promo', did you mean that by '.prmoo'?"
    )
    let pages = try planet.contents()
    #expect(pages.values.allSatisfy { !$0.contains("Share this") })
    #expect(pages["status.html"]?.contains("remove: .shared") == true)
    #expect(pages.values.contains { $0.contains("Buy this") })
  }

  /// A post contains what was removed from it when the site shows that.
  @Test func removalsAreRecordedForPagesOfPosts() async throws {
    let body = "&lt;script&gt;x&lt;/script&gt;&lt;p onclick=x&gt;Words&lt;/p&gt;"
    planet.web[a] = .document(
      TestPlanet.feed("A", ["One"]).replacing("</description>", with: body + "</description>"), etag: "2")
    func page() throws -> String? { try planet.contents().first { $0.key.hasPrefix("posts/") }?.value }
    _ = try await planet.build(configuration("title: A"))
    #expect(try page()?.contains("What was removed from this post") == false)
    planet.now += 60
    planet.showsRemovals = true
    _ = try await planet.build(configuration("title: A"))
    let shown = try page()
    #expect(shown?.contains("What was removed from this post") == true, "\(shown ?? "")")
    #expect(shown?.contains("<code dir=\"ltr\">script</code>") == true && shown?.contains("p@onclick") == true)
    planet.now += 60
    planet.showsRemovals = false
    _ = try await planet.build(configuration("title: A"))
    #expect(try page()?.contains("What was removed from this post") == false)
  }

  @Test func heldBackPostReturnsWhenRuleIsRemoved() async throws {
    let held = try await planet.build(configuration("filters: [{drop: {words: [two]}}]"))
    #expect(held.ingest?.count(.heldBack) == 1 && held.ingest?.events.map(\.word) == ["new", "held-back"])
    #expect(try planet.titles() == ["One"])
    #expect(try planet.contents().keys.count { $0.hasPrefix("posts/") && $0.hasSuffix(".html") } == 1)
    planet.now += 60
    _ = try await planet.build(configuration("title: A"))
    #expect(try planet.titles() == ["One", "Two"])
    planet.now += 60
    _ = try await planet.build(configuration("max-posts: 1"))
    #expect(try planet.titles() == ["One"])
    #expect(try await planet.publishedAnew() == planet.contents())
  }

  /// Filters judge the words that are shown, also when a document comes without them; no other setting takes these away.
  @Test func rulesJudgeKeptWords() async throws {
    func titles(_ settings: String) async throws -> Set<String> {
      _ = try await planet.build(configuration(settings), days: 2)
      return try planet.titles()
    }
    let rule = "filters: [{drop: {words: [two], in: text}}]"
    #expect(try await titles(rule) == ["One"])
    planet.web[a] = .document(
      TestPlanet.feed("A", ["One", "Two"]).replacing(/<description>.*?<\/description>/, with: ""), etag: "2")
    #expect(try await titles(rule) == ["One"])
    #expect(try await titles("category: News") == ["One", "Two"])
    #expect(try await titles("filters: [{drop: {shorter-than: 3 words}}]") == ["One", "Two"])
    #expect(try await titles(rule) == ["One"])
    _ = try await titles("remove: [.advert]")
    #expect(try planet.pages().values.allSatisfy { !$0.contains("Words of One in A.") })
  }

  /// Rules apply to every post a feed has ever had, whatever its document holds today and whether it answers.
  @Test(arguments: ["left", "failing", "gone"])
  func rulesApplyToPostsNotReadAgain(_ case: String) async throws {
    let rule = "filters: [{drop: {words: [two]}}]"
    _ = try await planet.build(configuration("title: A"))
    switch `case` {
    case "left": planet.web[a] = .document(TestPlanet.feed("A", ["Three"]), etag: "2")
    case "failing": planet.web[a] = .failure(500)
    default: planet.web[a] = .failure(410)
    }
    let new: Set = `case` == "left" ? ["Three"] : []
    _ = try await planet.build(configuration("title: A"), days: 2)
    #expect(try planet.titles() == new.union(["One", "Two"]))
    _ = try await planet.build(configuration(rule), days: 2)
    #expect(try planet.titles() == new.union(["One"]))
    #expect(try await planet.publishedAnew() == planet.contents())
    _ = try await planet.build(configuration("title: A"), days: 2)
    #expect(try planet.titles() == new.union(["One", "Two"]))
    _ = try await planet.build(configuration("max-posts: 1"), days: 2)
    #expect(try planet.titles().count == 1)
    _ = try await planet.build(configuration("title: A"), days: 2)
    #expect(try planet.titles() == new.union(["One", "Two"]))
    #expect(try await planet.publishedAnew() == planet.contents())
  }

  /// A rule sees what the rules before it have made of a post, and judges each post once.
  @Test(arguments: [
    ("{keep: {words: [fog]}}, {excerpt: all}", ["One"]), ("{excerpt: all}, {drop: {words: [fog]}}", []),
    ("{keep: {words: [one], in: title}}, {rename: {replace: One, with: Uno}}", ["Uno"]),
    ("{rename: {replace: One, with: Uno}}, {keep: {words: [one], in: title}}", []),
    ("{drop: {words: [uno], in: title}}, {rename: {replace: One, with: Uno}}", ["Uno"]),
    ("{keep: {tags: [News]}}, {retag: {news: Nachrichten}}", ["One"]),
    ("{program: {command: [./filter]}}, {keep: {words: [changed], in: title}}", ["Changed"]),
    ("{keep: {words: [changed], in: title}}, {program: {command: [./filter]}}", []),
    ("{keep: {words: [one], in: title}}, {program: {command: [./filter]}}", ["Changed"]),
  ])
  func rulesAreAppliedInOrder(_ rules: String, _ expected: [String]) async throws {
    let titles = Set(expected)
    try planet.write(program: #"printf '%s' '{"title":"Changed"}'"#, "filter")
    func feed(_ other: String) -> String {
      """
      <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>A</title>\(other)
      <item><guid>1</guid><title>One</title><category>News</category><description>Teaser.</description>
      <content:encoded>&lt;p&gt;The whole text with the word fog in it.&lt;/p&gt;</content:encoded></item></channel></rss>
      """
    }
    planet.web[a] = .document(feed(""), etag: "1")
    for settings in ["filters: [\(rules)]", "max-posts: 5, filters: [\(rules)]"] {
      _ = try await planet.build(configuration(settings))
      #expect(try planet.titles().subtracting(["Two", "Three"]) == titles)
      // The post leaves the document, and another one comes.
      planet.web[a] = .document(feed("<item><guid>2</guid><title>Two</title></item>"), etag: "2")
      _ = try await planet.build(configuration(settings), days: 2)
      #expect(try planet.titles().subtracting(["Two", "Three"]) == titles)
      planet.web[a] = .document(TestPlanet.feed("A", ["Three"]), etag: "3")
      _ = try await planet.build(configuration(settings), days: 2)
      #expect(try planet.titles().subtracting(["Two", "Three"]) == titles)
      planet.web[a] = .document(feed(""), etag: "1")
    }
  }

  /// What a rule or a limit held back is shown when it is gone, also beside a program, whose own decision stays.
  @Test func programHoldsOnlyWhatItRejects() async throws {
    try planet.write(program: #"case "$(cat)" in *'"title":"Two"'*) ;; *) echo '{}' ;; esac"#, "filter")
    let program = "{program: {command: [./filter]}}"
    func titles(_ settings: String) async throws -> Set<String> {
      _ = try await planet.build(configuration(settings), days: 2)
      return try planet.titles()
    }
    planet.web[a] = .document(TestPlanet.feed("A", ["One", "Two"]), etag: "8")
    #expect(try await titles("filters: [\(program)]") == ["One"])
    // What it has rejected stays so when it is not asked, since something else comes first.
    #expect(try await titles("filters: [{drop: {words: [one, two], in: title}}, \(program)]") == [])
    planet.web[a] = .document(TestPlanet.feed("A", ["Three"]), etag: "9")
    #expect(try await titles("filters: [\(program)]") == ["One", "Three"])
    for settings in ["filters: [{drop: {words: [one], in: title}}, \(program)]", "max-posts: 1, filters: [\(program)]"]
    {
      #expect(try await titles(settings).count == 1, "\(settings)")
      #expect(try await titles("filters: [\(program)]") == ["One", "Three"], "\(settings)")
    }
    #expect(try await titles("title: A") == ["One", "Two", "Three"])
  }

  /// Posts without a date never are too old, whatever changes.
  @Test func undatedPostsDoNotAge() async throws {
    func feed(_ titles: [String]) -> TestWeb.Page {
      let items = titles.map { "<item><guid>\($0)</guid><title>\($0)</title><description>Words.</description></item>" }
      return .document(
        "<rss version='2.0'><channel><title>A</title>\(items.joined())</channel></rss>", etag: "\(titles)")
    }
    var shown: Set<String> = []
    for titles in [["One"], ["Two", "One"], ["Two", "One"], ["Three", "Two", "One"], ["Three", "Two", "One"]] {
      planet.web[a] = feed(titles)
      shown.formUnion(titles)
      for settings in ["max-age: 30d", "max-age: 30d, category: News"] {
        _ = try await planet.build(configuration(settings), days: 41)
        #expect(try planet.titles() == shown)
      }
    }
  }

  /// Limits count all posts of a feed, and posts age even if their document is not read again.
  @Test func limitsApplyToAllPostsOfFeed() async throws {
    func feed(_ numbers: Range<Int>) -> String {
      let items = numbers.map {
        "<item><guid>\($0)</guid><title>\($0)</title><pubDate>2100-01-0\($0)T00:00:00Z</pubDate></item>"
      }
      return "<rss version='2.0'><channel><title>A</title>\(items.reversed().joined())</channel></rss>"
    }
    planet.web[a] = .document(feed(1..<4))
    planet.now += 9 * TestPlanet.day
    _ = try await planet.build(configuration("max-posts: 2"))
    #expect(try planet.titles() == ["2", "3"])
    planet.web[a] = .document(feed(4..<6))
    _ = try await planet.build(configuration("max-posts: 2"), days: 1)
    #expect(try planet.titles() == ["4", "5"])
    _ = try await planet.build(configuration("max-age: 9d"), days: 1)
    #expect(try planet.titles() == ["3", "4", "5"])
    planet.web[a] = .failure(500)
    _ = try await planet.build(configuration("max-age: 9d"), days: 2)
    #expect(try planet.titles() == ["5"])
    #expect(try await planet.publishedAnew() == planet.contents())
  }

  /// Some feeds date posts by the moment of the request; a known post keeps its date, and its age.
  @Test func ageIsThatOfStandingDate() async throws {
    planet.now += 9 * TestPlanet.day
    for (day, expected) in [(1, []), (8, ["2"]), (8, ["2", "3"]), (9, ["2", "3", "4"])] as [(Int, Set<String>)] {
      let others = ["2", "3", "4"].filter { expected.contains($0) }.map {
        "<item><guid>\($0)</guid><title>\($0)</title><pubDate>2100-01-09T00:00:00Z</pubDate></item>"
      }
      let first = "<item><guid>1</guid><title>1</title><pubDate>2100-01-0\(day)T00:00:00Z</pubDate></item>"
      planet.web[a] = .document(
        "<rss version='2.0'><channel><title>A</title>\(others.joined())\(first)</channel></rss>")
      _ = try await planet.build(configuration("max-age: 5d"), days: 1)
      #expect(try planet.titles() == expected, "\(day)")
    }
    _ = try await planet.build(configuration("title: A"), days: 1)
    #expect(try planet.titles() == ["1", "2", "3", "4"])
  }

  /// The order of arrival follows from what the archive has, also when a date in the future has been corrected.
  @Test func mergedArchiveHasTheSameOrder() async throws {
    func item(_ name: String, _ day: Int) -> String {
      "<item><guid>\(name)</guid><title>\(name)</title><pubDate>2100-01-\(day)T00:00:00Z</pubDate></item>"
    }
    planet.now += 20 * TestPlanet.day
    for day in [28, 12] {
      let items = item("2", 12) + item("3", 12) + item("1", day)
      planet.web[a] = .document("<rss version='2.0'><channel><title>A</title>\(items)</channel></rss>")
      _ = try await planet.build(configuration("title: A"), days: 1)
    }
    let (file, merged) = ("\(planet.folder.path)/site.archive", "\(planet.folder.path)/merged.archive")
    _ = try Archive.merge(try MergeInputs([FilePath(file)]), into: FilePath(merged))
    let orders = try [file, merged].map { name in
      let reader = PostReader(try Archive(file: name, mode: .reading), showsUnreadOnly: false)
      return try reader.inOrderOfArrival(.all, skipping: 0, count: 10).map(\.card.title)
    }
    #expect(orders[0].count == 3 && orders[0] == orders[1])
  }

  /// A date without a zone is in that of the settings, also one without a time; a Unix timestamp has one.
  @Test(arguments: [
    ("2026-03-01 12:00:00", "2026-03-01T12:00:00Z", "2026-03-01T11:00:00Z"),
    ("2026-03-01", "2026-03-01T00:00:00Z", "2026-02-28T23:00:00Z"),
    ("1 Mar 2026", "2026-03-01T00:00:00Z", "2026-02-28T23:00:00Z"),
    ("1772323200", "2026-03-01T00:00:00Z", "2026-03-01T00:00:00Z"),
  ])
  func dateWithoutZoneUsesFeedTimeZone(_ date: String, _ inUTC: String, _ inVienna: String) async throws {
    let item = "<item><guid>1</guid><title>Noon</title><pubDate>\(date)</pubDate></item>"
    planet.web[a] = .document("<rss version='2.0'><channel><title>A</title>\(item)</channel></rss>")
    _ = try await planet.build(configuration("time-zone: UTC"))
    #expect(try planet.posts().first?["date_published"] as? String == inUTC)
    planet.now += 60
    _ = try await planet.build(configuration("time-zone: Europe/Vienna"))
    #expect(try planet.posts().first?["date_published"] as? String == inVienna)
  }

  /// A document that is read again in another way, but for its dates, moves no post.
  @Test func otherSettingsMoveNoPost() async throws {
    func feed(_ day: Int) -> String {
      let item = "<item><guid>1</guid><title>Noon</title><pubDate>2026-03-0\(day)T12:00:00Z</pubDate></item>"
      return "<rss version='2.0'><channel><title>A</title>\(item)</channel></rss>"
    }
    for (index, setting) in ["title: A", "title: A", "tags: [x]", "language: de", "max-posts: 5"].enumerated() {
      planet.web[a] = .document(feed(min(index, 1) + 1))
      _ = try await planet.build(configuration(setting), days: 1)
      #expect(try planet.posts().first?["date_published"] as? String == "2026-03-01T12:00:00Z", "\(setting)")
    }
  }

  /// The tags of the settings have pages, however many a post has of its own.
  @Test func tagsOfSettingsComeFirst() async throws {
    let own = (0..<20).map { "<category>own \($0)</category>" }.joined()
    let item = "<item><guid>1</guid><title>Noon</title>\(own)</item>"
    planet.web[a] = .document("<rss version='2.0'><channel><title>A</title>\(item)</channel></rss>")
    _ = try await planet.build(configuration("tags: [weather]"))
    #expect((try planet.posts().first?["tags"] as? [String])?.first == "weather")
  }

  /// What a filter has held back stays so while a setting of the feed has a mistake.
  @Test(arguments: ["filters: [{dorp: {words: [One]}}]", "filters: [{drop: {wrods: [One]}}]", "remove: ['p::before']"])
  func mistakesShowNothing(_ mistake: String) async throws {
    planet.web[a] = .document(TestPlanet.feed("A", ["One", "Two"]), etag: "1")
    _ = try await planet.build(configuration("filters: [{drop: {words: [One]}}]"))
    #expect(try planet.titles() == ["Two"])
    planet.web[a] = .document(TestPlanet.feed("A", ["One", "Two", "Three"]), etag: "2")
    _ = try await planet.build(configuration(mistake), days: 1)
    #expect(try planet.titles() == ["Two"])
  }

  /// So does a mistake in the filters for all feeds, or in the name of a section.
  @Test(arguments: [
    "filters: [{drop: {wrods: [One]}}]", "filers: [{drop: {words: [One]}}]", "filters: [{drop: {matches: ['(']}}]",
  ])
  func mistakesForAllFeedsShowNothing(_ mistake: String) async throws {
    planet.web[a] = .document(TestPlanet.feed("A", ["One", "Two"]), etag: "1")
    _ = try await planet.build("feeds: [\(a)]\nfilters: [{drop: {words: [One]}}]")
    #expect(try planet.titles() == ["Two"])
    planet.web[a] = .document(TestPlanet.feed("A", ["One", "Two", "Three"]), etag: "2")
    _ = try await planet.build("feeds: [\(a)]\n\(mistake)", days: 1)
    #expect(try planet.titles() == ["Two"])
  }

  // MARK: - Programs

  private func program(seconds: Int) -> String {
    "filters: [{program: {command: [./filter, --strictly], time: \(seconds)s}}]"
  }

  /// A configuration of two feeds with a program each.
  ///
  /// One program has time enough on any machine; the other hangs for longer than it may.
  private var programs: String {
    let hanging = "  - {address: \"https://b.example/feed\", \(program(seconds: 1))}\n"
    return configuration(program(seconds: 600)) + hanging
  }

  @Test func filterProgramsAreBoundedInTimeAndOutput() async throws {
    let titles = ["Plain", "Dropped", "Changed", "Failing", "Flooding", "Babbling"]
    planet.web[a] = .document(TestPlanet.feed("A", titles), etag: "1")
    planet.web["https://b.example/feed"] = .document(TestPlanet.feed("B", ["Hanging", "Lingering"]), etag: "1")
    let changed =
      #"{"title":"Ot\u202eher","tags":["by-\u202eprogram"],"html":"<p onclick=\"x()\">Seen</p><script>alert(1)</script>"}"#
    try planet.write(
      program: """
        test "$1" = --strictly || exit 9
        read -r line
        case "$line" in
        *'"title":"Dropped"'*) ;;
        *'"title":"Changed"'*) printf '%s' '\(changed)' ;;
        *'"title":"Failing"'*) echo 'no luck' >&2; exit 3 ;;
        *'"title":"Hanging"'*) sleep 3600 ;;
        *'"title":"Lingering"'*) exec >&- 2>&-; sleep 3600 ;;
        *'"title":"Flooding"'*) yes ;;
        *'"title":"Babbling"'*) echo hello ;;
        *) printf '%s\\n' "$line" ;;
        esac
        """, "filter")
    let report = try #require(try await planet.build(programs).ingest)
    #expect(try planet.titles() == ["Plain", "Other"])
    let failures = report.findings.filter { $0.code == "filter.failed" }
    #expect(failures.count == 5)
    for words in ["no luck", "longer than", "wrote more than", "not a JSON object"] {
      #expect(failures.contains { $0.message.contains(words) }, "\(words): \(failures)")
    }
    let other = try #require(try planet.posts().first { $0["title"] as? String == "Other" })
    #expect(other["content_html"] as? String == "<p>Seen</p>" && other["tags"] as? [String] == ["by-program"])
    #expect(try planet.contents().values.allSatisfy { !$0.contains("alert(1)") && !$0.contains("onclick") })
  }

  /// A post whose filter program failed is held back, and its feed is requested again when due.
  @Test func postUndecidedByProgramIsRetriedWhenDue() async throws {
    try planet.write(program: "test -e ready || exit 3; cat", "filter")
    _ = try await planet.build(configuration(program(seconds: 600)))
    #expect(try planet.titles().isEmpty)
    try planet.write("", "ready")
    _ = planet.web.takeRequests()
    planet.now += 60
    _ = try await planet.build(configuration(program(seconds: 600)))
    #expect(planet.web.takeRequests().isEmpty)
    _ = try await planet.build(configuration(program(seconds: 600)), days: 2)
    #expect(planet.web.takeRequests().map(\.isOnCondition) == [false])
    #expect(try planet.titles() == ["One", "Two"])
    #expect(try await planet.publishedAnew() == planet.contents())
  }

  @Test func changedFilterProgramRunsAtOnce() async throws {
    try planet.write(program: "true", "filter")
    _ = try await planet.build(configuration(program(seconds: 600)))
    #expect(try planet.titles().isEmpty)
    try planet.write(program: "cat", "filter")
    planet.now += 60
    _ = try await planet.build(configuration(program(seconds: 600)))
    #expect(try planet.titles() == ["One", "Two"])
  }

  @Test func missingFilterProgramHoldsPostsBackAndIsReported() async throws {
    let report = try #require(try await planet.build(configuration(program(seconds: 600))).ingest)
    #expect(report.findings.count { $0.code == "filter.failed" && $0.message.contains("./filter") } == 2)
    #expect(report.count(.heldBack) == 2)
    // With another rule there is no reason to wait.
    planet.now += 60
    _ = try await planet.build(configuration("filters: [{program: {command: [cat]}}]"))
    #expect(try planet.titles() == ["One", "Two"])
  }
}
