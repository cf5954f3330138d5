/// Decides whether posts of two feeds are the same post (Tamis.docc/HowAPostIsRecognized.md, K5).
struct Sameness: Sendable, Hashable {
  /// The evidence that two posts are the same.
  enum Rule: String, Sendable, Hashable {
    /// Both lead to the same page.
    case link
    /// Both have the same id, of a kind that is globally unique, such as a URL.
    case id
    /// Both have the same text, and enough of it.
    case text
    /// Both have nearly the same text.
    case near

    /// Whether the text alone is the evidence; boilerplate is none.
    var isOfText: Bool { self == .text || self == .near }
  }

  /// The rule that found the posts to be the same; nil when they are not.
  var rule: Rule?
  /// The comparisons in words; empty unless they were requested.
  private(set) var reasons: [String] = []
  private let isAsked: Bool

  /// The maximum difference in seconds between the dates of posts that are the same by their text: a monthly reminder
  /// is a new post each time.
  static let longestTime: Int64 = 14 * 86_400
  /// The minimum similarity of texts by their sketches: with the same title, and with two titles that share words.
  ///
  /// The values were found with the labelled pairs in Fixtures/Dedupe/Pairs.
  static let leastSimilarity = 0.82
  static let leastSimilarityWithOtherTitle = 0.9

  /// Whether two dates are near enough for one post; the difference of arbitrary numbers does not overflow.
  static func areNear(_ one: Int64, _ other: Int64) -> Bool {
    let (difference, isTooLarge) = one.subtractingReportingOverflow(other)
    return !isTooLarge && difference.magnitude <= UInt64(longestTime)
  }

  /// Compares two posts.
  ///
  /// - Parameters:
  ///   - one: a post.
  ///   - other: the post with which it is compared.
  ///   - explains: whether ``reasons`` are wanted, which cost more than the comparison.
  init(_ one: StoredPost, _ other: StoredPost, explains: Bool = false) {
    isAsked = explains
    if !one.ids.links.isDisjoint(with: other.ids.links)
      || one.ids.link != nil && other.ids.guidForm == one.ids.link
    {
      rule = .link
      explain("both lead to the same page")
    } else if let form = one.ids.guidForm, one.flags.contains(.global),
      form == other.ids.guidForm || form == other.ids.link
    {
      rule = .id
      explain("both have the same id")
    } else {
      let hasOneID = one.ids.guid != nil && one.ids.guid == other.ids.guid
      explain(hasOneID ? "links differ, and their id can be that of another post elsewhere" : "links and ids differ")
      rule = byText(one, other)
      return
    }
    // An equal link is only a claim of the feeds: two posts about one page are two posts. Whoever has read a feed can
    // give its ids to other posts, even before it does.
    let isOnePage = one.ids.link != nil && one.ids.link == other.ids.link
    if let objection = isOnePage ? Self.objection(one, other) : Self.objectionToClaim(one, other) {
      rule = nil
      explain(objection)
    }
  }

  private mutating func explain(_ reason: @autoclosure () -> String) {
    if isAsked { reasons.append(reason()) }
  }

  /// Returns the reason why posts with the same link are nevertheless different; nil when nothing contradicts it.
  ///
  /// A missing text or title counts as different.
  private static func objection(_ one: StoredPost, _ other: StoredPost) -> String? {
    let (fewer, more) = (min(one.words, other.words), max(one.words, other.words))
    if one.ids.link != nil, one.ids.link == other.ids.link, one.flags.contains(.own),
      other.flags.contains(.own), !isProven(one, other)
    {
      return "but both feeds claim the site of the link, and their posts differ"
    }
    if PageClaim.isLate(one, after: other) || PageClaim.isLate(other, after: one) {
      return "but the feed that names the site of the link as its home page came later, and says something else"
    }
    if one.text != nil, one.text == other.text { return nil }
    if isComment(one, on: other) || isComment(other, on: one) {
      return "but one has another title, and says more than it quotes"
    }
    if fewer > 0, more < fewestWordsToContradict { return "but their texts differ" }
    if cannotTell(one, other) {
      // A comment on a page is as short beside another one as an excerpt beside the page.
      guard one.flags.contains(.own) || other.flags.contains(.own) else {
        return "but one says far more than the other, and neither is of the site of the link"
      }
    } else if let share = shareInCommon(one, other), fewer >= fewestWordsToContradict {
      let least =
        fewer >= TextForm.fewestWords
        ? leastShare : fewer >= fewestWordsToCompare ? leastShareOfFewWords : leastShareOfTeaser
      let isCompared = fewer >= fewestWordsToCompare
      if share < least, isCompared || !isTeaser(one, of: other) && !isTeaser(other, of: one) {
        return "but their texts have little in common"
      }
      if isCompared { return nil }
    }
    if more == 0, one.markup == other.markup, one.markup != PostKeys.emptyMarkup { return nil }
    if one.title != 0, one.title == other.title { return nil }
    let titles = (one.titleWords, other.titleWords)
    if !titles.0.isEmpty, !titles.1.isEmpty, TitleForm.areCompatible(titles.0, titles.1) {
      // A short text may be the teaser of a long one, but not the copy of another short one.
      let isTeaser = fewer > 0 && more >= TextForm.fewestWords
      if isTeaser || TitleForm.haveMuchInCommon(titles.0, titles.1) { return nil }
    }
    return "but their titles differ, and there is too little text to compare"
  }

