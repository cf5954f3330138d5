import Foundation
import Tamis
import TestSupport
import Testing

/// Documents that are cut off, hostile, or not feeds.
@Suite struct RobustnessTests {
  static let feeds = try? FileManager.default.contentsOfDirectory(atPath: Fixtures.url("Feeds").path)
    .filter { !$0.hasSuffix(".md") }.sorted()

  /// A feed truncated anywhere yields all entries that ended before it, unchanged.
  @Test(arguments: feeds ?? [])
  func truncatedDocumentKeepsCompleteEntries(_ name: String) throws {
    let bytes = Array(try Data(contentsOf: Fixtures.url("Feeds/\(name)")))
    let whole = try parse(bytes).entries
    let step = max(1, bytes.count / 60)
    for end in stride(from: step, to: bytes.count, by: step) {
      var findings: [Finding] = []
      let document = FeedDocument(name: name, bytes: Array(bytes[..<end]))
      guard let parsed = try? FeedParser().run(document, into: &findings) else { continue }
      let kept = parsed.entries
      #expect(kept.count <= whole.count)
      // All but the last were complete.
      for (cut, entry) in zip(kept.dropLast(), whole) { #expect(cut.id == entry.id && cut.title == entry.title) }
      if bytes[end...].contains(where: { $0 > 0x20 }) { #expect(!findings.isEmpty, "\(name) cut at \(end)") }
    }
  }

  @Test(arguments: [
    ("", "parse.empty"), (" \n\t ", "parse.empty"), ("<html><body>Hello</body></html>", "parse.not-a-feed"),
    ("{\"version\": 1}", "parse.not-a-feed"), ("plain text", "parse.not-a-feed"),
    ("\u{89}PNG\r\n\u{1A}", "parse.not-a-feed"),
    ("<?xml version=\"1.0\"?>", "parse.not-a-feed"),
    ("<html><body><rss version=\"2.0\"><channel/></rss></body></html>", "parse.not-a-feed"),
    ("<opml><body><outline xmlUrl=\"http://a.example/\"/></body></opml>", "parse.not-a-feed"),
  ])
  func nonFeedDocumentIsRejected(_ text: String, _ code: String) {
    let error = #expect(throws: FeedParser.Failure.self) { try parse(Array(text.utf8)) }
    #expect(error?.finding.code == code)
    #expect(error?.finding.severity == .error)
  }

  @Test func externalAndNestedEntitiesAreNotExpanded() throws {
    let text = """
      <!DOCTYPE rss [<!ENTITY a "0123456789"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">
      <!ENTITY x SYSTEM "file:///etc/passwd"> <!ENTITY % p SYSTEM "http://127.0.0.1:1/x"> %p;]>
      <rss version="2.0"><channel><title>&c;</title><item><title>&x;</title></item></channel></rss>
      """
    let parsed = try parse(Array(text.utf8))
    #expect(parsed.feed.title?.value.contains("0123456789") != true)
    #expect(parsed.entries.first?.title?.value.contains("root") != true)
  }

  @Test func excessiveDepthAndAttributesAreTolerated() throws {
    let deep = "<rss><channel><item><title>a</title></item>" + String(repeating: "<x>", count: 100_000)
    #expect(try parse(Array(deep.utf8)).entries.count == 1)
    let attributes = (0..<20_000).map { " a\($0)=\"\($0)\"" }.joined()
    let wide = "<rss><channel><item\(attributes)><title>a</title></item><item><title>b</title></item></channel></rss>"
    #expect(try parse(Array(wide.utf8)).entries.map { $0.title?.value } == ["a", "b"])
  }

  @Test func excessiveNestingDoesNotAffectOtherEntries() throws {
    let deep = String(repeating: "<a>", count: 300) + "x" + String(repeating: "</a>", count: 300)
    let text = "<rss><channel><item><title>a</title>\(deep)</item><item><title>b</title></item></channel></rss>"
    #expect(try parse(Array(text.utf8)).entries.map { $0.title?.value } == ["a", "b"])
    let unclosed = "<rss><channel>" + String(repeating: "<item><title>a</title>", count: 300) + "</channel></rss>"
    #expect(try parse(Array(unclosed.utf8)).entries.count == 300)
  }

  @Test func entityExpansionIsBounded() throws {
    let declared = "<!DOCTYPE rss [<!ENTITY e \"\(String(repeating: "x", count: 900))\">]>"
    let title = String(repeating: "&e;", count: 1000)
    let items = String(repeating: "<item><title>\(title)</title></item>", count: 20)
    let parsed = try parse(Array("\(declared)<rss><channel>\(items)</channel></rss>".utf8))
    #expect(parsed.entries.count == 20)
    let size = parsed.entries.reduce(0) { $0 + ($1.title?.value.utf8.count ?? 0) }
    #expect(size < 2 << 20)
    #expect(parsed.feed.fault?.message.contains("expand to too much") == true)
  }

  @Test func unclosedEntryEndsAtNextEntry() throws {
    let text = "<rss><channel><item><title>a</title><description><p>b<item><title>c</title></item></channel></rss>"
    let entries = try parse(Array(text.utf8)).entries
    #expect(entries.map { $0.title?.value } == ["a", "c"])
    #expect(entries.first?.summary?.value == "<p>b</p>")
  }

  /// Truncation is detected however much else is odd about a document.
  @Test(arguments: [0, 1, 2000])
  func truncationIsDetected(_ oddities: Int) throws {
    let odd = String(repeating: "<pubDate>no date</pubDate>", count: oddities)
    let head = "<rss version=\"2.0\"><channel>\(odd)<item><title>a</title>\(odd)</item>"
    #expect(try parse(Array((head + "</channel></rss>").utf8)).ending == .complete)
    #expect(try parse(Array((head + "</channel></rss> & <b>").utf8)).ending == .complete)
    #expect(try parse(Array(head.utf8)).ending == .betweenEntries)
    #expect(try parse(Array((head + "<item><title>b").utf8)).ending == .insideEntry(1))
    #expect(try parse(Array((head + "<item><title>b</title></item><item><ti").utf8)).ending == .insideEntry(2))
    let json = "{\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":[{\"id\":1}"
    #expect(try parse(Array((json + "]}").utf8)).ending == .complete)
    #expect(try parse(Array((json + "]} x").utf8)).ending == .complete)
    #expect(try parse(Array((json + ",").utf8)).ending == .betweenEntries)
    #expect(try parse(Array((json + "]").utf8)).ending == .betweenEntries)
    #expect(try parse(Array((json + ",{\"id\":").utf8)).ending == .insideLostEntry)
  }

  @Test func findingsAreBounded() throws {
    let odd = String(repeating: "<pubDate>no date</pubDate>", count: 2000)
    var limits = Limits()
    limits.findings = 7
    var findings: [Finding] = []
    let bytes = Array("<rss><channel><item>\(odd)</item></channel></rss>".utf8)
    _ = try FeedParser(limits: limits).run(FeedDocument(name: "x", bytes: bytes), into: &findings)
    #expect(findings.count == 8 && findings.last?.code == "parse.more")
  }

  /// Texts are truncated at the same byte, however they are written and whichever parser reads them.
  @Test(
    arguments: ["some &amp; ", "<![CDATA[some]]>", "some ] ", "some<!--some-->", "some\r\n", "€ ", "<b>é</b>"],
    ["", "<!--<-->"])
  func overlongTextsAreTruncated(_ text: String, before: String) throws {
    var limits = Limits()
    limits.fieldBytes = 100_000
    let long = String(repeating: text, count: 80_000)
    let bytes = Array("<rss><channel>\(before)<title>\(long)</title><item><title>a</title></item></channel></rss>".utf8)
    var findings: [Finding] = []
    let parsed = try FeedParser(limits: limits).run(FeedDocument(name: "x", bytes: bytes), into: &findings)
    let title = try #require(parsed.feed.title?.value)
    #expect((limits.fieldBytes - 3...limits.fieldBytes).contains(title.utf8.count), "\(title.utf8.count)")
    #expect(!title.contains("\u{FFFD}"))
    #expect(parsed.entries.map { $0.title?.value } == ["a"])
    #expect(findings.map(\.code).filter { $0 != "parse.ill-formed" } == ["parse.field-too-long"])
    findings = []
    let tree = try FeedParser(limits: limits).tree(FeedDocument(name: "x", bytes: bytes), into: &findings)
    let element = try #require(tree.children.first?.children.first)
    let least = text.hasPrefix("<b>") ? 0 : limits.fieldBytes - 3
    #expect((least...limits.fieldBytes).contains(element.text.utf8.count) && !element.text.contains("\u{FFFD}"))
    #expect(findings.map(\.code).contains("parse.field-too-long") == (least > 0))
  }

  /// Truncated markup contains no part of a tag or reference, and nothing that follows the cut.
  @Test func truncatedMarkupIsWellFormed() throws {
    let markup = "<p title=\"a>b\">é&amp;<b>c</b></p>"
    let whole = "<div xmlns=\"http://www.w3.org/1999/xhtml\">\(String(repeating: markup, count: 3))</div>"
    let feed =
      "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><content type=\"xhtml\">\(whole)</content></entry></feed>"
    for most in 0...150 {
      var limits = Limits()
      limits.fieldBytes = most
      var findings: [Finding] = []
      let parsed = try FeedParser(limits: limits).run(
        FeedDocument(name: "x", bytes: Array(feed.utf8)), into: &findings)
      let content = parsed.entries.first?.content.first?.value ?? ""
      #expect(content.utf8.count <= most && content.isEmpty == (most < "<div>".utf8.count))
      func count(_ character: Character) -> Int { content.count { $0 == character } }
      #expect(count("<") == count(">") && count("&") == count(";"), "\(most): \(content)")
    }
  }

  /// A limit too small for any text removes the text, and loses nothing else.
  @Test(arguments: [.min, -1, 0, 1]) func tinyLimitsLoseOnlyText(_ fieldBytes: Int) throws {
    var limits = Limits()
    limits.fieldBytes = fieldBytes
    let bytes = Array("<rss><channel><title>é</title><item><title>a<b>c</b></title></item></channel></rss>".utf8)
    var findings: [Finding] = []
    let document = FeedDocument(name: "x", bytes: bytes)
    let parsed = try FeedParser(limits: limits).run(document, into: &findings)
    #expect(parsed.feed.title == nil && parsed.entries.count == 1)
    let tree = try FeedParser(limits: limits).tree(document, into: &findings)
    #expect(tree.children.first?.children.count == 2)
    #expect(findings.allSatisfy { !$0.message.contains("-") })
  }

  /// A limit may be larger than any document.
  @Test(arguments: [
    "<rss><channel>\n <title>é</title><item><title>a<b>c</b></title></item></channel></rss>",
    #"{"version": "https://jsonfeed.org/version/1.1", "title": "é", "items": [{"id": "1"}]}"#,
  ])
  func hugeLimitsDoNotOverflow(_ text: String) throws {
    var limits = Limits()
    limits.fieldBytes = .max
    var findings: [Finding] = []
    let document = FeedDocument(name: "x", bytes: Array(text.utf8))
    let parsed = try FeedParser(limits: limits).run(document, into: &findings)
    #expect(parsed.feed.title?.value == "é" && parsed.entries.count == 1 && findings.isEmpty)
  }

  @Test(arguments: ["iso-8859-1", "ISO-8859-15", "windows-1252", "koi8-r"])
  func misdeclaredUTF8IsDetected(_ declared: String) throws {
    let text =
      "<?xml version=\"1.0\" encoding=\"\(declared)\"?><rss><channel><title>Grüße – „ja“</title></channel></rss>"
    let parsed = try parse(Array(text.utf8))
    #expect(parsed.feed.title?.value == "Grüße – „ja“")
    #expect(parsed.feed.fault?.code == "parse.encoding")
    #expect(parsed.feed.fault?.message == "the text is not \(declared.lowercased()), it was read as utf-8")
    // The same holds when one byte is not UTF-8.
    let bytes = Array(text.utf8).map { $0 == UInt8(ascii: "j") ? 0xE9 : $0 }
    #expect(try parse(bytes).feed.title?.value == "Grüße – „éa“")
  }

  @Test func utf8WithWindows1252BytesIsReported() throws {
    let head = Array("<?xml version='1.0' encoding='utf-8'?><rss><channel><title>Grüße – „ja“".utf8)
    let parsed = try parse(head + [0x93] + Array("</title></channel></rss>".utf8))
    #expect(parsed.feed.title?.value == "Grüße – „ja““")
    #expect(
      parsed.feed.fault?.message == "the text is not utf-8, it was read as UTF-8 with some bytes of windows-1252")
  }

  @Test(arguments: ["iso-8859-1", "koi8-r", "gb2312", "shift_jis"])
  func byteOrderMarkAndValidUTF8OverrideDeclaration(_ declared: String) throws {
    let text =
      "<?xml version=\"1.0\" encoding=\"\(declared)\"?><rss><channel><title>Straße, Привет</title></channel></rss>"
    let wide = [0xFEFF] + Array(text.utf16)
    let littleEndian = wide.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    for bytes in [littleEndian, [0xEF, 0xBB, 0xBF] + Array(text.utf8), Array(text.utf8)] {
      let parsed = try parse(bytes)
      #expect(parsed.feed.title?.value == "Straße, Привет")
      #expect(parsed.feed.fault?.code == "parse.encoding")
    }
  }

  @Test func misdeclaredLatin1IsDetected() throws {
    let head = "<?xml version=\"1.0\" encoding=\"utf-8\"?><rss><channel><title>"
    let bytes = Array(head.utf8) + [0x47, 0x72, 0xFC, 0xDF, 0x65, 0x20, 0xE9] + Array("</title></channel></rss>".utf8)
    let parsed = try parse(bytes)
    #expect(parsed.feed.title?.value == "Grüße é")
    #expect(parsed.feed.fault?.code == "parse.encoding")
  }

  @Test func invalidByteIsReadAsWindows1252() throws {
    let bytes = Array("<rss><channel><title>caf".utf8) + [0xE9] + Array(" – café</title></channel></rss>".utf8)
    #expect(try parse(bytes).feed.title?.value == "café – café")
  }

  @Test func invalidByteLosesOneCharacterInShiftJIS() throws {
    let head = Array("<?xml version=\"1.0\" encoding=\"Shift_JIS\"?><rss><channel><title>".utf8)
    let bytes =
      head + [0x89, 0x4A, 0xFF, 0x89, 0xB9] + Array("</title><item><title>a</title></item></channel></rss>".utf8)
    let parsed = try parse(bytes)
    #expect(parsed.feed.title?.value == "雨\u{FFFD}音")
    #expect(parsed.entries.count == 1 && parsed.feed.encoding == "shift_jis")
  }

  @Test(arguments: [true, false])
  func utf16IsRead(_ isBigEndian: Bool) throws {
    let text = "<?xml version=\"1.0\" encoding=\"utf-16\"?><rss><channel><title>größe 雨</title></channel></rss>"
    let units = [0xFEFF] + Array(text.utf16)
    let bytes = units.flatMap { unit -> [UInt8] in
      let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return isBigEndian ? pair : pair.reversed()
    }
    let feed = try parse(bytes).feed
    #expect(feed.title?.value == "größe 雨")
    #expect(feed.encoding == (isBigEndian ? "utf-16be" : "utf-16le"))
  }

  /// A byte order mark says what a document is that has a unit too few, or one that is no character.
  @Test(arguments: ["雨".utf16.first ?? 0, 0xD800, nil])
  func damagedUTF16CostsOneCharacter(_ unit: UInt16?) throws {
    let text = "<?xml version=\"1.0\"?><rss><channel><title>größe 雨</title></channel></rss> "
    var bytes = ([0xFEFF] + Array(text.utf16)).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    if let unit { bytes += [UInt8(unit & 0xFF), UInt8(unit >> 8)] } else { bytes.removeLast() }
    #expect(try parse(bytes).feed.title?.value == "größe 雨")
  }

  @Test func firstFaultIsReportedWithLocation() throws {
    let feed = try parse(Array("<rss>\n<channel>\n<title>a &nbsp; b</title></channel></rss>".utf8)).feed
    #expect(feed.title?.value == "a \u{A0} b")
    #expect(feed.fault?.location.line == 3)
    let ampersand = try parse(Array("<rss>\n<channel><link>http://a.example/?b=1&c=2</link></channel></rss>".utf8)).feed
    #expect(ampersand.link == "http://a.example/?b=1&c=2")
    #expect(ampersand.fault?.location == Finding.Location(file: "test.xml", line: 2, column: 37))
  }

  private func parse(_ bytes: [UInt8]) throws -> FeedParser.Result {
    var findings: [Finding] = []
    return try FeedParser().run(FeedDocument(name: "test.xml", bytes: bytes), into: &findings)
  }

  /// A document that begins with a tag in ASCII is not UTF-16, whatever it, its server or its length says.
  @Test(arguments: ["utf-16", "UTF-16LE", "utf-32", "ucs-2"])
  func wideEncodingOfNarrowTextIsIgnored(_ name: String) throws {
    for padding in 0..<4 {
      let text = String(repeating: " ", count: padding) + "Grüße"
      let body = "<rss><channel><title>\(text)</title><item><title>A</title></item></channel></rss>"
      let declared = FeedDocument(name: "f", bytes: Array("<?xml version='1.0' encoding='\(name)'?>\(body)".utf8))
      let served = FeedDocument(
        name: "f", bytes: Array(body.utf8), url: nil,
        headers: [HeaderField(name: "Content-Type", value: "text/xml; charset=\(name)")])
      for document in [declared, served] {
        let parsed = try FeedParser().parse(document)
        #expect(parsed.feed.title?.value == "Grüße" && parsed.entries.count == 1)
        #expect(parsed.feed.fault?.code == "parse.encoding")
      }
    }
  }

  /// ISO-2022-JP is all bytes of ASCII, which `text/xml` without a charset means in the table of RFC 3023.
  @Test func declaredEncodingOfSevenBitsIsTaken() throws {
    let text = Array("\u{1B}$BF|K\\\u{1B}(B".utf8)
    let head = Array("<?xml version='1.0' encoding='ISO-2022-JP'?><rss><channel><title>".utf8)
    let bytes = head + text + Array("</title><item><title>A</title></item></channel></rss>".utf8)
    let headers = [HeaderField(name: "Content-Type", value: "text/xml")]
    let parsed = try FeedParser().parse(FeedDocument(name: "f", bytes: bytes, url: nil, headers: headers))
    #expect(parsed.feed.title?.value == "日本")
  }
}
