import TamisCore

/// A detector of leftovers of editing programs in bodies: empty markup that only takes space.
struct Leftovers {
  private let source: [UInt8]

  init(_ source: [UInt8]) { self.source = source }

  /// The blocks that have no meaning when they are empty.
  private static let blocks: Set = ["p", "li", "div", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "figcaption"]
  /// The inline elements that have no meaning without text.
  private static let marks: Set = ["br", "span", "b", "strong", "i", "em", "u", "small", "font", "a", "p", "div"]
  /// The number of bytes searched for the end of a block without words.
  private static let lookedAt = 600

  /// Returns the end of a block without words, pictures and anchors, or nil for other blocks.
  ///
  /// - Parameters:
  ///   - tag: the start tag of the block.
  ///   - isCounted: whether the block is in a numbered list, where removing an item would change the numbers.
  /// - Returns: the offset behind the end tag of the block; nil when the block is to stay.
  func endOfEmptyBlock(_ tag: MarkupTag, isCounted: Bool) -> Int? {
    guard !isCounted || tag.name != "li", Self.blocks.contains(tag.name), tag.value("id", source) == nil else {
      return nil
    }
    var depth = 1
    var position = tag.end
    let limit = min(source.count, tag.end + Self.lookedAt)
    while position < limit {
      if let end = endOfSpace(position) {
        position = end
        continue
      }
      guard source[position] == UInt8(ascii: "<") else { return nil }
      let inner = MarkupTag(source, at: position)
      position = inner.end
      if inner.name == tag.name {
        depth += inner.isEnd ? -1 : 1
        if depth == 0 { return position }
      }
      guard Self.marks.contains(inner.name) || inner.name == tag.name,
        inner.value("id", source) == nil, inner.name != "a" || inner.value("name", source) == nil
      else { return nil }
    }
    return nil
  }

  /// Returns the end of a run of more than two line breaks that begins with this one.
  func endOfBreaks(_ tag: MarkupTag) -> Int? {
    var (count, position, end) = (1, tag.end, tag.end)
    while position < source.count {
      if let next = endOfSpace(position) {
        position = next
        continue
      }
      guard source[position] == UInt8(ascii: "<") else { break }
      let next = MarkupTag(source, at: position)
      guard next.name == "br" else { break }
      count += 1
      position = next.end
      end = next.end
    }
    return count > 2 ? end : nil
  }

  /// Whether a definition list has no definitions, as in WordPress galleries, which are lists of pictures.
  ///
  /// Nested lists are checked separately.
  func definesNothing(_ tag: MarkupTag) -> Bool {
    var tokens = MarkupTokens(source, from: tag.end)
    while let inner = tokens.nextTag() {
      if inner.name == "dd" || inner.name == "dl" { return inner.isEnd && inner.name == "dl" }
    }
    return false
  }

  /// Returns the end of an audio or video element without a file, or nil for others.
  func endOfSilence(_ tag: MarkupTag) -> Int? {
    guard tag.value("src", source) == nil, tag.value("poster", source) == nil else { return nil }
    for token in MarkupTokens(source, from: tag.end) {
      switch token {
      case .text(let range): if source[range].contains(where: { $0 > 0x20 }) { return nil }
      case .tag(let inner):
        if inner.isEnd, inner.name == tag.name { return inner.end }
        guard inner.name == "source" || inner.name == "track", inner.value("src", source) == nil else { return nil }
      }
    }
    return nil
  }

  /// Returns the offset after a white space or a no-break space, or nil for anything else.
  private func endOfSpace(_ position: Int) -> Int? {
    if source[position] <= 0x20 { return position + 1 }
    if source[position...].starts(with: "&nbsp;".utf8) { return position + 6 }
    if source[position...].starts(with: [0xC2, 0xA0]) { return position + 2 }
    // A zero-width space, and the byte order mark.
    let isUnseen =
      source[position...].starts(with: [0xE2, 0x80, 0x8B]) || source[position...].starts(with: [0xEF, 0xBB, 0xBF])
    return isUnseen ? position + 3 : nil
  }
}
