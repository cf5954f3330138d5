/// The posts of a document that came without their words (Tamis.docc/HowAPostIsRecognized.md, K6).
///
/// A template that fails leaves all bodies empty, or writes one error line into each; a setting of the publishing
/// system cuts all of them short. The stored words would be lost for good.
struct LostBodies {
  /// The indices of the posts.
  let indices: Set<Int>

  /// The minimum number of damaged posts at which a document is damaged, not one post shortened by its author.
  private static let fewest = 3
  /// The minimum number of words of a text that counts as cut short.
  private static let fewestWords = 16

  /// Finds the posts.
  ///
  /// - Parameters:
  ///   - posts: the keys of the document's posts.
  ///   - stored: the stored posts with which they were matched, by their indices.
  ///   - quality: what the document's posts have in common.
  init(_ posts: [DocumentKeys], _ stored: [Int: StoredPost], _ quality: KeyQuality) {
    let isDated = Set(posts.map(\.compared.date)).count > 1 || posts.count == 1
    let worded = stored.filter { index, post in
      post.keys.text.words > 0 && !post.isBuried && !posts[index].isCutOff
        && Self.isSame(posts[index].compared, quality.usable[index], post, isDated: isDated)
    }
    let empty = worded.keys.map { ($0, posts[$0].compared) }.filter {
      $1.text.digest == nil && $1.markup == PostKeys.emptyMarkup
    }.map(\.0)
    var markups: [Int64: Int] = [:]
    for keys in posts { markups[keys.compared.markup, default: 0] += 1 }
    let damaged = worded.filter { index, post in
      let keys = posts[index].compared
      if keys.text.digest == post.keys.text.digest { return false }
      return Self.isCutShort(keys.text, post.keys.text)
        || keys.text.digest.map(quality.isShared) ?? (markups[keys.markup] ?? 0 > 1)
    }.keys
    let isMost = damaged.count >= Self.fewest && damaged.count * 2 > worded.count
    let lost = damaged.filter { index in
      guard !isMost, let post = stored[index] else { return true }
      // A feed that goes on with teasers has fewer and fewer posts that had more; another has one full text at a time.
      return post.keys.flags.contains(.kept)
        || posts[index].endsOpen && Self.isCutShort(posts[index].compared.text, post.keys.text)
    }
    indices = Set(empty).union(lost)
  }

  /// Whether a post has less than half of its words.
  private static func isCutShort(_ text: TextForm, _ before: TextForm) -> Bool {
    before.words >= fewestWords && text.words * 2 < before.words
  }

  /// Whether title, address and date are those of before: an author who takes words back, or gives an id to another
  /// post, changes more than the words.
  ///
  /// - Parameters:
  ///   - keys: the keys of the post in the document.
  ///   - ids: its usable identifiers.
  ///   - post: the stored post.
  ///   - isDated: whether the dates are those of the posts, not that of the document.
  /// - Returns: whether the title, the address and the date are the same.
  private static func isSame(_ keys: PostKeys, _ ids: PostIdentifiers, _ post: StoredPost, isDated: Bool) -> Bool {
    let hasSameID = ids.guid == post.keys.ids.guid
    let hasSameAddress = ids.link == post.keys.ids.link && (ids.link != nil || ids.guid != nil && hasSameID)
    guard keys.title == post.keys.title, hasSameAddress else { return false }
    if keys.date == nil, post.keys.date == nil { return hasSameID }
    guard hasSameID, isDated, let areNear = Likeness(keys, post.keys).areDatesNear else {
      return keys.date == post.keys.date || hasSameID && !isDated
    }
    return areNear
  }
}
