import TamisCore
import TamisRules
import TamisSanitizer
import TestSupport
import Testing

/// Bodies as they stand in a page, in the cases of `Fixtures/Pages`.
@Suite struct PageFormTests {
  @Test(arguments: Case.all(in: "Pages"))
  func bodiesInAPage(_ each: Case) throws {
    let clean = Sanitizer(policy: .reading).sanitize(try #require(each.sections["input"])).html
    let form = PageForm(isOffline: each.settings["mode"] == "offline")
    #expect(form.apply(to: clean).string == each.sections["output"])
  }

  /// Nothing is lost: without what a page adds, the body is what it was, but for the levels of its headings.
  @Test(arguments: Case.all(in: "Sanitizer"))
  func nothingIsTakenAway(_ each: Case) throws {
    let clean = Sanitizer(policy: .reading).sanitize(each.sections["input"] ?? "").html
    let page = PageForm().apply(to: clean).string
    let before = Sanitizer(policy: .text).sanitize(clean.string).html.string.filter { !$0.isWhitespace }
    let after = Sanitizer(policy: .text).sanitize(page).html.string.filter { !$0.isWhitespace }
    var rest = after[...]
    for character in before {
      guard let place = rest.firstIndex(of: character) else {
        Issue.record("'\(character)' is lost: \(page)")
        return
      }
      rest = rest[rest.index(after: place)...]
    }
  }
}
