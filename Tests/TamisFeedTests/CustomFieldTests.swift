import Tamis
import Testing

@Suite struct CustomFieldTests {
  private let feed = """
    <rss version="2.0" xmlns:d="http://www.developerzone.com/modules/dz/1.0" xmlns:m="http://search.yahoo.com/mrss/">
    <channel><item xml:base="http://a.example/b/"><title>T</title><d:voteUpCount> 12 </d:voteUpCount><d:rate>1.5</d:rate>
    <d:bad>many</d:bad><pubDate>Sat, 21 Nov 2026 10:00:00 GMT</pubDate><m:thumbnail url="t.png"/><own>x</own><own>y</own>
    </item></channel></rss>
    """

  @Test(arguments: [
    ("votes:number=dz:voteUpCount", Feed.FieldValue.number(12)), ("rate:number=dz:rate", .number(1.5)),
    ("votes=dz:voteUpCount", .text("12")), ("cover:url=media:thumbnail@url", .url("http://a.example/b/t.png")),
    ("when:date=pubDate", .date(Feed.Timestamp(source: "Sat, 21 Nov 2026 10:00:00 GMT", seconds: 1_795_255_200))),
    ("own=own", .text("x")), ("headline=title", .text("T")),
  ])
  func typedFieldIsRead(_ definition: String, _ expected: Feed.FieldValue) throws {
    let (entry, findings) = try parse(definition)
    #expect(entry?.fields.map(\.value) == [expected])
    #expect(findings.isEmpty)
  }

  @Test func malformedValueLosesOnlyItsField() throws {
    let (entry, findings) = try parse("bad:number=dz:bad")
    #expect(entry?.fields.isEmpty == true)
    #expect(entry?.title?.value == "T")
    #expect(findings.map(\.code) == ["parse.field"])
    #expect(findings.first?.location.line == 3)
  }

  @Test(arguments: ["", "votes", "=dz:x", "votes=", "votes:money=dz:x", "1a=b", "a b=c", "a=@url", "a=b@"])
  func invalidDefinitionIsRejected(_ definition: String) {
    #expect(throws: FeedParser.CustomField.Invalid.self) { try FeedParser.CustomField(definition) }
  }

  private func parse(_ definition: String) throws -> (Feed.Entry?, [Finding]) {
    var findings: [Finding] = []
    let parser = FeedParser(fields: [try FeedParser.CustomField(definition)])
    let parsed = try parser.run(FeedDocument(name: "x", bytes: Array(feed.utf8)), into: &findings)
    return (parsed.entries.first, findings)
  }
}
