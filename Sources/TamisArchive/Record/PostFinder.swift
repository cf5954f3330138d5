import GRDB

/// Finds the stored post of the feed that is the same as a document's post.
///
/// An id or a link identifies a post (Tamis.docc/HowAPostIsRecognized.md, K3). Everything else (file, title, text) is
/// only evidence. A post with a good id or link that the feed never had is matched with a stored one only if all data
/// that both have agrees: showing a post twice is better than losing one.
struct PostFinder {
  /// The rules of recognition, by their names in verdicts.
  enum Rule: String, CaseIterable {
    case guid
    case guidForm = "guid-form"
    case link
    case whole
    case file
    case titleDay = "title-day"
    case text
    case guidOrLink = "guid-or-link"

    /// Whether the rule compares evidence, not an id or a link.
    var isEvidence: Bool { [.whole, .file, .titleDay, .text].contains(self) }

    /// Returns the rules for a feed, in order, by the level of its keys.
    static func ladder(from level: KeyLevel) -> [Rule] {
      let rest: [Rule] = [.whole, .file, .titleDay, .text]
      let link: [Rule] = level == .text ? [] : [.link]
      return (level == .guid ? [.guid, .guidForm] : []) + link + rest
    }
  }

  let store: PostStore
  let feed: StoredFeed
  let quality: KeyQuality
  /// Whether all ids and links of the document are new although it has several.
  ///
  /// The feed has then changed all of them, or retains nothing of its earlier posts.
  var isRotated = false

  /// Returns the stored post that a rule finds for a post of the document.
  ///
  /// - Parameters:
  ///   - keys: the keys of the post of the document.
  ///   - index: its index in the document.
  ///   - rule: the rule.
  ///   - claimed: stored posts that other posts of the document were matched with.
  /// - Returns: the stored post; nil when the rule finds none.
  /// - Throws: `DatabaseError` when the database cannot be read.
  func find(_ keys: PostKeys, _ index: Int, _ rule: Rule, except claimed: Set<PostNumber>) throws -> StoredPost? {
    func among(
      _ digests: [Int64?], _ condition: String, _ arguments: StatementArguments,
      accepting isAccepted: (StoredPost) throws -> Bool = { _ in true }
    ) throws -> StoredPost? {
      for digest in Set(digests.compactMap { $0 }).sorted() {
        let found = try store.post(
          withKey: digest, inFeed: feed.number, where: condition, arguments, except: claimed, accepting: isAccepted)
        if let found { return found }
      }
      return nil
    }
    switch rule {
    case .guid:
      guard let guid = quality.usable[index].guid else { return nil }
      return try among(guidKeys(keys, index), "post.guid = ?", [guid]) { try !isIDGivenAnew(keys, index, $0) }
    case .guidForm:
      guard quality.usable[index].guid != nil else { return nil }
      let forms = [quality.usable[index].guidForm, keys.guidWithFragment]
      return try among(
        guidKeys(keys, index), "post.guidForm IN (?, ?)", StatementArguments(forms)
      ) { try !isIDGivenAnew(keys, index, $0) }
    case .link:
      guard let link = quality.usable[index].link else { return nil }
      let forms = [link, keys.linkWithFragment]
      var (condition, arguments) = ("post.link IN (?, ?)", StatementArguments(forms))
      if feed.level >= .linkAndDate {
        (condition, arguments) = (condition + " AND post.date IS ?", arguments + [keys.date])
      }
      if feed.level >= .linkDateAndTitle {
        (condition, arguments) = (condition + " AND post.title = ?", arguments + [keys.title])
      }
      return try among(forms, condition, arguments) { isLinkEnough(keys, index, $0) }
    case .guidOrLink: return try guidOrLink(keys) { try among($0, $1, $2) }
    case .whole, .file, .titleDay, .text:
      let found = try evidence(keys, index, rule, except: claimed)
      return found.flatMap { $0.isBuried && !mayBeBuried(keys, index, rule) ? nil : $0 }
    }
  }

