import TamisCore

/// A tag in a document, found by its delimiters.
struct Tag {
  enum Kind {
    case start, end, empty
  }

  let kind: Kind
  /// Where it stands, `<` and `>` included.
  let start: Int
  let end: Int
  let name: Range<Int>
  /// Of the name in lower case.
  let hash: UInt64

  /// The tag between a `<` and behind the `>`; nil when there is no name.
  init?(_ input: borrowing Span<UInt8>, from start: Int, to end: Int) {
    let isEnd = start + 1 < end && input[start + 1] == UInt8(ascii: "/")
    let first = start + (isEnd ? 2 : 1)
    guard first < end, input[first].isASCIILetter || input[first] >= 0x80 || input[first] == UInt8(ascii: "_") else {
      return nil
    }
    var last = first
    var hash = NameHash.empty
    while last < end - 1, !input[last].isHTMLSpace, input[last] != UInt8(ascii: "/") {
      hash = NameHash.adding(input[last].asciiLowercased, to: hash)
      last += 1
    }
    kind = isEnd ? .end : input[end - 2] == UInt8(ascii: "/") ? .empty : .start
    (self.start, self.end, name, self.hash) = (start, end, first..<last, hash)
  }

  /// Whether it is one of a feed's entries.
  func isEntry(_ input: [UInt8]) -> Bool {
    let colon = input[name].firstIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? name.lowerBound
    let local = input[colon..<name.upperBound]
    return local.elementsEqual("item".utf8) || local.elementsEqual("entry".utf8)
  }

  /// Behind the last attribute that is read, when there are more than `most`; else nil.
  func endOfAttributes(_ input: borrowing Span<UInt8>, most: Int) -> Int? {
    // The shortest attribute takes five bytes.
    guard kind != .end, end - start > 5 * most else { return nil }
    var count = 0
    var index = name.upperBound
    while index < end {
      let byte = input[index]
      if byte == UInt8(ascii: "=") {
        count += 1
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        index = min(end, ByteScan.index(of: byte, or: byte, in: input, from: index + 1))
        if count == most { return index + 1 < end - 2 ? index + 1 : nil }
      }
      index += 1
    }
    return nil
  }
}

/// The search for the `>` that ends a tag, which is none in a quoted value.
struct TagEnd {
  private var start: Int
  /// Behind the `>`, once it is found.
  private(set) var index: Int
  private(set) var isFound = false
  private var quote: UInt8?
  private var isAfterEquals = false

  /// Begins at the `<` of a tag.
  init(from start: Int) {
    self.start = start
    index = start + 1
  }

  /// The same search when the tag stands elsewhere.
  func moved(to start: Int) -> TagEnd {
    var copy = self
    copy.start = start
    copy.index = start + (index - self.start)
    return copy
  }

  /// Goes on searching; false when more input is needed.
  mutating func search(_ input: borrowing Span<UInt8>, most: Int) -> Bool {
    while index < input.count {
      let byte = input[index]
      if byte == UInt8(ascii: "<") || index - start > most { return true }
      index += 1
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: ">") {
        isFound = true
        return true
      } else if isAfterEquals, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
        isAfterEquals = false
      } else if !byte.isHTMLSpace {
        isAfterEquals = byte == UInt8(ascii: "=")
      }
    }
    return false
  }
}
