import Foundation
import TamisHTML
import TestSupport
import Testing

/// html5lib's tests of tokenizers and of the tree construction.
@Suite(.enabled(if: Fixtures.hasSuite("html5lib-tests"), Fixtures.needs("html5lib-tests")))
struct HTMLSuiteTests {
  // MARK: - Tokens

  private static let contents: [String: HTMLTokenizer.Content] = [
    "Data state": .data, "PLAINTEXT state": .plaintext, "RCDATA state": .rcdata, "RAWTEXT state": .rawText,
    "Script data state": .scriptData, "CDATA section state": .cdata,
  ]

  @Test func tokensMatchHTML5LibTests() throws {
    var compared = 0
    let folder = Fixtures.suite("html5lib-tests/tokenizer")
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() where name.hasSuffix(".test")
    {
      let file = folder.appending(path: name)
      let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
      // Those for XML's sake are under another name.
      for test in object?["tests"] as? [[String: Any]] ?? [] {
        var (input, output) = (test["input"] as? String ?? "", test["output"] as? [Any] ?? [])
        if test["doubleEscaped"] as? Bool == true {
          (input, output) = (Self.unescaped(input), Self.unescaped(all: output) as? [Any] ?? [])
        }
        for state in test["initialStates"] as? [String] ?? ["Data state"] {
          compared += 1
          let content = try #require(Self.contents[state])
          let found = Self.tokens(of: input, content, after: test["lastStartTag"] as? String)
          #expect(
            (found as NSArray).isEqual(to: output), "\(file.lastPathComponent), \(state): \(input.debugDescription)")
        }
      }
    }
    #expect(compared > 7000)
  }

  private static func tokens(of input: String, _ content: HTMLTokenizer.Content, after tag: String?) -> [Any] {
    let source = normalized(input)
    var tokenizer = HTMLTokenizer()
    var found: [[Any]] = []
    tokenizer.content = content
    if let tag { tokenizer.lastStartTag = Array(tag.utf8) }
    while true {
      let token = tokenizer.next(source.span)
      let buffer = tokenizer.buffer
      func text(_ piece: HTMLTokenizer.Piece) -> String {
        String(decoding: (piece.isOwn ? buffer : source)[piece.range], as: UTF8.self)
      }
      func any(_ piece: HTMLTokenizer.Piece?) -> Any { piece.map { text($0) } ?? NSNull() }
      switch token {
      case .end: return found
      case .text:
        if let last = found.last, last[0] as? String == "Character", let before = last[1] as? String {
          found[found.count - 1][1] = before + text(tokenizer.text)
        } else {
          found.append(["Character", text(tokenizer.text)])
        }
      case .startTag:
        let attributes = Dictionary(uniqueKeysWithValues: tokenizer.attributes.map { (text($0.name), text($0.value)) })
        found.append(["StartTag", text(tokenizer.name), attributes] + (tokenizer.isSelfClosing ? [true] : []))
      case .endTag: found.append(["EndTag", text(tokenizer.name)])
      case .comment: found.append(["Comment", text(tokenizer.text)])
      case .doctype:
        let doctype = tokenizer.doctype
        found.append([
          "DOCTYPE", any(doctype.name), any(doctype.publicID), any(doctype.systemID), !doctype.forcesQuirks,
        ])
      }
    }
  }

  private static func normalized(_ text: String) -> [UInt8] {
    Array(text.replacing("\r\n", with: "\n").replacing("\r", with: "\n").utf8)
  }

  /// `\uXXXX` as characters; half of a pair is U+FFFD.
  private static func unescaped(_ text: String) -> String {
    var units: [UInt16] = []
    var rest = Array(text.utf16)[...]
    while let first = rest.first {
      if rest.starts(with: Array("\\u".utf16)), rest.count >= 6,
        let unit = UInt16(String(decoding: rest.dropFirst(2).prefix(4), as: UTF16.self), radix: 16)
      {
        units.append(unit)
        rest = rest.dropFirst(6)
      } else {
        units.append(first)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: units, as: UTF16.self)
  }

  private static func unescaped(all value: Any) -> Any {
    if let text = value as? String { return unescaped(text) }
    if let list = value as? [Any] { return list.map(unescaped(all:)) }
    if let members = value as? [String: Any] {
      return Dictionary(uniqueKeysWithValues: members.map { (unescaped($0.key), unescaped(all: $0.value)) })
    }
    return value
  }

  // MARK: - Trees

  @Test func treesMatchHTML5LibTests() throws {
    var (compared, changed) = (0, 0)
    for each in try TreeCase.all() {
      for hasScripting in each.scripting {
        compared += 1
        let built = Self.tree(of: each, hasScripting)
        if built != each.tree, each.isOld {
          changed += 1
        } else {
          #expect(built == each.tree, "\(each)")
        }
      }
    }
    print("html5lib: \(compared) trees, of which \(changed) are others today")
    #expect(compared > 3300 && changed <= 46, "\(compared), \(changed)")
  }

  private static func tree(of each: TreeCase, _ hasScripting: Bool) -> String {
    let source = normalized(each.data)
    let lines: [String]
    if let context = each.context {
      let parts = context.split(separator: " ")
      let namespace: HTMLTree.Namespace = parts.count == 1 ? .html : parts[0] == "svg" ? .svg : .math
      let name = parts.last?.lowercased() ?? ""
      let tree = TreeText.tree(source, in: name, namespace, HTMLOptions(hasScripting: hasScripting))
      lines = TreeText.lines(tree, in: tree.nodes[0].first)
    } else {
      lines = TreeText.lines(TreeText.tree(source, in: nil, .html, HTMLOptions(hasScripting: hasScripting)), in: 0)
    }
    return lines.joined(separator: "\n")
  }
}
