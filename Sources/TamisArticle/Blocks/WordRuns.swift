/// Runs of words of a text, which identify it in another.
struct WordRuns: Sendable {
  /// The number of words in a run; shorter runs occur in any text.
  static let length = 3

  /// The digests of the words.
  private(set) var words: Set<UInt32> = []
  /// The digests of the runs.
  private var runs: Set<UInt64> = []

  /// Whether there is no text.
  var isEmpty: Bool { words.isEmpty }

  /// The maximum number of words read of a text.
  static let mostWords = 20_000

  init(_ text: String) { self.init(digests: Self.digests(text)) }

  init(digests: ArraySlice<UInt32>) {
    let digests = digests.prefix(Self.mostWords)
    words = Set(digests)
    Self.forEachRun(of: digests) { runs.insert($0) }
  }

  private static func digests(_ text: String) -> ArraySlice<UInt32> {
    var count = TextCount()
    count.add(Array(text.utf8)[...])
    count.endWord()
    return count.words.prefix(mostWords)
  }

  /// Returns the share, per thousand, of a text's runs that this text contains.
  func share(ofText text: String) -> Int { share(of: Self.digests(text)) }

  /// Returns the share, per thousand, of the runs of these words that the text contains.
  func share(of words: ArraySlice<UInt32>) -> Int {
    if words.isEmpty || isEmpty { return 0 }
    if words.count < Self.length { return words.allSatisfy(self.words.contains) ? 1000 : 0 }
    var (count, shared) = (0, 0)
    Self.forEachRun(of: words) { run in
      count += 1
      if runs.contains(run) { shared += 1 }
    }
    return shared * 1000 / count
  }

  private static func forEachRun(of words: ArraySlice<UInt32>, _ body: (UInt64) -> Void) {
    guard words.count >= length else { return }
    for start in words.startIndex...(words.endIndex - length) {
      var digest: UInt64 = 0xCBF2_9CE4_8422_2325
      for word in words[start..<(start + length)] { digest = (digest ^ UInt64(word)) &* 0x100_0000_01B3 }
      body(digest)
    }
  }
}
