/// Makes an input smaller as long as it still shows something.
enum Reducer {
  /// The smallest input found: first pieces of markup are left out, many at once and then single ones, then characters.
  ///
  /// - Parameter stillShows: whether an input shows what is looked for; asked at most 4,000 times.
  static func smallest(_ input: [UInt8], _ stillShows: ([UInt8]) -> Bool) -> [UInt8] {
    var budget = 4000
    let whole = String(decoding: input, as: UTF8.self)
    // Bytes that are no UTF-8 would change with the text.
    guard Array(whole.utf8) == input else { return reduce(input, &budget) { stillShows($0) } }
    let pieces = reduce(MarkupPieces.split(whole), &budget) { stillShows(Array($0.joined().utf8)) }
    let characters = reduce(Array(pieces.joined()), &budget) { stillShows(Array(String($0).utf8)) }
    return Array(String(characters).utf8)
  }

  /// Leaves out runs of elements, half of all first, then ever shorter ones (delta debugging).
  private static func reduce<Element>(
    _ elements: [Element], _ budget: inout Int, _ stillShows: ([Element]) -> Bool
  ) -> [Element] {
    var elements = elements
    var length = max(1, elements.count / 2)
    while true {
      var start = 0
      var hasShrunk = false
      while start < elements.count, budget > 0 {
        var shorter = elements
        shorter.removeSubrange(start..<min(start + length, elements.count))
        budget -= 1
        if stillShows(shorter) {
          elements = shorter
          hasShrunk = true
        } else {
          start += length
        }
      }
      if budget <= 0 || (length == 1 && !hasShrunk) { return elements }
      if length > 1 { length /= 2 }
    }
  }
}
