/// Measures the blocks of a page relative to its main box: whether they are inside or how far from it, and the part of
/// that box that contains them.
struct BoxMeasure {
  private let tape: PageTape
  private let blocks: Blocks
  private let sums: Sums
  private let box: MainBox

  /// Writes the features of all blocks of a page.
  ///
  /// - Parameters:
  ///   - tape: the page.
  ///   - blocks: its blocks.
  ///   - sums: its sums.
  ///   - box: its main box.
  ///   - numbers: the features, of which those relative to the box are written.
  static func measure(
    _ tape: PageTape, _ blocks: Blocks, _ sums: Sums, _ box: MainBox, into numbers: inout BlockNumbers
  ) {
    let measure = BoxMeasure(tape: tape, blocks: blocks, sums: sums, box: box)
    for index in blocks.list.indices { measure.block(index, &numbers) }
  }

  private func sum(_ element: Int) -> Sum { element < 0 ? sums.page : sums.elements[element] }

  private func block(_ index: Int, _ numbers: inout BlockNumbers) {
    let block = blocks.list[index]
    let isInside = box.contains(block)
    let whole = sum(box.element)
    func set(_ feature: Feature, _ value: Int) { numbers[index, feature] = Int32(clamping: value) }
    set(.inBest, isInside ? 1 : 0)
    set(.bestShare, perThousand(whole.words, of: sums.page.words))
    set(.bestLinkShare, whole.linkShare)
    set(.fromBestStart, index - box.run.lowerBound)
    set(.fromBestEnd, index - box.run.upperBound + 1)
    let (element, steps) = isInside ? part(around: block.owner) : branch(around: block.owner)
    set(.stepsFromBest, steps)
    let part = sum(element < 0 ? block.owner : element)
    set(.partWords, part.words)
    set(.partLinkShare, part.linkShare)
    set(.partGood, part.good)
    set(.partBlocks, part.blocks)
    set(.partShare, perThousand(part.words, of: whole.words))
  }

  /// Returns the part of the box that an element is in, and the number of steps up to the box.
  private func part(around element: Int) -> (part: Int, steps: Int) {
    var (part, steps, next) = (-1, 0, element)
    while next >= 0, next != box.element {
      (part, steps) = (next, steps + 1)
      next = Int(tape.elements[next].parent)
    }
    return (part, steps)
  }

  /// Returns the outermost element around an element that does not contain the box, and the number of steps up to the
  /// one that does, as a negative number.
  private func branch(around element: Int) -> (part: Int, steps: Int) {
    let first = tape.elements[box.element].first
    var (part, steps, next) = (-1, 0, element)
    while next >= 0, !(tape.elements[next].first <= first && first < tape.elements[next].end) {
      (part, steps) = (next, steps - 1)
      next = Int(tape.elements[next].parent)
    }
    return (part, steps)
  }
}

/// Returns a part of a whole per thousand; 0 of nothing.
func perThousand(_ part: Int, of whole: Int) -> Int { whole == 0 ? 0 : part * 1000 / whole }
