/// A feature of a block, with the name that the trees use.
///
/// All values are integers; shares are per thousand, and -1 means that there is nothing to measure.
enum Feature: Int, CaseIterable, Sendable {
  // The block itself.
  case words, linkShare, links, punctuation, sentences, end, wordLength, capitals, digits, emphasis, pictures
  case role, headingLevel, hasPictureOnly
  // The enclosing elements.
  case inNavigation, inHeader, inFooter, inAside, inForm, inFigure, inTable, inList, inArticle, inMain, inControl
  case inQuote, isHidden, inBody, inCaption, depth
  // The position.
  case position, wordsBefore, wordsAfter, wordsBeforeShare
  // The enclosing boxes, innermost first.
  case boxWords, boxLinkShare, boxBlocks, boxGood, boxWordsEach
  case outerWords, outerLinkShare, outerBlocks, outerGood, outerShare
  case thirdWords, thirdLinkShare, thirdGood, thirdShare
  case listItems, listWordsEach, listLinkShare, tableCells, tableLinkShare, tableWordsEach
  case articleShare, articleLinkShare, articles, articleDepth
  // The box with the most prose.
  case inBest, bestShare, bestLinkShare, fromBestStart, fromBestEnd, stepsFromBest
  case partWords, partLinkShare, partGood, partBlocks, partShare
  // Neighbours.
  case before2Words, before2LinkShare, before1Words, before1LinkShare, after1Words, after1LinkShare
  case after2Words, after2LinkShare, before1Good, after1Good, before1SameBox, after1SameBox, before1SameRole
  case after1SameRole, before1End
  case sinceGood, untilGood, goodNear, goodFar, sinceHeading
  // Other texts about the page.
  case fromHeadline, titleShare, descriptionShare, linkedBodyShare, feedShare, feedTitleShare
  // Similar blocks.
  case groupBlocks, groupWordsEach, groupLinkShare, groupShare, groupGood, repeats
  // The page.
  case pageWords, pageLinkShare, pageBlocks, pageGoodShare
  // The largest repetition around: siblings with the same name and class.
  case alikeItems, alikeWordsEach, alikeLinkShare, alikeShare, alikeGood

  /// The number of features.
  static let count = allCases.count
}

/// The features of all blocks of a page.
struct BlockNumbers: Sendable {
  private var values: [Int32]

  init(blocks: Int) { values = Array(repeating: 0, count: blocks * Feature.count) }

  subscript(block: Int, feature: Feature) -> Int32 {
    get { values[block * Feature.count + feature.rawValue] }
    set { values[block * Feature.count + feature.rawValue] = newValue }
  }

  /// Returns the features of a block, in the order of ``Feature``.
  func row(_ block: Int) -> ArraySlice<Int32> { values[(block * Feature.count)..<((block + 1) * Feature.count)] }
}
