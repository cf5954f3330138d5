/// The box with the most prose of a page, by which its blocks are measured.
struct MainBox: Sendable {
  /// The element.
  let element: Int
  /// The range from the first to the last block in the element that looks like prose.
  let run: Range<Int>
  /// The range of the element on the tape.
  private let items: Range<Int32>

  /// Finds the box with the most prose nearby; nil when the page has none but beside its text.
  ///
  /// - Parameters:
  ///   - tape: the page.
  ///   - blocks: its blocks.
  ///   - sums: its sums.
  ///   - headline: the block of its headline; nil when there is none.
  init?(_ tape: PageTape, _ blocks: Blocks, _ sums: Sums, headline: Int?) {
    let best = Self.scores(tape, blocks, headline: headline)
      .map { (element: $0.key, score: $0.value * (1000 - sums.elements[$0.key].linkShare)) }
      .max { ($0.score, $1.element) < ($1.score, $0.element) }
    guard let element = best?.element else { return nil }
    let items = tape.elements[element].first..<tape.elements[element].end
    let inside = blocks.list.indices.filter {
      blocks.list[$0].isGood && items.contains(blocks.list[$0].items.lowerBound)
    }
    guard let first = inside.first, let last = inside.last else { return nil }
    (self.element, self.items, run) = (element, items, first..<(last + 1))
  }

  /// Whether a block is in the box.
  func contains(_ block: Block) -> Bool { items.contains(block.items.lowerBound) }

  /// Returns the prose of elements: it counts for the element around its paragraph, half for the next one out, and a
  /// third for the one around that.
  ///
  /// Prose in a part that the page calls its main one counts one and a half times, before the headline half, and
  /// beside the text not at all.
  private static func scores(_ tape: PageTape, _ blocks: Blocks, headline: Int?) -> [Int: Int] {
    var scores: [Int: Int] = [:]
    for (index, block) in blocks.list.enumerated() where block.isGood && block.owner >= 0 {
      if !block.zones.isDisjoint(with: [.aside, .beside]) { continue }
      var score = 4 * min(block.words, 120) + 16 * min(block.punctuation, 20)
      if !block.zones.isDisjoint(with: [.main, .article, .body]) { score = score * 3 / 2 }
      if let headline, index < headline { score /= 2 }
      var element = tape.kind(of: block.owner).role == .box ? block.owner : Int(tape.elements[block.owner].parent)
      for share in 1...3 where element >= 0 {
        scores[element, default: 0] += score / share
        element = Int(tape.elements[element].parent)
      }
    }
    return scores
  }
}
