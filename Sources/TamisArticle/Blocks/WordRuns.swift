/// Runs of words of a text, by which it is known in another.
struct WordRuns: Sendable {
  /// So many words make a run: fewer are in every text.
  static let length = 3

  /// Digests of the words that there are.
  private(set) var words: Set<UInt32> = []
  /// Digests of the runs that there are.
  private var runs: Set<UInt64> = []

  /// Whether there is no text.
  var isEmpty: Bool { words.isEmpty }

  /// More words of a text are not looked at.
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

  /// Of a thousand runs of the words of a text, how many stand in this one.
  func share(ofText text: String) -> Int { share(of: Self.digests(text)) }

  /// Of a thousand runs of these words, how many stand in the text.
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
