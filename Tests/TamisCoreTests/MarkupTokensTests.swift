import TamisCore
import Testing

/// The reader of what the sanitizer wrote.
@Suite struct MarkupTokensTests {
  private func words(_ markup: String, to end: Int? = nil) -> [String] {
    let source = Array(markup.utf8)
    var words: [String] = []
    for token in MarkupTokens(source, to: end) {
      switch token {
      case .text(let range): words.append(String(decoding: MarkupText.unescaped(source[range]), as: UTF8.self))
      case .tag(let tag):
        var word = (tag.isEnd ? "/" : "") + tag.name
        tag.eachAttribute(source) { attribute in
          let parts = [attribute.name, attribute.value].map { String(decoding: source[$0], as: UTF8.self) }
          word += " \(parts[0])(\(parts[1]))"
        }
        words.append(word)
      }
    }
    return words
  }

  @Test func tokensAreReadInOrder() {
    #expect(words("") == [])
    #expect(words("a &amp;&lt;&nbsp;b") == ["a &<\u{A0}b"])
    #expect(words("<p>a<br />b</p>") == ["p", "a", "br", "b", "/p"])
    #expect(
      words(#"<a href="/x?a=1&amp;b" title="1 > 0 / 2">x</a>"#) == ["a href(/x?a=1&amp;b) title(1 > 0 / 2)", "x", "/a"])
    #expect(words(#"<img alt="" src="a/" />"#) == ["img alt() src(a/)"])
    #expect(words(#"<video controls src="a"></video>"#) == ["video controls() src(a)", "/video"])
  }

  @Test func valuesAreFoundByName() {
    let source = Array(#"<img alt="" src="a b" width="1" />"#.utf8)
    let tag = MarkupTag(source, at: 0)
    #expect(tag.value("src", source).map { String(decoding: source[$0], as: UTF8.self) } == "a b")
    #expect(tag.value("alt", source)?.isEmpty == true)
    #expect(tag.value("wid", source) == nil && tag.value("srcset", source) == nil)
  }

  @Test func textsAreTruncatedAtEnd() {
    #expect(words("<p>abc</p>", to: 5) == ["p", "ab"])
    #expect(words("<p>abc</p>", to: 6) == ["p", "abc"])
    #expect(words("<p>abc</p>", to: 100) == ["p", "abc", "/p"])
  }

  /// Each byte is in exactly one token, and reading ends, whatever the bytes are.
  @Test(arguments: [
    "<", "</", "<p", "<p a", "<p a=", "<p a=\"", "<p a=\"x", "<p =>", "<p/", "a<", "<<", "<p a b =\"c\" d>e",
  ])
  func malformedMarkupIsTokenizedCompletely(_ markup: String) {
    let source = Array(markup.utf8)
    var end = 0
    for token in MarkupTokens(source) {
      switch token {
      case .text(let range):
        #expect(range.lowerBound == end && !range.isEmpty)
        end = range.upperBound
      case .tag(let tag):
        #expect(tag.start == end && tag.end > end)
        tag.eachAttribute(source) { #expect($0.whole.upperBound <= tag.end && !$0.whole.isEmpty) }
        #expect(tag.value("none", source) == nil)
        end = tag.end
      }
    }
    #expect(end == source.count)
  }

  @Test func appendedTextReadsBackUnchanged() {
    var output: [UInt8] = []
    MarkupText.append(Array("a < b > c & \"d\" &amp;".utf8).span, to: &output)
    #expect(String(decoding: MarkupText.unescaped(output[...]), as: UTF8.self) == "a < b > c & \"d\" &amp;")
    #expect(!output.contains(UInt8(ascii: "<")) && !output.contains(UInt8(ascii: "\"")))
  }
}
