import Hooks
import TamisSanitizer
import Testing

@Test func framesBecomeLinks() throws {
  var element = Sanitizer.Hooks.Element(name: "iframe", attributes: [.init(name: "src", value: "https://a.example/")])
  #expect(withoutFrames(&element) == .followPolicy)
  #expect(element.name == "a" && element["href"] == "https://a.example/" && element["src"] == nil)
  var hooks = Sanitizer.Hooks(version: "1")
  hooks.handleElement = withoutFrames
  let html = try Sanitizer(policy: .reading, hooks: hooks).sanitize("<iframe src='https://a.example/'>x</iframe>").html
  #expect(html.string.hasPrefix("<a href=\"https://a.example/\""))
}
