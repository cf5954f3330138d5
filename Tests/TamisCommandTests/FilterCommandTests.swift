import Foundation
import TestSupport
import Testing

/// `tamis filter test`, as its users run it.
@Suite struct FilterCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try Fixtures.temporaryFolder()
    let items = [
      ("Crypto up", "a"), ("Fog over the bay", "b"), ("[Ad] Mist", "c"),
    ].map {
      "<item><title>\($0)</title><link>https://news.example.org/\($1)</link><description>text</description></item>"
    }
    try write("f.xml", "<rss version='2.0'><channel><title>News</title>\(items.joined())</channel></rss>")
    try write(
      "tamis.yaml",
      """
      site: {archive: x.archive}
      feeds:
      - {address: "https://a.example/f", title: The news}
      - https://b.example/f
      filters:
      - drop: {matches: 'crypto(currency)?', in: title}
      - rename: {prefix: "[Ad] "}
      - drop: {any: [{kinds: podcast}, {domains: [example.net]}]}
      - excerpt: {words: mist}
      - program: {command: [cat]}
      """)
  }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(folder.path)/\(name)"))
  }

  private func shell(_ script: String) throws -> Command.Run { try Command.shell(script, in: folder.path) }

  private static let table = """
    dropped    Crypto up
               tamis.yaml:6:3: dropped: 'Crypto' of /crypto(currency)?/ is in the title
    kept       Fog over the bay
    excerpt    [Ad] Mist
               tamis.yaml:7:3: renamed: it was '[Ad] Mist'
               tamis.yaml:9:3: shown by its excerpt: 'mist' is in the title
    3 posts of 'News': 2 kept, 1 dropped, 1 shown by its excerpt, 1 renamed
    tamis.yaml:8:3: 'drop' had no effect: of 2 posts that came to it
    tamis.yaml:10:3: this program was not run (--programs runs it)

    """

  @Test func fileIsTriedWithReasons() throws {
    let run = try shell("tamis filter test f.xml; ls")
    #expect(run.status == 0 && run.output == Self.table + "f.xml\ntamis.yaml\n", "\(run)")
    let piped = try shell("tamis filter test - < f.xml | head -1; tamis filter test f.xml --programs | tail -2")
    #expect(piped.output.hasPrefix("dropped    Crypto up\n"), "\(piped)")
    #expect(
      piped.output.hasSuffix("tamis.yaml:10:3: 'program' had no effect: of 2 posts that came to it\n"), "\(piped)")
  }

  @Test func postsAreLinesOfJSON() throws {
    let run = try shell("tamis filter test f.xml --json")
    let lines = run.output.split(separator: "\n")
    #expect(run.status == 0 && run.errors.hasPrefix("3 posts of 'News': 2 kept, 1 dropped"), "\(run)")
    try #require(lines.count == 3)
    #expect(
      lines[0] == """
        {"feed":"News","title":"Crypto up","link":"https://news.example.org/a","outcome":"dropped","excerpt":false,"decisions":[\
        {"file":"tamis.yaml","line":6,"filter":"drop","effect":"dropped","reason":"'Crypto' of /crypto(currency)?/ is in the title"}]}
        """)
    #expect(lines[2].contains(#""outcome":"kept","excerpt":true,"new_title":"Mist","decisions":[{"#), "\(lines[2])")
  }

  /// A subscribed feed is named by its address or its title, and its posts come from the archive.
  @Test func subscribedFeedIsTriedFromArchive() throws {
    let run = try shell(
      """
      tamis ingest f.xml --archive y.archive -q
      tamis archive export --archive y.archive | sed 's|"location":"f.xml"|"location":"https://a.example/f"|' > lines.jsonl
      tamis filter test 'the news'; echo $?; tamis archive import --archive x.archive lines.jsonl
      for name in 'the news' News https://a.example/f a.example/f; do
        tamis filter test "$name" | grep 'posts of'
      done
      tamis filter test https://a.example/f --most 1 | grep -c '^[a-z][a-z]*  '
      tamis filter test https://b.example/f; echo $?; tamis filter test 'The mews'; echo $?; tamis filter test a.exmaple/f; echo $?
      """)
    let line = "3 posts of 'The news': 2 kept, 1 dropped, 1 shown by its excerpt, 1 renamed\n"
    #expect(run.output == "65\n" + line + line + line + line + "1\n65\n65\n65\n", "\(run)")
    #expect(run.errors.contains("the archive has no posts of 'the news' yet"), "\(run.errors)")
    #expect(run.errors.contains("the archive has no posts of 'https://b.example/f' yet"), "\(run.errors)")
    #expect(run.errors.contains("no subscribed feed 'The mews'; did you mean 'The news'?"), "\(run.errors)")
  }

  @Test func ruleIsTriedInsteadOfThoseOfConfiguration() throws {
    let run = try shell(
      """
      tamis filter test f.xml --rule 'drop: {matches: "fog|mist"}' | tail -1
      cd .run; tamis filter test ../f.xml --rule 'keep: {kinds: article}' --rule '[drop: {longer-than: 9 words}]' | tail -2
      tamis filter test ../f.xml; echo $?; tamis filter test ../f.xml --rule 'drop: {matches: "("}'; echo $?
      tamis filter test ../f.xml --rule ''; echo $?
      """)
    #expect(
      run.output == """
        3 posts of 'News': 1 kept, 2 dropped
        3 posts of 'News': 3 kept, 0 dropped
        --rule 2:1:2: 'drop' had no effect: of 3 posts that came to it
        2
        65
        65

        """, "\(run)")
    #expect(run.errors.contains("--rule:1:17: error: '(' is not an expression of RE2: missing ): ("), "\(run.errors)")
    #expect(run.errors.contains("--rule: error: a filter is missing here"), "\(run.errors)")
  }

  /// A post that is held back by a setting says which.
  @Test func settingsCountToo() throws {
    try write("b.yaml", "defaults: {max-posts: 1}\nfilters: [drop: {words: fog}]\n")
    let run = try shell(
      "tamis filter test f.xml --config b.yaml | head -4; tamis filter test f.xml --config c.yaml; echo $?")
    #expect(run.output.contains("dropped    Fog over the bay\n           it is not among the newest 1"), "\(run)")
    #expect(run.output.hasSuffix("65\n") && run.errors.contains("c.yaml does not exist"), "\(run)")
  }
}
