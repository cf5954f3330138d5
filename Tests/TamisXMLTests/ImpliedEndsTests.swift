import TamisCore
import TamisXML
import Testing

/// What the start of one element ends of another: the list, libxml2, and libxml2 as it is made to read.
@Suite struct ImpliedEndsTests {
  /// Every element of the lists, and some that no list names.
  static let names = Set(ImpliedEnds.wanted.keys).union(ImpliedEnds.wanted.values.joined())
    .union(ImpliedEnds.unwanted.keys).union(ImpliedEnds.unwanted.values.joined())
    .union([
      "article", "code", "em", "figure", "label", "main", "object", "q", "section", "select", "strong", "sub", "map",
    ])
    .sorted()
  /// Elements that libxml2 never has open inside a body, or in which it reads no tags.
  static let closed: Set = ["body", "head", "hr", "col", "script", "style"]

  @Test func theListsAreWhatLibxml2Does() {
    for open in Self.names where !Self.closed.contains(open) {
      let name = ImpliedEnds(open)
      for next in Self.names {
        let isListed = name.areCaused(by: ImpliedEnds(next)) || name.areUnwanted(before: ImpliedEnds(next))
        let events = Recorder.events(of: "<\(open)>x<\(next)>y") { $0.parse($1.span) }
        #expect(Recorder.ends(open, before: next, events) == isListed, "\(open), \(next): \(events)")
      }
    }
  }

  @Test func whatIsUnwantedIsPrevented() {
    for open in Self.names where !Self.closed.contains(open) {
      let name = ImpliedEnds(open)
      for next in Self.names {
        let events = Recorder.events(of: "<\(open)>x<\(next)>y") { $0.read($1, limits: .standard) }
        let isWanted = name.areCaused(by: ImpliedEnds(next))
        #expect(Recorder.ends(open, before: next, events) == isWanted, "\(open), \(next): \(events)")
        #expect(!events.contains { $0.contains("guard") })
      }
    }
  }

  /// What stands between two elements stands in nobody's way.
  @Test(arguments: [
    ("<b><p>x</p>y</b>z", "<b> <p> x </p> y </b> z"),
    ("<b><p>x</p><p>y</p></b>z", "<b> <p> x </p> <p> y </p> </b> z"),
    ("<h1><p>x<li>y</li></h1>z", "<h1> <p> x </p> <li> y </li> </h1> z"),
    ("<p>x<col><div>y", "<p> x <col> </col> </p> <div> y </div>"),
    ("<p>x<body>y<p>z", "<p> x y </p> <p> z </p>"),
    ("<a><table><tr><td>x<td>y</table>z</a>", "<a> <table> <tr> <td> x </td> <td> y </td> </tr> </table> z </a>"),
  ])
  func restIsReadAsItIs(_ markup: String, _ expected: String) {
    let events = Recorder.events(of: markup) { $0.read($1, limits: .standard) }
    #expect(events.joined(separator: " ") == expected)
  }

  @Test(arguments: ["title", "textarea"])
  func tagsAreTextInATitle(_ name: String) {
    let events = Recorder.events(of: "<\(name)>a<b>c</b>&amp;<!-- --></\(name)><i>") { $0.read($1, limits: .standard) }
    #expect(events.joined() == "<\(name)>a<b>c</b>&<!-- --></\(name)><i></i>")
  }

  /// Whatever is in them, raw text ends at its end tag, and what follows is read.
  @Test(arguments: [
    "style", "script", "title", "textarea", "iframe", "xmp", "noembed", "noframes",
  ])
  func rawTextEndsAtItsEndTag(_ name: String) {
    let contents = [
      "", "a", "<frameset>", "<body>", "<noscript>", "<div>", "<div><table><td>", "<!--", "<!-- --", "<!--a--><b>",
      "<!x", "<?x",
      "<![CDATA[", "<style>", "<script>", "<title>", "<textarea>", "<p a=\"", "<p a='x", "<p ", "</b", "</p ", "< ",
      "<", "a<b",
    ]
    for content in contents where !content.contains(name) {
      let markup = "x<\(name)>\(content)</\(name)>y<i>z</i>"
      let events = Recorder.events(of: markup) { $0.read($1, limits: .standard) }
      #expect(events.suffix(5) == ["</\(name)>", "y", "<i>", "z", "</i>"], "\(markup): \(events)")
    }
  }
}

/// Notes what a reader tells.
private final class Recorder: HTMLHandler {
  private var names: [String] = []
  private var events: [String] = []

  static func events(of markup: String, _ read: (HTMLReader, [UInt8]) -> Void) -> [String] {
    let recorder = Recorder()
    read(HTMLReader(handler: recorder), Array((HTMLReader.prefix.description + markup).utf8))
    // The prefix's own end.
    return recorder.events.filter { $0 != "</body>" && $0 != "</html>" }
  }

  /// Whether the first element ended before the other began, or before its text when its tag was passed over.
  static func ends(_ open: String, before next: String, _ events: [String]) -> Bool {
    guard let end = events.firstIndex(of: "</\(open)>") else { return false }
    let begin = events.indices.dropFirst().first { events[$0] == "<\(next)>" || events[$0] == "y" }
    return begin.map { end < $0 } ?? true
  }

  func number(ofElement name: String) -> Int {
    names.append(name)
    return names.count - 1
  }

  func number(ofAttribute name: String) -> Int { number(ofElement: name) }
  func startElement(_ element: Int, _ attributes: borrowing HTMLAttributes) { events.append("<\(names[element])>") }
  func endElement(_ element: Int) { events.append("</\(names[element])>") }

  func text(_ bytes: borrowing Span<UInt8>) {
    var copy: [UInt8] = []
    copy.append(bytes, 0..<bytes.count)
    events.append(String(decoding: copy, as: UTF8.self))
  }
}
