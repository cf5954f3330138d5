import Foundation
import TestSupport
import Testing

/// Runs the executable as its users do.
@Suite struct CommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try Fixtures.temporaryFolder() }

  @Test func fragmentIsSanitized() throws {
    let run = try tamis(["sanitize"], input: "<p onclick=x>Hello <b>you")
    #expect(run.output == "<p>Hello <b>you</b></p>\n" && run.status == 0)
  }

  @Test func sanitizeReportsRemovals() throws {
    let run = try tamis(["sanitize", "--report"], input: "<p>\n<script>x</script>")
    #expect(run.errors.contains("-:2:8: note: script is not allowed and went with its content [sanitize.content]"))
    #expect(run.errors.contains("-: note: removed: 1 content [sanitize.total]"))
  }

  @Test func sanitizeReportIsPartOfEachRecord() throws {
    let run = try tamis(
      ["sanitize", "--jsonl", "--report"], input: #"{"id": 1, "html": "<p onclick=x onfocus=y><i>a"}"#)
    let line = try #require(
      JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let report = try #require(line["report"] as? [String: Any])
    #expect(line["html"] as? String == "<p><i>a</i></p>")
    #expect(report["totals"] as? [String: Int] == ["attribute": 2])
    #expect((report["removals"] as? [[String: Any]])?.first?["name"] as? String == "p@onclick")
  }

  @Test func checkReportsWhatBuildWouldChange() throws {
    let feed = Fixtures.url("Feeds/old-radio.rss").path
    let site = folder.path + "/site"
    let trial = try tamis(["build", feed, "--output", site, "--check"])
    #expect(trial.status == 1 && trial.output == "make all pages: the archive does not know this site\n")
    #expect(!FileManager.default.fileExists(atPath: site) && !FileManager.default.fileExists(atPath: site + ".archive"))
    let build = ["build", feed, "--output", site, "--url", "https://planet.example/x", "--theme", "plain"]
    #expect(try tamis(build).status == 0)
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let again = try tamis(build + ["--check"])
    #expect(again.status == 0 && again.output.isEmpty, "\(again.errors)")
    let other = try tamis(build + ["--check", "--title", "Other"])
    #expect(other.status == 1 && other.output == "make all pages: the theme, the rules or the options have changed\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == before)
    let maps = try ["sitemap.xml", "sitemap/lists.xml"].map {
      try String(contentsOfFile: "\(site)/\($0)", encoding: .utf8)
    }
    #expect(maps[0].contains("<loc>https://planet.example/x/sitemap/lists.xml</loc>"))
    #expect(maps[1].contains("<loc>https://planet.example/x/index.html</loc>"))
  }

  @Test func themesAreCreatedAndChecked() throws {
    let theme = folder.path + "/mine"
    #expect(try tamis(["theme", "list"]).output == "default\nnewspaper\nplain\n")
    #expect(try tamis(["theme", "new", theme, "--from", "plain"]).status == 0)
    #expect(try tamis(["theme", "check", theme]).status == 0)
    #expect(try tamis(["theme", "new", theme]).status == 2, "it is there already")
    try Data("{{#url}}".utf8).write(to: URL(filePath: theme + "/card.mustache"))
    let run = try tamis(["theme", "check", theme])
    #expect(run.status == 65 && run.errors.contains("card.mustache:1: {{#url}} is not closed"))
    let build = try tamis(["build", Fixtures.url("Feeds").path, "--output", folder.path + "/s", "--theme", theme])
    #expect(build.status == 65 && build.errors.contains("card.mustache:1"))
  }

  @Test func feedIsParsedToJSON() throws {
    let run = try tamis(["parse", Fixtures.url("Feeds/old-radio.rss").path])
    let object = try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(object["version"] as? String == "rss091n")
    #expect((object["entries"] as? [Any])?.count == 9)
  }

  @Test func parseSanitizesUnlessToldOtherwise() throws {
    let feed = "<rss><channel><item><description>&lt;p onclick='x()'&gt;a</description></item></channel></rss>"
    let folder = try Fixtures.temporaryFolder()
    let file = folder.path + "/feed.xml"
    try Data(feed.utf8).write(to: URL(filePath: file))
    #expect(try tamis(["parse", file]).output.contains("\"<p>a</p>\""))
    #expect(try tamis(["parse", file, "--no-sanitize"]).output.contains("\"<p onclick='x()'>a\""))
    #expect(try tamis(["parse", file, "--no-sanitize", "--rules", "strict"]).status == 2)
    #expect(try tamis(["parse", "--jsonl", "--no-sanitize"]).status == 2)
  }

  @Test func jsonlFormatPrintsOneLinePerEntry() throws {
    let run = try tamis(["parse", Fixtures.url("Feeds/old-radio.rss").path, "--format", "jsonl"])
    let titles = try run.output.split(separator: "\n").map { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }
    #expect(titles.count == 9 && !titles.contains { $0 == nil } && run.status == 0)
  }

  /// Entries are out of order, as in feeds: 3 is newer than the date but stands behind 2.
  @Test(arguments: [("filter", ["1", "3", "4"], ""), ("stop", ["1"], "read 2 entries")])
  func untilOptionLeavesOutOlderEntries(_ mode: String, _ expected: [String], _ words: String) throws {
    let items = [("1", "2026-03-01"), ("2", "2026-02-01"), ("3", "2026-02-02"), ("4", "")].map {
      "<item><guid>\($0.0)</guid><pubDate>\($0.1)</pubDate></item>"
    }.joined()
    try Data("<rss><channel>\(items)</channel></rss>".utf8).write(to: URL(filePath: folder.path + "/feed.xml"))
    let run = try tamis(["parse", "feed.xml", "--format", "jsonl", "--until", "2026-02-01", "--until-mode", mode])
    let ids = try run.output.split(separator: "\n").map { line in
      (try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["id"] as? String
    }
    #expect(ids == expected.map(Optional.init) && run.status == 0)
    #expect(run.errors.contains(words) || words.isEmpty, "\(run.errors)")
    #expect(!run.errors.contains("cut-off"))
    #expect(try tamis(["parse", "feed.xml", "--until", "soon"]).status == 2)
  }

  @Test func responseHeaderSetsEncoding() throws {
    try Data([0x3C] + "rss><channel><title>".utf8 + [0xE0] + "</title></channel></rss>".utf8)
      .write(to: URL(filePath: folder.path + "/feed.xml"))
    let run = try tamis(["parse", "feed.xml", "--header", "Content-Type: text/xml; charset=koi8-r"])
    let object = try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect((object["feed"] as? [String: Any])?["title"] as? String == "Ю")
    #expect(object["bozo"] as? Bool == false && object["encoding"] as? String == "koi8-r")
    #expect(try tamis(["parse", "feed.xml", "--header", "nonsense"]).status == 2)
  }

  @Test func siteIsBuiltFromAnyWorkingDirectory() throws {
    let run = try tamis(["build", Fixtures.url("Feeds").path, "--output", "out"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("13 feeds, 78 new posts"))
    #expect(FileManager.default.fileExists(atPath: folder.path + "/out/index.html"))
    #expect(FileManager.default.fileExists(atPath: folder.path + "/out.archive"))
  }

  @Test(arguments: [
    (["parse", "missing.xml"], 65, "missing.xml: error:"),
    (["build", "missing", "--output", "out"], 65, "missing: error:"),
    (["build"], 2, "Usage:"),
    (["sanitize", "--rules", "nothing"], 2, "no rules 'nothing'"),
    (["sanitize", "--tidy", "maybe"], 2, "'maybe' is not one of"), (["nonsense"], 2, "Usage:"),
    (["biuld", "x"], 2, "Did you mean 'tamis build'?"), (["archive", "shwo"], 2, "Did you mean 'tamis archive show'?"),
    (["parse", "https://a.example/feed"], 65, "fetch it first: tamis fetch 'https://a.example/feed' --into feeds"),
    (["extract", "http://a.example/feed"], 65, "fetch it first: tamis fetch 'http://a.example/feed' --into feeds"),
    (["build", "http://127.0.0.1/feed", "-o", "s"], 65, "127.0.0.1 is not a public address"),
    (["fetch", "http://127.0.0.1/feed", "--into", "s"], 65, "127.0.0.1 is not a public address"),
    (["fetch", "nowhere", "--into", "s"], 65, "nowhere: this is neither an address nor a list of addresses"),
    (["build", ".", "-o", "s", "--url", "nope"], 2, "Usage: tamis build "),
    (["rules", "show", "nothing"], 2, "Usage: tamis rules show "),
    (["build", ".", "-o", "s", "--address", "x.xml"], 2, "--address 'x.xml' is not of the form FILE=https://"),
    (["sanitize", "missing.html"], 65, "missing.html: error:"), (["build", "x", "--output", ""], 2, "--output"),
  ])
  func invalidArgumentsAreReported(_ arguments: [String], _ status: Int, _ words: String) throws {
    let run = try tamis(arguments)
    #expect(run.status == status)
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(run.output.isEmpty)
  }

  @Test func unwritableOutputIsReported() throws {
    try Data("x".utf8).write(to: URL(filePath: folder.path + "/file"))
    let run = try tamis(["build", Fixtures.url("Feeds").path, "--output", "file/site"])
    #expect(run.status == 74 && run.errors.contains("file/site"), "\(run.errors)")
  }

  @Test func archiveIsWrittenBesideSite() throws {
    try FileManager.default.createDirectory(atPath: folder.path + "/here", withIntermediateDirectories: true)
    let run = try tamis(["build", Fixtures.url("Feeds/old-radio.rss").path, "--output", "here/./"])
    #expect(run.status == 0 && FileManager.default.fileExists(atPath: folder.path + "/here.archive"), "\(run.errors)")
  }

  @Test func partialFailureSetsExitCode() throws {
    let run = try tamis(["build", Fixtures.url("Feeds/old-radio.rss").path, "missing.rss", "--output", "out"])
    #expect(run.status == 1 && run.errors.contains("1 feed,"), "\(run.errors)")
  }

  @Test func rulesAreLinted() throws {
    try Data("name: x\nelements:\n  html: [script]\n".utf8).write(to: URL(filePath: folder.path + "/x.yaml"))
    let run = try tamis(["rules", "lint", "x.yaml"])
    #expect(
      run.status == 1 && run.errors.contains("x.yaml:3:10: error: 'script' can never be allowed"), "\(run.errors)")
    #expect(try tamis(["rules", "list"]).output == "browser-default\nreading\nstrict\ntext\nuniversal-feed-parser\n")
  }

  /// Every command that the help of another names has help of its own.
  @Test func everyCommandHasHelp() throws {
    var (commands, seen): ([[String]], Int) = ([[]], 0)
    while seen < 100, let command = commands.popLast() {
      let run = try tamis(command + ["--help"])
      #expect(run.status == 0 && run.output.contains("USAGE: tamis"), "\(command)")
      seen += 1
      guard let list = run.output.range(of: "SUBCOMMANDS:") else { continue }
      for line in run.output[list.upperBound...].split(separator: "\n") {
        // A name is indented by two spaces, what continues a summary by more.
        guard line.hasPrefix("  "), !line.hasPrefix("   "), let name = line.split(separator: " ").first else {
          continue
        }
        if name.allSatisfy({ $0.isLowercase || $0 == "-" }) { commands.append(command + [String(name)]) }
      }
    }
    #expect(seen > 30)
  }

  private func tamis(_ arguments: [String], input: String = "") throws -> Command.Run {
    try Command.tamis(arguments, input: input, in: folder.path)
  }

  @Test(arguments: [
    ["forget", "a.xml: Nothing"], ["forget", "nope.xml: One"], ["show", "--feed", "nope.xml"],
    ["mark-read", "--feed", "nope.xml"], ["explain", "a.xml: One", "nothing"],
  ])
  func missingPostOrFeedIsReported(_ arguments: [String]) throws {
    let folder = try Fixtures.temporaryFolder()
    let feed =
      #"<rss version="2.0"><channel><title>a</title><item><guid>1</guid><title>One</title></item></channel></rss>"#
    try Data(feed.utf8).write(to: URL(filePath: folder.path + "/a.xml"))
    #expect(try Command.tamis(["build", "a.xml", "--output", "site"], in: folder.path).status == 0)
    let run = try Command.tamis(["archive"] + arguments + ["--archive", "site.archive"], in: folder.path)
    #expect(run.status == 65 && run.errors.contains("there is no ") && !run.errors.contains("Usage"), "\(run.errors)")
    #expect(
      try Command.tamis(["archive", "forget", "./a.xml: One", "--archive", "site.archive"], in: folder.path).status == 0
    )
  }
}