  /// Whether a post links to the page where another was before, which is not on its own site.
  private static func isOfMoved(_ post: StoredPost, _ moved: StoredPost) -> Bool {
    post.ids.link != nil && post.ids.link == moved.ids.former && PageClaim(post) == .none
  }

  /// Returns the reason why posts of different pages with one id or a former link are nevertheless different; nil when
  /// nothing contradicts it.
  ///
  /// What one of them says, the other must say too: the page of one of them is not shown. Of a page that has moved, a
  /// copy may say more or less.
  private static func objectionToClaim(_ one: StoredPost, _ other: StoredPost) -> String? {
    let isMoved = isOfMoved(one, other) || isOfMoved(other, one)
    if !isMoved, min(one.words, other.words) < fewestWordsToCompare {
      return "but they have different pages, and too little in common"
    }
    if one.text != nil, one.text == other.text { return nil }
    if one.words == 0, other.words == 0 {
      return one.markup == other.markup && one.title == other.title ? nil : "but they have different pages and titles"
    }
    if min(one.words, other.words) >= fewestWordsToContradict, !cannotTell(one, other),
      let share = shareInCommon(one, other, ofLonger: !isMoved), share >= leastShare
    {
      return nil
    }
    return "but they have different pages, and their texts differ"
  }

  /// Returns the share of the shorter text's runs of three words that the longer text has too, an estimate; nil for
  /// texts without runs.
  ///
  /// An excerpt has nearly all of them.
  ///
  /// - Parameters:
  ///   - one: a post.
  ///   - other: another post.
  ///   - ofLonger: whether the share is that of the longer text, of which an excerpt has few.
  /// - Returns: the share, from 0 to 1.
  static func shareInCommon(_ one: StoredPost, _ other: StoredPost, ofLonger: Bool = false) -> Double? {
    guard let sketch = one.samples,
      let second = other.samples
    else { return nil }
    return share(sketch.similarity(to: second), of: one.words, and: other.words, ofLonger: ofLonger)
  }

  /// Returns the share of one text that the other has too, by the similarity of both and their numbers of words.
  static func share(_ similarity: Double, of words: Int, and others: Int, ofLonger: Bool = false) -> Double {
    similarity * Double(words + others) / (1 + similarity) / Double(ofLonger ? max(words, others) : min(words, others))
  }

  /// The smallest similarity that is not chance: of 64 samples, three.
  private static let leastSimilarityToTell = 0.04
  /// The ratio of lengths from which a short text that is in a long one may have no more than two samples in common.
  private static let greatestRatioToTell = 12

  /// Whether sketches cannot tell if one of two texts has most of the other, which is far shorter.
  private static func cannotTell(_ one: StoredPost, _ other: StoredPost) -> Bool {
    guard let sketch = one.samples,
      let second = other.samples
    else { return false }
    let (fewer, more) = (min(one.words, other.words), max(one.words, other.words))
    return fewer >= fewestWordsToContradict && more > greatestRatioToTell * fewer
      && sketch.similarity(to: second) < leastSimilarityToTell
  }

