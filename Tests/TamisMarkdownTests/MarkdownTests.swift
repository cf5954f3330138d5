import Tamis
import TestSupport
import Testing

/// Sanitized HTML as Markdown, in the cases of `Fixtures/Markdown`.
@Suite struct MarkdownTests {
  @Test(arguments: Case.all(in: "Markdown"))
  func markdownMatchesFixture(_ each: Case) throws {
    var options = Markdown.Options()
    if let links = each.settings["links"] { options.links = try #require(.init(rawValue: links)) }
    if let pictures = each.settings["pictures"] { options.pictures = try #require(.init(rawValue: pictures)) }
    let html = Sanitizer.reading.sanitizedHTML(of: try #require(each.sections["html"]))
    let text = Markdown(html, options: options).text
    #expect(text == (each.sections["markdown"] ?? "") + "\n", "\(text)")
  }

  private static func text(_ html: String) -> String { Markdown(Sanitizer.reading.sanitizedHTML(of: html)).text }

  @Test func emptyHTMLIsEmptyMarkdown() {
    #expect(Self.text("") == "" && Self.text("<p> <b></b></p><ul></ul><hr><table></table>") == "***\n")
  }

  @Test func frontMatterIsQuoted() {
    var front = Markdown.FrontMatter()
    front.title = "a: \"b\" \\ c\n---\nd\u{2028}"
    front.authors = ["Mo Reed", "] x", "<b>![x](https://a.example/) www.a.example a@a.example"]
    (front.date, front.url, front.language, front.tags) = ("2024-05-17", "https://a.example/", "en", [])
    let text = Markdown(Sanitizer.reading.sanitizedHTML(of: "<p>e"), front: front).text
    let expected = """
      ---
      title: "a: \\"b\\" \\\\ c\\n---\\nd\\u2028"
      date: "2024-05-17"
      url: "https://a.example/"
      language: "en"
      author: ["Mo Reed", "] x", "\\u003cb>!\\u005bx](https:\\u002f/a.example/) www\\u002ea.example a\\u0040a.example"]
      ---

      e

      """
    #expect(text == expected, "\(text)")
  }

  /// Lists, quotations and tables in each other are as deep as a bound, and their words stay.
  @Test func deepContainersAreFlattened() {
    for (start, end) in [("<ul><li>a", ""), ("<blockquote>a", ""), ("<table><tr><td>a<td>", "")] {
      let html = String(repeating: start, count: 200) + "z" + end
      let markdown = Markdown(Sanitizer.reading.sanitizedHTML(of: html))
      #expect(markdown.isFlattened && markdown.text.contains("z"))
      #expect(markdown.text.split(separator: "\n").allSatisfy { $0.prefix { "> -|".contains($0) }.count <= 60 })
    }
    #expect(!Markdown(Sanitizer.reading.sanitizedHTML(of: "<ul><li>a</ul>")).isFlattened)
  }

  /// The output is in proportion to the input, for each shape.
  @Test(arguments: [
    "`", "*", "<b>a</b>", "<i>(</i>", "<code>`</code>", "a<br>", "<ul><li>a", "<blockquote>", "<p>a", "<a href=b>c</a>",
    "<a href=x>y</a>", "\u{1F600}<i>x</i><code>y</code>", "<blockquote><pre># a</pre></blockquote>",
    "<table><tr><td colspan=1000 rowspan=1000>a<td>b", "<td>a", "<img src=a>", "1.", "文<b>「</b>", "<ol><li>a</ol>",
    "<b>a<i>b", "<pre>`", "<math><annotation encoding='application/x-tex'>x", "[", "&nbsp;", "<h1>#", "<dl><dt>a<dd>b",
  ])
  func outputIsLinear(_ piece: String) {
    func measure(_ count: Int) -> (size: Int, time: Duration) {
      let html = Sanitizer.reading.sanitizedHTML(
        of: (piece.hasPrefix("<td") ? "<table><tr>" : "") + String(repeating: piece, count: count))
      var size = 0
      var options = Markdown.Options()
      options.links = .reference
      let time = processorTime { size = Markdown(html, options: options).text.utf8.count }
      return (size, time)
    }
    let (one, four) = (measure(2000), measure(8000))
    #expect(four.size <= one.size * 5 + 1000, "\(one) \(four)")
    #expect(four.size <= 8000 * piece.utf8.count * 40 + 1000)
    #expect(four.time < .seconds(30), "\(four.time)")
  }
}
