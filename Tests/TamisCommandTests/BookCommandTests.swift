import Foundation
import TestSupport
import Testing

/// `tamis publish --epub` and `--digest`, as a user runs them.
@Suite struct BookCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try Fixtures.temporaryFolder()
    let items = (1...5).map { day in
      """
      <item><guid>\(day)</guid><title>]]&gt; &amp;amp; ../../Post \(day)</title><link>https://a.example/\(day)</link>
      <pubDate>\(day) Nov 2026 12:00:00 GMT</pubDate><category>\(day == 3 ? "three" : "other")</category>
      <description>&lt;p&gt;Words of &lt;b&gt;post&lt;/b&gt; \(day) with a
      &lt;a href="https://b.example/"&gt;link&lt;/a&gt;&lt;/p&gt;</description></item>
      """
    }
    let feed =
      "<rss version='2.0'><channel><title>The &lt;Feed&gt;</title>\(items.joined())</channel></rss>"
    try Data(feed.utf8).write(to: URL(filePath: folder.path + "/a.xml"))
    #expect(try shell("tamis ingest a.xml --archive p.archive --reproducible -q").status == 0)
  }

  private func shell(_ script: String) throws -> Command.Run { try Command.shell(script, in: folder.path) }

  /// The bytes of a book are a function of the archive: they contain neither the time nor a path.
  @Test func epubBytesDependOnlyOnArchive() throws {
    let run = try shell(
      """
      tamis publish --archive p.archive --epub a.epub && mkdir d && cd d &&
      tamis publish --archive ../p.archive --epub b.epub -q && cmp ../a.epub b.epub && ls .. | grep -c tmp
      head -c 58 b.epub | tail -c 28
      """)
    #expect(run.errors.contains("5 posts: a.epub"), "\(run.errors)")
    #expect(run.output == "0\nmimetypeapplication/epub+zip", "\(run.output) \(run.errors)")
    let book = try ZipMembers(folder.path + "/d/b.epub")
    #expect(book.names.first == "mimetype" && book.names.count { $0.contains("post-") } == 5, "\(book.names)")
    #expect(book.contents["mimetype"] == Array("application/epub+zip".utf8))
    // The site was not asked for.
    #expect(try shell("ls").output == "a.epub\na.xml\nd\np.archive\n")
  }

  /// What is no regular file is written to, not replaced.
  @Test func epubIsWrittenIntoPipesAndLinks() throws {
    let run = try shell(
      """
      mkfifo pipe && echo old > target && ln -s target link && (cat pipe > read &
      tamis publish --archive p.archive --epub pipe -q && tamis publish --archive p.archive --epub link -q; wait)
      test -p pipe && test -L link && cmp read target && ls
      """)
    #expect(
      run.status == 0 && run.output == "a.xml\nlink\np.archive\npipe\nread\ntarget\n", "\(run.output) \(run.errors)")
  }

  @Test(arguments: [
    ("", 5), ("--since 2026-11-04", 2), ("--month 2026-11", 5), ("--tag Three", 1), ("--most 2", 2),
    ("--feed a.xml", 5),
    ("--tag other --most 3", 3), ("--days 3", 3),
  ])
  func optionsSelectPostsOfBook(_ options: String, _ count: Int) throws {
    let run = try shell(
      "SOURCE_DATE_EPOCH=1793923200 tamis publish --archive p.archive --epub a.epub \(options)")
    // 1793923200 is midnight before 6 November 2026.
    #expect(run.status == 0 && run.errors.hasPrefix("\(count) post"), "\(run.errors)")
  }

  @Test(arguments: [
    ("--month 2025-01", 1, "no post matches"), ("--tag none", 65, "there is no tag 'none'"),
    ("--feed none", 65, "there is no feed 'none'"), ("--category none", 65, "there is no category 'none'"),
    ("--feed 'the <fed>'", 65, "; did you mean 'a.xml'?"), ("--feed 'The Feed>'", 65, "; did you mean 'a.xml'?"),
    ("--feed b.xml", 65, "; did you mean 'a.xml'?"),
    ("--since 2026-02-30", 2, "--since takes a day"), ("--month 2026-13", 2, "--month takes a month"),
    ("--days 0", 2, "'0' is not a number of days"), ("--since 2026-01-01 --days 2", 2, "name one of"),
    ("--check", 2, "--check looks at sites only"),
  ])
  func invalidOrEmptySelectionWritesNoBook(_ options: String, _ status: Int, _ words: String) throws {
    let run = try shell("tamis publish --archive p.archive --epub a.epub \(options)")
    #expect(run.status == status && run.errors.contains(words), "\(run.status) \(run.errors)")
    #expect(try shell("ls").output == "a.xml\np.archive\n")
  }

  @Test func bookAndSiteAreWrittenTogether() throws {
    let run = try shell("tamis publish --archive p.archive --epub a.epub -o site -q && ls site/index.html a.epub")
    #expect(run.status == 0, "\(run.errors)")
    let full = try shell("tamis publish --archive p.archive --epub none/a.epub")
    #expect(full.status == 74 && full.errors.contains("the book cannot be written"), "\(full.errors)")
  }

  /// Programs named `mail` read a line that begins with `~` as a command.
  @Test func digestLinesNeverBeginWithMailCommands() throws {
    let feed =
      "<rss version='2.0'><channel><title>t</title><item><title>~! touch x</title><description>~! y</description></item></channel></rss>"
    try Data(feed.utf8).write(to: URL(filePath: "\(folder.path)/tilde.xml"))
    let run = try shell(
      "tamis ingest tilde.xml --archive t.archive -q; tamis publish --archive t.archive --digest text --set site.full-posts=true"
    )
    #expect(run.output.contains("\n ~! touch x\n") && !run.output.contains("\n~"), "\(run.output) \(run.errors)")
  }

  @Test func digestIsPrintedAsTextOrHTML() throws {
    let run = try shell(
      "tamis publish --archive p.archive --digest text --set site.full-posts=true --most 1 --title Planet")
    #expect(
      run.output == """
        Planet
        1 post

        ========================================================================
        ]]> & ../../Post 5
        The <Feed> · 5 November 2026

        Words of post 5 with a link[1]

        [1] https://b.example/

        Read it at a.example:
        https://a.example/5

        """, "\(run.output) \(run.errors)")
    let twice = try shell(
      """
      tamis publish --archive p.archive --digest html --set site.full-posts=true > a.html
      tamis publish --archive p.archive --digest html --set site.full-posts=true --to b.html && cmp a.html b.html && cat b.html
      """)
    #expect(twice.status == 0 && twice.output.hasSuffix("</html>\n"), "\(twice.errors)")
    for word in ["<img", "<script", "src=", "<link"] { #expect(!twice.output.contains(word)) }
    #expect(try shell("tamis publish --archive p.archive --digest pdf").errors.contains("text, markdown or html"))
    let none = try shell("tamis publish --archive p.archive --digest text --month 2025-01")
    #expect(none.status == 1 && none.output.isEmpty)
  }

  @Test func digestIsPrintedAsMarkdown() throws {
    let run = try shell(
      "tamis publish --archive p.archive --digest markdown --set site.full-posts=true --most 1 --title '*Planet*'")
    #expect(
      run.output == """
        # \\*Planet\\*

        1 post

        ## [\\]\\]> & ../../Post 5](https://a.example/5)

        The &lt;Feed> · 5 November 2026

        Words of **post** 5 with a [link](https://b.example/)

        -   [Read it at a.example](https://a.example/5)

        """, "\(run.output) \(run.errors)")
    let excerpts = try shell("tamis publish --archive p.archive --digest markdown")
    #expect(excerpts.output.contains("\n\nWords of post 4 with a link\n\n## ["), "\(excerpts.output)")
    let twice = try shell(
      """
      tamis publish --archive p.archive --digest markdown --set site.full-posts=true > a.md
      tamis publish --archive p.archive --digest markdown --set site.full-posts=true --to b.md && cmp a.md b.md
      """)
    #expect(twice.status == 0 && twice.errors.isEmpty, "\(twice.errors)")
  }

  @Test func depthBeyondLimitOfMarkdownIsNoted() throws {
    let deep = String(repeating: "&lt;ul>&lt;li>a", count: 9)
    let feed =
      "<rss version='2.0'><channel><title>t</title><item><title>x</title><description>\(deep)</description></item></channel></rss>"
    try Data(feed.utf8).write(to: URL(filePath: "\(folder.path)/deep.xml"))
    let run = try shell(
      "tamis ingest deep.xml --archive d.archive -q; tamis publish --archive d.archive --digest markdown --set site.full-posts=true"
    )
    #expect(run.status == 0 && run.errors.hasPrefix("tamis: warning: in 1 post lists, quotations"), "\(run.errors)")
    #expect(run.errors.hasSuffix("[markdown.limit]\n"))
  }
}