  /// Returns all keys by which a post may be found, whatever the rule.
  func allKeys(_ keys: PostKeys, _ index: Int) -> [Int64] {
    let words = PostStore.wordsKey(title: keys.title, date: keys.date, text: keys.text.digest, salt: feed.salt)
    let names = (guidKeys(keys, index) + [keys.linkWithFragment]).compactMap { $0 } + quality.usable[index].lookups
    return names + [PostStore.wholeKey(keys.whole, salt: feed.salt), words] + keys.text.landmarks
  }

  private func guidOrLink(
    _ keys: PostKeys, _ among: ([Int64?], String, StatementArguments) throws -> StoredPost?
  ) throws -> StoredPost? {
    if let guid = keys.ids.guid {
      return try among(
        [PostStore.guidKey(keys.ids.guidForm ?? guid, keys.isGlobal, salt: feed.salt)], "post.guid = ?", [guid])
    }
    if let link = keys.linkWithFragment { return try among([link], "post.link = ?", [link]) }
    return try store.posts(where: "feed = ? AND guid IS NULL AND link IS NULL LIMIT 1", [feed.number]).first
  }

  /// Returns all keys of an id: its normal form, and the unchanged id, as posts may share the normal form.
  private func guidKeys(_ keys: PostKeys, _ index: Int) -> [Int64?] {
    [quality.usable[index].guidForm, keys.guidWithFragment, keys.ids.guidForm, keys.ids.guid].map { form in
      form.map { PostStore.guidKey($0, keys.isGlobal, salt: feed.salt) }
    }
  }

  // MARK: - Same id or link, another post

  /// Whether an id was given to another post: the title, the text and the link are other ones, or without links the
  /// day is; or the link is that of another post.
  ///
  /// Some feeds number the posts of each document from 0, and some sites begin anew.
  private func isIDGivenAnew(_ keys: PostKeys, _ index: Int, _ post: StoredPost) throws -> Bool {
    guard let link = quality.usable[index].link, let before = post.ids.link else {
      return keys.ids.link == nil && post.ids.link == nil && isOtherPost(keys, post)
    }
    if link == before || keys.linkWithFragment == before { return false }
    let hasSameBody = keys.markup == post.markup && keys.markup != PostKeys.emptyMarkup
    let hasSameFile = keys.ids.file != nil && keys.ids.file == post.ids.file
    if keys.date != nil && keys.date == post.date || hasSameBody || hasSameFile { return false }
    if isOther(keys, post) || isOtherText(keys, post) || isOfOtherKind(keys, post) { return true }
    if keys.text.digest != nil && keys.text.digest == post.text || isAlike(keys, post) { return false }
    let isAnothers = "post.link = ? AND post.id <> ?"
    return try store.post(withKey: link, inFeed: feed.number, where: isAnothers, [link, post.number]) != nil
  }

  private func isOfOtherDay(_ keys: PostKeys, _ post: StoredPost) -> Bool {
    guard let date = keys.date, let before = post.date else { return false }
    return date / SortDate.aDay != before / SortDate.aDay
  }

  /// Whether day, title and text of a post are all others than before.
  private func isOtherPost(_ keys: PostKeys, _ post: StoredPost) -> Bool {
    isOfOtherDay(keys, post) && isOther(keys, post)
  }

  /// Whether title and text of a post are all others than before.
  private func isOther(_ keys: PostKeys, _ post: StoredPost) -> Bool {
    let titles = (post.titleWords, keys.titleWords)
    guard titles.0.isEmpty == titles.1.isEmpty, (post.text == nil) == (keys.text.digest == nil),
      !TitleForm.areAlike(titles.0, titles.1)
    else { return false }
    guard post.text != nil else { return !titles.0.isEmpty || post.markup != keys.markup }
    return post.text != keys.text.digest && !isAlike(keys, post)
  }

  /// The maximum share of the shorter text in the longer one for two texts of different posts, whatever their titles.
  private static let greatestShareOfOther = 0.1

