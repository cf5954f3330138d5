/// Tells whether posts of two feeds are one post (Tamis.docc/HowAPostIsRecognized.md, K5).
struct Sameness: Sendable, Hashable {
  /// The evidence that two posts are the same.
  enum Rule: String, Sendable, Hashable {
    /// They lead to the same page.
    case link
    /// They have the same id, of a kind that is unique everywhere, such as a URL.
    case id
    /// They have the same text, and enough of it.
    case text
    /// They have nearly the same text.
    case near
  }

  /// The rule, nil when they are not the same.
  var rule: Rule?
  /// The comparisons in words; empty unless they were asked for.
  private(set) var reasons: [String] = []
  private let isAsked: Bool

  /// Posts further apart than this are not the same by their text: a monthly reminder is a new post each time.
  static let longestTime: Int64 = 14 * 86_400
  /// How similar texts have to be, by their sketches: with the same title, and with two titles that share words.
  ///
  /// Found with the labelled pairs in Fixtures/Dedupe/Pairs.
  static let leastSimilarity = 0.82
  static let leastSimilarityWithOtherTitle = 0.9

  /// Whether two dates are near enough for one post, whatever numbers an archive claims to be dates.
  static func areNear(_ one: Int64, _ other: Int64) -> Bool {
    let (difference, isTooLarge) = one.subtractingReportingOverflow(other)
    return !isTooLarge && difference.magnitude <= UInt64(longestTime)
  }

  /// Compares two posts.
  ///
  /// - Parameter explains: whether ``reasons`` are wanted, which cost more than the comparison.
  init(_ one: StoredPost, _ other: StoredPost, explains: Bool = false) {
    isAsked = explains
    if let link = one.ids.link, other.ids.link == link || other.ids.guidForm == link {
      rule = .link
      explain("both lead to the same page")
    } else if let form = one.ids.guidForm, one.flags.contains(.global),
      form == other.ids.guidForm || form == other.ids.link
    {
      rule = .id
      explain("both have the same id")
    } else {
      explain("links and ids differ")
      rule = byText(one, other)
      return
    }
    // An equal link is only a claim of the feeds: two posts about one page are two posts.
    if let objection = Self.objection(one, other) {
      rule = nil
      explain(objection)
    }
  }

  private mutating func explain(_ reason: @autoclosure () -> String) {
    if isAsked { reasons.append(reason()) }
  }

  /// Why posts with the same link are nevertheless two; nil when nothing contradicts it.
  ///
  /// A missing text or title counts as different.
  private static func objection(_ one: StoredPost, _ other: StoredPost) -> String? {
    let (fewer, more) = (min(one.words, other.words), max(one.words, other.words))
    if one.text != nil, one.text == other.text { return nil }
    if let sketch = one.sketch.flatMap({ Sketch(bytes: $0) }), let second = other.sketch.flatMap({ Sketch(bytes: $0) }),
      fewer >= fewestWordsToContradict
    {
      // The share of the shorter text's runs that the longer has too: an excerpt has nearly all.
      let similarity = sketch.similarity(to: second)
      let share = similarity * Double(one.words + other.words) / (1 + similarity) / Double(fewer)
      let least =
        fewer >= TextForm.fewestWords
        ? leastShare : fewer >= fewestWordsToCompare ? leastShareOfFewWords : leastShareOfTeaser
      // On the site of one of the feeds the page is its author's, and few words are a teaser of it, whatever they say.
      let isAuthors = one.flags.contains(.own) || other.flags.contains(.own)
      if share < least, fewer >= fewestWordsToCompare || !isAuthors { return "but their texts have little in common" }
      if fewer >= fewestWordsToCompare { return nil }
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

  /// How much of the shorter text the longer must have; more of it for texts of few words, since their sketches are
  /// rough.
  private static let leastShare = 0.5
  private static let leastShareOfFewWords = 0.6
  /// Texts of fewer words that have much in common do not prove that posts are the same.
  private static let fewestWordsToCompare = 16
  /// Of two comments on one page, a few words are enough to tell them apart; those of a teaser are in the longer text.
  private static let leastShareOfTeaser = 0.3
  private static let fewestWordsToContradict = 6

  private mutating func byText(_ one: StoredPost, _ other: StoredPost) -> Rule? {
    guard let sketch = one.sketch.flatMap({ Sketch(bytes: $0) }),
      let second = other.sketch.flatMap({ Sketch(bytes: $0) }),
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
    // Two headlines: adverts, shows and alerts have one text under many titles, of which it does not speak.
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
