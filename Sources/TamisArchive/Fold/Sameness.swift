/// Tells whether posts of two feeds are one post (rule K5 of the design).
struct Sameness: Sendable, Hashable {
  /// By what two posts are the same.
  enum Rule: String, Sendable, Hashable {
    /// They lead to the same page.
    case link
    /// They have the same id, of a kind that means the same everywhere.
    case id
    /// They have the same words, and enough of them.
    case text
    /// They have nearly the same words.
    case near
  }

  /// The rule, nil when they are not the same.
  var rule: Rule?
  /// What was compared, for people; empty when nobody asks.
  private(set) var reasons: [String] = []
  private let isAsked: Bool

  /// Posts further apart than this are not the same by their text: a reminder comes each month.
  static let longestTime: Int64 = 14 * 86_400
  /// How alike texts with one title have to be, by their sketches, and texts with two titles that go together.
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
    if let link = one.link, other.link == link || other.guidForm == link {
      rule = .link
      explain("both lead to the same page")
    } else if let form = one.guidForm, one.flags.contains(.global), form == other.guidForm || form == other.link {
      rule = .id
      explain("both have the same id")
    } else {
      explain("links and ids differ")
      rule = byText(one, other)
      return
    }
    // Links and ids are what feeds say; two who write about one page have written two posts.
    if let objection = Self.objection(one, other) {
      rule = nil
      explain(objection)
    }
  }

  private mutating func explain(_ reason: @autoclosure () -> String) {
    if isAsked { reasons.append(reason()) }
  }

  /// Why posts with one address are two all the same; nil when nothing speaks against it.
  ///
  /// Having no words, or no title, is having nothing in common.
  private static func objection(_ one: StoredPost, _ other: StoredPost) -> String? {
    let (fewer, more) = (min(one.words, other.words), max(one.words, other.words))
    if one.text != nil, one.text == other.text { return nil }
    if let sketch = one.sketch.flatMap({ Sketch(bytes: $0) }), let second = other.sketch.flatMap({ Sketch(bytes: $0) }),
      fewer >= fewestWordsToCompare
    {
      // The share of the shorter text's runs that the longer has too: an excerpt has nearly all.
      let similarity = sketch.similarity(to: second)
      let share = similarity * Double(one.words + other.words) / (1 + similarity) / Double(fewer)
      let least = fewer >= TextForm.fewestWords ? leastShare : leastShareOfFewWords
      return share >= least ? nil : "but their texts have little in common"
    }
    if more == 0, one.markup == other.markup, one.markup != PostKeys.emptyMarkup { return nil }
    if one.title != 0, one.title == other.title { return nil }
    let titles = (one.titleWords, other.titleWords)
    if !titles.0.isEmpty, !titles.1.isEmpty, TitleForm.areCompatible(titles.0, titles.1) {
      // A few words under a headline of their own may lead to a long text, but not to a few others.
      let isTeaser = fewer > 0 && more >= TextForm.fewestWords
      if isTeaser || TitleForm.haveMuchInCommon(titles.0, titles.1) { return nil }
    }
    return "but their titles do not agree, and there is too little text to tell"
  }

  /// How much of the shorter text the longer must have; of few words more, for their sketches are rough.
  private static let leastShare = 0.5
  private static let leastShareOfFewWords = 0.6
  /// The sketches of fewer words say nothing.
  private static let fewestWordsToCompare = 16

  private mutating func byText(_ one: StoredPost, _ other: StoredPost) -> Rule? {
    guard let sketch = one.sketch.flatMap({ Sketch(bytes: $0) }),
      let second = other.sketch.flatMap({ Sketch(bytes: $0) }),
      min(one.words, other.words) >= TextForm.fewestWords
    else {
      explain("there are \(one.words) and \(other.words) words; \(TextForm.fewestWords) are needed to tell")
      return nil
    }
    if let first = one.date, let later = other.date, !Self.areNear(first, later) {
      explain("they are more than 14 days apart")
      return nil
    }
    let isEqual = one.text != nil && one.text == other.text
    let similarity = isEqual ? 1 : sketch.similarity(to: second)
    explain("of the runs of three words about \(Int((similarity * 100).rounded())) in 100 are the same")
    guard TextForm.agree(UInt32(truncatingIfNeeded: one.numbers), UInt32(truncatingIfNeeded: other.numbers)) else {
      explain("numbers in the texts differ")
      return nil
    }
    let hasOneTitle = one.title == other.title
    let least = hasOneTitle ? Self.leastSimilarity : Self.leastSimilarityWithOtherTitle
    guard similarity >= least else {
      explain("at least \(Int(least * 100)) in 100 are needed")
      return nil
    }
    let titles = (one.titleWords, other.titleWords)
    if isEqual {
      guard hasOneTitle || TitleForm.numbersAgree(titles.0, titles.1) else {
        explain("numbers in the titles differ")
        return nil
      }
      return .text
    }
    guard hasOneTitle || TitleForm.areCompatible(titles.0, titles.1) else {
      explain("the titles '\(titles.0)' and '\(titles.1)' name different posts")
      return nil
    }
    return .near
  }
}
