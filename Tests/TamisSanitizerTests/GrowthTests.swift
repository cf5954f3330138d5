import TamisCore
import TamisSanitizer
import TamisURL
import Testing

/// What comes out, and the work for it, grows with what goes in, whatever its shape.
///
/// Work that grew with the square of the size would not be done in minutes here; what comes out is measured.
@Suite struct GrowthTests {
  /// A fragment of about a size, and what surrounds it.
  struct Shape: Sendable, CustomTestStringConvertible {
    let name: String
    var base: @Sendable (Int) -> String = { _ in "https://a.example/b/c" }
    let fragment: @Sendable (Int) -> String

    var testDescription: String { name }
  }

  /// `text` as often as it fits into a size.
  private static func filled(_ size: Int, _ text: String) -> String {
    String(repeating: text, count: size / text.utf8.count)
  }

  /// As ``filled(_:_:)``, each with its number in the place of `#`.
  private static func numbered(_ size: Int, _ text: String) -> String {
    let parts = text.split(separator: "#", omittingEmptySubsequences: false)
    return (0..<size / (text.utf8.count + 4)).map { parts.joined(separator: "\($0)") }.joined()
  }

  static let links = [
    "<a href=x>", "<img src=x>", "<img srcset='x, y 2x'>", "<a href=#x>", "<q cite=x>", "<iframe src=x></iframe>",
  ]

