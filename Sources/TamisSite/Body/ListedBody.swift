import TamisCore

/// A rewriter of a post's body for a page with several bodies.
///
/// Links to anchors in the body lead to the post's own page, headings are below the post's title, and no two bodies
/// have an id in common.
struct ListedBody {
  private let source: [UInt8]
  /// The relative path to the page of the post, escaped.
  private let page: [UInt8]
  private let ids: BodyIDs
  private var output: [UInt8] = []
  private var foreignDepth = 0

  /// The number of levels by which headings move down; the title of a post in a list is at level 3.
  private static let shift: UInt8 = 2

  /// Creates a rewriter.
  ///
  /// - Parameters:
  ///   - source: the body as on the post's own page.
  ///   - page: the relative path from the list to that page.
  ///   - ids: the ids of this body.
  init(_ source: [UInt8], page: String, ids: BodyIDs) {
    (self.source, self.ids) = (source, ids)
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
    output += source[tag.start..<tag.nameEnd]
    if foreignDepth == 0, let level = tag.headingLevel {
      output[output.count - 1] = UInt8(ascii: "0") + min(level + Self.shift, 6)
    }
    if !tag.isEnd { writeAttributes(tag) }
    output += source[tag.contentEnd..<tag.end]
  }

  private mutating func writeAttributes(_ tag: MarkupTag) {
    // A link leads to the page of the post; the parts of a drawing and of an image map are on this page.
    let isLink = foreignDepth == 0 || tag.name == "a"
    tag.eachAttribute(source) { attribute in
      let name = String(decoding: source[attribute.name], as: UTF8.self)
      let value = source[attribute.value]
      output += source[attribute.whole.lowerBound..<attribute.value.lowerBound]
      output += isLink && name == "href" && value.first == UInt8(ascii: "#") ? page + value : ids.value(value, of: name)
      output += source[attribute.value.upperBound..<attribute.whole.upperBound]
    }
  }
}
