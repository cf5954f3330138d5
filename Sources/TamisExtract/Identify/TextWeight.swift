import TamisCore

/// The weight of a text that may be a body: its letters and its markup, read in one pass over its bytes.
struct TextWeight {
  /// The letters and digits in lower case, as UTF-8.
  ///
  /// Spaces and punctuation are left out, because they differ between copies of a text, and so are URLs, which plain
  /// text and Markdown write out.
  private var letters: [UInt8] = []
  private var isInURL = false
  private var links = 0
  private var pictures = 0
  /// The number of tags that are neither links nor pictures.
  private var otherTags = 0
  private let isMarkup: Bool

  /// The number of letters that a link, a picture and another tag are worth.
  private static let (worthOfLink, worthOfPicture, worthOfTag) = (40, 80, 4)

  init(_ markup: Feed.Markup) {
    isMarkup = markup.kind != .text
    letters.reserveCapacity(markup.value.utf8.count)
    let bytes = markup.value.utf8.span
    if isMarkup { readMarkup(bytes) } else { readText(bytes) }
  }

  /// Whether the text has letters, and not only pictures and videos.
  var hasLetters: Bool { !letters.isEmpty }

  /// Whether the text has neither letters nor pictures.
  private var isBare: Bool { !hasLetters && pictures == 0 }

  /// Whether the text has anything that a reader sees.
  var hasContent: Bool { hasLetters || hasLinks }

  /// Whether the text has links or pictures.
  var hasLinks: Bool { links > 0 || pictures > 0 }

  /// Whether the text has at least the letters of a short sentence.
  var isSentence: Bool { letters.count >= 30 }

  private var markup: Int {
    links * Self.worthOfLink + pictures * Self.worthOfPicture + otherTags * Self.worthOfTag
  }

  /// Whether this text is the body rather than the other one, which precedes it.
  func isRicher(than other: TextWeight) -> Bool {
    // A URL alone is not the body of an entry with words or pictures.
    if isBare != other.isBare { return other.isBare }
    // A difference of less than a tenth is a line that a program has added at the end.
    let margin = max(letters.count, other.letters.count) / 10
    if abs(letters.count - other.letters.count) <= margin, covers(other) || other.covers(self) {
      if markup != other.markup || isMarkup == other.isMarkup {
        return (markup, letters.count) > (other.markup, other.letters.count)
      }
      return isMarkup
    }
    return letters.count + markup > other.letters.count + other.markup
  }

  /// The length of compared pieces, the maximum number of them, and how many of four must be found.
  private static let (pieceLength, mostPieces, foundOfFour) = (24, 64, 3)

  /// Whether most of another text is in this one: at least three quarters of evenly spaced pieces of its letters.
  func covers(_ other: TextWeight) -> Bool {
    guard other.hasLetters else { return other.links <= links && other.pictures <= pictures }
    let length = Self.pieceLength
    guard other.letters.count >= length else { return contains(other.letters) }
    guard letters.count >= length else { return false }
    if letters.starts(with: other.letters) { return true }
    let step = max(1, (other.letters.count - length) / Self.mostPieces)
    var wanted: Set<UInt64> = []
    // A bit for each value of the upper bits, so that few positions need a look into the set.
    var marks = [UInt64](repeating: 0, count: 64)
    for start in stride(from: 0, through: other.letters.count - length, by: step) {
      let piece = Self.hash(other.letters[start..<start + length])
      wanted.insert(piece)
      marks[Int(piece >> 58)] |= 1 << (piece >> 52 & 63)
    }
    let needed = (wanted.count * Self.foundOfFour + 3) / 4
    var found: Set<UInt64> = []
    var rolling = Self.hash(letters[0..<length])
    var index = length
    while true {
      if marks[Int(rolling >> 58)] >> (rolling >> 52 & 63) & 1 != 0, wanted.contains(rolling) {
        found.insert(rolling)
        if found.count >= needed { return true }
      }
      guard index < letters.count else { return false }
      rolling &-= UInt64(letters[index - length]) &* Self.highest
      rolling = rolling &* Self.factor &+ UInt64(letters[index])
      index += 1
    }
  }

  /// Whether a short text is in this one.
  private func contains(_ short: [UInt8]) -> Bool {
    guard let first = short.first else { return true }
    var index = 0
    while let found = letters[index...].firstIndex(of: first) {
      if letters[found...].starts(with: short) { return true }
      index = found + 1
    }
    return false
  }

