import GRDB
import TamisDigest

/// Decides about the posts of one document and writes what it decided, within one transaction.
struct Recorder {
  /// Of a sudden gap of more than this share a second run has to know too.
  private static let largestDrop = 0.8
  /// Of fewer posts a gap says nothing.
  private static let fewestForDrop = 5
  /// As many unknown posts in a known feed may be an old archive.
  private static let fewestForBackfill = 3

  let store: PostStore
  let run: Int64
  let keyPolicy: KeyPolicy
  let purge: PurgePolicy
  private var feed: StoredFeed
  private let feedKey: String
  private let isFirstSight: Bool

  init(feed key: String, _ database: Database, run: Int64, keys: KeyPolicy, purge: PurgePolicy) throws {
    store = PostStore(database: database)
    feed = try StoredFeed.find(key, database, run: run)
    feedKey = key
    self.run = run
    keyPolicy = keys
    self.purge = purge
    // Also in a run that was cut short and goes on.
    isFirstSight = feed.first == run
  }

  /// - Parameter isWhole: whether the document was read to its end.
  mutating func record(_ posts: [PostKeys], isWhole: Bool) throws -> [Verdict] {
    let quality = KeyQuality(posts)
    if keyPolicy == .ladder, quality.hasBadGUIDs { feed.level = max(feed.level, .link) }
    let document = DocumentIdentities(posts, quality: quality, level: feed.level, policy: keyPolicy)
    let matches = try match(posts, document)
    let archive = oldArchive(posts, document, matches)
    var verdicts: [Verdict] = []
    var names: Set<String> = []
    for index in posts.indices {
      let survivor = document.survivors[index]
      guard survivor == index else {
        verdicts.append(
          Verdict(
            decision: .duplicate(of: survivor), rule: document.identities[index].rule, post: 0, name: "", memo: ""))
        continue
      }
      let verdict =
        if let match = matches[index] {
          try decide(posts[index], index, document, match)
        } else {
          try add(posts[index], index, document, isBackfill: archive.contains(index), &names)
        }
      verdicts.append(verdict)
    }
    try settle(Set(verdicts.map(\.post)), isWhole: isWhole && !posts.isEmpty)
    feed.newest = max(feed.newest ?? .min, posts.compactMap(\.date).max() ?? .min)
    if feed.newest == .min { feed.newest = nil }
    let linked = posts.filter { $0.link != nil }
    try feed.write(isAggregator: linked.count { !$0.isOwn } * 2 > linked.count, store.database)
    return verdicts
  }

  // MARK: - Matching

  struct Match {
    var post: StoredPost
    var rule: String
  }

  /// For each post of the document the one that the index knows it as.
  ///
  /// Each rule is asked for all posts before the next: a link is worth something only when no other post of the document
  /// has the id (rule K3 of the design).
  private func match(_ posts: [PostKeys], _ document: DocumentIdentities) throws -> [Int: Match] {
    let finder = PostFinder(store: store, feed: feed, quality: document.quality)
    var matches: [Int: Match] = [:]
    var claimed: Set<Int64> = []
    let survivors = posts.indices.filter { document.survivors[$0] == $0 }
    for rule in keyPolicy == .seed ? [.seed] : PostFinder.Rule.ladder(from: feed.level) {
      for index in survivors where matches[index] == nil {
        guard let post = try finder.find(posts[index], index, rule, except: claimed) else { continue }
        claimed.insert(post.id)
        matches[index] = Match(post: post, rule: rule.rawValue)
      }
    }
    return matches
  }

  // MARK: - Deciding

  /// A post that the index knows.
  private func decide(_ keys: PostKeys, _ index: Int, _ document: DocumentIdentities, _ match: Match) throws -> Verdict
  {
    var post = match.post
    let isSameRun = post.first == run
    if post.flags.contains(.forgotten) { return verdict(.buried, match, post) }
    if post.flags.contains(.purged) {
      // The same id for something else is something new (rule K7 of the design).
      let isNewer = (keys.date ?? keys.updated ?? .min) > (post.date ?? .min)
      guard isNewer, post.text != keys.text.digest else { return verdict(.buried, match, post) }
      post.flags.remove(.purged)
      post.first = run
      post.gone = 0
      take(keys, index, document, into: &post)
      try store.update(post, landmarks: keys.text.landmarks)
      return verdict(.new, match, post)
    }
    // The whole post is known; the part is not to take its place.
    if keys.isCutOff, !isSameRun { return verdict(.known, match, post) }
    let change = isSameRun ? nil : Decision.Change(from: post, to: keys)
    let isBack = post.gone != 0
    let before = post
    take(keys, index, document, into: &post)
    post.gone = 0
    if let change, change != .cosmetic { post.changed = run * 4 + (change == .major ? 2 : 1) }
    if change == .major { post.flags.remove(.read) }
    if post != before {
      let isFoundOtherwise =
        before.guidForm != post.guidForm || before.link != post.link || before.file != post.file
        || before.title != post.title || before.text != post.text || before.date != post.date
      try store.update(post, landmarks: isFoundOtherwise ? keys.text.landmarks : nil)
      if before.guid != post.guid || before.link != post.link { try store.keepName(of: post) }
    }
    if isSameRun { return verdict(post.flags.contains(.backfill) ? .backfill : .new, match, post) }
    if isBack { return verdict(.revived, match, post) }
    if let change { return verdict(.updated(change), match, post) }
    // A run that goes on says again what it has said.
    let said: Decision = post.changed / 4 == run ? .updated(post.changed % 4 == 2 ? .major : .minor) : .known
    return verdict(said, match, post)
  }

