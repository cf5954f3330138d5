import TamisCore

/// The text of sanitized markup as read: tags that begin a line or a block separate words, others do not.
enum FilteredText {
  static func of(_ html: SanitizedHTML) -> String {
    let source = Array(html.string.utf8)
    var output: [UInt8] = []
    output.reserveCapacity(source.count)
    for token in MarkupTokens(source) {
      switch token {
      case .text(let range): output += MarkupText.unescaped(source[range])
      case .tag(let tag): if !ElementTable.inWords.contains(tag.name) { output.append(ASCII.space) }
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}
