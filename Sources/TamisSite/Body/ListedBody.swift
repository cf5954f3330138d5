import TamisCore

/// A rewriter of a post's body for a page with several bodies.
///
/// Links to anchors in the body lead to the post's own page, and headings are below the post's title.
struct ListedBody {
  private let source: [UInt8]
  /// The relative path to the page of the post, escaped.
  private let page: [UInt8]
  private var output: [UInt8] = []
  private var foreignDepth = 0

  /// The number of levels by which headings move down; the title of a post in a list is at level 3.
  private static let shift: UInt8 = 2

  /// Creates a rewriter.
  ///
  /// - Parameters:
  ///   - source: the body as on the post's own page.
  ///   - page: the relative path from the list to that page.
  init(_ source: [UInt8], page: String) {
    self.source = source
    var escaped: [UInt8] = []
    HTMLText.append(page, to: &escaped)
    self.page = escaped
  }

  /// Returns the body for a list.
  mutating func rewritten() -> [UInt8] {
    output.reserveCapacity(source.count + source.count / 16)
    for token in MarkupTokens(source) {
      switch token {
      case .text(let range): output += source[range]
      case .tag(let tag): write(tag)
      }
    }
    return output
  }

  private mutating func write(_ tag: MarkupTag) {
    let isForeign = tag.name == "svg" || tag.name == "math"
    if isForeign { foreignDepth += tag.isEnd ? -1 : 1 }
    // A drawing refers to its own parts.
    if foreignDepth > 0 || isForeign {
      output += source[tag.start..<tag.end]
      return
    }
    output += source[tag.start..<tag.nameEnd]
    if let level = tag.headingLevel {
      output[output.count - 1] = UInt8(ascii: "0") + min(level + Self.shift, 6)
    }
    if !tag.isEnd { writeAttributes(tag) }
    output += source[tag.contentEnd..<tag.end]
  }

  /// The attributes that identify elements or refer to them.
  private static let references: Set = ["id", "headers", "for", "aria-labelledby", "aria-describedby", "aria-controls"]

  private mutating func writeAttributes(_ tag: MarkupTag) {
    var written: [UInt8] = []
    tag.eachAttribute(source) { attribute in
      let name = String(decoding: source[attribute.name], as: UTF8.self)
      if Self.references.contains(name) || name == "name" && tag.name == "a" { return }
      if name == "href", source[attribute.value].first == UInt8(ascii: "#") {
        written += Array(" href=\"".utf8) + page + source[attribute.value] + [UInt8(ascii: "\"")]
      } else {
        written += source[attribute.whole]
      }
    }
    output += written
  }
}