  private func verdict(_ decision: Decision, _ match: Match, _ post: StoredPost) -> Verdict {
    Verdict(decision: decision, rule: match.rule, post: post.id, name: post.name, memo: post.memo)
  }

  private func take(_ keys: PostKeys, _ index: Int, _ document: DocumentIdentities, into post: inout StoredPost) {
    let quality = document.quality
    post.take(keys, guidForm: quality.guidForms[index], link: quality.links[index])
    // An id that several posts share says nothing of any.
    if keyPolicy == .seed {
      (post.guidForm, post.link) = (keys.guidForm, keys.linkWithFragment)
    } else if quality.guids[index] == nil {
      post.guid = nil
    }
  }

  /// A post that the index does not know.
  private func add(
    _ keys: PostKeys, _ index: Int, _ document: DocumentIdentities, isBackfill: Bool, _ names: inout Set<String>
  ) throws -> Verdict {
    var post = StoredPost()
    post.feed = feed.id
    post.first = run
    take(keys, index, document, into: &post)
    if isBackfill { post.flags.insert(.backfill) }
    let digits = SHA256("\(feedKey)\n\(document.identities[index].rule) \(document.identities[index].value)").hex
    post.name = "\(keys.name)-\(digits.prefix(12))"
    // The name may be that of a post which has another id by now.
    for length in stride(from: 16, through: digits.count, by: 4) {
      if try !names.contains(post.name) && !store.hasPage(post.name, feed: feed.id) { break }
      post.name = "\(keys.name)-\(digits.prefix(length))"
    }
    names.insert(post.name)
    let id = try store.insert(post, landmarks: keys.text.landmarks)
    return Verdict(
      decision: isBackfill ? .backfill : .new, rule: "none", post: id, name: post.name,
      memo: post.memo)
  }

  /// The unknown posts that are older than what is known of a known feed, or without a date, if they are most of the
  /// document (rule K8): an archive that came all at once.
  private func oldArchive(_ posts: [PostKeys], _ document: DocumentIdentities, _ matches: [Int: Match]) -> Set<Int> {
    guard !isFirstSight else { return [] }
    let survivors = posts.indices.filter { document.survivors[$0] == $0 }
    let old = survivors.filter { index in
      guard matches[index].map({ $0.post.first == run }) ?? true else { return false }
      guard let date = posts[index].date else { return true }
      return feed.newest.map { date < $0 } ?? false
    }
    return old.count >= Self.fewestForBackfill && old.count * 2 > survivors.count ? Set(old) : []
  }

  // MARK: - What has left

  /// Notes which posts are no longer there.
  ///
  /// Nothing is concluded from a document that is empty or cut off, nor from one that lacks nearly everything until a second
  /// run says the same (rule K7 of the design).
  private mutating func settle(_ seen: Set<Int64>, isWhole: Bool) throws {
    guard isWhole else { return }
    let here = try store.postsHere(feed: feed.id)
    let missing = here.filter { !seen.contains($0) }
    let isSudden =
      purge != .seed && here.count >= Self.fewestForDrop
      && Double(missing.count) > Self.largestDrop * Double(here.count)
    if isSudden, feed.pending == 0 || feed.pending == run {
      feed.pending = run
      return
    }
    feed.pending = 0
    for id in missing {
      if purge == .seed { try store.delete(id) } else { try store.setGone(id, run) }
    }
    if case .after(let runs) = purge { try bury(goneBefore: run - Int64(runs)) }
  }

  /// Leaves of posts that left long ago only what keeps them from coming back as new.
  private func bury(goneBefore limit: Int64) throws {
    let flags = StoredPost.Flags.purged.rawValue
    try store.database.execute(
      sql: "UPDATE post SET flags = flags | ?, sketch = NULL, fold = 0 WHERE feed = ? AND gone > 0 AND gone <= ?",
      arguments: [flags, feed.id, limit])
    // Others that were folded into them stand for themselves again.
    try store.database.execute(
      sql:
        "UPDATE post SET fold = 0 WHERE fold <> 0 AND fold IN (SELECT id FROM post WHERE flags & ? <> 0 AND flags & 7 <> 0)",
      arguments: [flags])
  }
}
