import TamisCore
import TamisHTML
import TestSupport
import Testing

/// Reading HTML as browsers do; html5lib's suites are in ``HTMLSuiteTests``.
@Suite struct HTMLTests {
  /// Trees in `Fixtures/HTML/trees.txt` are those of Chromium, Firefox and WebKit, but for comments.
  @Test(arguments: Case.all(in: "HTML"))
  func treesMatchBrowsers(_ each: Case) {
    let source = Array((each.sections["input"] ?? "").utf8)
    let tree = TreeText.tree(source, in: each.settings["context"] ?? "div")
    let lines = TreeText.lines(tree, in: tree.nodes[0].first).filter { !$0.contains("<!--") }
    let text = lines.joined(separator: "\n")
    #expect(text == each.sections["output"], "\(each.name)")
  }

  private static func events(of source: [UInt8], _ reader: inout HTMLReader, isDocument: Bool = false) -> [String] {
    if isDocument {
      reader.readDocument(source.span, limits: .standard)
    } else {
      reader.readFragment(source.span, limits: .standard)
    }
    var events: [String] = []
    while let event = reader.next() {
      switch event {
      case .start(let name):
        let values = reader.attributeValues(["x", "y"]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
        events.append("<\(reader.builder.tree.text(ofElement: name))\(values.joined())>")
      case .end(let name): events.append("</\(reader.builder.tree.text(ofElement: name))>")
      case .text(let range): events.append(String(decoding: reader.builder.tree.bytes[range], as: UTF8.self))
      }
    }
    return events
  }

  /// Events come in the order of the tree, whatever the bytes.
  @Test(arguments: [
    ("<b>a<p x=1 y=2 z=3>b</b>c", "<b> a </b> <p x=1 y=2> <b> b </b> c </p>"),
    ("a\r\nb\rc\u{C}d\u{1}e", "a\nb\nc de"), ("&#1;&#x0D;&#12;&#128;&#xFFFE;", "\n \u{20AC}\u{FFFD}"),
    (
      "<noscript>a<iframe>b<i>c</i></iframe></noscript>", "<noscript> a <iframe> b <i> c </i> </iframe> </noscript>"
    ),
    (
      "<noscript><p>a\0&lt;</noscript>b<iframe><i>", "<noscript> <p> a < </p> </noscript> b <iframe> <i> </i> </iframe>"
    ),
    ("<i>\u{0}x", "<i> x </i>"), ("<i\u{0}>", "<i\u{FFFD}> </i\u{FFFD}>"),
  ])
  func eventsFollowTreeOrder(_ source: String, _ events: String) {
    var reader = HTMLReader()
    #expect(Self.events(of: Array(source.utf8), &reader).joined(separator: " ") == events)
  }

  /// Formatting that is reopened in each paragraph does not multiply.
  @Test func reopenedFormattingIsLimitedPerParagraph() {
    var reader = HTMLReader()
    let names = (0..<2000).map { "<b id=\($0)>" }.joined()
    let source = "<p>\(names)</p>" + String(repeating: "<p>x", count: 2000)
    #expect(Self.events(of: Array(source.utf8), &reader).count < 2000 * 2 * (Limits.standard.openFormatting + 4))
  }

  /// Sixteen elements in each of many paragraphs would be a tree of two hundred times the source.
  @Test func reopenedFormattingIsBoundedInTotal() {
    var reader = HTMLReader()
    let names = (0..<20).map { "<b id=\($0)>" }.joined()
    reader.readFragment(Array("<p>\(names)</p>\(String(repeating: "<p>x", count: 200))".utf8).span, limits: .standard)
    let isLimited = reader.isLimited
    #expect(!isLimited)
    reader.readFragment(
      Array("<p>\(names)</p>\(String(repeating: "<p>x", count: 20_000))".utf8).span, limits: .standard)
    let isLimitedLater = reader.isLimited
    #expect(isLimitedLater)
  }

  /// Shapes like these would take quadratic space or time.
  @Test(arguments: [
    ("<p><b title='\(String(repeating: "a", count: 10_000))'></p>", "<p>x"), ("", "<html a#>"), ("<body>", "<body a#>"),
    ("<table><tr>", "<td><object><b></b>"), ("<table><tr>", "<td><object><b><b><b><b></b></b></b></b>"),
  ])
  func attributesAndMarkersTakeLinearSpace(_ start: String, _ part: String) {
    let parts = (0..<5000).map { part.replacing("#", with: "\($0)") }.joined()
    let source = Array((start + parts).utf8)
    var reader = HTMLReader()
    var values = 0
    reader.readDocument(source.span, limits: .standard)
    while let event = reader.next() {
      guard case .start = event else { continue }
      for index in reader.attributes { values += reader.builder.tree.attributes[Int(index)].value.count }
    }
    let kept = reader.builder.tree.attributes.count
    #expect(values < 64 * (10_000 + 8 * 5000) + source.count && kept < 10 * 5000)
  }

  @Test(arguments: [
    ("a<b", "<b"), ("a&lt;b<img", "<img"), ("x<!-- y", "<!--"), ("x<!-- y --", "<!--"), ("x<!-- y --!", "<!--"),
    ("<!doctype html", "<!doctype"), ("<p title='x", "<p"), ("x</p", "</p"), ("<p>", nil), ("x <", nil),
  ])
  func unfinishedConstructIsReported(_ source: String, _ beginning: String?) {
    var reader = HTMLReader()
    reader.readFragment(Array(source.utf8).span, limits: .standard)
    let found = reader.unfinished?.beginning
    #expect(found == beginning)
  }

  @Test func zeroLimitsAreRespected() {
    var limits = Limits.standard
    (limits.openFormatting, limits.fragmentDepth, limits.attributes, limits.resolvingGrowth) = (0, 0, 0, .max)
    var reader = HTMLReader()
    reader.readFragment(Array("<p><b a=1><i>x<p>y".utf8).span, limits: limits)
    while reader.next() != nil {}
  }

  @Test func invalidBytesAreReadAsWindows1252() {
    var reader = HTMLReader()
    let events = Self.events(of: [0x3C, 0x70, 0x3E, 0x93, 0xE9, 0xC3, 0xA9], &reader, isDocument: true)
    #expect(events == ["<p>", "“éé", "</p>"])
  }

  /// Trees are in proportion to the source, whatever its shape, and no deeper than those of browsers.
  @Test(arguments: [
    "<b><i>", "<div>", "&amp;", "<a b=c>", "<!--", "</p>", "<table>", "<textarea>&lt;", "<script><!--<script>", "\0",
    "<svg><p>",
    "<ul><li>", "<b><table>x",
  ])
  func treeSizeIsLinearInSource(_ part: String) {
    let source = Array(String(repeating: part, count: 5000).utf8)
    let tree = TreeText.tree(source, in: "div")
    #expect(tree.nodes.count > 1 && tree.nodes.count < 10 * source.count && tree.bytes.count <= 4 * source.count)
    var deepest = 0
    for index in tree.nodes.indices where tree.nodes[index].first < 0 {
      var (depth, node) = (0, Int32(index))
      while node >= 0, depth <= 2000 { (depth, node) = (depth + 1, tree.nodes[Int(node)].parent) }
      deepest = max(deepest, depth)
      if index > 3000 { break }
    }
    #expect(deepest <= HTMLOptions().deepest + 20)
  }
}
