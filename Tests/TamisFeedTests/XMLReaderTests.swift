import Foundation
import TamisCore
import TamisFeed
import TestSupport
import Testing

/// What the XML reader tells of a document, in its order.
@Suite struct XMLReaderTests {
  @Test(
    arguments: [
      ("<a><b x='1'>t</b></a>", "<a> @x=1 <b> t </b> </a>"),
      ("<a xmlns:p='u:n'><p:b p:c='&lt;'/></a>", "<a xmlns:p=u:n> @{u:n}c=< <{u:n}b> </{u:n}b> </a>"),
      ("<a xmlns='u:n'><b xmlns=''/><c/></a>", "<{u:n}a xmlns:=u:n> <b xmlns:=> </b> <{u:n}c> </{u:n}c> </{u:n}a>"),
      ("<a>1 &amp; 2<![CDATA[<b>]]></a>", "<a> 1 & 2<b> </a>"),
      ("<a>1 &#38; &#x32;&#13;\r\n3</a>", "<a> 1 & 2\r\n3 </a>"),
      ("<a x='1\t2\n3&#10;'/>", "@x=1 2 3\n <a> </a>"),
      ("<!DOCTYPE a PUBLIC 'p' 's'><a/>", "!p <a> </a>"),
      ("<a><!-- c -->1<?p c?>2</a>", "<a> 12 </a>"),
      ("<a xml:lang='x'/>", "@{http://www.w3.org/XML/1998/namespace}lang=x <a> </a>"),
      // A prefix that nothing declares is a fault of its kind.
      ("<a><q:b/></a>", "<a> ?undeclaredPrefix <b> </b> </a>"),
      // What comes behind a fault is read as without it.
      ("<a><b>t", "<a> <b> t cut </b> </a> ?illFormed"),
      ("<a><b>t</a>", "<a> <b> t </b> </a> ?illFormed"),
      ("<a>1 & 2 < 3 &nbsp;</a>", "<a> 1 & 2 < 3 \u{a0} </a> ?illFormed"),
      ("<a x=1><b y></b></A>", "@x=1 <a> @y= <b> </b> </a> ?illFormed"),
      ("<a>1</a><b>2</b>", "<a> 1 <b> 2 </b> </a> ?illFormed"),
      (
        "<a xmlns:p='u:n' xmlns:q='u:n' p:x='1' q:x='2'/>",
        "@{u:n}x=1 <a xmlns:p=u:n xmlns:q=u:n> </a> ?illFormed"
      ),
      ("\u{feff}<a/>", "<a> </a> ?illFormed"),
    ], [true, false])
  func eventsMatchDocument(_ test: (source: String, events: String), _ usesLibXML2: Bool) {
    #expect(Recorder.events(of: test.source, usesLibXML2: usesLibXML2).joined(separator: " ") == test.events)
  }

  /// Events do not depend on the size of the pieces in which a document arrives.
  @Test(arguments: [1, 2, 7, 4096], [true, false])
  func eventsAreIndependentOfPieces(_ size: Int, _ usesLibXML2: Bool) {
    let source = "<?xml version='1.0'?><a xmlns='u:n'><b x='é&#x1F600;'>text — <![CDATA[more]]></b><c/></a>"
    #expect(Recorder.events(of: source, in: size, usesLibXML2: usesLibXML2) == Recorder.events(of: source))
  }

  /// All names are counted that are kept to the end of a document, also those of namespaces.
  @Test(arguments: ["<b xmlns:p%='u:n'/>", "<b xmlns:p='u:%'/>", "<b%/>", "<b c%=''/>"], [true, false])
  func namesAreCounted(_ part: String, _ usesLibXML2: Bool) {
    var limits = Limits.standard
    limits.names = 100
    for (count, isBeyond) in [(90, false), (110, true)] {
      let parts = (0..<count).map { part.replacing("%", with: "\($0)") }.joined()
      let events = Recorder.events(of: "<a>\(parts)</a>", usesLibXML2: usesLibXML2, limits: limits)
      #expect(events.contains("?tooManyNames") == isBeyond, "\(count): \(events.suffix(3))")
    }
  }

  /// There may be any number of targets of instructions, of which libxml2 keeps so many as there may be names.
  @Test func targetsOfInstructionsAreBounded() throws {
    let parts = (0..<Limits.standard.names * 2).map { "<?p\($0) x?>" }.joined()
    #expect(Recorder.events(of: "<a>\(parts)<b/></a>").joined(separator: " ") == "<a> <b> </b> </a>")
  }

  /// libxml2 and the reader of what is behind a fault report the same of each document, and at the same places.
  @Test(arguments: documents(in: [Fixtures.url("Feeds"), Fixtures.url("Parsing")]))
  func readersAgree(_ document: URL) throws {
    let source = try String(decoding: Data(contentsOf: document), as: UTF8.self)
    for isFeed in [true, false] {
      let events = Recorder.events(of: source, isFeed: isFeed)
      #expect(Recorder.events(of: source, isFeed: isFeed, usesLibXML2: false) == events)
    }
  }

  @Test(
    .enabled(if: Fixtures.hasSuite("feeds/real"), Fixtures.needs("feeds/real")),
    arguments: documents(in: [Fixtures.suite("feeds/real"), Fixtures.suite("ufp-cases")]))
  func readersAgreeOnPublicFeeds(_ document: URL) throws { try readersAgree(document) }

