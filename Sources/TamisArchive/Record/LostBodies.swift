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
  init(_ posts: [PostKeys], _ stored: [Int: StoredPost], _ quality: KeyQuality) {
    let worded = stored.filter { $1.words > 0 && !$1.isBuried && !posts[$0].isCutOff }
    // With another file it is another episode.
    let empty = worded.filter { index, post in
      let keys = posts[index]
      return keys.text.digest == nil && keys.markup == PostKeys.emptyMarkup && keys.ids.file == post.ids.file
    }.keys
    let damaged = worded.filter { index, post in
      let text = posts[index].text
      let isCutShort = post.words >= Self.fewestWords && text.words * 2 < post.words
      return isCutShort || text.digest != post.text && quality.isShared(text.digest)
    }.keys
    let isMost = damaged.count >= Self.fewest && damaged.count * 2 > worded.count
    // Of a feed that goes on with teasers, fewer and fewer posts have had more.
    indices = Set(empty).union(damaged.filter { isMost || stored[$0]?.flags.contains(.kept) == true })
  }
}
