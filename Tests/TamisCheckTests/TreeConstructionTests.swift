import Foundation
import TamisCheck
import TestSupport
import Testing

/// The reading by which outputs are judged, beside html5lib's tests of the trees that browsers build.
///
/// Compared are those whose tree a fragment in a page can have: of fragments in `div` or `body`, and of documents in
/// standards mode with nothing in their head. The tests are of 2020: since then the standard lets any element stand in
/// `select`.
@Suite(
  .enabled(
    if: Fixtures.hasSuite("html5lib-tests/tree-construction"), Fixtures.needs("html5lib-tests/tree-construction")))
struct TreeConstructionTests {
  @Test func treesMatchHTML5LibTests() throws {
    let folder = Fixtures.suite("html5lib-tests/tree-construction")
    // In some, a script writes.
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".dat") && !$0.hasPrefix("scripted/") }.sorted()
    var (compared, others, changed) = (0, 0, 0)
    for name in names {
      let text = String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
      for test in TreeTest.all(in: text) {
        guard let expected = test.expectedBody else {
          others += 1
          continue
        }
        compared += 1
        let built = TreeTest.normalized(BrowserReading(test.data).html)
        let isSame = built == TreeTest.normalized(expected)
        if !isSame, test.data.lowercased().contains("<select") {
          changed += 1
        } else {
          #expect(isSame, "\(name): \(test.data.debugDescription)\n  \(built)\n  \(expected)")
        }
      }
    }
    print("html5lib: \(compared) trees, of which \(changed) are others today; \(others) cannot be compared")
    #expect(compared > 900 && changed < 30, "\(compared), \(changed)")
  }
}

/// A test of a `.dat` file.
struct TreeTest {
  var data = ""
  /// The element that the fragment stands in; nil for a document.
  var context: String?
  var isScriptOff = false
  var tree: [Line] = []

  /// A node or an attribute of the tree.
  struct Line {
    var depth: Int
    var text: String
  }

