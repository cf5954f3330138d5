import TamisCore
import TamisSystem

/// A text's fingerprint for comparison: its words, and a sketch of the runs of three words in it.
///
/// Case, accents, punctuation, white space and apostrophes are ignored. Each character of scripts without spaces is a
/// word.
package struct TextForm: Sendable, Hashable {
  /// The number of words; of a text that says the same again and again, about that of its distinct runs.
  package var words = 0
  /// A digest of the sequence of words, equal for equal sequences; nil when there are no words.
  package var digest: Int64?
  /// The numbers in the text as a bit set: if each bit of one set is in the other, no number was changed.
  package var numbers: UInt32 = 0
  /// A sketch of the runs of three words; nil for fewer than three words.
  package var sketch: Sketch?
  /// The smallest and the largest of the runs' numbers; empty for texts that are too short to be recognized by them.
  ///
  /// Texts that share most of their runs share these with the same probability (minhash; Broder 1997).
  package var landmarks: [Int64] = []

  /// Whether the text contains most of the words of its title; a text that is used under many titles does not.
  package var speaksOfTitle = false

  /// The minimum number of words of a text that is compared; shorter texts are compared only by their addresses.
  package static let fewestWords = 48

  /// Creates the form of no text.
  init() {}

  /// Creates the form of a text.
  ///
  /// - Parameters:
  ///   - text: the visible text of the post.
  ///   - title: the title of the text; empty when there is none.
  package init(_ text: String, title: String = "") {
    var tokens: [UInt64] = []
    var ideographs = 0
    let named = Self.stems(ofTitle: title)
    // A linear search of at most 32 stems is faster than hashing each word of the text.
    var unnamed = Array(named)
    Self.forEachWord(of: text) { word in
      tokens.append(word.digest)
      if let index = unnamed.firstIndex(of: word.stem) { unnamed.remove(at: index) }
      if word.isNumber { numbers |= 1 << UInt32(Digest.mix(word.digest, 7) & 31) }
      if word.isIdeograph { ideographs += 1 }
    }
    let found = named.count - unnamed.count
    speaksOfTitle = found >= 2 && found * 2 > named.count
    words = tokens.count
    guard !tokens.isEmpty else { return }
    digest = Int64(bitPattern: tokens.reduce(UInt64(tokens.count)) { Digest.mix($0, $1) })
    guard tokens.count >= 3 else { return }
    var builder = Sketch.Builder()
    var seen = [UInt64](repeating: 0, count: 1 << 10)
    var smallest = UInt64.max
    var largest = UInt64.min
    for index in 2..<tokens.count {
      let run = Digest.mix(Digest.mix(tokens[index - 2], tokens[index - 1]), tokens[index])
      builder.add(run)
      seen[Int(run >> 6 & 1023)] |= 1 << (run >> 16 & 63)
      smallest = min(smallest, run)
      largest = max(largest, run)
    }
    sketch = builder.sketch
    // A sketch counts a run once, and is compared by the numbers of words.
    let distinct = Self.members(ofBits: seen.reduce(0) { $0 + $1.nonzeroBitCount })
    words = min(words, 2 + distinct + distinct / 4)
    // A character of a script without spaces counts as half a word.
    if tokens.count - ideographs / 2 >= Self.fewestWords {
      landmarks = [Int64(bitPattern: smallest), Int64(bitPattern: largest)]
    }
  }

  /// The numbers of members of the sets that set zero to eight eighths of 65,536 bits.
  ///
  /// A set of n members sets a share of 1 - exp(-n / 65,536) (linear counting; Whang and others 1990).
  private static let membersAtEighths = [0, 8_751, 18_854, 30_803, 45_426, 64_281, 90_852, 136_278, 400_000]

  /// Returns about how many members a set has that sets so many of 65,536 bits.
  private static func members(ofBits bits: Int) -> Int {
    let (eighth, rest) = bits.quotientAndRemainder(dividingBy: 8192)
    guard eighth < 8 else { return membersAtEighths[8] }
    let fewest = membersAtEighths[eighth]
    return fewest + (membersAtEighths[eighth + 1] - fewest) * rest / 8192
  }

  /// Returns the stems of the first words of a title that are longer than most articles and prepositions.
  private static func stems(ofTitle title: String) -> Set<UInt64> {
    var stems: Set<UInt64> = []
    forEachWord(of: title) { word in
      if stems.count < 32, word.isIdeograph || word.letters >= 4 { stems.insert(word.stem) }
    }
    return stems
  }

  /// A word of a text.
  struct Word {
    /// The digest of the word.
    var digest: UInt64 = 0
    /// The digest of the first five letters, or of all letters of a shorter word; inflected forms share it.
    var stem: UInt64 = 0
    /// The number of letters and digits.
    var letters = 0
    /// Whether the word contains a digit.
    var isNumber = false
    /// Whether the word is one character of a script without spaces.
    var isIdeograph = false

    mutating func add(_ letter: UInt32) {
      digest = Digest.mix(digest, UInt64(letter))
      letters += 1
      if letters <= 5 { stem = digest }
    }

    /// Adds a letter or digit; an apostrophe is left out.
    ///
    /// - Returns: whether the byte belongs to the word.
    mutating func add(ascii byte: UInt8) -> Bool {
      guard byte.isASCIIAlphanumeric else { return byte == UInt8(ascii: "'") }
      add(UInt32(byte.asciiLowercased))
      if byte.isASCIIDigit { isNumber = true }
      return true
    }
  }

  /// Calls `body` with each word.
  static func forEachWord(of text: String, _ body: (Word) -> Void) {
    var word = Word()
    func end() {
      if word.letters > 0 { body(word) }
      word = Word()
    }
    func add(_ scalar: Unicode.Scalar) {
      switch scalar.value {
      case 0..<0x80: if !word.add(ascii: UInt8(truncatingIfNeeded: scalar.value)) { end() }
      case 0x2019, 0x02BC, 0x00AD, 0x200B...0x200F, 0xFE0F: return
      default:
        if UnicodeText.isNonspacingMark(scalar) { return }
        if UnspacedScript.contains(scalar), UnicodeText.isAlphabetic(scalar) {
          end()
          let digest = Digest.mix(1, UInt64(scalar.value))
          body(Word(digest: digest, stem: digest, letters: 1, isIdeograph: true))
          return
        }
        let isNumber = UnicodeText.isNumeric(scalar)
        if isNumber || UnicodeText.isAlphabetic(scalar) {
          word.add(UnicodeText.lowercased(scalar))
          if isNumber { word.isNumber = true }
        } else {
          end()
        }
      }
    }
    // Decomposed, so that accents can be removed and composed and decomposed spellings are equal.
    var decompositions: [Unicode.Scalar: [Unicode.Scalar]] = [:]
    let bytes = text.utf8.span
    var index = 0
    while index < bytes.count {
      if bytes[index] < 0x80 {
        // A local copy stays in registers.
        var run = word
        while index < bytes.count, bytes[index] < 0x80, run.add(ascii: bytes[index]) { index += 1 }
        word = run
        if index < bytes.count, bytes[index] < 0x80 {
          end()
          index += 1
        }
        continue
      }
      let scalar = bytes.scalar(at: &index)
      if (0x2010...0x2023).contains(scalar.value) {
        // Punctuation of all scripts is kept unchanged.
        add(scalar)
      } else {
        let parts = decompositions[scalar] ?? UnicodeText.decomposed(scalar)
        decompositions[scalar] = parts
        for part in parts { add(part) }
      }
    }
    end()
  }

  /// Whether the numbers of the text are all in another, or the reverse.
  func numbersAgree(with other: TextForm) -> Bool {
    numbers & other.numbers == numbers || numbers & other.numbers == other.numbers
  }
}

