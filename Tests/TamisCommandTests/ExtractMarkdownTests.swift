import Foundation
import TestSupport
import Testing

/// `tamis extract --format markdown` as its users run it.
@Suite struct ExtractMarkdownTests {
  private let folder: TemporaryFolder
  private static let feed = """
    <rss version='2.0'><channel><title>t</title><language>de</language>
    <item><guid>a</guid><title>A "b" *c*</title><link>https://a.example/1</link><author>Mo Reed</author>
    <pubDate>5 Nov 2026 12:00:00 +0100</pubDate><category>x: y</category><category>z</category>
    <description>&lt;p onclick=x>Words &lt;img src=https://a.example/p.png alt=p> &lt;a href=https://b.example/>of&lt;/a> A*
    </description></item><item><guid>b</guid><description>DEEP&lt;i>second&lt;/i></description></item></channel></rss>
    """

  init() throws { folder = try Fixtures.temporaryFolder() }

  private func tamis(_ arguments: String..., deep: Int = 0) throws -> Command.Run {
    let feed = Self.feed.replacing("DEEP", with: String(repeating: "&lt;blockquote>", count: deep))
    return try Command.tamis(["extract", "-"] + arguments, input: feed, in: folder.path)
  }

  /// Each post has its facts in front, and stands apart from the one before it.
  @Test func postsHaveFrontMatter() throws {
    let run = try tamis("--format", "markdown")
    let expected = """
      ---
      title: "A \\"b\\" *c*"
      date: "2026-11-05T11:00:00Z"
      url: "https://a.example/1"
      language: "de"
      author: ["Mo Reed"]
      tags: ["x: y", "z"]
      ---

      Words ![p](https://a.example/p.png) [of](https://b.example/) A\\*

      ---
      language: "de"
      ---

      _second_

      """
    #expect(run.status == 0 && run.output == expected, "\(run.output) \(run.errors)")
    #expect(run.errors.isEmpty, "\(run.errors)")
  }

  @Test func optionsChangeLinksAndPictures() throws {
    let run = try tamis("--format", "markdown", "--links", "reference", "--pictures", "drop")
    #expect(run.output.contains("Words [of][1] A\\*\n\n[1]: https://b.example/\n\n---\n"), "\(run.output)")
    #expect(try tamis("--format", "markdown", "--explain").status == 2)
    #expect(try tamis("--format", "markdown", "--sheet", "a.html").status == 2)
  }

  @Test func depthBeyondLimitIsNoted() throws {
    let run = try tamis("--format", "markdown", deep: 9)
    #expect(run.status == 0 && run.errors.contains("warning: lists, quotations and tables deeper than 8"))
    #expect(run.errors.contains("(entry b) [markdown.limit]\n"), "\(run.errors)")
  }
}
