/// The length of a text in words: those between spaces, and characters of scripts without spaces.
package struct WordCount: Sendable, Hashable {
  /// The number of words between spaces.
  package private(set) var words = 0
  /// The number of characters of scripts without spaces.
  package private(set) var characters = 0

  /// The number of words, two characters of scripts without spaces counting as one.
  package var length: Int { words + characters / 2 }

  /// Counts the words of a text.
  package init(_ text: String) {
    let bytes = text.utf8.span
    var (index, isInWord) = (0, false)
    while index < bytes.count {
      // Most texts are runs of ASCII, which are counted sixteen bytes at a time.
      let end = ByteScan.indexOfControlOrHighByte(in: bytes, from: index)
      if end > index {
        if !isInWord, bytes[index] != ASCII.space { words += 1 }
        words += ByteScan.wordStarts(in: bytes.extracting(index..<end))
        isInWord = bytes[end - 1] != ASCII.space
        index = end
        continue
      }
      let scalar = bytes.scalar(at: &index)
      if Self.isWhiteSpace(scalar) {
        isInWord = false
      } else if scalar.value >= 0x0E00, UnspacedScript.contains(scalar) {
        characters += 1
        isInWord = false
      } else if !isInWord {
        words += 1
        isInWord = true
      }
    }
  }

  /// Whether a scalar has Unicode's `White_Space` property; the standard library's table lookup costs more.
  private static func isWhiteSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x21..<0x85: false
    case 0x20, 0x09...0x0D: true
    case 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
    default: false
    }
  }
}
