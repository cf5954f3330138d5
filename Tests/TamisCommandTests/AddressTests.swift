import Foundation
import TestSupport
import Testing

/// How a feed's own address comes to it.
@Suite struct AddressTests {
  private let folder: TemporaryFolder

  init() throws { folder = try Fixtures.temporaryFolder() }

  private func write(_ text: String, _ name: String) throws {
    try FileManager.default.createDirectory(atPath: folder.path + "/f", withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: "\(folder.path)/\(name)"))
  }

  private func feed(_ head: String = "") throws {
    let items = (1...3).map {
      "<item><guid isPermaLink='false'>\($0)</guid><title>P\($0)</title><link>/p\($0)</link><description>&lt;a href='q'>q&lt;/a></description></item>"
    }
    try write(
      "<rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom'><channel><title>T</title>\(head)\(items.joined())</channel></rss>",
      "f/x.xml")
  }

  private func extract(_ arguments: [String] = []) throws -> Command.Run {
    try Command.tamis(["extract", "f", "--format", "jsonl"] + arguments, in: folder.path)
  }

  @Test(arguments: [
    ("", "--address f/x.xml=https://a.example/blog/feed", "", "", "https://a.example/p1"),
    ("", "--address ./f/../f/x.xml=https://a.example/blog/feed", "", "", "https://a.example/p1"),
    ("", "", "https://a.example/blog/feed\n", "", "https://a.example/p1"),
    (
      "", "", "",
      "HTTP/1.1 301 Moved\r\nLink: <https://old.example/>; rel=self\r\n\r\nHTTP/2 200\r\ncontent-type: application/rss+xml; charset=utf-8\r\nlink: <https://h.example/>; rel=\"hub\", <https://a.example/blog/feed>; rel=\"self\"\r\n",
      "https://a.example/p1"
    ),
    (
      "", "", "",
      "HTTP/2 200\r\ncontent-type: application/rss+xml; charset=utf-8\r\nContent-Location: https://a.example/blog/feed.en\r\n",
      "https://a.example/p1"
    ),
    ("<atom:link rel='self' href='https://a.example/blog/feed'/>", "", "", "", "https://a.example/p1"),
    (
      "<atom:link rel='self' href='https://b.example/'/>", "--address f/x.xml=https://a.example/", "https://c.example/",
      "", "https://a.example/p1"
    ),
    (
      "<atom:link rel='self' href='https://a.example/blog/feed'/><link>/blog/</link>", "", "", "",
      "https://a.example/p1"
    ),
  ])
  func relativeURLsAreResolved(
    _ head: String, _ option: String, _ url: String, _ headers: String, _ expected: String
  ) throws {
    try feed(head)
    if !url.isEmpty { try write(url, "f/x.xml.url") }
    if !headers.isEmpty { try write(headers, "f/x.xml.headers") }
    let run = try extract(option.split(separator: " ").map(String.init))
    #expect(run.status == 0 && run.output.contains("\"url\":\"\(expected)\""), "\(run.output) \(run.errors)")
    #expect(run.errors.isEmpty, "\(run.errors)")
    let build = try Command.tamis(
      ["build", "f", "-o", "s", "-v"] + option.split(separator: " ").map(String.init), in: folder.path)
    #expect(build.status == 0 && !build.errors.contains("read.skipped"), "\(build.errors)")
  }

  @Test func missingBaseURLIsReportedOnce() throws {
    try feed()
    let run = try extract()
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    #expect(
      run.errors.contains("f/x.xml:1:") && run.errors.contains("3 entries have relative URLs"), "\(run.errors)"
    )
  }

  @Test func addressOfUnknownFileIsReported() throws {
    try feed()
    for command in ["extract", "build"] {
      let run = try Command.tamis(
        [command, "f", "--address", "f/y.xml=https://a.example/"] + (command == "build" ? ["-o", "s"] : []),
        in: folder.path)
      #expect(
        run.status == 2 && run.errors.contains("'f/y.xml'") && run.errors.contains("Usage: tamis \(command)"),
        "\(run.errors)")
    }
  }

  @Test func addressOptionNamesFeed() throws {
    try feed()
    let run = try Command.tamis(
      ["build", "f", "-o", "s", "--address", "f/x.xml=https://a.example/blog/feed"], in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(FileManager.default.fileExists(atPath: folder.path + "/s/feeds/a-example-blog.html"))
    let opml = try String(contentsOfFile: folder.path + "/s/feeds.opml", encoding: .utf8)
    #expect(opml.contains("https://a.example/blog/feed"))
  }
}
