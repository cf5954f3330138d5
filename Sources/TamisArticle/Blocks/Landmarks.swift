/// The landmarks of a page by which its blocks are measured: the box with the most prose, its first and last prose, and
/// the headline.
struct Landmarks: Sendable {
  /// The element with the most prose nearby; -1 when there is no prose.
  private(set) var best = -1
  /// The range from the first to the last block in that element that looks like prose.
  private(set) var bestRun = 0..<0
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
    findBest(tape, blocks, sums)
    findHeadline(tape, blocks, title)
    articles = tape.elements.indices.count {
      tape.name(of: $0) == "article" && sums.elements[$0].goodWords > 0
    }
  }

  /// Finds the element with the most prose.
  ///
  /// Prose counts for the element around its paragraph, half for the next one out, and a third for the one around that.
  private mutating func findBest(_ tape: PageTape, _ blocks: Blocks, _ sums: Sums) {
    var scores: [Int: Int] = [:]
    for block in blocks.list where block.isGood && block.owner >= 0 {
      let score = min(block.words, 120) + 4 * min(block.punctuation, 20)
      var element = tape.kind(of: block.owner).role == .box ? block.owner : Int(tape.elements[block.owner].parent)
      for share in 1...3 where element >= 0 {
        scores[element, default: 0] += score / share
        element = Int(tape.elements[element].parent)
      }
    }
    let chosen = scores.map { (element: $0.key, score: $0.value * (1000 - sums.elements[$0.key].linkShare)) }
      .max { ($0.score, $1.element) < ($1.score, $0.element) }
    guard let chosen else { return }
    best = chosen.element
    let inside = blocks.list.indices.filter { blocks.list[$0].isGood && contains(tape, blocks.list[$0]) }
    if let first = inside.first, let last = inside.last { bestRun = first..<(last + 1) }
  }

  /// Whether a block is in the best box.
  func contains(_ tape: PageTape, _ block: Block) -> Bool {
    guard best >= 0 else { return false }
    let box = tape.elements[best]
    return block.items.lowerBound >= box.first && block.items.lowerBound < box.end
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
