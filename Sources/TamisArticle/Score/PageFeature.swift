/// A feature of a page with a choice of its blocks, with the name that the trees use.
///
/// All values are integers; shares are per thousand.
enum PageFeature: Int, CaseIterable, Sendable {
  // The page.
  case pageWords, pageBlocks, pageLinkShare, pageGoodShare, articles
  case signArticle, signThread, signDocumentation, signListing, signProduct
  // The chosen blocks.
  case keptWords, keptBlocks, keptShare, keptLinkShare, keptGoodShare, keptWordsEach, keptSentences, keptDigits
  case keptHeadings, keptListShare, keptTableShare, keptCodeShare, keptHeaderShare, isRescued
  // Their order.
  case runs, longestRunShare, span, shareBefore, shareAfter, fromHeadline
  // The scores.
  case sureShare, doubtShare, keptScore, droppedScore
  // The threshold.
  case bias, likeFirst
  // The main box.
  case boxShare, boxLinkShare, boxGoodShare, keptInBox
  // The largest group of similar blocks among the chosen ones.
  case groupShare, groupBlocks, groupWordsEach
  // Other texts about the page.
  case linkedBodyShare, descriptionShare, feedShare

  /// The number of features.
  static let count = allCases.count
}
