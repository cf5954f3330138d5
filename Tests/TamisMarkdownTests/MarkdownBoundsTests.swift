import Tamis
import TestSupport
import Testing

/// What Markdown comes to of hostile and of very large input.
///
/// The output is measured. Work that grew with the square of the size would not be done in minutes here.
@Suite struct MarkdownBoundsTests {
  /// HTML with about as many pieces as a count.
  struct Shape: Sendable, CustomTestStringConvertible {
    let name: String
    /// The greater of two counts; the other one is a quarter of it.
    var most = 100_000
    let html: @Sendable (Int) -> String

    var testDescription: String { name }
  }

  private static func many(_ piece: String, _ count: Int) -> String { String(repeating: piece, count: count) }

  static let shapes: [Shape] = {
    // The pieces are bytes here.
    var shapes = [
      Shape(name: "backticks", most: 8 << 20) { many("`", $0) },
      Shape(name: "backticks in code", most: 8 << 20) { "<code>\(many("`", $0))</code>" },
      Shape(name: "backticks in a listing", most: 8 << 20) { "<pre>\(many("`", $0))</pre>" },
      Shape(name: "the text of a link", most: 1 << 20) { "<a href=https://a.example/>\(many("a ", $0 / 2))</a>" },
      Shape(name: "a title with line breaks", most: 1 << 20) {
        "<a href=https://a.example/ title='\(many("\"\n\n", $0 / 3))'>b</a>"
      },
      Shape(name: "an alternative text", most: 1 << 20) {
        "<img src=https://a.example/ alt='\(many("]\n(", $0 / 3))'>"
      },
    ]
    let runs = [
      "[", "]", "*", "_", "\\", "!", "~", "1.", "1)", "0.0 ", "\u{661}.", "&", "&amp", "|", "\\[", "![", "*_",
    ]
    for run in runs { shapes.append(Shape(name: "many \(run)", most: 1 << 20) { many(run, $0 / run.utf8.count) }) }
    let pieces = [
      "<blockquote>", "<ul><li>", "<ol><li>a", "<dl><dt>a<dd>", "<b>a</b><i>b</i>", "<b>(</b><i>)</i>",
      "<b>a<i>b</i></b>",
      "<s>.</s><b>.</b>", "<code>a</code><code>b</code>", "<ul><li>a</ul>", "<ol><li>a</ol><ul><li>b</ul>",
      "<dl><dt>a</dl>",
      "<a href=https://a.example/>a</a>", "<p>&nbsp;", "<br>a", "<ul><li><pre>a</pre></ul>",
    ]
    for piece in pieces { shapes.append(Shape(name: "many \(piece)") { many(piece, $0) }) }
    return shapes + [
      Shape(name: "ruby in ruby", most: 10_000) { many("<ruby>a<rt>", $0) },
      Shape(name: "definitions in definitions", most: 10_000) { many("<dl><dt>a<dd>b", $0) },
      Shape(name: "columns", most: 10_000) { "<table><tr>\(many("<th>a", $0))<tr>\(many("<td>b", $0))</table>" },
      Shape(name: "columns of one row", most: 10_000) {
        "<table><tr>\(many("<th>a", $0))\(many("<tr><td>b", $0))</table>"
      },
    ]
  }()

  /// The number of bytes that a byte of the HTML may come to; a character reference has six, and a task and a row more.
  private static let mostGrowth = 16

  @Test(arguments: shapes)
  func outputStaysInProportion(_ shape: Shape) {
    for links in Markdown.Options.Links.allCases {
      func measure(_ count: Int) -> (given: Int, written: Int, time: Duration) {
        let source = shape.html(count)
        let html = Sanitizer.reading.sanitizedHTML(of: source)
        var options = Markdown.Options()
        options.links = links
        var written = 0
        let time = processorTime { written = Markdown(html, options: options).text.utf8.count }
        return (max(source.utf8.count, html.string.utf8.count), written, time)
      }
      let (one, four) = (measure(shape.most / 4), measure(shape.most))
      #expect(four.written <= Self.mostGrowth * four.given + 1000, "\(one) \(four)")
      #expect(four.written <= one.written * 5 + 1000, "\(one) \(four)")
      // What is linear takes a second at most; the square takes minutes.
      #expect(four.time < .seconds(30), "\(one) \(four)")
    }
  }

  /// A title stays on its line, so that nothing in it begins a block.
  @Test func titleIsOneLine() {
    let html = "<a href='https://a.example/' title='b\n\n# c\r\n&quot;&gt;&lt;d'>e</a>"
    let text = Markdown(Sanitizer.reading.sanitizedHTML(of: html)).text
    #expect(text == "[e](https://a.example/ \"b # c &quot;>&lt;d\")\n", "\(text)")
  }

  /// What is too deep is told of, and what is not is not.
  @Test func depthBeyondLimitIsFlagged() {
    for (start, end) in [("<ul><li>a", "</ul>"), ("<blockquote>a", "</blockquote>"), ("<dl><dt>a<dd>", "</dl>")] {
      for depth in [Markdown.deepest, Markdown.deepest + 1] {
        let html = Self.many(start, depth) + Self.many(end, depth)
        let markdown = Markdown(Sanitizer.reading.sanitizedHTML(of: html))
        #expect(markdown.isFlattened == (depth > Markdown.deepest), "\(start) \(depth)")
      }
    }
  }
}
