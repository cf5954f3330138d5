import TamisCheck
import TamisSanitizer
import TestSupport
import Testing

/// Ordinary markup is read without libxml2, and must come out as if it had been read with it.
@Suite struct OrdinaryMarkupTests {
  /// A comment that is out of the ordinary sends a fragment to libxml2, and is not in the output.
  static let detour = "<!-- -- -->"

  @Test(arguments: Policy.TidyMode.allCases)
  func isReadAsTheParserReadsIt(_ tidy: Policy.TidyMode) throws {
    var generator = Generator(seed: 7)
    for policy in Policy.shippedNames.compactMap({ Policy.shipped(named: $0) }) {
      let sanitizer = try Sanitizer(policy: policy.with(tidy: tidy))
      for _ in 0..<1500 {
        let soup = generator.soup()
        let direct = sanitizer.sanitize(soup)
        let parsed = sanitizer.sanitize(soup + Self.detour)
        #expect(direct.html == parsed.html, "\(soup)")
        #expect(direct.facts == parsed.facts, "\(soup)")
        #expect(direct.removals.map(\.name) == parsed.removals.map(\.name), "\(soup)")
      }
    }
  }

  @Test func isReadSoInTheCasesToo() {
    let runner = CheckRunner(sanitizer: .reading)
    for each in CaseTests.suite.cases {
      // Where the input ends inside a tag or a comment, the detour would be part of it.
      guard each.input.last == UInt8(ascii: ">"), !each.input.contains(UInt8(ascii: "!")),
        each.input.count(where: { $0 == UInt8(ascii: "\"") }).isMultiple(of: 2), each.input.count < 32_000
      else {
        continue
      }
      var detoured = each
      detoured.input += Self.detour.utf8
      // An unfinished tag or raw text would swallow it.
      guard
        !["<plaintext", "<textarea", "<title", "<xmp", "<script", "<style"].contains(
          where: String(decoding: each.input, as: UTF8.self).contains)
      else { continue }
      #expect(runner.run(each).output == runner.run(detoured).output, "\(each.location) \(each.name)")
    }
  }

  @Test func removalsNameTheirPlace() {
    let removals = Sanitizer.reading.sanitize("<p>\n<b onclick=x>a</b>\n  <i onfocus='y'>").removals
    #expect(removals.map { [$0.line, $0.column] } == [[2, 13], [3, 17]])
    let parsed = Sanitizer.reading.sanitize("<p>\n<b onclick=x>a</b>\n  <i onfocus='y'>" + Self.detour)
    #expect(parsed.removals == removals)
  }

  @Test func markupAloneIsTheSameMarkup() {
    var generator = Generator(seed: 11)
    let sanitizer = Sanitizer.reading
    for _ in 0..<500 {
      let soup = generator.soup()
      #expect(sanitizer.sanitizedHTML(of: soup) == sanitizer.sanitize(soup).html)
    }
  }
}

/// Soups of ordinary tags, most of them nested as they should be.
private struct Generator {
  private var state: UInt64
  private static let names = [
    "p", "p", "div", "b", "i", "a", "em", "ul", "ol", "li", "li", "dl", "dt", "dd", "table", "tr", "td", "th", "tbody",
    "caption", "h1", "h2", "blockquote", "pre", "code", "span", "img", "br", "hr", "font", "ruby", "rt", "figure", "P",
    "nobr", "center", "summary", "col", "video", "source", "picture", "wbr", "strong", "small", "u", "s", "tt", "big",
    "address", "strike", "h3", "section",
  ]
  private static let attributes = [
    "href=\"http://a/b\"", "href=x", "class='c d'", "id=a1", "title='x &amp; &lt;y'", "src=\"http://i/j.png\"",
    "onclick=x", "width=1 height=1", "style=\"color:red\"", "alt=\"\"", "href=\"javascript:x\"", "checked", "Lang=de",
    "srcset=\"a 1x, b 2x\"", "title=\"a&nbsp;b&#10;c\"", "align=left/", "alt=a alt=b",
  ]
  private static let texts = [
    "x", "  ", " y", "\n", "&amp;", "&nbsp;", "é", "a > b", "&lt;", "&copy", "&#8220;", "\u{A0}", "\n\n", "&", "&#13;",
    "<!-- c -->", "中", "word word", "<style>a < b </b> &amp;</style>", "<STYLE x=y></STYLE>", "<!-->", "<!--->",
    "<!--c--!>", "<!---->", "<!----->", "<style><frameset></style>", "<style> <body></style>", "<style><b></style>",
    "<style><!-- </style>", "-->",
  ]

  init(seed: UInt64) { state = seed }

  private mutating func next(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }

  mutating func soup() -> String {
    var output = ""
    var open: [String] = []
    let isWild = next(3) == 0
    for _ in 0..<(1 + next(24)) {
      switch next(10) {
      case 0..<4: output += Self.texts[next(Self.texts.count)]
      case 4..<6:
        if isWild {
          output += "</\(Self.names[next(Self.names.count)])>"
        } else if let name = open.popLast() {
          output += "</\(name)>"
        }
      default:
        let name = Self.names[next(Self.names.count)]
        output += "<\(name)"
        for _ in 0..<max(0, next(5) - 2) { output += " " + Self.attributes[next(Self.attributes.count)] }
        output += next(20) == 0 ? "/>" : ">"
        if !["img", "br", "hr", "col"].contains(name) { open.append(name) }
      }
    }
    return output
  }
}
