import Foundation
import TamisCheck
import TamisCore
import TamisSanitizer
import TestSupport
import Testing

/// What holds for every input, known or not.
@Suite struct PropertyTests {

  /// Soup from pieces that break parsers, put together by a fixed rule: the same in every run.
  static let soups: [String] = {
    let pieces = [
      "<p>", "</p>", "<div>", "</div>", "<b>", "</b>", "<i>", "</i>", "<a href=x>", "</a>", "<table>", "</table>",
      "<tr>",
      "<td>", "</td>", "<th>", "<tbody>", "<caption>", "<ul>", "<li>", "</ul>", "<dl>", "<dt>", "<dd>", "<h1>", "</h2>",
      "<svg>", "</svg>", "<title>", "<math>", "<mi>", "</math>", "<select>", "<option>", "</select>", "<textarea>",
      "</textarea>", "<button>", "<form>", "</form>", "<pre>\n\n", "</pre>", "<!--", "-->", "<![CDATA[", "]]>",
      "<script>",
      "</script>", "<style>", "</style>", "<noscript>", "</noscript>", "<ruby>", "<rt>", "<font color=red>", "</font>",
      "<br/>", "</br>", "<img src=a>", "<wbr>", "<source src=x>", "<video>", "&lt;", "&#0;", "&amp", "\u{0}", "\"", "'",
      ">",
      "<", "text ", " ", "\r\n", "<a name=x ID='y'", " style=\"a:b", "</body></html>", "<body onload=x>",
      "<foreignObject>",
      "<annotation-xml>", "<template>", "<iframe src=//x.example>", "<details>", "<summary>", "<frameset>",
      "<div class=caption>", "<td class=caption>", "<img src=a align=left>", "<figure style=float:right>",
      "<figcaption>",
      "<div class=alignleft>", "<table class=caption align=right>", "<dl class=alignright>", "</figure>", "</dl>",
      "<object data=//x.example>", "</object>", "<param name=src value=//y.example>", "<amp-video src=x>",
      "<amp-img src=y>",
      "<script src=//gist.github.com/1.js></script>",
    ]
    var state: UInt64 = 42
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(truncatingIfNeeded: state >> 33) % bound
    }
    return (0..<1500).map { _ in (0..<(2 + next(14))).map { _ in pieces[next(pieces.count)] }.joined() }
  }()

  @Test(arguments: Policy.shippedNames)
  func randomInputKeepsOutputContract(_ name: String) throws {
    for mode in Policy.TidyMode.allCases {
      let policy = try #require(Policy.shipped(named: name)).with(tidy: mode)
      let sanitizer = try Sanitizer(policy: policy)
      let contract = OutputContract(policy: policy)
      for soup in Self.soups + Self.depths {
        let breach = contract.breach(of: sanitizer.sanitize(soup).html, by: sanitizer, base: nil)
        #expect(breach == nil, "\(name), tidy \(mode): \(soup.debugDescription)")
      }
    }
  }

  /// Pages are made of stored markup, which stays as it is.
  @Test(arguments: Policy.shippedNames)
  func storedMarkupStays(_ name: String) throws {
    for mode in Policy.TidyMode.allCases {
      let policy = try #require(Policy.shipped(named: name)).with(tidy: mode)
      let sanitizer = try Sanitizer(policy: policy)
      for soup in Self.soups + Self.depths {
        let stored = sanitizer.forSource.sanitizedHTML(of: soup)
        let shown = sanitizer.forPages.sanitizedHTML(of: stored.string)
        #expect(shown == stored, "\(name), tidy \(mode): \(soup.debugDescription)")
      }
    }
  }

  /// Inputs that nest as deep as elements may, and what still wants room there.
  ///
  /// Room is wanted by cells for what stands beside them, and by formatting that is opened again.
  static let depths: [String] = {
    let endings = [
      "<dl><dd>x", "<table><p>x", "<table><thead><figure>x", "<a href=x><table><td>x</a><figcaption><ruby>x",
      "<p><b><i><u>a<p>b<em>c", "<ul><li><table><svg>x",
    ]
    return endings.flatMap { ending in
      (70...87).map { String(repeating: "<table><tr><td>", count: $0) + ending }
        + (245...260).map { String(repeating: "<div>", count: $0) + ending }
    }
  }()

  /// Bytes that are not UTF-8, after every prefix of a hostile fragment, yield valid UTF-8.
  @Test func invalidUTF8YieldsValidOutput() {
    let sanitizer = Sanitizer.reading
    let hostile = Array(
      "<p title=\"&#x110000;é\u{0}\"><svg viewBox=0><a xlink:href='java\tscript:x'><!-- <![CDATA[ ]]><td>".utf8)
    for length in 0...hostile.count {
      let bytes = Array(hostile[..<length]) + [0xFF, 0xC3, 0xED, 0xA0, 0x80]
      #expect(!sanitizer.sanitize(utf8: bytes.span).html.string.utf8.contains(0))
    }
  }

  /// Formatting that was never closed is reopened in each item, but never beyond the limit.
  @Test func reopenedFormattingIsBounded() throws {
    let items = (0..<60).map { "<li><font color=\($0)>x" }.joined()
    let html = Sanitizer.universalFeedParser.sanitize("<ul>\(items)</ul>").html.string
    let widest = try #require(
      html.components(separatedBy: "<li>").map { $0.components(separatedBy: "<font").count - 1 }.max())
    #expect(widest == 16)
    #expect(Sanitizer.universalFeedParser.sanitize(html).html.string == html)
  }

  @Test func textIsPreserved() {
    let sanitizer = Sanitizer.reading
    for soup in Self.soups
    where ![
      "<script", "<style", "<textarea", "<select", "<title", "<template", "<iframe", "<frameset",
      // What stands beside a line is not read in it.
      "<!--", "<![CDATA[", "<rt", "<rp", "<annotation",
    ].contains(where: soup.contains) && !soup.contains("ID=") {
      let words = soup.components(separatedBy: "text ").count - 1
      let kept = sanitizer.sanitize(soup).facts.text.components(separatedBy: "text").count - 1
      #expect(kept == words, "\(soup.debugDescription)")
    }
  }

  /// The eight inputs that hang or crash libtidy, made of what is known about them (tidy issues 380, 343, 850).
  @Test(arguments: [
    "<tr><dl></table>", "<tbody><dl></table>", "<TR/<dl\n</table>", "<button\"<div <!D l><head> ",
    (0..<300).map { "<font a=\($0)>" }.joined() + String(repeating: "<p>x", count: 300),
    String(repeating: "<ul><li>", count: 5000), String(repeating: "<table><tr><td>", count: 3000),
    String(repeating: "<b><i>", count: 4000) + String(repeating: "</b></i>", count: 4000),
  ])
  func libtidySurvives(_ input: String) {
    let result = Sanitizer.reading.with(tidy: .always).sanitize(input)
    #expect(result.html.string.utf8.count < 20 * input.utf8.count + 1000)
  }

  /// Inputs like these cost some HTML parsers quadratic time: more than a minute each.
  @Test(arguments: [
    String(repeating: "<b>", count: 300_000) + String(repeating: "</i>", count: 300_000),
    "<i><div>" + String(repeating: "<b>", count: 300_000) + String(repeating: "</i>", count: 300_000),
    "<p" + (0..<200_000).map { " a\($0)=1" }.joined() + ">text", String(repeating: "<x>", count: 300_000) + "text",
    String(repeating: "<a><b>", count: 200_000), String(repeating: "<p><b>", count: 200_000),
  ])
  func sanitizingTimeIsLinear(_ input: String) {
    let result = Sanitizer.reading.sanitize(input)
    #expect(result.html.string.utf8.count < 5 * input.utf8.count)
    #expect(result.facts.text.isEmpty || result.facts.text == "text")
  }

  /// Limits for large fragments leave ordinary markup unchanged.
  @Test func largeFragmentsKeepTheirMarkup() {
    let items = (0..<3000).map { "<li>Item <b>\($0)</b><p>a<p>b" }.joined()
    let table = (0..<3000).map { "<tr><td>\($0)<td title='<b>'>x" }.joined()
    let large = "<ul>\(items)</ul><!-- <b> --><table>\(table)</table><script>'</b>'</script>"
    let html = Sanitizer.reading.sanitize(large).html.string
    #expect(html.components(separatedBy: "<li>").count == 3001)
    #expect(html.components(separatedBy: "<b>").count == 3001)
    #expect(html.components(separatedBy: "<p>").count == 6001)
    #expect(html.components(separatedBy: "<td").count == 6001)
  }

  @Test func sanitizerIsSharedByConcurrentTasks() async {
    let sanitizer = Sanitizer.reading
    let expected = Self.soups.map { sanitizer.sanitize($0).html.string }
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<4 {
        group.addTask { Self.soups.map { sanitizer.sanitize($0).html.string } == expected }
      }
      for await isSame in group { #expect(isSame) }
    }
  }
}