/// A set sampled as 64 values of eight bits: the share of equal samples estimates the share of common members.
///
/// The method is one permutation hashing (Li, Owen and Zhang 2012) with b-bit minwise hashing (Li and König 2010).
package struct Sketch: Sendable, Hashable {
  /// The number of samples.
  static let count = 64
  /// The samples; 0 for no sample.
  package let bytes: [UInt8]

  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.count else { return nil }
    self.bytes = bytes
  }

  struct Builder {
    private var least = [UInt64](repeating: .max, count: Sketch.count)

    mutating func add(_ member: UInt64) {
      let slot = Int(member & 63)
      if member < least[slot] { least[slot] = member }
    }

    var sketch: Sketch? {
      Sketch(bytes: least.map { $0 == .max ? 0 : UInt8(Digest.mix($0, 3) % 255) + 1 })
    }
  }

  /// Returns an estimate of the Jaccard similarity of two sets, from 0 to 1.
  package func similarity(to other: Sketch) -> Double {
    var shared = 0
    var all = 0
    for (one, two) in zip(bytes, other.bytes) where one != 0 || two != 0 {
      all += 1
      if one == two { shared += 1 }
    }
    guard all > 0 else { return 1 }
    // One in 255 different samples is equal by chance.
    return max(0, (Double(shared) / Double(all) - 1 / 255) / (254 / 255))
  }

  /// Returns the number of members that are sampled in both of two sets, and of those that are sampled in a third too.
  func common(with other: Sketch, in third: Sketch) -> (count: Int, found: Int) {
    let common = bytes.indices.filter { bytes[$0] != 0 && bytes[$0] == other.bytes[$0] }
    return (common.count, common.count { bytes[$0] == third.bytes[$0] })
  }
}
