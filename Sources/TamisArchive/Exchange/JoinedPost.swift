/// A post joined from the records of two archives.
struct JoinedPost {
  let record: PostRecord

  /// Joins two records.
  ///
  /// The content is that of the archive that saw the post last, or the greater one when both saw it at the same moment.
  /// For each moment the least or the greatest counts. Id and keys are those of the archive that saw the post first.
  init(_ ours: PostRecord, joinedWith theirs: PostRecord) {
    let isOurs = !Self.version(ours).lexicographicallyPrecedes(Self.version(theirs))
    var joined = isOurs ? ours : theirs
    let earlier = Self.beginning(ours) <= Self.beginning(theirs) ? ours : theirs
    (joined.name, joined.position, joined.first) = (earlier.name, earlier.position, earlier.first)
    joined.flags = joined.flags & ~Self.backfill | earlier.flags & Self.backfill
    joined.last = max(ours.last, theirs.last)
    joined.changed = max(ours.changed, theirs.changed)
    joined.read = max(ours.read, theirs.read)
    joined.forgotten = max(ours.forgotten, theirs.forgotten)
    // A post that was purged and has reappeared since is present.
    let purged = max(ours.purged, theirs.purged)
    joined.purged = joined.html != nil && joined.last > purged ? 0 : purged
    if ours.content == theirs.content, ours.day != theirs.day {
      joined.day = SortDate.earliest(ours.day, theirs.day)
    }
    let wordings = Dictionary((ours.wordings + theirs.wordings).map { ($0.digest, $0) }) { min($0, $1) }
    joined.wordings = wordings.values.sorted { $0.digest < $1.digest }
    joined.keys = Array(Set(ours.keys + theirs.keys)).sorted()
    if joined.forgotten != 0 || joined.purged != 0 { (joined.html, joined.rules, joined.details) = (nil, nil, nil) }
    record = joined
  }

  private static let backfill = StoredPost.Flags.backfill.rawValue

  /// Returns numbers whose order tells which version of a post is later, or greater when both were seen at the same
  /// moment.
  private static func version(_ post: PostRecord) -> [Int64] {
    let keys = post.ids.values + [post.text, post.date]
    let numbers: [Int64] = [
      post.last, post.content, post.markup, post.title, Int64(post.words), post.numbers, post.flags,
    ]
    // The body is compared last: joining with a deleted post drops it, and the version has to stay the same.
    return numbers + keys.flatMap { key -> [Int64] in [key == nil ? 0 : 1, key ?? 0] } + [post.html == nil ? 0 : 1]
  }

  private static func beginning(_ post: PostRecord) -> Beginning {
    Beginning(first: post.first, name: post.name, position: post.position)
  }

  private struct Beginning: Comparable {
    var first: Int64
    var name: String
    var position: Int

    static func < (lhs: Beginning, rhs: Beginning) -> Bool {
      (lhs.first, lhs.name, lhs.position) < (rhs.first, rhs.name, rhs.position)
    }
  }
}
