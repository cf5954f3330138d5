import GRDB

/// Finds the post that a document's post is, among those of its feed.
struct PostFinder {
  /// By what a post is recognized, as verdicts name it.
  enum Rule: String, CaseIterable {
    case guid
    case guidForm = "guid-form"
    case link
    case file
    case titleDay = "title-day"
    case text
    case seed

    /// The rules for a feed whose keys are good down to a level.
    static func ladder(from level: KeyLevel) -> [Rule] {
      let rest: [Rule] = level == .text ? [.file, .titleDay, .text] : [.link, .file, .titleDay, .text]
      return level == .guid ? [.guid, .guidForm] + rest : rest
    }
  }

  let store: PostStore
  let feed: StoredFeed
  let quality: KeyQuality

  /// - Parameter claimed: posts that others of the document are already.
  func find(_ keys: PostKeys, _ index: Int, _ rule: Rule, except claimed: Set<Int64>) throws -> StoredPost? {
    func among(_ digests: [Int64?], _ condition: String, _ arguments: StatementArguments) throws -> StoredPost? {
      for digest in Set(digests.compactMap { $0 }).sorted() {
        let found = try store.post(
          withKey: digest, inFeed: feed.id, where: condition, arguments,
          isShared: rule == .file || rule == .text, except: claimed)
        if let found { return found }
      }
      return nil
    }
    switch rule {
    case .guid:
      guard let guid = quality.guids[index] else { return nil }
      return try among(guidKeys(keys, index), "post.guid = ?", [guid])
    case .guidForm:
      guard quality.guids[index] != nil else { return nil }
      let forms = [quality.guidForms[index], keys.guidWithFragment]
      return try among(
        guidKeys(keys, index), "coalesce(post.guidForm, post.guid) IN (?, ?)", StatementArguments(forms))
    case .link:
      guard let link = quality.links[index] else { return nil }
      let forms = [link, keys.linkWithFragment]
      var (condition, arguments) = ("post.link IN (?, ?)", StatementArguments(forms))
      if feed.level >= .linkAndDate {
        (condition, arguments) = (condition + " AND post.date IS ?", arguments + [keys.date])
      }
      if feed.level >= .linkDateAndTitle {
        (condition, arguments) = (condition + " AND post.title = ?", arguments + [keys.title])
      }
      return try among(forms, condition, arguments)
    case .file:
      guard let file = keys.file, let date = keys.date else { return nil }
      return try among([file], "post.file = ? AND post.date = ?", [file, date])
    case .titleDay:
      let key = PostStore.wordsKey(title: keys.title, date: keys.date, text: keys.text.digest, feed: feed.id)
      return try among([key], "post.title = ? AND post.text IS ?", [keys.title, keys.text.digest])
    case .text:
      guard let text = keys.text.digest else { return nil }
      return try among(keys.text.landmarks, "post.text = ?", [text])
    case .seed: return try seed(keys, among)
    }
  }

  private func seed(
    _ keys: PostKeys, _ among: ([Int64?], String, StatementArguments) throws -> StoredPost?
  ) throws -> StoredPost? {
    if let guid = keys.guid {
      return try among(
        [PostStore.guidKey(keys.guidForm ?? guid, keys.isGlobal, feed: feed.id)], "post.guid = ?", [guid])
    }
    if let link = keys.linkWithFragment { return try among([link], "post.link = ?", [link]) }
    return try store.posts(where: "feed = ? AND guid IS NULL AND link IS NULL LIMIT 1", [feed.id]).first
  }

  /// All under which an id may be kept: as it is too, where its normal form is shared.
  private func guidKeys(_ keys: PostKeys, _ index: Int) -> [Int64?] {
    [quality.guidForms[index], keys.guidWithFragment, keys.guidForm, keys.guid].map { form in
      form.map { PostStore.guidKey($0, keys.isGlobal, feed: feed.id) }
    }
  }
}
