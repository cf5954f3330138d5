import TamisURL
import TestSupport
import Testing

@Suite("Components")
struct ComponentTests {
  @Test("all components of a full URL")
  func fullURLHasAllComponents() throws {
    let url = try #require(WebURL("HTTPS://us%65r:p:w@Example.org:8080/a/b?c=d#e"))
    #expect(url.scheme == "https")
    #expect(url.username == "us%65r")
    #expect(url.password == "p%3Aw")
    #expect(url.hostname == "example.org")
    #expect(url.port == 8080)
    #expect(url.path == "/a/b")
    #expect(url.query == "c=d")
    #expect(url.fragment == "e")
    #expect(url.isSpecial)
    #expect(!url.hasOpaquePath)
    #expect(url.origin == "https://example.org:8080")
    #expect("\(url)" == url.href)
  }

  @Test(
    "what a base of the same scheme would change",
    arguments: [
      ("https:a", true), ("https:/a", true), ("HTTP:\\a", true), ("https:", true), (" ht\ntps:/a", true),
      ("https:?a", true),
      ("file:a", true), ("https://a", false), ("https:/\\a", false), ("https:\\\\a", false), ("https:///a", false),
      ("mailto:a", false), ("web:/a", false), ("a", false), ("//a", false), ("", false), (":", false),
    ])
  func schemeRelativeURLIsRecognized(_ input: String, _ expected: Bool) {
    #expect(WebURL.isRelativeToItsScheme(input.utf8.span) == expected, "\(input)")
    guard let base = WebURL("https://b.example/c"), let url = WebURL(input), url.scheme == "https" else { return }
    #expect((WebURL(input, base: base) != url) == expected, "\(input)")
  }

  @Test("missing components differ from empty ones")
  func missingComponentsDifferFromEmptyOnes() throws {
    let bare = try #require(WebURL("web:/a"))
    #expect(bare.hostname == nil)
    #expect(bare.port == nil)
    #expect(bare.query == nil)
    #expect(bare.fragment == nil)
    #expect(bare.username.isEmpty && bare.password.isEmpty)
    let empty = try #require(WebURL("file:///?#"))
    #expect(empty.hostname == "")
    #expect(empty.query == "")
    #expect(empty.fragment == "")
  }

  @Test(
    "opaque paths",
    arguments: [
      ("mailto:a@b", true), ("javascript:x", true), ("web:", true), ("web:?q", true), ("web:/a", false),
      ("web://h", false), ("web:/.//a", false), ("file:a", false), ("https:a", false),
    ])
  func opaquePathIsRecognized(input: String, isOpaque: Bool) throws {
    #expect(try #require(WebURL(input)).hasOpaquePath == isOpaque)
  }

  @Test(
    "origins",
    arguments: [
      ("https://u:p@h/x", "https://h"), ("http://h:81/", "http://h:81"), ("ws://h/", "ws://h"), ("ftp://h/", "ftp://h"),
      ("file:///a", nil), ("data:x", nil), ("web://h/", nil), ("blob:https://h/x", nil),
    ] as [(String, String?)])
  func originIsSerialized(input: String, origin: String?) throws {
    #expect(try #require(WebURL(input)).origin == origin)
  }

  @Test("equality and order are those of the serialization")
  func equalityAndOrderFollowSerialization() throws {
    let first = try #require(WebURL("HTTPS://A/%7e"))
    let second = try #require(WebURL("https://a:443/%7e"))
    let third = try #require(WebURL("https://b/"))
    #expect(first == second)
    #expect(Set([first, second, third]).count == 2)
    #expect(first < third)
  }

  @Test("bytes that are not UTF-8 are read as U+FFFD before tabs are dropped")
  func invalidUTF8BecomesReplacementCharacter() throws {
    let bytes: [UInt8] = Array("https://h/".utf8) + [0xC3, 0x09, 0xA9]
    #expect(WebURL(utf8: bytes.span)?.path == "/%EF%BF%BD%EF%BF%BD")
    let host: [UInt8] = Array("https://h".utf8) + [0xFF, 0x2F]
    #expect(WebURL(utf8: host.span) == nil)
    #expect(WebURL("\u{FEFF}https://h/") == nil)
  }

  @Test("long inputs take linear time")
  func longInputsTakeLinearTime() {
    let dots = "https://h/" + String(repeating: "a/../", count: 200_000)
    let time = processorTime {
      #expect(WebURL(dots)?.href == "https://h/")
      #expect(WebURL("https://" + String(repeating: "@", count: 500_000) + "h")?.hostname == "h")
      #expect(WebURL("https://" + String(repeating: "é.", count: 200_000)) == nil)
      #expect(WebURL("https://h/" + String(repeating: "é", count: 200_000)) != nil)
    }
    #expect(time < .seconds(60), "\(time)")
  }
}
