/// A run of inline content in one block element: a paragraph, an item, a cell, a headline, a line between two empty ones.
struct Block: Sendable {
  /// The block element that it is in; -1 for none.
  var owner: Int
  /// The innermost element that is open where it begins: an inline element between the owner and the first word, or the owner.
  var opening = -1
  /// What it is on the tape.
  var items: Range<Int32>
  /// What its text comes to.
  var words = 0
  var characters = 0
  var linkCharacters = 0
  var links = 0
  var emphasis = 0
  var pictures = 0
  var punctuation = 0
  var sentences = 0
  var digits = 0
  var capitals = 0
  var last = TextCount.Last.other
  /// The digests of its words, among those of the page.
  var digests: Range<Int> = 0..<0
  /// The digest of all of its words in order.
  var text: UInt32 = 0
  /// The zones of the elements around it.
  var zones: ElementKind.Zones = []

  /// The characters in links, per thousand.
  var linkShare: Int { characters == 0 ? (links > 0 ? 1000 : 0) : linkCharacters * 1000 / characters }

  /// Whether it is in a zone that can have the text of an article.
  var isReadable: Bool { zones.isDisjoint(with: [.navigation, .footer, .aside, .form, .control, .hidden]) }

  /// Whether it looks like prose, by itself: a first guess, by which others are measured.
  var isGood: Bool {
    words >= 12 && linkShare < 330 && (sentences > 0 || punctuation > 0)
      && zones.isDisjoint(with: [.navigation, .footer, .control, .hidden, .form])
  }
}

/// The blocks of a page in document order.
struct Blocks: Sendable {
  var list: [Block] = []
  /// The digests of the words of all blocks, in order.
  var digests: [UInt32] = []

  func digests(of block: Block) -> ArraySlice<UInt32> { digests[block.digests] }
}
