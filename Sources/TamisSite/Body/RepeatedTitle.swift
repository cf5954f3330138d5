import TamisCore

/// A search for a repetition of the title at the beginning of a body.
struct RepeatedTitle {
  private let source: [UInt8]
  private let title: Words
  /// The URL of the original post as written in the body; its title may link to it.
  private let page: [UInt8]

  /// The maximum length of a title block, in bytes with tags.
  private static let longest = 2048
  /// The elements that may enclose a title.
  private static let wrappers: Set = ["div", "section", "article", "header", "main"]
  private static let titleBlocks: Set = ["h1", "h2", "h3", "h4", "h5", "h6", "p"]
  private static let inline: Set = ["a", "b", "strong", "em", "i", "span", "u", "small", "big", "bdi", "br", "cite"]

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - title: the title of the post.
  ///   - source: the sanitized body.
  ///   - page: the URL of the original post; nil when not known.
  init(_ title: String, in source: [UInt8], page: String?) {
    self.source = source
    self.title = Self.words(of: title)
    var written: [UInt8] = []
    if let page { HTMLText.append(page, to: &written) }
    self.page = written
  }

  /// The range of the block with the title, including tags; nil when the body begins with something else.
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

  /// Returns the range of a block if it has only the title and no link except one to the post itself.
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

  /// The compared part of a text: its letters and digits, ignoring case.
  private enum Words: Equatable {
    case ascii([UInt8])
    /// Words that are not all ASCII.
    case characters([Character])

    var isEmpty: Bool { self == .ascii([]) }
  }

  private static func words(of text: String) -> Words {
    // Most texts have only ASCII, dashes and quotation marks, and need not be split into characters.
    if text.unicodeScalars.allSatisfy({ $0.isASCII || (0x2010...0x2023).contains($0.value) }) {
      var letters: [UInt8] = []
      letters.reserveCapacity(text.utf8.count)
      for byte in text.utf8 where byte.isASCIIAlphanumeric { letters.append(byte.asciiLowercased) }
      return .ascii(letters)
    }
    let characters: [Character] = text.lowercased().filter { $0.isLetter || $0.isNumber }
    let ascii = characters.compactMap(\.asciiValue)
    return ascii.count == characters.count ? .ascii(ascii) : .characters(characters)
  }
}