  static let shapes: [Shape] = {
    var shapes: [Shape] = []
    for link in links {
      // As long as the fragment, and as long as it may be.
      shapes.append(
        Shape(name: "\(link), long base", base: { "https://a.example/\(filled($0, "b"))/c" }) { filled($0, link) })
      shapes.append(
        Shape(name: "\(link), base", base: { _ in "https://a.example/\(filled(2000, "b"))/c" }) { filled($0, link) })
    }
    let before: [(String, String)] = [
      ("blocks", "<fieldset></fieldset>"), ("paragraphs", "<p>x"), ("items", "<li>x"), ("pictures", "<img src=/p.png>"),
      ("links", "<a href=/l>x"), ("cells", "<table><td>x</table>"), ("unknown blocks", "<form>x</form>"),
    ]
    for (name, piece) in before {
      for tag in ["div title", "b title", "a href", "font color", "a class=lang- title", "p id"] {
        shapes.append(
          Shape(name: "\(name) behind a long \(tag)") { "<\(tag)=\"\(filled($0 / 2, "A"))\">" + filled($0 / 2, piece) })
      }
    }
    let single: [(String, @Sendable (Int) -> String)] = [
      ("picture of a long host", { "<img alt=x src=https://\(filled($0, "a."))example/>" }),
      ("frame of a long host", { "<iframe src=https://\(filled($0, "a."))example/></iframe>" }),
      ("long list of pictures", { "<img alt=x srcset='\(numbered($0, "p#.png #w, "))'>" }),
      ("many attributes", { "<p \(numbered($0, "a#=1 "))>x" }),
      ("attributes of one name", { "<p \(filled($0, "title=1 "))>x" }),
      ("long style", { "<p style='\(filled($0, "color: red;"))'>x" }),
      ("long class", { "<p class='\(numbered($0, "lang-# "))'>x" }),
      ("long paint", { "<svg><path fill='url(#\(filled($0, "a")))' d='\(filled($0, "M0 "))'/></svg>" }),
      ("many headers", { "<table><tr><td headers='\(numbered($0, "h# "))'>x</table>" }),
    ]
    shapes += single.map { Shape(name: $0.0, fragment: $0.1) }
    for piece in [
      "<div>", "<b>", "<b><i>", "<b><p>", "<h1><p>", "<a><table>", "<p><td>", "<b></i>", "</i>", "<ul><li>",
      "<table><tr><td>", "<svg>",
      "<svg><p>", "<math><mi>", "<noscript><img src=p.png></noscript>", "<title>", "<xmp><iframe>", "<textarea><style>",
      "<style>",
      "<title><!--", "<!--", "<!-->", "<!--->", "<!x", "<wbr>", "<br></br>", "<source>", "<p id=a>", "<a id=x href=#x>",
      "<img src=data:, class=lazy id=x><noscript><img src=p.png></noscript>", "<x>", "&amp;", "<", "<a ",
      "<figure><img src=p.png><figcaption>",
      "<select><option>", "<form><input>", "<dl><dt><b>", "<ruby><rt>", "<my-a><search>",
    ] {
      shapes.append(Shape(name: "many \(piece)") { filled($0, piece) })
    }
    for piece in [
      "<p#>", "<a href='#'>x</a>", "<p id=a#><a href=#a#>", "<img src=p#.png data-src=q#.png>", "<b id=#><p>",
    ] {
      shapes.append(Shape(name: "ever new \(piece)") { numbered($0, piece) })
    }
    shapes.append(Shape(name: "deep and back") { filled($0 / 2, "<div>") + filled($0 / 2, "</div>") })
    shapes.append(
      Shape(name: "open formatting") { (0..<64).map { "<font color=#\($0)>" }.joined() + filled($0, "<p>x") })
    return shapes
  }()

  @Test(arguments: shapes)
  func outputSizeIsLinearInInput(_ shape: Shape) throws {
    let runs: [(Policy, Int)] = [
      (.reading, 4 << 10), (.universalFeedParser.with(tidy: .broken), 4 << 10), (.reading, 96 << 10),
      (.universalFeedParser.with(tidy: .broken), 32 << 10),
    ]
    for (policy, size) in runs {
      let sanitizer = try Sanitizer(policy: policy)
      let base = try #require(WebURL(shape.base(size)))
      let fragment = shape.fragment(size)
      let result = sanitizer.sanitize(fragment, base: base, page: base)
      // Each link gets its relations, each drawing its vocabulary; what is resolved or opened again is bounded.
      #expect(result.html.string.utf8.count <= 24 * fragment.utf8.count + (128 << 10), "\(policy.name), \(size)")
      guard size < 32 << 10 else { continue }
      let again = sanitizer.sanitizedHTML(of: result.html.string, base: base, page: base)
      #expect(again == result.html, "\(policy.name)")
    }
  }

  /// URLs whose resolution would add too much are removed, and nothing else; the report names them.
  @Test func excessiveURLGrowthIsLimitedAndReported() throws {
    let base = try #require(WebURL("https://a.example/\(String(repeating: "b", count: 450))/c"))
    let fragment = String(repeating: "<a href=x>word</a> ", count: 2000)
    let result = Sanitizer.reading.sanitize(fragment, base: base)
    let lost = try #require(result.removalCounts[.limit])
    #expect(result.removalCounts.count == 1)
    #expect(result.facts.links.count == 2000 - lost)
    #expect(result.facts.links.count > 100)
    #expect(result.facts.text.split(separator: " ").count == 2000)
    #expect(result.removals.first?.name == "a@href")
  }

  /// A base URL longer than the limit is ignored and reported.
  @Test func overlongBaseURLIsIgnored() throws {
    let base = try #require(WebURL("https://a.example/\(String(repeating: "b", count: 3000))/c"))
    let result = Sanitizer.reading.sanitize("<a href=x>a</a><a href=#y>b</a><i id=y>", base: base, page: base)
    #expect(result.facts.links.map(\.href) == ["x", "#post-y"])
    #expect(result.removals.map(\.name) == ["base", "page"])
    #expect(result.removals.allSatisfy { $0.rule == .limit && $0.line == 1 && $0.column == 1 })
    let parsed = Sanitizer.reading.sanitize("<a href=x>a</a><foo></foo>", base: base)
    #expect(parsed.removals.map(\.name) == ["base", "foo"])
  }

  /// Links of an ordinary page are all resolved.
  @Test func ordinaryLinksAreAllResolved() throws {
    let base = try #require(WebURL("https://a.example/2026/11/some-words-that-make-a-long-title-of-a-post/index.html"))
    let fragment = (0..<3000).map { "<li><a href=p\($0).html>Page \($0)</a> <img alt=x src=\($0).png>" }.joined()
    let result = Sanitizer.reading.sanitize("<ul>\(fragment)</ul>", base: base)
    #expect(result.removals.isEmpty)
    #expect(result.facts.links.allSatisfy { $0.href.hasPrefix("https://a.example/2026/") })
  }
}