  // MARK: - Rolling hash

  private static let factor: UInt64 = 0x0000_0100_0000_01B3
  private static let highest = (1..<pieceLength).reduce(UInt64(1)) { power, _ in power &* factor }

  private static func hash(_ piece: ArraySlice<UInt8>) -> UInt64 {
    piece.reduce(0) { $0 &* factor &+ UInt64($1) }
  }

  // MARK: - Reading

  private mutating func readText(_ bytes: borrowing Span<UInt8>) {
    var index = 0
    while true {
      readPlain(bytes, &index)
      if index == bytes.count { return }
      index = readLetter(bytes, at: index)
    }
  }

  /// Reads up to the next byte that may be more than a plain character: a URL, a tag, a reference, or no ASCII.
  private mutating func readPlain(_ bytes: borrowing Span<UInt8>, _ index: inout Int) {
    if isInURL { return }
    letters.append(addingCapacity: bytes.count - index) { letters in
      while index < bytes.count {
        let byte = bytes[index]
        if byte.isASCIIAlphanumeric {
          if byte == UInt8(ascii: "h"),
            ByteScan.stands("https://", in: bytes, at: index) || ByteScan.stands("http://", in: bytes, at: index)
          {
            return
          }
          letters.append(byte.asciiLowercased)
        } else if byte >= 0x80 || byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") {
          return
        }
        index += 1
      }
    }
  }

  private mutating func readMarkup(_ bytes: borrowing Span<UInt8>) {
    var index = 0
    while true {
      readPlain(bytes, &index)
      if index == bytes.count { return }
      switch bytes[index] {
      case UInt8(ascii: "<"): index = readTag(bytes, at: index)
      case UInt8(ascii: "&"):
        guard let reference = CharacterReference.match(bytes, at: index) else {
          index += 1
          continue
        }
        let text = Array(String(Character(reference.first)).utf8)
        readText(text.span)
        index += reference.length
      default: index = readLetter(bytes, at: index)
      }
    }
  }

  /// Reads the markup that begins with a `<` and returns the offset of its end.
  private mutating func readTag(_ bytes: borrowing Span<UInt8>, at start: Int) -> Int {
    guard start + 1 < bytes.count else { return start + 1 }
    let next = bytes[start + 1]
    guard next.isASCIILetter || next == UInt8(ascii: "/") || next == UInt8(ascii: "!") || next == UInt8(ascii: "?")
    else { return start + 1 }
    isInURL = false
    let end = ByteScan.index(of: UInt8(ascii: ">"), in: bytes, from: start + 1)
    guard end < bytes.count else { return bytes.count }
    if next.isASCIILetter { noteStartTag(bytes, start + 1) }
    return end + 1
  }

  private mutating func noteStartTag(_ bytes: borrowing Span<UInt8>, _ start: Int) {
    var end = start
    while end < bytes.count, end - start < 10, bytes[end].isASCIIAlphanumeric { end += 1 }
    switch String(bytes, start..<end).asciiLowercased() {
    case "a": links += 1
    case "img", "picture", "video", "audio", "iframe": pictures += 1
    case "div", "span", "font": break
    default: otherTags += 1
    }
  }

  /// The ASCII characters that end a URL in text, where it stands in brackets or quotation marks.
  private static let endsURL = Array("<>()[]{}\"".utf8)

  /// Reads a character of text, which ``readPlain(_:_:)`` has left, and returns the offset of the next one.
  private mutating func readLetter(_ bytes: borrowing Span<UInt8>, at index: Int) -> Int {
    let byte = bytes[index]
    if isInURL {
      isInURL = byte > ASCII.space && byte < 0x7F && !Self.endsURL.contains(byte)
      if isInURL { return index + 1 }
    }
    if byte < 0x80 {
      // The only letter that is left is the first of a URL, which readers see as a link.
      if byte == UInt8(ascii: "h") {
        links += 1
        isInURL = true
      }
      return index + 1
    }
    // U+2000 to U+206F, general punctuation, and U+0080 to U+00BF.
    let isPunctuation =
      byte == 0xC2 || byte == 0xE2 && index + 1 < bytes.count && [0x80, 0x81].contains(bytes[index + 1])
    var end = index + 1
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    if !isPunctuation { for position in index..<end { letters.append(bytes[position]) } }
    return end
  }
}
