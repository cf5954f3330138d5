/// A run of inline content in one block element: a paragraph, an item, a cell, a headline, or the lines between two
/// empty ones.
struct Block: Sendable {
  /// The block element that contains the block; -1 for none.
  var owner: Int
  /// The innermost element open at the beginning: an inline element between the owner and the first word, or the owner.
  var opening = -1
  /// The range of the block on the tape.
  var items: Range<Int32>
  /// The counts of its text.
  var words = 0
  var characters = 0
  var linkCharacters = 0
  var links = 0
  var emphasis = 0
  /// The number of pictures, and of drawings of their size.
  var pictures = 0
  /// The number of formulas in MathML, whose text is not counted.
  var formulas = 0
  var punctuation = 0
  var sentences = 0
  var digits = 0
  var capitals = 0
  var last = TextCount.Last.other
  /// The range of the digests of its words in those of the page.
  var digests: Range<Int> = 0..<0
  /// The digest of all of its words in order.
  var text: UInt32 = 0
  /// The zones of the enclosing elements.
  var zones: ElementKind.Zones = []

  /// The number of characters in links, per thousand.
  var linkShare: Int { characters == 0 ? (links > 0 ? 1000 : 0) : linkCharacters * 1000 / characters }

  /// Whether the block is a formula, with a number at most.
  var isFormula: Bool { formulas > 0 && words <= 2 }

  /// Whether the block is in a zone that can have the text of an article.
  var isReadable: Bool { zones.isDisjoint(with: [.navigation, .footer, .aside, .beside, .form, .control, .hidden]) }

  /// Whether the block by itself looks like prose; a first guess by which others are measured.
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
