import Foundation
import Tamis
import Testing

@Suite struct RawJSONTests {
  private let text = """
    <rss version="2.0"><channel><title>T</title><item a="1"><x/><c>1</c><c k="v">2</c>tail</item><c c="x"><c>y</c></c></channel></rss>
    """

  @Test func uniformFormWritesEveryChildAsArray() throws {
    let expected = """
      {"rss":[{"version":"2.0","channel":[{"title":[{"__text__":"T"}],"item":[{"a":"1","__text__":"tail","x":[{}],\
      "c":[{"__text__":"1"},{"k":"v","__text__":"2"}]}],"c":[{"@c":"x","c":[{"__text__":"y"}]}]}]}]}
      """
    #expect(try json(.uniform) == expected)
  }

  @Test func compactFormWritesOnlyChildWithoutArray() throws {
    let expected = """
      {"rss":{"version":"2.0","channel":{"title":"T","item":{"a":"1","__text__":"tail","x":"",\
      "c":["1",{"k":"v","__text__":"2"}]},"c":{"@c":"x","c":"y"}}}}
      """
    #expect(try json(.compact) == expected)
  }

  @Test func documentWithoutElementThrows() {
    var findings: [Finding] = []
    #expect(throws: FeedParser.Failure.self) {
      try FeedParser().tree(FeedDocument(name: "x", bytes: Array("no element".utf8)), into: &findings)
    }
  }

  private func json(_ form: RawJSON.Form) throws -> String {
    var findings: [Finding] = []
    let root = try FeedParser().tree(FeedDocument(name: "x", bytes: Array(text.utf8)), into: &findings)
    return String(decoding: RawJSON.document(root, form), as: UTF8.self)
  }
}
