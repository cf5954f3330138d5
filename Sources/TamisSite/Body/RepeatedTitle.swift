import TamisCore

/// Finds where a body says once more the title that it stands under.
struct RepeatedTitle {
  private let source: [UInt8]
  private let title: [Character]
  /// The page of the post elsewhere, as the body has it: its title may lead there.
  private let page: [UInt8]

  /// Longer blocks are no titles, in bytes with their tags.
  private static let longest = 2048
  /// What may stand around a title.
  private static let wrappers: Set = ["div", "section", "article", "header", "main"]
  private static let titleBlocks: Set = ["h1", "h2", "h3", "h4", "h5", "h6", "p"]
  private static let inline: Set = ["a", "b", "strong", "em", "i", "span", "u", "small", "big", "bdi", "br", "cite"]

  /// - Parameters:
  ///   - source: a body as the sanitizer wrote it.
  ///   - page: where the post is elsewhere; nil when that is not known.
  init(_ title: String, in source: [UInt8], page: String?) {
    self.source = source
    self.title = Self.words(of: title)
    var written: [UInt8] = []
    if let page { HTMLText.append(page, to: &written) }
    self.page = written
  }

  /// The block that says the title, with its tags; nil when the body begins with something else.
  var range: Range<Int>? {
    guard !title.isEmpty else { return nil }
    var position = 0
    while position < source.count {
      if source[position] <= 0x20 {
        position += 1
        continue
      }
      guard source[position] == UInt8(ascii: "<") else { return nil }
      let tag = PageTag(source, at: position)
      if tag.isEnd || tag.value("id", source) != nil { return nil }
      if Self.titleBlocks.contains(tag.name) { return block(tag) }
      guard Self.wrappers.contains(tag.name) else { return nil }
      position = tag.end
    }
    return nil
  }

  /// A block with nothing in it but the title, which no link but one to the post itself is in: what leads elsewhere stays.
  private func block(_ start: PageTag) -> Range<Int>? {
    var text: [UInt8] = []
    var position = start.end
    while position < source.count, position - start.start < Self.longest {
      guard source[position] == UInt8(ascii: "<") else {
        text.append(source[position])
        position += 1
        continue
      }
      let tag = PageTag(source, at: position)
      position = tag.end
      if tag.isEnd, tag.name == start.name {
        let said = String(decoding: MarkupText.unescaped(text[...]), as: UTF8.self)
        return Self.words(of: said) == title ? start.start..<tag.end : nil
      }
      guard Self.inline.contains(tag.name), tag.value("id", source) == nil else { return nil }
      if tag.name == "a", let address = tag.value("href", source), !source[address].elementsEqual(page) { return nil }
    }
    return nil
  }

  /// What is compared of a text: its letters and digits, without case.
  private static func words(of text: String) -> [Character] {
    text.lowercased().filter { $0.isLetter || $0.isNumber }
  }
}
