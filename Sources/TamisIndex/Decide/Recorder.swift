import GRDB
import TamisCore
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
  /// Whether no post of the feed is known, so that none need be looked for.
  private let isEmpty: Bool

  init(feed key: FeedKey, _ database: Database, run: Int64, keys: KeyPolicy, purge: PurgePolicy) throws {
    store = PostStore(database: database)
    feed = try StoredFeed.find(key, database, run: run)
    feedKey = key.text
    self.run = run
    keyPolicy = keys
    self.purge = purge
    // Also in a run that was cut short and goes on.
    isFirstSight = feed.first == run
    isEmpty = try isFirstSight && store.postsHere(feed: feed.id).isEmpty
  }

  /// - Parameter ending: how the document ended.
  mutating func record(_ posts: [PostKeys], ending: Ending) throws -> [Verdict] {
    let quality = KeyQuality(posts)
    // What was cut off may show ids that are good in the whole as bad.
    if keyPolicy == .ladder, quality.hasBadGUIDs, ending.isComplete { feed.level = max(feed.level, .link) }
    let document = DocumentIdentities(posts, quality: quality, level: feed.level, policy: keyPolicy)
    let matches = try match(posts, document)
    let archive = try oldArchive(posts, document, matches)
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
        } else if posts[index].isCutOff, Self.isNameless(posts[index], among: posts) {
          // There is nothing of it yet, or what names it has not come: whole, it would be another post.
          Verdict(decision: .buried, rule: "cut-off", post: 0, name: "", memo: "")
        } else {
          try add(posts[index], index, document, isBackfill: archive.contains(index), &names)
        }
      verdicts.append(verdict)
    }
    try settle(Set(verdicts.map(\.post)), isWhole: ending.isComplete && !posts.isEmpty)
    let linked = posts.filter { $0.link != nil }
    try feed.write(isAggregator: linked.count { !$0.isOwn } * 2 > linked.count, store.database)
    return verdicts
  }

  /// Whether a post that was cut off has nothing that tells what it is: no words but perhaps half an id, or no id and no link
  /// where the others have them.
  private static func isNameless(_ post: PostKeys, among posts: [PostKeys]) -> Bool {
    if post.isUntitled, post.text.digest == nil { return true }
    return post.guid == nil && post.link == nil && posts.contains { $0.guid != nil || $0.link != nil }
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
    guard !isEmpty else { return [:] }
    var finder = PostFinder(store: store, feed: feed, quality: document.quality)
    var matches: [Int: Match] = [:]
    var claimed: Set<Int64> = []
    // What was cut off comes last and by its names only, or by all that there is of it: its words are not all there.
    let survivors = posts.indices.filter { document.survivors[$0] == $0 && !posts[$0].isCutOff }
    let cutOff = posts.indices.filter { document.survivors[$0] == $0 && posts[$0].isCutOff }
    let named = survivors.filter { !finder.isKeyless($0) }
    let rules = keyPolicy == .seed ? [.seed] : PostFinder.Rule.ladder(from: feed.level)
    var unknown: Set<Int> = []
    for (step, rule) in rules.enumerated() {
      // What the first rule did not find is mostly new.
      if step == 1 {
        for index in survivors where matches[index] == nil {
          if try !store.isKnown(finder.allKeys(posts[index], index)) { unknown.insert(index) }
        }
      }
      if rule == .link || rule == .whole {
        finder.isRotated = named.count >= 2 && named.allSatisfy { matches[$0] == nil }
      }
      for index in survivors where matches[index] == nil && !unknown.contains(index) {
        guard let post = try finder.find(posts[index], index, rule, except: claimed) else { continue }
        claimed.insert(post.id)
        matches[index] = Match(post: post, rule: rule.rawValue)
      }
    }
    for rule in rules where !rule.isEvidence || rule == .whole {
      for index in cutOff where matches[index] == nil {
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
      try keepWhole(keys, of: post)
      if before.guid != post.guid || before.link != post.link { try store.keepName(of: post) }
    }
    if isSameRun { return verdict(post.flags.contains(.backfill) ? .backfill : .new, match, post) }
    if isBack { return verdict(.revived, match, post) }
    if let change { return verdict(.updated(change), match, post) }
    // A run that goes on says again what it has said.
    let said: Decision = post.changed / 4 == run ? .updated(post.changed % 4 == 2 ? .major : .minor) : .known
    return verdict(said, match, post)
  }

  /// What has neither id nor link is found by all that it says.
  private func keepWhole(_ keys: PostKeys, of post: StoredPost) throws {
    guard post.link == nil, post.guid == nil || feed.level > .guid else { return }
    try store.addKeys([PostStore.wholeKey(keys, salt: feed.salt)], to: post.id)
  }

  private func verdict(_ decision: Decision, _ match: Match, _ post: StoredPost) -> Verdict {
    Verdict(decision: decision, rule: match.rule, post: post.id, name: post.name, memo: post.memo(feed.level))
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
    let known = isEmpty ? [] : try store.ownKeys(of: post) + [PostStore.wholeKey(keys, salt: feed.salt)]
    // The name may be that of a post which has another id by now, or is taken for another.
    for length in stride(from: 16, through: digits.count, by: 4) {
      if try !names.contains(post.name) && (isEmpty || !store.hasPage(post.name, feed: feed.id, keys: known)) { break }
      post.name = "\(keys.name)-\(digits.prefix(length))"
    }
    names.insert(post.name)
    let id = try store.insert(post, landmarks: keys.text.landmarks)
    post.id = id
    try keepWhole(keys, of: post)
    return Verdict(
      decision: isBackfill ? .backfill : .new, rule: "none", post: id, name: post.name,
      memo: post.memo(feed.level))
  }

  /// The unknown posts of a known feed that are an archive which came all at once (rule K8): most of the document, and older
  /// than the middle one of the posts that were there, which no date that lies far ahead can move much.
  ///
  /// Posts without a date are old when they stand below known ones, or when the dated ones are an archive already: nothing
  /// else tells them from posts that were written since.
  private func oldArchive(
    _ posts: [PostKeys], _ document: DocumentIdentities, _ matches: [Int: Match]
  ) throws -> Set<Int> {
    guard !isFirstSight else { return [] }
    let survivors = posts.indices.filter { document.survivors[$0] == $0 }
    let unknown = survivors.filter { index in matches[index].map { $0.post.first == run } ?? true }
    guard isMost(unknown.count, of: survivors.count) else { return [] }
    let middle = try store.middleDate(feed: feed.id, before: run)
    let isUnknown = Set(unknown)
    let firstKnown = survivors.first { !isUnknown.contains($0) } ?? posts.endIndex
    let dated = unknown.filter { index in posts[index].date.flatMap { date in middle.map { date < $0 } } ?? false }
    let isArchive = isMost(dated.count, of: survivors.count)
    let undated = unknown.filter { posts[$0].date == nil && (isArchive || $0 > firstKnown) }
    return isMost(dated.count + undated.count, of: survivors.count) ? Set(dated + undated) : []
  }

  private func isMost(_ count: Int, of all: Int) -> Bool { count >= Self.fewestForBackfill && count * 2 > all }

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
