import Foundation
import TestSupport
import Testing

@Suite("Status of feeds")
struct StatusTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try Fixtures.temporaryFolder()
    let feed = """
      <rss version="2.0"><channel><title>Fog</title><item><title>A</title><guid>a</guid>
      <pubDate>Fri, 20 Nov 2020 10:00:00 GMT</pubDate></item></channel></rss>
      """
    try Data(feed.utf8).write(to: URL(filePath: folder.path).appending(path: "feed.xml"))
    try Data("feeds:\n  - http://127.0.0.1:1/feed.xml\n".utf8)
      .write(to: URL(filePath: folder.path).appending(path: "tamis.yaml"))
  }

  private func shell(_ script: String) throws -> Command.Run { try Command.shell(script, in: folder.path) }

  @Test("a failing feed is told with a remedy, and by the exit code")
  func failingFeedIsTold() throws {
    let run = try shell("tamis build --config tamis.yaml feed.xml -q; tamis status")
    #expect(run.status == 1)
    #expect(run.output.contains("2 feeds: 1 failing, 0 moved, 0 quiet\n\nFailing\n  127.0.0.1:1"), "\(run.output)")
    #expect(run.output.contains("allow that network (fetch: allow)"), "\(run.output)")
    #expect(try shell("tamis status --lasting 2d -q").status == 0)
    #expect(try shell("tamis status --lasting 2d -q").output.isEmpty)
    #expect(try shell("tamis status -q").output.contains("Failing"))
  }

  @Test("JSON has the members of status.json, and the remedy")
  func jsonHasMembersOfStatus() throws {
    let run = try shell("tamis build --config tamis.yaml feed.xml -q; tamis status --json")
    let feeds = try run.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    let byState = Dictionary(grouping: feeds) { $0["state"] as? String ?? "" }
    #expect(byState["failed"]?.first?["reason"] as? String == "forbidden")
    #expect(byState["failed"]?.first?["remedy"] is String)
    #expect(byState["file"]?.first?["title"] as? String == "Fog")
    #expect(byState["file"]?.first?["remedy"] == nil)
  }

  @Test("without an archive there is nothing to tell")
  func missingArchiveIsTold() throws { #expect(try shell("tamis status").status == 65) }

  @Test("the list as JSON names address, title and place")
  func listIsJSON() throws {
    let run = try shell("tamis list --json")
    #expect(
      run.output
        == #"{"address":"http://127.0.0.1:1/feed.xml","title":"","categories":[],"off":false,"location":"tamis.yaml:2:5"}"#
        + "\n")
    #expect(try shell("tamis list --json --opml").status == 2)
    #expect(try shell("tamis add https://example.org/ --pick=-9223372036854775808").status == 2)
  }

  @Test("a copy asks search engines to leave it out, and has no site map")
  func unlistedSiteSaysSo() throws {
    let run = try shell(
      "tamis build feed.xml -o site --title T --url https://t.example/ --set site.noindex=true -q && ls site && cat site/_headers site/index.html"
    )
    #expect(run.output.contains("<meta name=\"robots\" content=\"noindex\">"))
    #expect(run.output.contains("  X-Robots-Tag: noindex\n"))
    #expect(!run.output.contains("sitemap"))
    let listed = try shell(
      "tamis build feed.xml -o site --title T --url https://t.example/ -q && ls site && cat site/index.html")
    #expect(listed.output.contains("sitemap.xml") && !listed.output.contains("noindex"))
  }
}

@Suite("Arguments of a server's builds")
struct ServeArgumentsTests {
  @Test("what serve cannot do is told")
  func refusalsAreTold() throws {
    let folder = try Fixtures.temporaryFolder()
    for arguments in ["", "--check a.xml -o site", "- -o site", "a.xml"] {
      #expect(
        try Command.shell("tamis serve --port 0 \(arguments) < /dev/null", in: folder.path).status == 2, "\(arguments)")
    }
    #expect(
      try Command.shell("tamis serve a.xml -o site --host example.org", in: folder.path).errors.contains("[serve]"))
  }
}