  /// They report the same of documents of random pieces of feeds and markup too, wherever libxml2 gives up.
  @Test func readersAgreeOnFaultyDocuments() throws {
    var random = SeededRandom(seed: 1)
    let feeds = try Fixtures.files(in: "Feeds", withExtension: "rss").map {
      Array(try Data(contentsOf: $0).prefix(6000))
    }
    for round in 0..<1500 {
      var bytes = feeds[random.below(feeds.count)]
      for _ in 0..<[1, 3, 10, 40][random.below(4)] {
        let position = random.below(bytes.count + 1)
        switch random.below(4) {
        case 0, 1: bytes.insert(contentsOf: Self.pieces[random.below(Self.pieces.count)], at: position)
        case 2: bytes.removeSubrange(position..<min(bytes.count, position + 1 + random.below(20)))
        default:
          let start = random.below(bytes.count + 1)
          bytes.insert(contentsOf: bytes[start..<min(bytes.count, start + random.below(60))], at: position)
        }
      }
      let source = String(decoding: bytes, as: UTF8.self)
      let events = Recorder.events(of: source, isFeed: round % 4 > 0)
      #expect(Recorder.events(of: source, isFeed: round % 4 > 0, usesLibXML2: false) == events, "\(source)")
      #expect(Recorder.events(of: source, in: 7, isFeed: round % 4 > 0) == events, "\(source)")
    }
  }

  /// What means something in markup, whole and in halves.
  private static let pieces: [[UInt8]] =
    [
      "<", ">", "&", "\"", "'", "<!--", "-->", "--", "<![CDATA[", "]]>", "]]", "]", "<?", "?>", "</", "/>", "<item>",
      "</item>", "<entry>", "&#0;", "&lt", "&x;", "<!DOCTYPE a [", "<!ENTITY x \"&y;\">", "[", "=", "<a b=",
      "xmlns:a=\"\"",
      "<x:y", "<a:b:c>", "<rss>", "</rss>", "<?xml version=\"1.0\"?>", "<\u{E9}>", "<br>", "<title>", "\n", " ",
      "\u{0}",
      "\u{1}", "\u{FFFE}",
    ].map { Array($0.utf8) } + [[0xC3], [0xFF], [0xED, 0xA0, 0x80]]

  private static func documents(in folders: [URL]) -> [URL] {
    let files = folders.flatMap { folder in
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
    }
    let found = files.filter { ["xml", "rss", "atom", "rdf"].contains($0.pathExtension) }
    return found.sorted { $0.path < $1.path }
  }
}

private final class Recorder: XMLHandler {
  private var names: [String] = []
  private var pending: [String] = []
  private(set) var events: [String] = []
  private var lastIsText = false
  private let hasPlaces: Bool

  init(hasPlaces: Bool) { self.hasPlaces = hasPlaces }

  static func events(
    of source: String, in size: Int = .max, isFeed: Bool? = nil, usesLibXML2: Bool = true,
    limits: Limits = .standard
  ) -> [String] {
    let recorder = Recorder(hasPlaces: isFeed != nil)
    // As in `DocumentText`, lines end with line feeds, and there are no NULs.
    let text = source.replacing("\r\n", with: "\n").replacing("\r", with: "\n").replacing("\0", with: "")
    var rest = Array(text.utf8)[...]
    var reader = XMLReader(handler: recorder, limits: limits, isFeed: isFeed ?? false, usesLibXML2: usesLibXML2)
    reader.read {
      let piece = rest.prefix(size)
      rest = rest.dropFirst(piece.count)
      return Array(piece)
    }
    return recorder.events
  }

  private func add(_ event: String, isText: Bool = false) {
    if isText, lastIsText { events[events.count - 1] += event } else { events.append(event) }
    lastIsText = isText
  }

  private func number(_ name: XMLName) -> Int {
    names.append(name.namespace.isEmpty ? name.local : "{\(name.namespace)}\(name.local)")
    return names.count - 1
  }

  func number(ofElement name: XMLName) -> Int { number(name) }
  func number(ofAttribute name: XMLName) -> Int { number(name) }
  var wantsMore: Bool { true }
  func attribute(_ attribute: Int, _ value: borrowing Span<UInt8>) {
    pending.append("@\(names[attribute])=\(String(value, 0..<value.count))")
  }
  func startElement(_ element: Int, namespaces: [(String, String)], at position: XMLPosition) {
    for attribute in pending { add(attribute) }
    pending = []
    let declared = namespaces.map { " xmlns:\($0)=\($1)" }.joined()
    add("<\(names[element])\(declared)>" + (hasPlaces ? "\(position.line):\(position.column)" : ""))
  }
  func endElement(_ element: Int) { add("</\(names[element])>") }
  func text(_ bytes: borrowing Span<UInt8>) { add(String(bytes, 0..<bytes.count), isText: true) }
  func documentType(publicID: String) { add("!\(publicID)") }
  func cutOff(at position: XMLPosition) { add("cut") }
  func fault(_ fault: XMLFault) { add("?\(fault.kind)" + (hasPlaces ? "\(fault.line):\(fault.column)" : "")) }
}
