import Foundation
import Tamis
import TestSupport
import Testing

/// The commands about subscriptions, as their users run them.
@Suite struct ConfigTests {
  private let folder: TemporaryFolder

  init() throws { folder = try Fixtures.temporaryFolder() }

  private func shell(_ script: String) throws -> Command.Run { try Command.shell(script, in: folder.path) }

  @Test func subscriptionsAreAddedListedAndRemoved() throws {
    var run = try shell("tamis init --title 'Planet  Fog' && tamis config check && cat tamis.yaml")
    #expect(run.status == 0 && run.output.contains("\n  title: Planet Fog\n"), "\(run.errors)")
    #expect(run.errors.contains("tamis.yaml: warning: there are no feeds in this file"))
    run = try shell(
      "cp tamis.yaml before; tamis add --as-is https://example.org/a --category News --title A https://example.org/a")
    #expect(run.status == 2 && run.errors.contains("--title is for one feed"))
    run = try shell(
      "tamis add --as-is https://example.org/a --category News --title 'A: é'; tamis add --as-is https://example.org/b example.net:8080/x feed://"
    )
    #expect(run.status == 1 && run.errors.contains("'feed://' is not an address"), "\(run.errors)")
    run = try shell("tamis add --as-is https://EXAMPLE.org/a")
    #expect(
      run.status == 0 && run.errors.contains("is already there, and nothing is changed: tamis.yaml:"), "\(run.errors)")
    #expect(
      try shell("tamis list").output
        == "https://example.org/a\tA: é\tNews\nhttps://example.org/b\t\t\nhttps://example.net:8080/x\t\t\n")
    run = try shell("tamis add --as-is https://example.org/d --category Newz && tamis remove https://example.org/d")
    #expect(run.errors.contains("note: the category 'Newz' is new; did you mean 'News'?"), "\(run.errors)")
    run = try shell("tamis remove https://example.org/c")
    #expect(run.status == 65 && run.errors.contains("did you mean 'https://example.org/a'?"), "\(run.errors)")
    run = try shell(
      "tamis remove 'a: É' https://example.org/b example.net:8080/x; cmp before tamis.yaml")
    #expect(run.status == 0, "\(run.errors) \(run.output)")
  }

  /// Settings for all feeds hold for files too, when they change as well.
  @Test func filtersHoldForFilesOfCommandLine() throws {
    let items = ["tea", "rice"].map { "<item><guid>\($0)</guid><title>\($0)</title></item>" }.joined()
    try Data("<rss version='2.0'><channel><title>F</title>\(items)</channel></rss>".utf8)
      .write(to: URL(filePath: "\(folder.path)/f.xml"))
    let run = try shell(
      """
      printf 'site: {output: s}\\nfilters: [{drop: {words: [tea]}}]\\n' > a.yaml
      printf 'site: {output: s}\\ndefaults: {max-posts: 1}\\n' > b.yaml
      printf 'site: {output: s}\\n' > c.yaml
      for each in a b c c; do tamis build f.xml --config $each.yaml -q; ls s/posts/*/ | wc -l; done
      """)
    #expect(run.output.split(separator: "\n").map { $0.filter { $0 != " " } } == ["1", "1", "2", "2"], "\(run)")
  }

  /// What the settings of the site mean is not known with a mistake in them: offline pages would load pictures.
  @Test(arguments: [
    "site: {output: s, title: A, offline: ture}", "site: {output: s, noindx: true}",
    "site: {output: s, link: htps://a}",
    "sites: {output: s}", "site: {title: A: B, output: s}", "- site",
  ]) func mistakesInSettingsOfSiteLeaveItAsItIs(_ text: String) throws {
    let item = "<item><guid>1</guid><title>One</title><description>Rain.</description></item>"
    try Data("<rss version='2.0'><channel><title>F</title>\(item)</channel></rss>".utf8)
      .write(to: URL(filePath: "\(folder.path)/f.xml"))
    try Data(text.utf8).write(to: URL(filePath: "\(folder.path)/bad.yaml"))
    let run = try shell(
      """
      printf 'site: {output: s, title: A, offline: true, noindex: true}\\n' > good.yaml
      tamis build f.xml --config good.yaml -q && cp -r s before
      tamis build f.xml --config bad.yaml --output s -q; echo $?
      tamis publish --config bad.yaml --archive s.archive --output s -q; echo $?
      diff -r before s && tamis build f.xml --config good.yaml
      """)
    #expect(run.output == "1\n1\n", "\(run)")
    #expect(run.errors.contains("the site is left as it is"), "\(run)")
  }

  @Test func simultaneousEditsKeepEachOther() throws {
    let run = try shell(
      """
      tamis init 2>/dev/null
      for i in 1 2 3 4 5 6 7 8; do tamis add https://x$i.example/f --as-is & done; wait; tamis list | wc -l
      for i in 1 2 3 4 5; do tamis remove https://x$i.example/f & done; wait; tamis list | wc -l; ls
      """)
    #expect(run.output.filter { $0 != " " } == "8\n3\ntamis.yaml\n", "\(run)")
  }

  /// The archive is the only copy of posts that have left their feeds.
  @Test(arguments: [
    "build f.xml -o s --report s.archive", "build f.xml -o s --report f.xml",
    "build f.xml --config c.yaml --report ./c.yaml", "publish --archive s.archive --epub s.archive",
    "publish --archive s.archive --digest text --to ../$(basename $PWD)/s.archive",
    "fetch https://a.example/ --into in --archive s.archive --report s.archive",
    "build f.xml -o s --rules r.yaml --report r.yaml", "article --sheet f.xml f.xml",
  ]) func outputsDoNotReplaceWhatIsRead(_ arguments: String) throws {
    let run = try shell(
      """
      echo '<rss version="2.0"><channel><title>F</title><item><guid>1</guid><title>A</title></item></channel></rss>' > f.xml
      printf 'site: {output: t}\\n' > c.yaml; echo 'extends: reading' > r.yaml
      tamis build f.xml -o s -q; cp s.archive before; cp f.xml before.xml; cp c.yaml before.yaml
      tamis \(arguments); echo $?; cmp before s.archive && cmp before.xml f.xml && cmp before.yaml c.yaml
      """)
    #expect(run.output == "2\n" && run.status == 0, "\(run)")
    #expect(run.errors.contains("which this run reads"), "\(run)")
  }

  /// Rules that one feed names cost only that feed; a number of jobs that no machine has is refused.
  @Test func rulesThatAreMissingCostTheirFeed() throws {
    let run = try shell(
      """
      printf 'feeds: [{address: "https://a.example/f", rules: none.yaml}]\\n' > c.yaml
      echo '<rss version="2.0"><channel><title>F</title><item><guid>1</guid><title>A</title></item></channel></rss>' > f.xml
      tamis build f.xml --config c.yaml -o s; echo $?; ls s/posts/*/
      tamis build f.xml -o s -j 9223372036854775807; echo $?
      """)
    #expect(run.output.hasPrefix("1\na-") && run.output.hasSuffix("html\n2\n"), "\(run)")
    #expect(run.errors.contains("c.yaml:1:9: error: no rules 'none.yaml'"), "\(run)")
  }

  /// A value is read by one function, whether a file has it or an option of the command.
  @Test(arguments: [
    (
      "fetch: {delay: '%'}", "status --lasting", "30s|500ms|45s|2d|1w|1h 30m|1h30m| 0s",
      "30|1.5h|-1s|1y|s|2 000 s|40000d"
    ),
    ("fetch: {timeout: '%'}", "fetch --now --into x --set fetch.timeout", "1ms|2m", "0s|1"),
    ("defaults: {max-age: '%'}", "publish --digest text --days", "1|30|90d|2w|48h", "0|-3|90m|d|1.5d|36601"),
    (
      "fetch: {max-size: '%'}", "sanitize --jsonl --max-record", "2KB|2 KiB|20MB|1GiB|16M|4096B|64k",
      "2048|1.5MB|0B|MB|9 TB|2 GB 3"
    ),
    (
      "fetch: {proxy: '%'}", "fetch --now --into x --set fetch.proxy",
      "http://127.0.0.1:80|socks5h://127.0.0.1:1|127.0.0.1:3128",
      "ftp://127.0.0.1|http://|:"
    ),
    ("fetch: {allow: '%'}", "fetch --now --into x --allow", "10.0.0.0/8|::1|fd00::/8", "10.0.0.1/8|example.org|10"),
  ])
  func valuesAreReadAlikeInFilesAndOptions(_ line: String, _ command: String, _ good: String, _ bad: String) throws {
    func run(_ text: String) throws -> (file: Command.Run, option: Command.Run) {
      let setting = line.replacingOccurrences(of: "%", with: text)
      return try (
        shell("printf '%s\\n' \"\(setting)\" > v.yaml; tamis config check v.yaml"),
        shell("tamis init --title T --force; tamis \(command)='\(text)' < /dev/null")
      )
    }
    for text in good.split(separator: "|").map(String.init) {
      let (file, option) = try run(text)
      #expect(file.status == 0 && option.status != 2, "\(text): \(file) \(option)")
    }
    for text in bad.split(separator: "|").map(String.init) {
      let (file, option) = try run(text)
      #expect(file.status == 65 && option.status == 2, "\(text): \(file) \(option)")
      let message = try #require(file.errors.firstRange(of: "error: ").map { file.errors[$0.upperBound...] })
      let sentence = message.prefix { $0 != "[" }.trimmingCharacters(in: .whitespaces)
      #expect(option.errors.contains(sentence), "\(text): \(sentence) \(option)")
    }
  }

  /// Editors of Windows begin a text with a byte order mark.
  @Test func byteOrderMarkChangesNothing() throws {
    let run = try shell(
      """
      printf '\\357\\273\\277site:\\n  title: X\\nfeeds:\\n  - https://a.example/\\n' > tamis.yaml; tamis config check && tamis list
      printf '\\357\\273\\277[Planet]\\nname = P\\n[https://b.example/feed]\\nname = B\\n' > old.ini
      tamis init --from old.ini --force && tamis list
      """)
    #expect(run.status == 0 && run.output.contains("https://a.example/"), "\(run)")
    #expect(run.output.contains("https://b.example/feed"), "\(run)")
  }

  @Test func feedIsReadFromStandardInput() throws {
    let run = try Command.tamis(
      ["extract", "-"], input: "<rss version='2.0'><channel><item><title>Here</title></item></channel></rss>",
      in: folder.path)
    #expect(run.status == 0 && run.output.contains("\"title\":\"Here\""), "\(run)")
  }

  @Test func extractHasNoURLThatRuns() throws {
    let run = try Command.tamis(
      ["extract", "-"],
      input: """
        <rss version='2.0' xmlns:media='http://search.yahoo.com/mrss/'><channel><item><title>t</title>
        <link>javascript:0</link><media:thumbnail url='javascript:1'/><media:content url='data:text/html,2' medium='image'/>
        <description>&lt;img src="javascript:3"&gt;</description><enclosure url='javascript:4' type='image/png'/>
        </item></channel></rss>
        """, in: folder.path)
    #expect(run.status == 0 && run.output.contains("\"rejected\":\"address\""), "\(run)")
    #expect(!run.output.contains("javascript:") && !run.output.contains("data:"), "\(run.output)")
  }

  @Test func categoriesAreExported() throws {
    let feed = "<rss version='2.0'><channel><title>F</title><item><guid>1</guid></item></channel></rss>"
    try Data(feed.utf8).write(to: URL(filePath: "\(folder.path)/f.xml"))
    let run = try shell(
      """
      printf 'site: {output: s}\\ndefaults: {category: News}\\n' > tamis.yaml
      tamis build f.xml --config tamis.yaml -q && tamis archive export --archive s.archive > e.jsonl
      tamis archive import --archive i.archive e.jsonl && tamis archive export --archive i.archive | cmp - e.jsonl
      tamis publish --archive i.archive --output is -q && ls is/categories
      """)
    #expect(run.status == 0 && run.output.contains("news.html"), "\(run)")
  }

  @Test func fileIsSuggestedForListThatIsNoAddress() throws {
    let run = try shell("printf 'lists: [{address: more.txt}]\\n' > tamis.yaml; tamis config check")
    #expect(run.status == 65 && run.errors.contains("a file is named by 'file: more.txt'"), "\(run)")
  }

  @Test func listShowsFeedTitlesFromArchive() throws {
    let feed = "<rss version='2.0'><channel><title>What it  says</title><item><guid>1</guid></item></channel></rss>"
    try Data(feed.utf8).write(to: URL(filePath: "\(folder.path)/f.xml"))
    // The archive has it as if it was fetched.
    let run = try shell(
      """
      tamis ingest f.xml --archive x.archive
      tamis archive export --archive x.archive | sed 's|"location":"f.xml"|"location":"https://a.example/f"|' > lines.jsonl
      printf 'feeds:\\n- https://a.example/f\\n- {address: "https://b.example/f", title: Mine}\\n- https://c.example/\\n' > tamis.yaml
      tamis list && tamis archive import lines.jsonl && tamis list
      """)
    let mine = "https://b.example/f\tMine\t\nhttps://c.example/\t\t\n"
    #expect(
      run.output == "https://a.example/f\t\t\n\(mine)https://a.example/f\tWhat it says\t\n\(mine)", "\(run)")
  }

  /// Passwords of imported files, links and addresses reach neither the configuration nor the site.
  @Test func importedPasswordsAreNotPublished() throws {
    let opml =
      "<opml version='2.0'><head><ownerId>https://me:hunter2@own.example/</ownerId></head><body><outline "
      + "text='https://me:hunter2@a.example/F' xmlUrl='https://a.example/f' htmlUrl='https://me:hunter2@a.example/'/></body></opml>"
    let feed =
      "<rss version='2.0'><channel><title>t</title><link>/home</link><item><title>p</title><link>/post</link>"
      + "<description>&lt;img src='/y.png'></description></item></channel></rss>"
    for (name, text) in [("o.opml", opml), ("f.xml", feed)] {
      try Data(text.utf8).write(to: URL(filePath: "\(folder.path)/\(name)"))
    }
    let script = """
      printf '[Planet]\\nlink = http://me:hunter2@x.example/\\n[http://f.example/]\\n' > venus.ini
      tamis init --from o.opml --config o.yaml && tamis init --from venus.ini --config v.yaml
      tamis build f.xml --address f.xml=http://me:hunter2@a.example/f -o site
      grep -rlF hunter2 o.yaml v.yaml site; grep -rlF http://a.example/post site/feed.json
      """
    let run = try shell(script)
    #expect(run.output == "site/feed.json\n" && run.status == 0, "\(run.output) \(run.errors)")
  }

  @Test func addingGoneFeedResetsItsState() throws {
    let gone = try Planet.Address("https://me:secret@gone.example/feed")
    var state = FetchState(address: gone.forAll)
    state.isGone = true
    try Archive.open(file: "\(folder.path)/site.archive").archive.remember([gone.forAll: state])
    let run = try shell(
      "printf 'feeds: [\"https://me:secret@gone.example/feed\"]\\n' > tamis.yaml; tamis add --as-is https://me:secret@gone.example/feed"
    )
    #expect(run.status == 0 && run.errors.contains("was gone (410); it is fetched again"), "\(run.errors)")
    #expect(try Archive.open(file: "\(folder.path)/site.archive").archive.fetchStates().isEmpty)
  }

  @Test func importedConfigurationBringsNoProgramsOrNetworks() throws {
    let run = try shell(
      """
      printf 'fetch: {allow: [10.0.0.0/8]}\\nfilters: [program: {command: [evil]}]\\n' > other.yaml
      tamis init --from other.yaml && grep -c 'evil\\|10[.]0' tamis.yaml
      """)
    #expect(run.output == "0\n" && run.errors.contains("'evil'") && run.errors.contains("10.0.0.0/8"), "\(run.errors)")
  }

  /// A new file shows each setting with a valid value, and the documents match the command's output.
  @Test func allSettingsAreInitializedAndDocumented() throws {
    let run = try shell(
      """
      tamis init > /dev/null && sed -e '/^# The feeds/,$b' -e 's/^# \\( *[a-z-]*:\\)/\\1/' -e 's/^  # \\([a-z-]*:\\)/  \\1/' tamis.yaml > all.yaml
      tamis config check all.yaml 2>&1 | grep error: | grep -v config.missing; grep -c '^  [a-z-]*:' all.yaml
      """)
    #expect(Int(run.output.trimmingCharacters(in: .newlines)) ?? 0 >= 33, "\(run.output) \(run.errors)")
    for (command, file) in [
      ("config settings", "settings.md"), ("config schema", "tamis.schema.json"), ("rules schema", "rules.schema.json"),
    ] {
      let document = try String(contentsOf: Fixtures.root.appending(path: "docs/\(file)"), encoding: .utf8)
      #expect(try shell("tamis \(command)").output == document, "write docs/\(file) anew: tamis \(command)")
    }
  }

  @Test func initDoesNotOverwriteWithoutForce() throws {
    let run = try shell(
      "echo mine > tamis.yaml; tamis init; echo $?; cat tamis.yaml; tamis init --force; tamis list; echo $?")
    #expect(run.output == "2\nmine\n0\n" && run.errors.contains("--force overwrites it"), "\(run.errors)")
  }

  @Test func initImportsListsAndOPML() throws {
    let script = """
      printf 'https://example.org/a The first\\n' > list.txt
      tamis init --from list.txt --config one.yaml && tamis list --opml --config one.yaml > one.opml
      tamis init --from - --config two.yaml < one.opml && tamis list --config two.yaml && cmp one.yaml two.yaml
      """
    let run = try shell(script)
    #expect(run.status == 0 && run.output == "https://example.org/a\tThe first\t\n", "\(run.errors)")
    #expect(run.errors.contains("with 1 feed from a list of addresses") && run.errors.contains("from OPML"))
    let bad = try shell("echo '<html>' > x; tamis init --from x --config three.yaml; echo $?; ls three.yaml")
    #expect(bad.output == "65\n" && bad.errors.contains("x:1:1: error: this is not OPML"), "\(bad.errors)")
  }

  @Test func configurationErrorsAreReportedWithLocations() throws {
    let text =
      "site:\n  titel: x\n  theme: newspapr\nfeeds:\n  - {address: https://example.org/, rules: strct}\nlists: [none.opml]\n"
    try Data(text.utf8).write(to: URL(filePath: folder.path + "/tamis.yaml"))
    let run = try shell("tamis config check")
    #expect(run.status == 65 && run.output.isEmpty)
    for words in [
      "tamis.yaml:2:3: error: unknown setting of site 'titel'; did you mean 'title'? [config.invalid]",
      "tamis.yaml: error: there is no theme 'newspapr'; did you mean 'newspaper'? [config.missing]",
      "tamis.yaml:5:5: error: there is no rules 'strct'; did you mean 'strict'? [config.missing]",
      "tamis.yaml:6:9: error: there is no list 'none.opml' [config.missing]",
    ] { #expect(run.errors.contains(words), "\(run.errors)") }
    let missing = try shell(
      "tamis config check nowhere.yaml; echo $?; tamis add --as-is https://example.org/ --config nowhere.yaml; echo $?")
    #expect(missing.output == "65\n65\n" && missing.errors.contains("create it with: tamis init"), "\(missing.errors)")
  }

  /// Files of known pages and rules for sites are checked too.
  @Test func knownPagesAndSiteRulesAreChecked() throws {
    for (name, text) in [
      ("tamis.yaml", "pages: {known: none.warc, site-rules: sites.yaml}\nfeeds: [https://example.org/f]\n"),
      ("sites.yaml", "sites:\n  example.org: {keep: 'p:x'}\n"),
    ] { try Data(text.utf8).write(to: URL(filePath: "\(folder.path)/\(name)")) }
    let run = try shell("tamis config check; tamis build --no-fetch")
    #expect(run.errors.contains("tamis.yaml: error: there is no file of known pages 'none.warc' [config.missing]"))
    #expect(run.errors.components(separatedBy: "sites.yaml:2:25: error: ':' is not supported").count == 3)
  }
}
