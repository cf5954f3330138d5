/// The sums over several blocks.
struct Sum: Sendable {
  var words = 0
  var characters = 0
  var linkCharacters = 0
  var blocks = 0
  /// The number of blocks that look like prose, and of their words.
  var good = 0
  var goodWords = 0
  var punctuation = 0
  var sentences = 0

  var linkShare: Int { characters == 0 ? 0 : linkCharacters * 1000 / characters }

  mutating func add(_ block: Block) {
    words += block.words
    characters += block.characters
    linkCharacters += block.linkCharacters
    blocks += 1
    punctuation += block.punctuation
    sentences += block.sentences
    if block.isGood {
      good += 1
      goodWords += block.words
    }
  }

  mutating func add(_ other: Sum) {
    words += other.words
    characters += other.characters
    linkCharacters += other.linkCharacters
    blocks += other.blocks
    good += other.good
    goodWords += other.goodWords
    punctuation += other.punctuation
    sentences += other.sentences
  }
}

/// The sums of all elements of a page, of the groups of similar blocks, and of the page.
struct Sums: Sendable {
  /// The sums of all blocks inside each element, by the numbers of elements.
  private(set) var elements: [Sum]
  private(set) var page = Sum()
  /// The sums of similar blocks, by the digest of the path to them.
  private(set) var groups: [UInt64: Sum] = [:]
  /// The number of blocks with each text, by the digests of their texts.
  private(set) var texts: [UInt32: Int] = [:]
  /// The digest of the path to each block.
  private(set) var ways: [UInt64] = []

  init(_ tape: PageTape, _ blocks: Blocks) {
    elements = Array(repeating: Sum(), count: tape.elements.count)
    var waysOfElements = [UInt64](repeating: 0, count: tape.elements.count)
    let classes = tape.elements.indices.map { Self.classes(tape, $0) }
    for element in tape.elements.indices { waysOfElements[element] = Self.way(to: element, tape, classes) }
    for block in blocks.list {
      page.add(block)
      if block.owner >= 0 { elements[block.owner].add(block) }
      let way = block.owner >= 0 ? waysOfElements[block.owner] : 0
      ways.append(way)
      groups[way, default: Sum()].add(block)
      texts[block.text, default: 0] += 1
    }
    for element in tape.elements.indices.reversed() {
      let parent = Int(tape.elements[element].parent)
      if parent >= 0, elements[element].blocks > 0 { elements[parent].add(elements[element]) }
    }
  }

  /// Returns the digest of the path to an element.
  ///
  /// Blocks are similar when the last four elements on the path to them have the same names, and the innermost two the
  /// same classes, whatever these are.
  private static func way(to element: Int, _ tape: PageTape, _ classes: [UInt64]) -> UInt64 {
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    func mix(_ value: UInt64) { digest = (digest ^ value) &* 0x100_0000_01B3 }
    var (next, depth) = (element, 0)
    while next >= 0, depth < 4 {
      mix(UInt64(tape.elements[next].name) + 1)
      if depth < 2 { mix(classes[next]) }
      next = Int(tape.elements[next].parent)
      depth += 1
    }
    return digest
  }

  /// Returns the digest of an element's classes.
  private static func classes(_ tape: PageTape, _ element: Int) -> UInt64 {
    tape.range(of: "class", in: element).map { range in
      tape.bytes[range].reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    } ?? 0
  }
}