  /// The tests of a file: sections that begin with a line `#name`, each test with `#data`.
  static func all(in file: String) -> [TreeTest] {
    var tests: [TreeTest] = []
    var section = ""
    var lines: [String] = []
    func end() {
      guard !tests.isEmpty else { return }
      switch section {
      case "#data": tests[tests.count - 1].data = lines.joined(separator: "\n")
      case "#document-fragment": tests[tests.count - 1].context = lines.first
      case "#script-off": tests[tests.count - 1].isScriptOff = true
      case "#document": tests[tests.count - 1].tree = treeLines(lines)
      default: break
      }
    }
    let names: Set = [
      "#errors", "#new-errors", "#document-fragment", "#script-off", "#script-on", "#document",
    ]
    for line in file.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      let isNext = line == "#data" && (section.isEmpty || lines.last == "")
      if isNext || (names.contains(line) && section != "#document") {
        end()
        if isNext { tests.append(TreeTest()) }
        (section, lines) = (line, [])
      } else {
        lines.append(line)
      }
    }
    end()
    return tests
  }

  private static func treeLines(_ lines: [String]) -> [Line] {
    var tree: [Line] = []
    for line in lines {
      if line.hasPrefix("| ") {
        let text = line.dropFirst(2)
        let node = text.drop { $0 == " " }
        tree.append(Line(depth: (text.count - node.count) / 2, text: String(node)))
      } else if !tree.isEmpty {
        tree[tree.count - 1].text += "\n" + line
      }
    }
    // The empty line before the next test belongs to none.
    while tree.last?.text.hasSuffix("\n") == true { tree[tree.count - 1].text.removeLast() }
    return tree
  }

  /// The tree as a browser writes it; nil when no fragment in a page can have it.
  var expectedBody: String? {
    if isScriptOff { return nil }
    if let context { return ["div", "body"].contains(context) ? Self.written(tree[...], from: 0) : nil }
    let start = data.lowercased()
    let isInStandardsMode = start.hasPrefix("<!doctype html>")
    // In quirks mode a table ends no paragraph. Tags before a document's body that are ended there mean nothing.
    if !isInStandardsMode, start.contains("<table") || start.hasPrefix("<!doctype") || start.hasPrefix("</") {
      return nil
    }
    let lines = tree.drop { $0.text.hasPrefix("<!") }
    guard lines.prefix(3).map(\.text) == ["<html>", "<head>", "<body>"] else { return nil }
    let rest = lines.dropFirst(3)
    // An attribute of the page's, which stands behind its element.
    if let first = rest.first, !Self.isNode(first.text) { return nil }
    guard rest.allSatisfy({ $0.depth >= 2 || $0.text.hasPrefix("<!--") }) else { return nil }
    return Self.written(rest.filter { $0.depth >= 2 }[...], from: 2)
  }

  private static func isNode(_ line: String) -> Bool {
    isElement(line) || line.hasPrefix("<!") || line.hasPrefix("<?") || line.hasPrefix("\"") || line == "content"
  }

  /// An attribute may begin with `<` too.
  private static func isElement(_ line: String) -> Bool { line.hasPrefix("<") && line.hasSuffix(">") }

  private static let void: Set = [
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input", "keygen", "link",
    "meta", "param", "source", "track", "wbr",
  ]
  private static let rawText: Set = [
    "style", "script", "xmp", "iframe", "noembed", "noframes", "plaintext", "noscript",
  ]

  private static func written(_ lines: ArraySlice<Line>, from depth: Int) -> String {
    var (output, open) = ("", [(depth: Int, name: String)]())
    var tagIsOpen = false
    func endTag() {
      if tagIsOpen { output += ">" }
      tagIsOpen = false
    }
    for line in lines where line.depth >= depth {
      if isNode(line.text) {
        endTag()
        while let last = open.last, last.depth >= line.depth {
          if !last.name.isEmpty { output += "</\(last.name)>" }
          open.removeLast()
        }
      }
      if line.text == "content" {
        open.append((line.depth, ""))
      } else if line.text.hasPrefix("<!") || line.text.hasPrefix("<?") {
        continue
      } else if isElement(line.text) {
        let words = line.text.dropFirst().dropLast().split(separator: " ")
        let name = words.last.map(String.init) ?? ""
        output += "<\(name)"
        tagIsOpen = true
        let isVoid = words.count == 1 && void.contains(name)
        open.append((line.depth, isVoid ? "" : name))
      } else if line.text.hasPrefix("\"") {
        let text = String(line.text.dropFirst().dropLast())
        let isRaw = rawText.contains(open.last?.name ?? "")
        // A browser that reads it again drops one line feed.
        let drops = text.hasPrefix("\n") && output.hasSuffix("<\(open.last?.name ?? "")>")
        if drops, ["pre", "listing", "textarea"].contains(open.last?.name) { output += "\n" }
        output += isRaw ? text : escaped(text, isValue: false)
      } else if let equals = line.text.range(of: "=\"") {
        let name = line.text[..<equals.lowerBound].replacing(" ", with: ":")
        output += " \(name)=\"\(escaped(String(line.text[equals.upperBound...].dropLast()), isValue: true))\""
      }
    }
    endTag()
    for last in open.reversed() where !last.name.isEmpty { output += "</\(last.name)>" }
    return output
  }

  private static func escaped(_ text: String, isValue: Bool) -> String {
    let text = text.replacing("&", with: "&amp;").replacing("\u{A0}", with: "&nbsp;")
      .replacing("\r", with: "&#13;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    return isValue ? text.replacing("\"", with: "&quot;") : text
  }

  /// Attributes by name and in lower case, as are elements; without the white space that a page has before its body.
  static func normalized(_ html: String) -> String {
    String(html.drop { $0.isWhitespace }).replacing(/<([^\s<>"\/]+)((?: [^\s>"=]+="[^"]*")*)>/) { match in
      let attributes = match.output.2.matches(of: /[^\s>"=]+="[^"]*"/).map { each in
        let parts = each.output.split(separator: "=", maxSplits: 1)
        return parts[0].lowercased() + "=" + parts[1]
      }
      return "<" + ([match.output.1.lowercased()] + attributes.sorted()).joined(separator: " ") + ">"
    }.replacing(/<\/[^>]+>/) { $0.output.lowercased() }
  }
}
