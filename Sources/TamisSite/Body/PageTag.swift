/// The ranges of a tag's parts in markup that the sanitizer wrote.
struct PageTag {
  let name: String
  let isEnd: Bool
  let start: Int
  /// Behind the name.
  let nameEnd: Int
  /// The offset of the end of the attributes: before `>` or ` />`.
  let contentEnd: Int
  /// Behind the `>`.
  let end: Int

  init(_ source: [UInt8], at start: Int) {
    self.start = start
    isEnd = start + 1 < source.count && source[start + 1] == UInt8(ascii: "/")
    var index = start + (isEnd ? 2 : 1)
    let nameStart = index
    while index < source.count, source[index] > 0x20, source[index] != UInt8(ascii: ">"),
      source[index] != UInt8(ascii: "/")
    {
      index += 1
    }
    nameEnd = index
    name = String(decoding: source[nameStart..<index], as: UTF8.self)
    var quote: UInt8?
    while index < source.count, quote != nil || source[index] != UInt8(ascii: ">") {
      if source[index] == quote {
        quote = nil
      } else if quote == nil, source[index] == UInt8(ascii: "\"") {
        quote = source[index]
      }
      index += 1
    }
    var content = index
    if content > nameEnd, source[content - 1] == UInt8(ascii: "/") { content -= 1 }
    while content > nameEnd, source[content - 1] == UInt8(ascii: " ") { content -= 1 }
    contentEnd = content
    end = min(index + 1, source.count)
  }

  /// Goes through the attributes: the ranges of each one's name and value, and of the whole with the space before it.
  func eachAttribute(
    _ source: [UInt8], _ body: (_ name: ArraySlice<UInt8>, _ value: Range<Int>, _ whole: Range<Int>) -> Void
  ) {
    var index = nameEnd
    while index < contentEnd {
      let start = index
      while index < contentEnd, source[index] == UInt8(ascii: " ") { index += 1 }
      let nameStart = index
      while index < contentEnd, source[index] != UInt8(ascii: "="), source[index] != UInt8(ascii: " ") { index += 1 }
      let name = source[nameStart..<index]
      var value = index..<index
      if index + 1 < contentEnd, source[index] == UInt8(ascii: "=") {
        let valueStart = index + 2
        index = valueStart
        while index < contentEnd, source[index] != UInt8(ascii: "\"") { index += 1 }
        value = valueStart..<index
        index = min(index + 1, contentEnd)
      } else if index < contentEnd, source[index] == UInt8(ascii: "=") {
        index += 1
      }
      if !name.isEmpty { body(name, value, start..<index) }
    }
  }

  /// The range of an attribute's value; nil when the tag has no such attribute.
  func value(_ name: StaticString, _ source: [UInt8]) -> Range<Int>? {
    var index = nameEnd
    while index < contentEnd {
      while index < contentEnd, source[index] == UInt8(ascii: " ") { index += 1 }
      let nameStart = index
      while index < contentEnd, source[index] != UInt8(ascii: "="), source[index] != UInt8(ascii: " ") { index += 1 }
      let isWanted = name.withUTF8Buffer { source[nameStart..<index].elementsEqual($0) }
      guard index + 1 < contentEnd, source[index] == UInt8(ascii: "=") else {
        if isWanted { return index..<index }
        index += 1
        continue
      }
      let valueStart = index + 2
      index = valueStart
      while index < contentEnd, source[index] != UInt8(ascii: "\"") { index += 1 }
      if isWanted { return valueStart..<index }
      index += 1
    }
    return nil
  }
}
