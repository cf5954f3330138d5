import TamisCore

/// Makes the article of the blocks that belong to it: in their own structure, without what they stood in.
struct Assembly {
  /// What was made.
  struct Body {
    /// Markup that nobody has looked at: it is the sanitizer's.
    var markup: [UInt8] = []
    /// The text, a line a block.
    var text = ""
  }

  static func assemble(_ page: MeasuredPage, _ scores: [Int]) -> Body {
    var body = Body()
    for (index, block) in page.blocks.list.enumerated() where scores[index] > 0 && block.characters > 0 {
      let text = page.tape.text(of: block).collapsingSpace()
      body.text += text + "\n"
      body.markup += "<p>\(text.replacing("&", with: "&amp;").replacing("<", with: "&lt;"))</p>".utf8
    }
    return body
  }
}
