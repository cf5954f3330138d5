import TamisCore
import TamisSanitizer
import TamisSite
import TestSupport
import Testing

/// Bodies as they stand in a page, in the cases of `Fixtures/Pages`.
@Suite struct PageBodyTests {
  @Test(arguments: Case.all(in: "Pages"))
  func pageBodyMatchesFixture(_ each: Case) throws {
    let clean = Sanitizer.reading.sanitize(try #require(each.sections["input"])).html
    var card = Post.Card()
    (card.title, card.permalink) = (each.settings["title"] ?? "", each.settings["page"].map { Post.Permalink(url: $0) })
    card.direction = each.settings["direction"].flatMap(TextDirection.init) ?? .leftToRight
    var body = PageBody(
      clean, under: PageBody.Heading(of: card), isOffline: each.settings["mode"] == "offline",
      pictures: Self.kept(each.settings["kept"] ?? ""),
      root: "../")
    if let page = each.settings["listed"] { body = body.listed(page: PagePath(page), root: "", number: 1) }
    #expect(body.description == each.sections["output"])
  }

  /// Pictures as a case names them: `ADDRESS WIDTHxHEIGHT, ADDRESS WIDTHxHEIGHT`.
  private static func kept(_ text: String) -> [String: KeptPicture] {
    var pictures: [String: KeptPicture] = [:]
    for (number, part) in text.split(separator: ", ").enumerated() {
      let words = part.split(separator: " ")
      let size = words[1].split(separator: "x").compactMap { Int($0) }
      pictures[String(words[0])] = KeptPicture(
        path: PagePath("pictures/\(number + 1).png"), width: size[0], height: size[1])
    }
    return pictures
  }

  /// A page preserves all text of the body it shows.
  @Test(arguments: Case.all(in: "Sanitizer"))
  func pageBodyPreservesText(_ each: Case) throws {
    let clean = Sanitizer.reading.sanitize(each.sections["input"] ?? "").html
    let page = PageBody(clean, isOffline: false).description
    let before = Sanitizer.text.sanitize(clean.string).html.string.filter { !$0.isWhitespace }
    let after = Sanitizer.text.sanitize(page).html.string.filter { !$0.isWhitespace }
    var rest = after[...]
    for character in before {
      guard let index = rest.firstIndex(of: character) else {
        Issue.record("'\(character)' is lost: \(page)")
        return
      }
      rest = rest[rest.index(after: index)...]
    }
  }
}
