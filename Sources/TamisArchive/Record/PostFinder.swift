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
      (level == .guid ? [.guid, .guidForm] : []) + [.link, .whole, .file, .titleDay, .text]
    }
  }

  let store: PostStore
  let feed: StoredFeed
  let quality: KeyQuality
  /// What has changed in the document as a whole.
  let change: DocumentChange
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
  func find(_ keys: DocumentKeys, _ index: Int, _ rule: Rule, except claimed: Set<PostNumber>) throws -> StoredPost? {
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
      return try among(forms, "post.link IN (?, ?)", StatementArguments(forms)) { isLinkEnough(keys, index, $0) }
    case .guidOrLink: return try guidOrLink(keys) { try among($0, $1, $2) }
    case .whole, .file, .titleDay, .text:
      let found = try evidence(keys, index, rule, except: claimed)
      return found.flatMap { $0.isBuried && !mayBeBuried(keys, index, rule) ? nil : $0 }
    }
  }

  /// Returns all keys by which a post may be found, whatever the rule.
  func allKeys(_ keys: DocumentKeys, _ index: Int) -> [Int64] {
    let words = PostStore.wordsKey(keys.compared, salt: feed.salt)
    let names = (guidKeys(keys, index) + [keys.linkWithFragment]).compactMap { $0 } + quality.usable[index].lookups
    return names + [PostStore.wholeKey(keys.whole, salt: feed.salt), words] + keys.compared.text.landmarks
  }

  private func guidOrLink(
    _ keys: DocumentKeys, _ among: ([Int64?], String, StatementArguments) throws -> StoredPost?
  ) throws -> StoredPost? {
    if let guid = keys.compared.ids.guid {
      return try among([guidKey(keys.compared.ids.guidForm ?? guid, keys)], "post.guid = ?", [guid])
    }
    if let link = keys.linkWithFragment { return try among([link], "post.link = ?", [link]) }
    return try store.posts(where: "feed = ? AND guid IS NULL AND link IS NULL LIMIT 1", [feed.number]).first
  }

  /// Returns all keys of an id: its normal form, and the unchanged id, as posts may share the normal form.
  private func guidKeys(_ keys: DocumentKeys, _ index: Int) -> [Int64?] {
    let ids = keys.compared.ids
    return [quality.usable[index].guidForm, keys.guidWithFragment, ids.guidForm, ids.guid].map { form in
      form.map { guidKey($0, keys) }
    }
  }

  private func guidKey(_ form: Int64, _ keys: DocumentKeys) -> Int64 {
    PostStore.guidKey(form, keys.compared.flags.contains(.global), salt: feed.salt)
  }

  // MARK: - Same id or link, another post

  /// Whether an id was given to another post: the title, the text and the day are other ones, or with another link less
  /// of it; or the link is that of another post.
  ///
  /// Some feeds number the posts of each document from 0, and some sites begin anew.
  private func isIDGivenAnew(_ keys: DocumentKeys, _ index: Int, _ post: StoredPost) throws -> Bool {
    if change.lasting.contains(.id), change.isReplaced(post) { return false }
    let likeness = Likeness(keys.compared, post.keys)
    // A link that all posts of a document have is none, and one can have a number as the ids have.
    guard let link = quality.usable[index].link, let before = post.keys.ids.link, link != before,
      keys.linkWithFragment != before
    else { return likeness.isAnother }
    if let isOther = likeness.isAnotherWithOtherLink { return isOther }
    let isAnothers = "post.link = ? AND post.id <> ?"
    return try store.post(withKey: link, inFeed: feed.number, where: isAnothers, [link, post.number]) != nil
  }

  /// Whether an equal link is sufficient.
  ///
  /// Title, day and text must not all be others; beside another id, some content has to be the same, unless the whole
  /// feed has changed its ids: a page may show one post after another.
  private func isLinkEnough(_ keys: DocumentKeys, _ index: Int, _ post: StoredPost) -> Bool {
    if change.lasting.contains(.link), quality.usable[index].guid == nil, change.isReplaced(post) { return true }
    let likeness = Likeness(keys.compared, post.keys)
    let isOtherID = quality.usable[index].guid.flatMap { guid in post.keys.ids.guid.map { $0 != guid } } ?? false
    if !isOtherID, quality.usable[index].guid != nil, post.keys.ids.guid != nil { return !likeness.isAnother }
    guard isOtherID, feed.level == .guid, !isRotated else { return !likeness.isOtherPost }
    let hasText = keys.compared.text.digest != nil && post.keys.text.digest != nil
    if likeness.isSameTitle, !hasText || likeness.isAlike { return true }
    return keys.compared.markup == post.keys.markup || likeness.isSameText || likeness.similarity ?? 0 >= 0.5
  }

  // MARK: - Evidence

  /// Whether a post has no usable id or link.
  func isKeyless(_ index: Int) -> Bool { !quality.isNamed(index, feed.level) }

  /// Whether a deleted post may be recognized by a rule other than its id or link: by its whole content, if it has
  /// neither.
  private func mayBeBuried(_ keys: DocumentKeys, _ index: Int, _ rule: Rule) -> Bool {
    isKeyless(index) && (rule == .whole || keys.compared.text.digest != nil)
  }

  private func evidence(
    _ keys: DocumentKeys, _ index: Int, _ rule: Rule, except claimed: Set<PostNumber>
  ) throws -> StoredPost? {
    func candidates(_ digests: [Int64], _ condition: String, _ value: Int64) throws -> [StoredPost] {
      try digests.flatMap { digest in
        try store.posts(withKey: digest, inFeed: feed.number, where: condition, [value])
      }
    }
    let isAlone = isKeyless(index)
    let new = keys.compared
    let found: [StoredPost]
    switch rule {
    case .whole:
      guard isAlone else { return nil }
      let key = PostStore.wholeKey(keys.whole, salt: feed.salt)
      found = try candidates([key], "post.title = ?", new.title).filter { isWhole($0.keys, new) }
    case .file:
      guard let file = quality.usable[index].file, isAlone || new.date != nil else { return nil }
      let all = try candidates([file], "post.file = ?", file)
      // A file that several stored posts share (a jingle, a logo) does not identify any of them.
      found = all.count > 1 ? [] : all.filter { isSameByFile(Likeness(new, $0.keys), isAlone) }
    case .titleDay:
      guard isAlone || !(new.date == nil && quality.isShared(new.text.digest)) else { return nil }
      let key = PostStore.wordsKey(new, salt: feed.salt)
      let all = try candidates([key], "post.title = ?", new.title).filter {
        try isSameByTitle(Likeness(new, $0.keys), isAlone, isRotated && !isNewLink(index, besides: $0))
      }
      // Title, text and time that several stored posts share ("Order of the court") identify none that has a name.
      found = all.count > 1 && !isAlone ? [] : all
    default:
      guard let text = new.text.digest, !quality.isShared(text) else { return nil }
      let all = try Set(candidates(new.text.landmarks, "post.text = ?", text))
      // A text that several stored posts share does not identify any of them.
      found = all.count > 1 ? [] : all.filter { isSameByText($0, Likeness(new, $0.keys)) }
    }
    // Posts that say nothing but what several others say are not told apart by it.
    if new.text.digest == nil, found.count > 1 { return nil }
    return found.first { !claimed.contains($0.number) }
  }

  /// Whether a post has another link than a stored one, and one that no stored post has.
  private func isNewLink(_ index: Int, besides post: StoredPost) throws -> Bool {
    guard let link = quality.usable[index].link, let before = post.keys.ids.link, link != before else { return false }
    return try store.post(withKey: link, inFeed: feed.number, where: "post.link = ?", [link]) == nil
  }

  private func isWhole(_ post: PostKeys, _ keys: PostKeys) -> Bool {
    post.text.digest == keys.text.digest && post.markup == keys.markup && post.ids.file == keys.ids.file
  }

  private func isSameByFile(_ likeness: Likeness, _ isAlone: Bool) -> Bool {
    guard likeness.one.date == likeness.other.date else { return false }
    if likeness.isSameTitle { return true }
    guard likeness.isSameText, !quality.isShared(likeness.one.text.digest) else { return false }
    return isAlone
  }

  /// - Parameters:
  ///   - likeness: the post and the stored one.
  ///   - isAlone: whether the post has no usable id or link.
  ///   - isFree: whether those that it has say nothing against the stored one.
  /// - Returns: whether title, text and time are evidence enough that they are one.
  private func isSameByTitle(_ likeness: Likeness, _ isAlone: Bool, _ isFree: Bool) -> Bool {
    let (keys, post) = (likeness.one, likeness.other)
    guard post.text.digest == keys.text.digest, !likeness.isOtherFile else { return false }
    guard post.text.digest != nil else { return false }
    if isAlone || isFree, post.date == keys.date { return true }
    return isAlone || likeness.isSameTime && keys.text.words >= TextForm.fewestWords
  }

  private func isSameByText(_ post: StoredPost, _ likeness: Likeness) -> Bool {
    guard !likeness.isOtherFile else { return false }
    let (new, old) = (likeness.one, likeness.other)
    if new.title == old.title {
      if new.title == 0 { return likeness.isSameTime || old.markup == new.markup }
      guard let one = new.date, let other = old.date else { return true }
      return Sameness.areNear(one, other)
    }
    // With another title, the date must be the same to the second, and the titles must share words.
    guard TitleForm.numbersAgree(old.titleWords, new.titleWords) else { return false }
    if isRewritten(post, likeness) { return true }
    return likeness.isSameTime && TitleForm.haveMuchInCommon(old.titleWords, new.titleWords)
  }

  /// Whether a post with the same text takes the place of one that the document before had, on the same day.
  private func isRewritten(_ post: StoredPost, _ likeness: Likeness) -> Bool {
    let areDated = likeness.one.date != nil && likeness.other.date != nil
    return isGone(post) && likeness.one.text.words >= TextForm.fewestWords && areDated && !likeness.isOtherDay
  }

  /// Whether the document before had a post; those that this one has too were found before.
  private func isGone(_ post: StoredPost) -> Bool { post.missed == .never || post.missed == feed.pending }
}
