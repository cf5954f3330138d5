/// The groups of siblings alike on a page: the posts of a thread, the cards of a list, the rows of a table.
///
/// Siblings are alike when they have the same name and the same class, digits aside.
struct Repetitions: Sendable {
  /// A group of siblings alike.
  struct Group: Sendable {
    /// The number of siblings.
    var count = 0
    /// The sum of the blocks in them.
    var sum = Sum()
  }

  private struct Key: Hashable {
    var parent: Int32
    var name: Int32
    var classes: UInt64
  }

  /// The minimum number of siblings of a group.
  private static let fewest = 3
  /// The minimum mean number of words of the siblings of a group.
  private static let fewestWords = 8

  private var groups: [Group] = []
  /// The number of the group with the most words around each element; -1 for none.
  private var around: [Int32]

  /// Finds the groups of a page.
  ///
  /// - Parameters:
  ///   - tape: the page.
  ///   - sums: its sums.
  init(_ tape: PageTape, _ sums: Sums) {
    var numbers: [Key: Int32] = [:]
    around = Array(repeating: -1, count: tape.elements.count)
    for (index, element) in tape.elements.enumerated() where sums.elements[index].words > 0 {
      guard tape.kind(of: index).isBlock, element.parent >= 0 else { continue }
      let key = Key(parent: element.parent, name: element.name, classes: Self.classes(tape, index))
      let number = numbers[key] ?? Int32(groups.count)
      if Int(number) == groups.count {
        numbers[key] = number
        groups.append(Group())
      }
      groups[Int(number)].count += 1
      groups[Int(number)].sum.add(sums.elements[index])
      around[index] = number
    }
    // Elements come before the ones in them.
    for index in around.indices {
      let parent = Int(tape.elements[index].parent)
      let outer = parent < 0 ? -1 : around[parent]
      let own = around[index]
      if own < 0 || !isGroup(own) || outer >= 0 && words(outer) >= words(own) { around[index] = outer }
    }
  }

  private func isGroup(_ number: Int32) -> Bool {
    let group = groups[Int(number)]
    return group.count >= Self.fewest && group.sum.words >= group.count * Self.fewestWords
  }

  private func words(_ number: Int32) -> Int { groups[Int(number)].sum.words }

  /// Returns the group with the most words that an element is in or part of; nil when there is none.
  func around(_ element: Int) -> Group? {
    element < 0 || around[element] < 0 ? nil : groups[Int(around[element])]
  }

  private static func classes(_ tape: PageTape, _ element: Int) -> UInt64 {
    guard let range = tape.range(of: "class", in: element) else { return 0 }
    return tape.bytes[range].reduce(0xCBF2_9CE4_8422_2325) { digest, byte in
      (0x30...0x39).contains(byte) ? digest : (digest ^ UInt64(byte)) &* 0x100_0000_01B3
    }
  }
}
