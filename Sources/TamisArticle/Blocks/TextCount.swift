/// The counts of a run of text, in one pass over its bytes.
///
/// Words in scripts without spaces cannot be counted without a dictionary; there two characters count as one word.
struct TextCount: Sendable {
  /// The number of runs of letters and digits.
  var spacedWords = 0
  /// The number of characters of scripts without spaces (``UnspacedScript``).
  var ideographs = 0
  /// The number of characters other than white space.
  var characters = 0
  /// The number of commas and semicolons, of any width.
  var punctuation = 0
  /// The number of full stops, question marks and exclamation marks, of any width.
  var sentences = 0
  var digits = 0
  /// The number of words that begin with a capital letter from A to Z.
  var capitals = 0
  /// The kind of the last character that is neither white space nor a closing mark.
  var last = Last.other
  /// The digests of the words in order; each ideograph is one.
  var words: [UInt32] = []

  /// The kind of a text's last character.
  enum Last: Int32, Sendable { case other, sentence, colon, ellipsis }

  /// The digest of the current word; 0 between words.
  private var word: UInt32 = 0

  var count: Int { spacedWords + ideographs / 2 }

  mutating func removeAll() {
    words.removeAll(keepingCapacity: true)
    (spacedWords, ideographs, characters, punctuation, sentences) = (0, 0, 0, 0, 0)
    (digits, capitals, last, word) = (0, 0, .other, 0)
  }

  /// Ends the current word.
  mutating func endWord() {
    if word != 0 { words.append(word) }
    word = 0
  }

  /// Counts the next bytes of UTF-8.
  mutating func add(_ bytes: ArraySlice<UInt8>) {
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      if byte < 0x80 {
        addASCII(byte)
        index += 1
      } else {
        index += addWide(bytes, at: index, byte)
      }
    }
  }

  private mutating func addASCII(_ byte: UInt8) {
    switch byte {
    case 0x09, 0x0A, 0x0C, 0x0D, 0x20: return endWord()
    case 0x61...0x7A, 0x41...0x5A, 0x30...0x39:
      if word == 0 {
        spacedWords += 1
        word = 0x811C_9DC5
        if byte < 0x5B, byte > 0x40 { capitals += 1 }
      }
      if byte < 0x3A { digits += 1 }
      word = (word ^ UInt32(byte < 0x5B && byte > 0x40 ? byte | 0x20 : byte)) &* 0x0100_0193
      last = .other
    case UInt8(ascii: "'"): break
    default:
      endWord()
      switch byte {
      case UInt8(ascii: ","), UInt8(ascii: ";"): (punctuation, last) = (punctuation + 1, .other)
      case UInt8(ascii: "."), UInt8(ascii: "?"), UInt8(ascii: "!"):
        (sentences, last) = (sentences + 1, last == .sentence ? .ellipsis : .sentence)
      case UInt8(ascii: ":"): last = .colon
      case UInt8(ascii: "\""), UInt8(ascii: ")"), UInt8(ascii: "]"): break
      default: last = .other
      }
    }
    characters += 1
  }

  /// Counts a character beyond ASCII.
  ///
  /// - Returns: the number of bytes of the character.
  private mutating func addWide(_ bytes: ArraySlice<UInt8>, at index: Int, _ lead: UInt8) -> Int {
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1
    let end = min(index + length, bytes.endIndex)
    let second = index + 1 < bytes.endIndex ? bytes[index + 1] : 0
    let third = index + 2 < bytes.endIndex ? bytes[index + 2] : 0
    switch (lead, second) {
    case (0xC2, 0xA0): endWord()
    case (0xC2, _): endWord()
    case (0xE2, 0x80):
      endWord()
      if third == 0xA6 { last = .ellipsis }
      // An apostrophe or a closing quotation mark is not counted.
      if third != 0x99, third != 0x9D { characters += 1 }
    case (0xE3, 0x80), (0xEF, 0xBC), (0xEF, 0xBD):
      endWord()
      addFullWidth(lead, second, third)
    // Thai and Lao, Burmese, Khmer; Kana and Han.
    case (0xE0, 0xB8...0xBB), (0xE1, 0x80...0x81), (0xE1, 0x9E...0x9F), (0xE3, _),
      (0xE4...0xE9, _), (0xEF, 0xA4...0xAB), (0xF0, 0xA0...0xB1):
      endWord()
      ideographs += 1
      characters += 1
      last = .other
      var digest: UInt32 = 0x811C_9DC5
      for byte in bytes[index..<end] { digest = (digest ^ UInt32(byte)) &* 0x0100_0193 }
      words.append(digest)
    default:
      if word == 0 {
        spacedWords += 1
        word = 0x811C_9DC5
      }
      for byte in bytes[index..<end] { word = (word ^ UInt32(byte)) &* 0x0100_0193 }
      characters += 1
      last = .other
    }
    return end - index
  }

  private mutating func addFullWidth(_ lead: UInt8, _ second: UInt8, _ third: UInt8) {
    characters += 1
    switch (lead, second, third) {
    case (0xE3, 0x80, 0x80): characters -= 1
    case (0xE3, 0x80, 0x81), (0xEF, 0xBC, 0x8C), (0xEF, 0xBC, 0x9B): (punctuation, last) = (punctuation + 1, .other)
    case (0xE3, 0x80, 0x82), (0xEF, 0xBC, 0x8E), (0xEF, 0xBC, 0x81), (0xEF, 0xBC, 0x9F):
      (sentences, last) = (sentences + 1, .sentence)
    case (0xEF, 0xBC, 0x9A): last = .colon
    // Closing brackets and quotation marks.
    case (0xE3, 0x80, 0x8D), (0xE3, 0x80, 0x8F), (0xEF, 0xBC, 0x89): break
    default: last = .other
    }
  }
}
