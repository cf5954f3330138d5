import TamisCore

/// Finds a repetition of the title at the beginning of a body.
struct RepeatedTitle {
  private let source: [UInt8]
  private let title: Words
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
    for token in MarkupTokens(source) {
      switch token {
      case .text(let range): if source[range].contains(where: { $0 > 0x20 }) { return nil }
      case .tag(let tag):
        if tag.isEnd || tag.value("id", source) != nil { return nil }
        if Self.titleBlocks.contains(tag.name) { return block(tag) }
        guard Self.wrappers.contains(tag.name) else { return nil }
      }
    }
    return nil
  }

  /// Whether a block has only the title, without a link except one to the post itself: other links stay.
  private func block(_ start: MarkupTag) -> Range<Int>? {
    var text: [UInt8] = []
    for token in MarkupTokens(source, from: start.end, to: start.start + Self.longest) {
      guard case .tag(let tag) = token else {
        if case .text(let range) = token { text += source[range] }
        continue
      }
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
  private enum Words: Equatable {
    case ascii([UInt8])
    /// Not all of them are in ASCII.
    case characters([Character])

    var isEmpty: Bool { self == .ascii([]) }
  }

  private static func words(of text: String) -> Words {
    // Most texts, which need not be taken apart into characters: besides ASCII they have dashes and quotation marks at most.
    if text.unicodeScalars.allSatisfy({ $0.isASCII || (0x2010...0x2023).contains($0.value) }) {
      return .ascii(text.utf8.lazy.filter(\.isASCIIAlphanumeric).map(\.asciiLowercased))
    }
    let characters: [Character] = text.lowercased().filter { $0.isLetter || $0.isNumber }
    let ascii = characters.compactMap(\.asciiValue)
    return ascii.count == characters.count ? .ascii(ascii) : .characters(characters)
  }
}