  /// Whether the text of a post is a long one with nothing of what it was before, under another title or of another
  /// day.
  private func isOtherText(_ keys: PostKeys, _ post: StoredPost) -> Bool {
    guard keys.title != post.title || isOfOtherDay(keys, post), let sketch = keys.text.sketch, let old = post.samples,
      min(keys.text.words, post.words) >= TextForm.fewestWords
    else { return false }
    let similarity = sketch.similarity(to: old)
    return Sameness.share(similarity, of: keys.text.words, and: post.words) < Self.greatestShareOfOther
  }

  /// Whether a post of another day has nothing in common with what was before, which had a title or words, and the post
  /// has none, or the reverse: pictures have the ids of essays.
  private func isOfOtherKind(_ keys: PostKeys, _ post: StoredPost) -> Bool {
    let titles = (post.titleWords, keys.titleWords)
    guard isOfOtherDay(keys, post), titles.0.isEmpty || titles.1.isEmpty || !TitleForm.areAlike(titles.0, titles.1)
    else { return false }
    if keys.text.digest == nil || post.text == nil { return titles != ("", "") || keys.text.digest != post.text }
    return !isAlike(keys, post)
  }

  /// Whether the text of a post has half of what it had before, or the reverse.
  private func isAlike(_ keys: PostKeys, _ post: StoredPost) -> Bool {
    guard let sketch = keys.text.sketch, let old = post.samples else { return false }
    return Sameness.share(sketch.similarity(to: old), of: keys.text.words, and: post.words) >= Sameness.leastShare
  }

  /// Whether an equal link is sufficient although the ids differ.
  ///
  /// When the whole feed has changed its ids, and without ids, title, day and text must not all be others; otherwise
  /// some content has to be the same, since a page may show one post after another.
  private func isLinkEnough(_ keys: PostKeys, _ index: Int, _ post: StoredPost) -> Bool {
    if keys.ids.guid == nil, post.ids.guid == nil { return !isOtherPost(keys, post) }
    guard feed.level == .guid, let guid = quality.usable[index].guid, let other = post.ids.guid, guid != other
    else { return true }
    if isRotated { return !isOtherPost(keys, post) }
    let hasText = keys.text.digest != nil && post.text != nil
    if keys.title != 0, keys.title == post.title, !hasText || isAlike(keys, post) { return true }
    if keys.markup == post.markup || (keys.text.digest != nil && keys.text.digest == post.text) { return true }
    guard let sketch = keys.text.sketch, let before = post.samples else { return false }
    return sketch.similarity(to: before) >= 0.5
  }

  // MARK: - Evidence

  /// Whether a post has no usable id or link.
  func isKeyless(_ index: Int) -> Bool {
    (feed.level > .guid || quality.usable[index].guid == nil)
      && (feed.level == .text || quality.usable[index].link == nil)
  }

  /// Whether a deleted post may be recognized by a rule other than its id or link: by its whole content, if it has
  /// neither.
  private func mayBeBuried(_ keys: PostKeys, _ index: Int, _ rule: Rule) -> Bool {
    isKeyless(index) && (rule == .whole || keys.text.digest != nil)
  }

  private func evidence(
    _ keys: PostKeys, _ index: Int, _ rule: Rule, except claimed: Set<PostNumber>
  ) throws -> StoredPost? {
    func candidates(_ digests: [Int64], _ condition: String, _ value: Int64) throws -> [StoredPost] {
      try digests.flatMap { digest in
        try store.posts(withKey: digest, inFeed: feed.number, where: condition, [value])
      }
    }
    let isAlone = isKeyless(index)
    let found: [StoredPost]
    switch rule {
    case .whole:
      guard isAlone else { return nil }
      let key = PostStore.wholeKey(keys.whole, salt: feed.salt)
      found = try candidates([key], "post.title = ?", keys.title).filter { isWhole($0, keys) }
    case .file:
      guard let file = quality.usable[index].file, isAlone || keys.date != nil else { return nil }
      let all = try candidates([file], "post.file = ?", file)
      // A file that several stored posts share (a jingle, a logo) does not identify any of them.
      found = all.count > 1 ? [] : all.filter { isSameByFile($0, keys, index, isAlone) }
    case .titleDay:
      guard isAlone || !(keys.date == nil && quality.isShared(keys.text.digest)) else { return nil }
      let key = PostStore.wordsKey(title: keys.title, date: keys.date, text: keys.text.digest, salt: feed.salt)
      found = try candidates([key], "post.title = ?", keys.title).filter { isSameByTitle($0, keys, isAlone) }
    default:
      guard let text = keys.text.digest, !quality.isShared(text) else { return nil }
      let all = try Set(candidates(keys.text.landmarks, "post.text = ?", text))
      // A text that several stored posts share does not identify any of them.
      let same = all.count > 1 ? [] : all.filter { isSameByText($0, keys) }
      if !same.isEmpty || keys.title == 0 { return same.first { !claimed.contains($0.number) } }
      let named = try Set(candidates(keys.text.landmarks, "post.title = ?", keys.title))
      found = named.count > 1 ? [] : named.filter { isCorrected($0, keys) }
    }
    return found.first { !claimed.contains($0.number) }
  }

