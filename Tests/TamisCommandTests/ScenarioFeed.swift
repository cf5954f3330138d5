import Foundation
import Testing

/// A feed as scenarios write it: a line for each item, with fields between bars.
struct ScenarioFeed {
  /// The document in RSS 2.0, or as it is when it is written out.
  let document: String

  init(_ text: String, file: String) {
    guard !text.hasPrefix("<"), !text.hasPrefix("{") else {
      document = text
      return
    }
    let site = file.split(separator: ".")[0]
    var channel = ["title": String(site), "link": "https://\(site).example/"]
    var items: [String] = []
    for line in text.split(separator: "\n") {
      if line.hasPrefix("feed:") {
        for part in line.dropFirst(5).components(separatedBy: "|") {
          let sides = part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
          if sides.count == 2, ["title", "link", "self"].contains(sides[0]) {
            channel[sides[0]] = sides[1]
          } else {
            Issue.record("no field of a feed '\(part)': title, link, self")
          }
        }
      } else {
        items.append(Self.item(String(line)))
      }
    }
    let own = channel["self"].map {
      "<link xmlns=\"http://www.w3.org/2005/Atom\" rel=\"self\" href=\"\(Self.escaped($0))\"/>"
    }
    document = """
      <rss version="2.0" xmlns:dcterms="http://purl.org/dc/terms/"><channel>\(own ?? "")<title>\(Self.escaped(channel["title"] ?? ""))</title>\
      <link>\(Self.escaped(channel["link"] ?? ""))</link>
      \(items.joined(separator: "\n"))
      </channel></rss>
      """
  }

  private static func item(_ line: String) -> String {
    var elements: [String] = []
    for field in line.components(separatedBy: " | ") {
      let sides = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let name = sides[0].trimmingCharacters(in: .whitespaces)
      let value = sides.count > 1 ? sides[1].trimmingCharacters(in: .whitespaces) : ""
      elements.append(element(name, value))
    }
    return "<item>" + elements.joined() + "</item>"
  }

  private static func element(_ name: String, _ value: String) -> String {
    let text = escaped(value)
    switch name {
    case "id": return "<guid isPermaLink=\"false\">\(text)</guid>"
    case "permaid": return "<guid>\(text)</guid>"
    case "link": return "<link>\(text)</link>"
    case "title": return "<title>\(text)</title>"
    case "date": return "<pubDate>\(text)</pubDate>"
    case "updated": return "<dcterms:modified>\(text)</dcterms:modified>"
    // Escaped twice: it is HTML in XML.
    case "text": return "<description>\(escaped(text))</description>"
    case "html": return "<description>\(text)</description>"
    case "words": return "<description>\(words(value))</description>"
    case "enclosure": return "<enclosure url=\"\(text)\" type=\"audio/mpeg\" length=\"1\"/>"
    case "source": return "<source url=\"\(text)\">s</source>"
    default:
      Issue.record("no field '\(name)': id, permaid, link, title, date, updated, text, html, words, enclosure, source")
      return ""
    }
  }

  /// `60 alpha edit 3`: sixty words that follow from the seed, the last three of them others.
  private static func words(_ recipe: String) -> String {
    let parts = recipe.split(separator: " ").map(String.init)
    let count = Int(parts[0]) ?? 0
    let edit = parts.count > 3 && parts[2] == "edit" ? Int(parts[3]) ?? 0 : 0
    return (0..<count).map { index in
      word(parts[1] + (index >= count - edit ? " edited" : ""), index)
    }.joined(separator: " ")
  }

  private static func word(_ seed: String, _ index: Int) -> String {
    var state: UInt64 = 0xCBF2_9CE4_8422_2325 &+ UInt64(index) &* 0x9E37_79B9_7F4A_7C15
    for byte in seed.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
    state ^= state >> 29
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    return String((0..<7).map { letters[Int(state >> (8 * UInt64($0)) & 0xFF) % 26] })
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
