import TamisCore

/// Finds a repetition of the title at the beginning of a body.
struct RepeatedTitle {
  private let source: [UInt8]
  private let title: [Character]
  /// The page of the post elsewhere, as the body has it: its title may lead there.
  private let page: [UInt8]

  /// Longer blocks are no titles, in bytes with their tags.
  private static let longest = 2048
  /// Elements that may be around a title.
  private static let wrappers: Set = ["div", "section", "article", "header", "main"]
  private static let titleBlocks: Set = ["h1", "h2", "h3", "h4", "h5", "h6", "p"]
  private static let inline: Set = ["a", "b", "strong", "em", "i", "span", "u", "small", "big", "bdi", "br", "cite"]

  /// - Parameters:
  ///   - source: a body as the sanitizer wrote it.
  ///   - page: the URL of the original post; nil when it is not known.
  init(_ title: String, in source: [UInt8], page: String?) {
    self.source = source
    self.title = Self.words(of: title)
    var written: [UInt8] = []
    if let page { HTMLText.append(page, to: &written) }
    self.page = written
  }

  /// The range of the block with the title, tags included; nil when the body begins with something else.
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

  /// Whether a block has only the title, without a link except one to the post itself: other links stay.
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

  /// The compared part of a text: its letters and digits, without case.
  private static func words(of text: String) -> [Character] {
    text.lowercased().filter { $0.isLetter || $0.isNumber }
  }
}
