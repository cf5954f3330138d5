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
    func among(_ digests: [Int64?], _ isIt: (StoredPost) -> Bool) throws -> StoredPost? {
      for digest in Set(digests.compactMap { $0 }).sorted() {
        let found = try store.posts(withKey: digest).first { post in
          post.feed == feed.id && !claimed.contains(post.id) && isIt(post)
        }
        if let found { return found }
      }
      return nil
    }
    switch rule {
    case .guid:
      guard let guid = quality.guids[index] else { return nil }
      return try among(guidKeys(keys, index)) { $0.guid == guid }
    case .guidForm:
      guard quality.guids[index] != nil else { return nil }
      let forms = [quality.guidForms[index], keys.guidWithFragment]
      return try among(guidKeys(keys, index)) { post in post.guidForm.map { forms.contains($0) } ?? false }
    case .link:
      guard let link = quality.links[index] else { return nil }
      let forms = [link, keys.linkWithFragment]
      return try among(forms) { post in
        guard let known = post.link, forms.contains(known) else { return false }
        return (feed.level < .linkAndDate || post.date == keys.date)
          && (feed.level < .linkDateAndTitle || post.title == keys.title)
      }
    case .file:
      guard let file = keys.file, let date = keys.date else { return nil }
      return try among([file]) { $0.file == file && $0.date == date }
    case .titleDay:
      guard keys.text.landmarks.isEmpty else { return nil }
      let key = PostStore.titleKey(keys.title, date: keys.date, feed: feed.id)
      return try among([key]) { $0.title == keys.title && $0.text == keys.text.digest }
    case .text: return try among(keys.text.landmarks) { $0.text == keys.text.digest }
    case .seed: return try seed(keys, among)
    }
  }

  private func seed(
    _ keys: PostKeys, _ among: ([Int64?], (StoredPost) -> Bool) throws -> StoredPost?
  ) throws -> StoredPost? {
    if let guid = keys.guid {
      return try among([PostStore.guidKey(keys.guidForm ?? guid, keys.isGlobal, feed: feed.id)]) { $0.guid == guid }
    }
    if let link = keys.linkWithFragment { return try among([link]) { $0.link == link } }
    return try store.posts(where: "feed = ? AND guid IS NULL AND link IS NULL LIMIT 1", [feed.id]).first
  }

  private func guidKeys(_ keys: PostKeys, _ index: Int) -> [Int64?] {
    [quality.guidForms[index], keys.guidWithFragment, keys.guidForm].map { form in
      form.map { PostStore.guidKey($0, keys.isGlobal, feed: feed.id) }
    }
  }
}