  /// Whether the claims of two feeds to be on the site of a link are more than claims: the address of one or of both is
  /// there too, or the posts are the same with their title, their file and all their links.
  private static func isProven(_ one: StoredPost, _ other: StoredPost) -> Bool {
    one.flags.contains(.hosted) || other.flags.contains(.hosted)
      || one.markup == other.markup && one.title == other.title && one.ids.file == other.ids.file
  }

  /// Whether the text of a post is in that of another, for the most part.
  static func isCovered(_ post: StoredPost, by other: StoredPost, leastShare: Double = leastShare) -> Bool {
    if post.words == 0 || post.text == other.text { return true }
    guard let sketch = post.samples,
      let second = other.samples
    else { return false }
    return !cannotTell(post, other)
      && share(sketch.similarity(to: second), of: post.words, and: other.words) * Double(min(post.words, other.words))
        >= leastShare * Double(post.words)
  }

  /// Whether a short text, on the site of its feed, is the author's teaser of the longer text, whatever it says.
  ///
  /// A post with an id that is a page of its own is not a copy of the page that it leads to, but about it.
  private static func isTeaser(_ post: StoredPost, of other: StoredPost) -> Bool {
    guard post.flags.contains(.own), post.words < other.words, other.words >= TextForm.fewestWords else { return false }
    return !other.flags.contains(.global) || [post.ids.link, post.ids.guidForm].contains(other.ids.guidForm)
  }

  /// The minimum number of words of its own that make a text with a quotation a post of its own.
  private static let fewestOwnWords = 24

  /// Whether a post elsewhere than the page to which it leads says something of its own about it, as link blogs do.
  private static func isComment(_ post: StoredPost, on other: StoredPost) -> Bool {
    guard PageClaim(post) == .none, !post.titleWords.isEmpty, !other.titleWords.isEmpty,
      !TitleForm.nameOnePost(post.titleWords, other.titleWords), let share = shareInCommon(post, other)
    else { return false }
    return Double(post.words) - share * Double(min(post.words, other.words)) >= Double(fewestOwnWords)
  }

  /// The minimum share of the shorter text that the longer one has; it is higher for short texts, since their sketches
  /// are rough.
  static let leastShare = 0.5
  private static let leastShareOfFewWords = 0.6
  /// The minimum number of words for texts with much in common to prove that posts are the same.
  private static let fewestWordsToCompare = 16
  /// The minimum share and number of words by which two comments on one page are told apart; the words of a teaser are
  /// in the longer text.
  static let leastShareOfTeaser = 0.3
  static let fewestWordsToContradict = 6

  private mutating func byText(_ one: StoredPost, _ other: StoredPost) -> Rule? {
    guard let sketch = one.samples,
      let second = other.samples,
      min(one.words, other.words) >= TextForm.fewestWords
    else {
      explain("they have \(one.words) and \(other.words) words; \(TextForm.fewestWords) are needed to compare texts")
      return nil
    }
    if let first = one.date, let later = other.date, !Self.areNear(first, later) {
      explain("they are more than 14 days apart")
      return nil
    }
    let isEqual = one.text != nil && one.text == other.text
    let similarity = isEqual ? 1 : sketch.similarity(to: second)
    explain("about \(Int((similarity * 100).rounded())) % of the runs of three words are the same")
    guard TextForm.agree(UInt32(truncatingIfNeeded: one.numbers), UInt32(truncatingIfNeeded: other.numbers)) else {
      explain("numbers in the texts differ")
      return nil
    }
    let hasOneTitle = one.title == other.title
    let least = hasOneTitle ? Self.leastSimilarity : Self.leastSimilarityWithOtherTitle
    guard similarity >= least else {
      explain("at least \(Int(least * 100)) % are needed")
      return nil
    }
    let titles = (one.titleWords, other.titleWords)
    if hasOneTitle || TitleForm.nameOnePost(titles.0, titles.1) { return isEqual ? .text : .near }
    // Two headlines: adverts, shows and alerts have one text under many titles, and the text does not mention them.
    guard one.flags.contains(.speaking), other.flags.contains(.speaking) else {
      explain("the titles '\(titles.0)' and '\(titles.1)' differ, and the text does not speak of both")
      return nil
    }
    guard isEqual ? TitleForm.numbersAgree(titles.0, titles.1) : TitleForm.areCompatible(titles.0, titles.1) else {
      explain("the titles '\(titles.0)' and '\(titles.1)' name different posts")
      return nil
    }
    return isEqual ? .text : .near
  }
}
