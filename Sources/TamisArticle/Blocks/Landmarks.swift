/// The landmarks of a page by which its blocks are measured.
struct Landmarks: Sendable {
  /// The headline's block; nil when there is none.
  private(set) var headline: Int?
  /// The number of `article` elements with prose.
  private(set) var articles = 0

  /// Finds the landmarks of a page.
  ///
  /// - Parameters:
  ///   - tape: the page.
  ///   - blocks: its blocks.
  ///   - sums: its sums.
  ///   - title: the digests of the words of the page's title.
  init(_ tape: PageTape, _ blocks: Blocks, _ sums: Sums, title: Set<UInt32>) {
    findHeadline(tape, blocks, title)
    articles = tape.elements.indices.count {
      tape.name(of: $0) == "article" && sums.elements[$0].goodWords > 0
    }
  }

  /// Chooses the heading that shares the most words with the page's title, else the first `h1`.
  private mutating func findHeadline(_ tape: PageTape, _ blocks: Blocks, _ title: Set<UInt32>) {
    var best = (score: 0, index: -1)
    for (index, block) in blocks.list.enumerated() where block.owner >= 0 && !block.zones.contains(.hidden) {
      let level = Self.headingLevel(tape, block)
      if level == 0 || level > 2 && best.score > 0 { continue }
      let words = blocks.digests(of: block)
      let shared = words.count { title.contains($0) }
      var score = words.isEmpty ? 0 : 1000 * shared / max(words.count, title.count)
      score += level == 1 ? 100 : level == 2 ? 20 : 0
      if score > best.score { best = (score, index) }
    }
    headline = best.score >= 100 ? best.index : nil
  }

  /// Returns the level of the heading that a block is in; 0 for others.
  static func headingLevel(_ tape: PageTape, _ block: Block) -> Int {
    block.owner >= 0 ? tape.kind(of: block.owner).headingLevel : 0
  }
}
