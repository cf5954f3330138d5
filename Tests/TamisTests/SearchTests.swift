import Foundation
import Tamis
import TestSupport
import Testing

/// Search by words over the posts of an archive.
@Suite struct SearchTests {
  /// What is looked for, and the titles of what is found, the best first.
  static let searches: [(String, [String])] = [
    ("lighthouse", ["Lighthouse", "Gulls"]), ("LIGHTHOUSE keeper", ["Lighthouse"]),
    ("light*", ["Lighthouse", "Gulls"]),
    ("\"fog horn\"", ["Fog"]), ("\"horn fog\"", []), ("cafe", ["Café"]), ("nothing", []), ("script", []),
  ]

  @Test func searchFindsWordsInTitlesAndTexts() async throws {
    let folder = try Fixtures.temporaryFolder()
    let posts = [
      ("Lighthouse", "The keeper of the lighthouse <b>sleeps</b>."), ("Gulls", "They sit on the lighthouse."),
      ("Fog", "The fog horn sounds.<script>script</script>"), ("Café", "Coffee."),
    ]
    let items = posts.map { title, body in
      "<item><title>\(title)</title><link>https://a.example/\(title)</link><description><![CDATA[\(body)]]></description></item>"
    }
    let feed = folder.path + "/a.rss"
    try Data("<rss><channel><title>A</title>\(items.joined())</channel></rss>".utf8).write(to: URL(filePath: feed))
    var configuration = SiteBuild.Configuration(
      feeds: [FilePath(feed)], output: FilePath(folder.path + "/site"), title: "A")
    configuration.now = 1_800_000_000
    _ = try await SiteBuild(configuration).run()
    let archive = try Archive.open(file: configuration.archive.description).archive
    for (words, titles) in Self.searches {
      #expect(try ArchiveSearch(archive).find(words, count: 10).map(\.title) == titles, "\(words)")
    }
  }
}
