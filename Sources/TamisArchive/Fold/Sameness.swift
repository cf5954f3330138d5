// To change what makes two posts the same: here (boilerplate: `Folding`), pairs in Fixtures/Dedupe/Pairs, K5 in
// HowAPostIsRecognized.md and the summary in docs/scale.md. Raise `Folding.version`, so that archives decide again.
// The tests print precision and recall; both must stay as good.

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
    let likeness = Likeness(one.keys, other.keys)
    let (ids, others) = (one.keys.ids, other.keys.ids)
    if !ids.links.isDisjoint(with: others.links) || ids.link != nil && others.guidForm == ids.link {
      rule = .link
      explain("both lead to the same page")
    } else if let form = ids.guidForm, one.keys.flags.contains(.global), [others.guidForm, others.link].contains(form) {
      rule = .id
      explain("both have the same id")
    } else {
      let hasOneID = ids.guid != nil && ids.guid == others.guid
      explain(hasOneID ? "links differ, and their id can be that of another post elsewhere" : "links and ids differ")
      rule = byText(likeness)
      return
    }
    // An equal link is only a claim of the feeds: two posts about one page are two posts. Whoever has read a feed can
    // give its ids to other posts, even before it does.
    let isOnePage = ids.link != nil && ids.link == others.link
    if let objection = isOnePage ? Self.objection(one, other) : Self.objectionToClaim(likeness) {
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
    let likeness = Likeness(one.keys, other.keys)
    let isOfSite = (likeness.one.flags.contains(.own), likeness.other.flags.contains(.own))
    if isOfSite.0, isOfSite.1, !isProven(likeness) {
      return "but both feeds claim the site of the link, and their posts differ"
    }
    if PageClaim.isLate(one, after: other) || PageClaim.isLate(other, after: one) {
      return "but the feed that names the site of the link as its home page came later, and says something else"
    }
    if likeness.isSameText { return nil }
    if isComment(one.keys, on: other.keys) || isComment(other.keys, on: one.keys) {
      return "but one has another title, and says more than it quotes"
    }
    let (fewer, more) = (likeness.fewer, likeness.more)
    if fewer > 0, more < fewestWordsToContradict { return "but their texts differ" }
    if cannotTell(likeness) {
      // A comment on a page is as short beside another one as an excerpt beside the page.
      guard isOfSite.0 || isOfSite.1 else {
        return "but one says far more than the other, and neither is of the site of the link"
      }
    } else if let share = likeness.share, fewer >= fewestWordsToContradict {
      let isCompared = fewer >= fewestWordsToCompare
      let least = fewer >= TextForm.fewestWords ? leastShare : isCompared ? leastShareOfFewWords : leastShareOfTeaser
      if share < least, isCompared || !isTeaser(one.keys, of: other.keys) && !isTeaser(other.keys, of: one.keys) {
        return "but their texts have little in common"
      }
      if isCompared { return nil }
    }
    return objectionByTitle(likeness)
  }

  /// Returns the reason why posts with the same link and too little text to compare are different.
  private static func objectionByTitle(_ likeness: Likeness) -> String? {
    if likeness.isSameTitle || likeness.more == 0 && likeness.isSameBody { return nil }
    let titles = (likeness.one.titleWords, likeness.other.titleWords)
    if !titles.0.isEmpty, !titles.1.isEmpty, TitleForm.areCompatible(titles.0, titles.1) {
      // A short text may be the teaser of a long one, but not the copy of another short one.
      let isTeaser = likeness.fewer > 0 && likeness.more >= TextForm.fewestWords
      if isTeaser || TitleForm.haveMuchInCommon(titles.0, titles.1) { return nil }
    }
    return "but their titles differ, and there is too little text to compare"
  }

  /// Whether a post links to the page where another was before, which is not on its own site.
  private static func isOfMoved(_ post: PostKeys, _ moved: PostKeys) -> Bool {
    post.ids.link != nil && post.ids.link == moved.ids.former && PageClaim(post) == .none
  }

  /// Returns the reason why posts of different pages with one id or a former link are nevertheless different; nil when
  /// nothing contradicts it.
  ///
  /// What one of them says, the other must say too: the page of one of them is not shown. Of a page that has moved, a
  /// copy may say more or less.
  private static func objectionToClaim(_ likeness: Likeness) -> String? {
    let (one, other) = (likeness.one, likeness.other)
    let isMoved = isOfMoved(one, other) || isOfMoved(other, one)
    if !isMoved, likeness.fewer < fewestWordsToCompare {
      return "but they have different pages, and too little in common"
    }
    if likeness.isSameText { return nil }
    if likeness.more == 0 {
      return one.markup == other.markup && one.title == other.title ? nil : "but they have different pages and titles"
    }
    let share = (isMoved ? likeness.share : likeness.shareOfLonger) ?? 0
    if likeness.fewer >= fewestWordsToContradict, !cannotTell(likeness), share >= leastShare { return nil }
    return "but they have different pages, and their texts differ"
  }

  /// The smallest similarity that is not chance: of 64 samples, three.
  private static let leastSimilarityToTell = 0.04
  /// The ratio of lengths from which a short text that is in a long one may have no more than two samples in common.
  private static let greatestRatioToTell = 12

  /// Whether sketches cannot tell if one of two texts has most of the other, which is far shorter.
  private static func cannotTell(_ likeness: Likeness) -> Bool {
    guard let similarity = likeness.similarity, likeness.fewer >= fewestWordsToContradict else { return false }
    return likeness.more > greatestRatioToTell * likeness.fewer && similarity < leastSimilarityToTell
  }

  /// Whether the claims of two feeds to be on the site of a link are more than claims: the address of one or of both is
  /// there too, or the posts are the same with their title, their file and all their links.
  private static func isProven(_ likeness: Likeness) -> Bool {
    let (one, other) = (likeness.one, likeness.other)
    return one.flags.contains(.hosted) || other.flags.contains(.hosted)
      || one.markup == other.markup && one.title == other.title && one.ids.file == other.ids.file
  }

  /// Whether the text of a post is in that of another, for the most part.
  static func isCovered(_ post: PostKeys, by other: PostKeys, leastShare: Double = leastShare) -> Bool {
    let likeness = Likeness(post, other)
    if post.text.words == 0 || post.text.digest == other.text.digest { return true }
    guard let share = likeness.share, !cannotTell(likeness) else { return false }
    return share * Double(likeness.fewer) >= leastShare * Double(post.text.words)
  }

  /// Whether a short text, on the site of its feed, is the author's teaser of the longer text, whatever it says.
  ///
  /// A post with an id that is a page of its own is not a copy of the page that it leads to, but about it.
  private static func isTeaser(_ post: PostKeys, of other: PostKeys) -> Bool {
    guard post.flags.contains(.own), post.text.words < other.text.words, other.text.words >= TextForm.fewestWords
    else { return false }
    return !other.flags.contains(.global) || [post.ids.link, post.ids.guidForm].contains(other.ids.guidForm)
  }

  /// The minimum number of words of its own that make a text with a quotation a post of its own.
  private static let fewestOwnWords = 24

  /// Whether a post elsewhere than the page to which it leads says something of its own about it, as link blogs do.
  private static func isComment(_ post: PostKeys, on other: PostKeys) -> Bool {
    let likeness = Likeness(post, other)
    guard PageClaim(post) == .none, !post.titleWords.isEmpty, !other.titleWords.isEmpty,
      !TitleForm.nameOnePost(post.titleWords, other.titleWords), let share = likeness.share
    else { return false }
    return Double(post.text.words) - share * Double(likeness.fewer) >= Double(fewestOwnWords)
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

  private mutating func byText(_ likeness: Likeness) -> Rule? {
    let (one, other) = (likeness.one, likeness.other)
    guard let estimate = likeness.similarity, likeness.fewer >= TextForm.fewestWords else {
      let words = "\(one.text.words) and \(other.text.words) words"
      explain("they have \(words); \(TextForm.fewestWords) are needed to compare texts")
      return nil
    }
    if let first = one.date, let later = other.date, !Self.areNear(first, later) {
      explain("they are more than 14 days apart")
      return nil
    }
    let similarity = likeness.isSameText ? 1 : estimate
    explain("about \(Int((similarity * 100).rounded())) % of the runs of three words are the same")
    guard one.text.numbersAgree(with: other.text) else {
      explain("numbers in the texts differ")
      return nil
    }
    let hasOneTitle = one.title == other.title
    let least = hasOneTitle ? Self.leastSimilarity : Self.leastSimilarityWithOtherTitle
    guard similarity >= least else {
      explain("at least \(Int(least * 100)) % are needed")
      return nil
    }
    if !hasOneTitle, let objection = Self.objection(toTitlesOf: likeness) {
      explain(objection)
      return nil
    }
    return likeness.isSameText ? .text : .near
  }

  /// Returns the reason why posts with nearly one text and two titles are two; nil when the titles name one post.
  private static func objection(toTitlesOf likeness: Likeness) -> String? {
    let (one, other) = (likeness.one, likeness.other)
    if TitleForm.nameOnePost(one.titleWords, other.titleWords) { return nil }
    // Two headlines: adverts, shows and alerts have one text under many titles, and the text does not mention them.
    guard one.text.speaksOfTitle, other.text.speaksOfTitle else {
      return "the titles '\(one.titleWords)' and '\(other.titleWords)' differ, and the text does not speak of both"
    }
    let agree = likeness.isSameText ? TitleForm.numbersAgree : TitleForm.areCompatible
    return agree(one.titleWords, other.titleWords)
      ? nil : "the titles '\(one.titleWords)' and '\(other.titleWords)' name different posts"
  }
}
