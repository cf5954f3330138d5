import Foundation
import TamisSanitizer
import TestSupport
import Testing

/// What style sheets hide, by `Fixtures/Hidden/ways.txt`, whose words three engines have judged
/// (`Tests/Browser/check_hidden_sheets.py`).
struct HiddenSheetTests {
  /// A document of the file, with the words in it that are hidden.
  private struct Document {
    var keys: [String: String]
    var title: String
    var isState: Bool

    var html: String {
      let styles = (keys["style"] ?? "").split(separator: "\u{1}").map { "<style>\($0)</style>" }.joined()
      let doctype = keys["doctype"] == "quirks" ? "" : "<!DOCTYPE html>"
      // Enough prose that what is hidden is less than a fifth of it.
      let prose = String(
        repeating: "<p>Plain words that every reader of the page sees, and that say little.</p>", count: 20)
      return """
        \(doctype)<html lang="en" \(keys["html"] ?? "")><head>\(keys["head"] ?? "")\(styles)</head>\
        <body \(keys["bodytag"] ?? "")><article>\(prose)<div id="place">\(keys["body"] ?? "")</div>\(prose)</article></body></html>
        """
    }
  }

  @Test func hiddenWordsGoAndSeenOnesStay() throws {
    var (hidden, gone): (Int, Int) = (0, 0)
    let documents = try Self.documents()
    #expect(documents.count > 800)
    for document in documents {
      let output = Sanitizer.reading.sanitize(document.html).html.string
      for word in Self.words(document.keys["body"] ?? "") {
        let isThere = output.contains(word)
        if word.hasPrefix("h") {
          hidden += 1
          if !isThere { gone += 1 }
        } else if !document.isState, word.hasPrefix("s") || word.hasPrefix("t") {
          #expect(isThere, "\(document.title) lost \(word)")
        }
      }
    }
    // Some ways are not decided, such as what lies over a text.
    #expect(gone * 100 >= hidden * 95, "\(gone) of \(hidden) hidden words went")
  }

  /// The words such as `h1x` in a text outside of tags.
  private static func words(_ html: String) -> [String] {
    html.split { !$0.isLetter && !$0.isNumber }.map(String.init).filter { word in
      word.count > 2 && word.last == "x" && "hst".contains(word.first ?? " ")
        && word.dropFirst().dropLast().allSatisfy(\.isNumber)
    }
  }

  private static func documents() throws -> [Document] {
    let url = Fixtures.root.appending(path: "Fixtures/Hidden/ways.txt")
    let text = try String(contentsOf: url, encoding: .utf8)
    var documents: [Document] = []
    for paragraph in text.split(separator: "\n\n") {
      let lines = paragraph.split(separator: "\n").filter { !$0.hasPrefix("#") }
      var way: [String: String] = [:]
      var parts: [(title: String, isState: Bool, keys: [String: String])] = []
      for line in lines {
        guard let colon = line.firstIndex(of: ":") else { continue }
        let key = String(line[..<colon])
        let value = decoded(String(line[line.index(after: colon)...].drop { $0 == " " }))
        if ["way", "twin", "state"].contains(key) {
          parts.append((value, key == "state", [:]))
        } else if !parts.isEmpty {
          let known = parts[parts.count - 1].keys[key]
          parts[parts.count - 1].keys[key] = known.map { $0 + (key == "style" ? "\u{1}" : "\n") + value } ?? value
        }
      }
      for (index, part) in parts.enumerated() {
        var keys = part.keys
        if index == 0 {
          way = keys
        } else {
          keys = way.merging(keys) { _, own in own }
          if part.keys["body"] == nil { keys["body"] = seen(keys["body"] ?? "") }
        }
        documents.append(Document(keys: keys, title: part.title, isState: part.isState))
      }
    }
    return documents
  }

  /// Returns a body in which hidden words are seen ones: `h1x` is `t1x`.
  private static func seen(_ body: String) -> String {
    words(body).filter { $0.hasPrefix("h") }.reduce(body) { $0.replacing($1, with: "t" + $1.dropFirst()) }
  }

  /// Returns a value with its line feeds and characters by number.
  private static func decoded(_ value: String) -> String {
    var text = value.replacing("¶", with: "\n")
    while let open = text.firstIndex(of: "«"), let close = text[open...].firstIndex(of: "»") {
      let scalar = UInt32(text[text.index(after: open)..<close], radix: 16).flatMap { Unicode.Scalar($0) } ?? " "
      text.replaceSubrange(open...close, with: String(Character(scalar)))
    }
    return text
  }
}
