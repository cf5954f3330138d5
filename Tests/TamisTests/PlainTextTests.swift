import Tamis
import TestSupport
import Testing

/// `Fixtures/PlainText/*.txt`: bodies without tags, and what becomes of their lines and addresses.
@Suite struct PlainTextTests {
  static let cases = Case.all(in: "PlainText")

  @Test func fixtureCasesExist() { #expect(Self.cases.count > 15) }

  @Test(arguments: cases)
  func plainTextBodyBecomesExpectedHTML(_ each: Case) throws {
    let html = try Self.body(try #require(each.sections["input"]), isText: each.settings["kind"] == "text")
    #expect(html.replacing(#" rel="noopener noreferrer nofollow""#, with: "") == each.sections["output"], "\(each)")
  }

  /// Quadratic time would take minutes at this size.
  @Test(arguments: ["https://", "www.", "https://a.example(", "https://a.example/)", "a\n", "\n", "http://a.", "12:"])
  func plainTextConversionTimeIsLinear(_ piece: String) throws {
    let text = String(repeating: piece, count: 1_000_000 / piece.utf8.count)
    let time = try processorTime {
      _ = try Self.body(text, isText: true)
      _ = try Self.body(text, isText: false)
    }
    #expect(time < .seconds(120), "\(time)")
  }

  /// What nobody sees, or what turns the text around it, is in no title, name or tag, of whatever type the text is.
  @Test(arguments: [
    ("a&#x202E;gpj.exe&#x202C; b", "agpj.exe b"), ("a &#x2066;b", "a b"), ("a&#xE0041;&#xE0042;b", "ab"),
    ("It&#x92;s", "It’s"), ("a&#x9B;31m&#x7F;b", "a›31mb"), ("a&#x81;b", "ab"),
    ("می&#x200C;خواهم", "می\u{200C}خواهم"), ("👨&#x200D;👩", "👨\u{200D}👩"),
  ])
  func shortTextsHaveNothingInvisible(_ written: String, _ shown: String) throws {
    for type in ["text", "html"] {
      let feed = """
        <feed xmlns="http://www.w3.org/2005/Atom"><title type="\(type)">\(written)</title><entry>\
        <title type="\(type)">\(written)</title><author><name>\(written)</name></author><category term="\(written)"/>\
        </entry></feed>
        """
      let output = try Pipeline().process(FeedDocument(name: "case", bytes: Array(feed.utf8)))
      let post = try #require(output.posts.first)
      let texts = [output.title, post.title] + post.authors + post.tags
      #expect(texts.map { $0.replacing("\u{FFFD}", with: "") } == Array(repeating: shown, count: 4), "\(type)")
    }
  }

  private static func body(_ text: String, isText: Bool) throws -> String {
    let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    let item =
      isText
      ? "<atom:content type='text'>\(escaped)</atom:content>" : "<description>\(escaped)</description>"
    let feed = """
      <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><link>https://a.example/</link><item>\
      <title>t</title>\(item)</item></channel></rss>
      """
    let output = try Pipeline().process(FeedDocument(name: "case", bytes: Array(feed.utf8)))
    return try #require(output.posts.first).content.string
  }
}
