/// How much of what two posts say is the same, by their keys (Tamis.docc/HowAPostIsRecognized.md, K0).
struct Likeness {
  let one: PostKeys
  let other: PostKeys

  init(_ one: PostKeys, _ other: PostKeys) { (self.one, self.other) = (one, other) }

  // MARK: - Time

  /// Whether both have the same time.
  var isSameTime: Bool { one.date != nil && one.date == other.date }

  /// Whether both have a date, on different days of UTC.
  var isOtherDay: Bool {
    guard let date = one.date, let before = other.date else { return false }
    return date / SortDate.aDay != before / SortDate.aDay
  }

  /// The maximum difference in seconds of two dates of one post on different days of UTC: that of two time zones.
  private static let zones: Int64 = 14 * 3600

  /// Whether the dates can be those of one post; nil when one is missing.
  var areDatesNear: Bool? {
    guard let date = one.date, let before = other.date else { return nil }
    let (difference, isTooLarge) = date.subtractingReportingOverflow(before)
    return !isOtherDay || !isTooLarge && difference.magnitude <= UInt64(Self.zones)
  }

  // MARK: - Title, text, markup and file

  /// Whether both have the same title.
  var isSameTitle: Bool { one.title != 0 && one.title == other.title }
  /// Whether both have the same words.
  var isSameText: Bool { one.text.digest != nil && one.text.digest == other.text.digest }
  /// Whether both have the same body, and one at all.
  var isSameBody: Bool { one.markup == other.markup && one.markup != PostKeys.emptyMarkup }
  /// Whether both have the same first file.
  var isSameFile: Bool { one.ids.file != nil && one.ids.file == other.ids.file }
  /// Whether both have a first file, and it is not the same.
  var isOtherFile: Bool { one.ids.file != nil && other.ids.file != nil && !isSameFile }
  /// Whether titles are alike, or missing in both.
  var areTitlesAlike: Bool { TitleForm.areAlike(one.titleWords, other.titleWords) }

  /// The number of words of the shorter text, and of the longer one.
  var fewer: Int { min(one.text.words, other.text.words) }
  var more: Int { max(one.text.words, other.text.words) }

  /// The estimated similarity of the texts' runs of three words, from 0 to 1; nil for texts without runs, and for long
  /// ones that are not compared.
  var similarity: Double? {
    guard let sketch = one.text.sketch, let second = other.text.sketch else { return nil }
    return sketch.similarity(to: second)
  }

  /// The estimated share of the shorter text's runs of three words that the longer one has too, from 0 to 1; nil where
  /// there is no ``similarity``.
  ///
  /// An excerpt has nearly all of them.
  var share: Double? { similarity.map { common($0) / Double(fewer) } }
  /// The share of the longer text's runs that the shorter one has, of which an excerpt has few.
  var shareOfLonger: Double? { similarity.map { common($0) / Double(more) } }

  /// The number of words in common.
  private func common(_ similarity: Double) -> Double {
    similarity * Double(one.text.words + other.text.words) / (1 + similarity)
  }

  /// Whether the longer text has at least half of the shorter one.
  var isAlike: Bool { share.map { $0 >= Sameness.leastShare } ?? false }

  /// Whether the title and the text are others.
  var isOther: Bool {
    let hasNoTitle = (one.titleWords.isEmpty, other.titleWords.isEmpty)
    let hasNoText = (one.text.digest == nil, other.text.digest == nil)
    guard hasNoTitle.0 == hasNoTitle.1, hasNoText.0 == hasNoText.1, !areTitlesAlike else { return false }
    if hasNoText.0 { return !hasNoTitle.0 || one.markup != other.markup }
    return !isSameText && !isAlike
  }

  /// Whether day, title and text are all others.
  var isOtherPost: Bool { isOtherDay && isOther }

  /// Whether title, text and time are all others.
  var isAnother: Bool { isOther && one.date != nil && other.date != nil && !isSameTime }

  /// Whether a post with another link than the one before under its id is another post; nil when what they say does not
  /// tell.
  var isAnotherWithOtherLink: Bool? {
    if isSameTime || isSameBody || isSameFile { return false }
    if isOther || isOtherText || isOtherKind { return true }
    if !TitleForm.numbersAgree(other.titleWords, one.titleWords), !isSameText { return true }
    return isSameText || isAlike ? false : nil
  }

  /// The maximum share of the shorter text in the longer one for two texts of different posts, whatever their titles.
  private static let greatestShareOfOther = 0.1

  /// Whether the text is a long one with nothing of the other, under another title, or of another day, when less than
  /// half is enough to be the same.
  var isOtherText: Bool {
    guard let share, fewer >= Sameness.fewestWordsToContradict else { return false }
    if isOtherDay { return share < Sameness.leastShare }
    return one.title != other.title && fewer >= TextForm.fewestWords && share < Self.greatestShareOfOther
  }

  /// Whether a post of another day has nothing in common with the other, one of them has no title or no words, and one
  /// of them has one of these: pictures have the ids of essays.
  var isOtherKind: Bool {
    guard isOtherDay, one.titleWords.isEmpty || other.titleWords.isEmpty || !areTitlesAlike else { return false }
    if one.text.digest == nil || other.text.digest == nil {
      return one.titleWords != "" || other.titleWords != "" || one.text.digest != other.text.digest
    }
    return !isAlike
  }
}
