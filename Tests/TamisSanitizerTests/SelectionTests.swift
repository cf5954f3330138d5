import TamisHTML
import TamisSanitizer
import TestSupport
import Testing

/// Parts of fragments that are read: `Fixtures/Selections`.
@Suite struct SelectionTests {
  private static func selection(_ lines: String) throws -> PartSelection {
    var selection = PartSelection()
    for line in lines.split(separator: "\n") {
      let colon = try #require(line.firstIndex(of: ":"))
      let selector = try CSSSelector(String(line[line.index(after: colon)...].drop { $0 == " " }))
      if line.hasPrefix("remove") { selection.remove.append(selector) } else { selection.only.append(selector) }
    }
    return selection
  }

  private static func result(
    _ html: String, _ selection: PartSelection, by sanitizer: Sanitizer = .reading
  ) -> Sanitizer.Result {
    sanitizer.sanitize(
      utf8: Array(html.utf8).span, base: nil, page: nil, selection: PreparedSelection(selection))
  }

  @Test(arguments: Case.all(in: "Selections"))
  func partsAreLeftOut(_ each: Case) throws {
    let selection = try Self.selection(try #require(each.sections["selectors"]))
    let result = Self.result(try #require(each.sections["input"]), selection)
    #expect(result.html.string == each.sections["output"] ?? "", "\(each)")
    if let expected = each.sections["removals"] {
      let found = result.removals.filter { $0.rule == .selector }.map(\.name).joined(separator: "\n")
      #expect(found == expected, "\(each)")
    }
    // What is left is stable, and hooks that change nothing change nothing.
    #expect(Sanitizer.reading.sanitize(result.html.string).html == result.html)
    var hooks = Sanitizer.Hooks(version: "1")
    hooks.handleElement = { _ in .followPolicy }
    let hooked = Self.result(
      try #require(each.sections["input"]), selection, by: try Sanitizer(policy: .reading, hooks: hooks))
    #expect(hooked.html == result.html && hooked.selectionUse.matched == result.selectionUse.matched)
  }

  /// A selector matches the same elements of a fragment as of a page.
  @Test(arguments: Case.all(in: "Pages/Sites").filter { $0.file == "selectors.txt" })
  func selectorsMatchAsOnPages(_ each: Case) throws {
    for line in try #require(each.sections["selectors"]).split(separator: "\n") {
      let split = try #require(line.ranges(of: " = ").last)
      let selector = try CSSSelector(String(line[..<split.lowerBound]))
      let use = Self.result(try #require(each.sections["page"]), PartSelection(remove: [selector])).selectionUse
      #expect(use.matched.isEmpty == (line[split.upperBound...] == "none"), "\(line)")
    }
  }

  @Test func unmatchedSelectorsHaveNearNames() throws {
    let names = ["share-buttons", "promo", "entry"].map { "<p class='\($0)' id='the-\($0)'>x</p>" }.joined()
    let selectors = try [".share-button", "p > .pormo", "#the-entri", ".quite-another", ".entry"].map {
      try CSSSelector($0)
    }
    let use = Self.result(names, PartSelection(remove: selectors)).selectionUse
    #expect(use.matched == [4])
    let near = selectors.dropLast().map { use.near($0)?.near }
    #expect(near == [".share-buttons", ".promo", "#the-entry", nil])
  }

  @Test func selectionIsUsedForOneFragmentOnly() throws {
    let sanitizer = try Sanitizer(policy: .reading)
    #expect(Self.result("<i>a</i>b", PartSelection(remove: [try CSSSelector("i")]), by: sanitizer).html.string == "b")
    #expect(sanitizer.sanitize("<i>a</i>b").html.string == "<i>a</i>b")
  }
}
