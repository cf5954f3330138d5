import Foundation
import TamisCheck
import TestSupport
import Testing

/// The reading by which outputs are judged, beside html5lib's tests of the trees that browsers build: all of them.
@Suite(
  .enabled(
    if: Fixtures.hasSuite("html5lib-tests/tree-construction"), Fixtures.needs("html5lib-tests/tree-construction")))
struct TreeConstructionTests {
  @Test func treesMatchHTML5LibTests() throws {
    var (compared, changed) = (0, 0)
    for each in try TreeCase.all() {
      let expected = Self.lines(of: each)
      for hasScripting in each.scripting {
        compared += 1
        let built = BrowserReading.lines(of: each.data, in: each.context, hasScripting: hasScripting)
        if built != expected, each.isOld {
          changed += 1
        } else {
          #expect(built == expected, "\(each)")
        }
      }
    }
    print("html5lib: \(compared) trees of the judge, of which \(changed) are others today")
    #expect(compared > 3300 && changed <= 46, "\(compared), \(changed)")
  }

  /// The lines of a tree with names in lower case and attributes in order, as the judge has them.
  private static func lines(of each: TreeCase) -> [String] {
    var lines: [String] = []
    var attributes: [String] = []
    for line in each.tree.components(separatedBy: "\n") {
      let text = line.drop { $0 == "|" || $0 == " " }
      let isNode = ["<", "\""].contains(text.prefix(1)) || text == "content" || !line.hasPrefix("| ")
      if let equals = text.range(of: "=\""), !isNode {
        let indent = line[..<text.startIndex]
        attributes.append(
          indent + text[..<equals.lowerBound].lowercased().replacing(" ", with: ":") + text[equals.lowerBound...])
        continue
      }
      lines += attributes.sorted()
      attributes = []
      let isElement = text.hasPrefix("<") && !text.hasPrefix("<!")
      lines.append(isElement ? line.lowercased() : line)
    }
    return lines + attributes.sorted()
  }
}
