/// Tag soup of what libtidy finds hard.
///
/// Parts of tables and lists out of place, formatting that is never closed, headings in links in forms. Each byte is a
/// piece, so that libFuzzer's mutations are edits of a token list.
enum Soup {
  static func markup(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    for byte in bytes { output += pieces[Int(byte) % pieces.count].utf8 }
    return output
  }

  /// Returns the longest pieces that a fragment begins with, one after the other; other bytes are skipped.
  static func bytes(of fragment: [UInt8]) -> [UInt8] {
    var rest = fragment[...]
    var output: [UInt8] = []
    while !rest.isEmpty {
      let fitting = pieces.indices.filter { rest.starts(with: pieces[$0].utf8) }
      guard let piece = fitting.max(by: { pieces[$0].utf8.count < pieces[$1].utf8.count }) else {
        rest = rest.dropFirst()
        continue
      }
      output.append(UInt8(piece))
      rest = rest.dropFirst(pieces[piece].utf8.count)
    }
    return output
  }

  private static let names = [
    "table", "tr", "td", "th", "tbody", "thead", "tfoot", "caption", "colgroup", "col", "dl", "dt", "dd", "ul", "ol",
    "li", "menu", "dir", "p", "div", "center", "h1", "h2", "b", "i", "font", "a", "nobr", "span", "big", "tt", "em",
    "pre",
    "blockquote", "form", "fieldset", "legend", "button", "select", "optgroup", "option", "textarea", "label", "input",
    "br", "hr", "img", "map", "area", "ruby", "rt", "rp", "video", "source", "audio", "object", "ins", "del", "details",
    "summary", "figure", "figcaption", "svg", "desc", "title", "math", "mi", "noscript", "iframe", "template",
  ]

  private static let pieces: [String] =
    names.map { "<\($0)>" } + names.map { "</\($0)>" } + names.prefix(40).map { "<\($0) " }
    + names.prefix(24).map { "<\($0)/>" }
    + [
      "text", " ", "\n", "&nbsp;", "<!--", "-->", "<![CDATA[", "]]>", "x\ny", "=\"1\"", "id=a", "class=b", "align=left",
      "href=http://a.example/", "name=n", "color=red", "size=2", ">", "<", "\"", "'", "/", "é", "<p>a<p>b", "<b><i>",
      "</b></i>", "<table><tr><td>", "</table>", "<dl><dd>", "<li><li>", "<h1><h2>", "<a><a>",
      "<div class=caption>", "<td class=caption>", "<img src=a align=left>", "<div class=alignright>",
      "style=float:left>",
      "<table class=alignleft>", "<embed src=//a.b>", "<param name=src value=//a.b>", "<object data=//a.b>",
      "<iframe src=//a.b></iframe>", "<amp-video src=x>",
    ]
}
