import Foundation
import TamisCore
import TamisSanitizer
import TamisURL
import Testing

/// What apps give to the sanitizer and take from it: URLs, bytes, JSON, text.
@Suite struct BridgeTests {
  @Test func urlsAndBytesOfFoundationAreTaken() throws {
    let html = "<a href=b>c</a>"
    let expected = Sanitizer.reading.sanitize(html, base: WebURL("https://a.example/d/")).html
    #expect(expected.string.contains("https://a.example/d/b"))
    #expect(try Sanitizer.reading.sanitize(html, base: "https://a.example/d/").html == expected)
    let url = try #require(URL(string: "https://a.example/d/"))
    #expect(try Sanitizer.reading.sanitize(html, base: url.absoluteString).html == expected)
    #expect(Sanitizer.reading.sanitize(utf8: Data(html.utf8).span, base: WebURL(url.absoluteString)).html == expected)
    for text in ["", "not a url", "/d/", "https://", "http://a b/"] {
      #expect(throws: WebURL.Invalid.self) { try Sanitizer.reading.sanitize(html, base: text) }
    }
    #expect(throws: WebURL.Invalid.self) { try WebURL(validating: try #require(URL(string: "d/")).absoluteString) }
  }

  @Test func resultsAreEncoded() throws {
    let result = Sanitizer.strict.sanitize("<b onclick=x>a</b>")
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    #expect(String(decoding: try encoder.encode([result.html]), as: UTF8.self) == #"["<b>a</b>"]"#)
    #expect(
      String(decoding: try encoder.encode(result.removals), as: UTF8.self)
        == #"[{"column":\#(result.removals[0].column),"line":1,"name":"b@onclick","rule":"attribute"}]"#)
    #expect(
      String(decoding: try encoder.encode([WebURL("https://a.example/ä")]), as: UTF8.self)
        == #"["https://a.example/%C3%A4"]"#)
  }

  /// Text between quotation marks or tags stays text.
  @Test(arguments: ["<b>&amp;\"'", "\0\u{7F}x", "a\u{301}"])
  func escapedTextStaysText(_ text: String) {
    let html = SanitizedHTML(escaping: text)
    #expect(
      Sanitizer.reading.sanitize("<p title=\"\(html)\">\(html)</p>").facts.text
        == text.map { $0.isASCII && ($0.asciiValue! < 32 || $0.asciiValue == 127) ? "\u{FFFD}" : String($0) }.joined())
  }
}
