/// A minimizer of inputs that keeps a property.
enum Reducer {
  private struct Budget {
    var questions: Int
    var bytes = 8 << 20

    var isLeft: Bool { questions > 0 && bytes > 0 }
  }

  /// Returns the smallest input found that still shows a property.
  ///
  /// Pieces of markup are removed, from many at once to single ones, and then characters.
  ///
  /// - Parameters:
  ///   - input: the input.
  ///   - questions: the maximum number of tries.
  ///   - stillShows: whether an input has the property; called for about 8 MiB of input in total at most.
  /// - Returns: the smallest input found; the input itself when nothing can be removed.
  static func smallest(_ input: [UInt8], questions: Int = 4000, _ stillShows: ([UInt8]) -> Bool) -> [UInt8] {
    var budget = Budget(questions: questions)
    func ask(_ shorter: [UInt8], _ budget: inout Budget) -> Bool {
      budget.questions -= 1
      budget.bytes -= shorter.count
      return stillShows(shorter)
    }
    let whole = String(decoding: input, as: UTF8.self)
    // Bytes that are not UTF-8 would change in a string.
    guard Array(whole.utf8) == input else { return reduce(input, &budget) { ask($0, &$1) } }
    let pieces = reduce(MarkupPieces.split(whole), &budget) { ask(Array($0.joined().utf8), &$1) }
    let characters = reduce(Array(pieces.joined()), &budget) { ask(Array(String($0).utf8), &$1) }
    return Array(String(characters).utf8)
  }

  /// Removes runs of elements, half of all first, then ever shorter ones (delta debugging).
  private static func reduce<Element>(
    _ elements: [Element], _ budget: inout Budget, _ stillShows: ([Element], inout Budget) -> Bool
  ) -> [Element] {
    var elements = elements
    var length = max(1, elements.count / 2)
    while true {
      var start = 0
      var hasShrunk = false
      while start < elements.count, budget.isLeft {
        var shorter = elements
        shorter.removeSubrange(start..<min(start + length, elements.count))
        if stillShows(shorter, &budget) {
          elements = shorter
          hasShrunk = true
        } else {
          start += length
        }
      }
      if !budget.isLeft || (length == 1 && !hasShrunk) { return elements }
      if length > 1 { length /= 2 }
    }
  }
}