  private func isWhole(_ post: StoredPost, _ keys: PostKeys) -> Bool {
    post.text == keys.text.digest && post.markup == keys.markup && post.ids.file == keys.ids.file
  }

  private func isSameByFile(_ post: StoredPost, _ keys: PostKeys, _ index: Int, _ isAlone: Bool) -> Bool {
    guard post.date == keys.date else { return false }
    if keys.title != 0, post.title == keys.title { return true }
    guard let text = keys.text.digest, post.text == text, !quality.isShared(text) else { return false }
    return isAlone || isRotated
  }

  private func isSameByTitle(_ post: StoredPost, _ keys: PostKeys, _ isAlone: Bool) -> Bool {
    guard post.text == keys.text.digest, filesAgree(post, keys) else { return false }
    guard post.text != nil else {
      // Posts without words are compared by their markup.
      return !isAlone && isRotated && keys.title != 0 && keys.date != nil && post.date == keys.date
        && post.markup == keys.markup
    }
    if isAlone { return true }
    guard keys.date != nil || isRotated, post.date == keys.date else { return false }
    return isRotated || post.markup == keys.markup || keys.text.words >= TextForm.fewestWords
  }

  private func isSameByText(_ post: StoredPost, _ keys: PostKeys) -> Bool {
    guard filesAgree(post, keys) else { return false }
    let isSameDate = keys.date != nil && post.date == keys.date
    if post.title == keys.title {
      if keys.title == 0 { return isSameDate || isRotated || post.markup == keys.markup }
      guard let one = keys.date, let other = post.date else { return true }
      return Sameness.areNear(one, other)
    }
    // With another title, the date must be the same to the second, and the titles must share words, unless the whole
    // feed has changed its keys.
    let titles = (post.titleWords, keys.titleWords)
    guard TitleForm.numbersAgree(titles.0, titles.1) else { return false }
    if isRewritten(post, keys) { return true }
    return isSameDate && (isRotated || TitleForm.haveMuchInCommon(titles.0, titles.1))
  }

  /// Whether a post with the same text takes the place of one that the document before had, on the same day.
  private func isRewritten(_ post: StoredPost, _ keys: PostKeys) -> Bool {
    guard let date = keys.date, let before = post.date else { return false }
    return isGone(post) && keys.text.words >= TextForm.fewestWords && date / SortDate.aDay == before / SortDate.aDay
  }

  /// Whether a post with nearly the same text takes the place of one that the document before had, at the same second.
  private func isCorrected(_ post: StoredPost, _ keys: PostKeys) -> Bool {
    guard keys.date != nil, keys.date == post.date, isGone(post), filesAgree(post, keys),
      let sketch = keys.text.sketch, let before = post.samples
    else { return false }
    return sketch.similarity(to: before) >= Sameness.leastSimilarityWithOtherTitle
  }

  /// Whether the document before had a post; those that this one has too were found before.
  private func isGone(_ post: StoredPost) -> Bool { post.missed == .never || post.missed == feed.pending }

  private func filesAgree(_ post: StoredPost, _ keys: PostKeys) -> Bool {
    post.ids.file == nil || keys.ids.file == nil || post.ids.file == keys.ids.file
  }
}
