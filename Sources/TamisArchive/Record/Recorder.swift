import GRDB
import TamisCore
import TamisDigest
import TamisFiles

/// Decides about the posts of one document and writes what it decided, within one transaction.
struct Recorder {
  /// As many unknown posts in a known feed may be an old archive.
  private static let fewestForBackfill = 3

  let store: PostStore
  let cards: CardStore
  let changes: ChangeLog
  private let packer: Packer
  let moment: Moment
  let options: IngestOptions
  private var feed: StoredFeed
  private let salt: Int64
  private let recording: RecordedDocument
  private let posts: [PostKeys]
  private let isFirstSight: Bool
  /// Whether no post of the feed is known, so that none need be looked for.
  private let isEmpty: Bool
  private let unsettle: Statement

  /// - Parameter run: the moment of the run; a feed that was seen in it already is seen in the next.
  init(_ recording: RecordedDocument, _ database: Database, run: Moment, options: IngestOptions, packer: Packer) throws
  {
    store = PostStore(database: database)
    cards = CardStore(database: database)
    changes = try ChangeLog(database)
    self.packer = packer
    var feed = try StoredFeed.find(recording.card, database, at: run)
    let observations = Observations(database: database, feed: feed.number)
    isFirstSight = feed.first == run
    moment = try observations.add(recording, at: run, to: &feed)
    self.feed = feed
    self.recording = recording
    self.options = options
    salt = feed.salt
    posts = recording.posts.map(\.keys)
    isEmpty = try isFirstSight && store.postsHere(feed: feed.number).isEmpty
    unsettle = try database.cachedStatement(sql: "INSERT OR IGNORE INTO unsettled VALUES (?)")
  }

  mutating func record() throws -> [Verdict] {
    let quality = KeyQuality(posts)
    let isWhole = recording.ending.isComplete
    // What was cut off may show ids that are good in the whole as bad.
    if options.keys == .ladder, quality.hasBadGUIDs, isWhole { feed.level = max(feed.level, .link) }
    let document = DocumentIdentities(posts, quality: quality, level: feed.level, policy: options.keys)
    let matches = try match(document)
    let archive = try oldArchive(document, matches)
    var verdicts: [Verdict] = []
    for index in posts.indices {
      let survivor = document.survivors[index]
      guard survivor == index else {
        verdicts.append(Verdict(decision: .duplicate(of: survivor), rule: document.identities[index].rule))
        continue
      }
      var verdict =
        if let match = matches[index] {
          try decide(index, document, match)
        } else if posts[index].isCutOff, isNameless(posts[index]) {
          // There is nothing of it yet, or what names it has not come: whole, it would be another post.
          Verdict(decision: .buried, rule: "cut-off")
        } else {
          try add(index, document, isBackfill: archive.contains(index))
        }
      if posts[index].isHeldBack, verdict.decision.isShown { verdict.decision = .heldBack }
      verdicts.append(verdict)
    }
    if isWhole, !posts.isEmpty {
      try miss(Set(verdicts.map(\.post)))
    } else if feed.pending != .never {
      feed.pending = try Observations(database: store.database, feed: feed.number).doubtful()
    }
    try writeFeed()
    return verdicts
  }

  private mutating func writeFeed() throws {
    let linked = posts.filter { $0.link != nil }
    let isAggregator = linked.count { !$0.isOwn } * 2 > linked.count
    if isAggregator != feed.isAggregator {
      // It is another post then that stands for others.
      try store.database.execute(
        sql:
          "INSERT OR IGNORE INTO unsettled SELECT DISTINCT post FROM same JOIN post ON post.id = same.post WHERE post.feed = ?",
        arguments: [feed.number])
    }
    feed.isAggregator = isAggregator
    try feed.write(store.database)
  }

  /// Whether a post that was cut off has nothing that tells what it is: no words but perhaps half an id, or no id and no link
  /// where the others have them.
  private func isNameless(_ post: PostKeys) -> Bool {
    if post.isUntitled, post.text.digest == nil { return true }
    return post.guid == nil && post.link == nil && posts.contains { $0.guid != nil || $0.link != nil }
  }

  // MARK: - Matching

  struct Match {
    var post: StoredPost
    var rule: String
  }

  /// For each post of the document the one that the archive knows it as.
  ///
  /// Each rule is asked for all posts before the next: a link is worth something only when no other post of the document
  /// has the id (rule K3 of the design).
  private func match(_ document: DocumentIdentities) throws -> [Int: Match] {
    guard !isEmpty else { return [:] }
    var finder = PostFinder(store: store, feed: feed, quality: document.quality)
    var matches: [Int: Match] = [:]
    var claimed: Set<PostNumber> = []
    // What was cut off comes last and by its names only, or by all that there is of it: its words are not all there.
    let survivors = posts.indices.filter { document.survivors[$0] == $0 && !posts[$0].isCutOff }
    let cutOff = posts.indices.filter { document.survivors[$0] == $0 && posts[$0].isCutOff }
    let named = survivors.filter { !finder.isKeyless($0) }
    let rules = options.keys == .seed ? [.seed] : PostFinder.Rule.ladder(from: feed.level)
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
        claimed.insert(post.number)
        matches[index] = Match(post: post, rule: rule.rawValue)
      }
    }
    for rule in rules where !rule.isEvidence || rule == .whole {
      for index in cutOff where matches[index] == nil {
        guard let post = try finder.find(posts[index], index, rule, except: claimed) else { continue }
        claimed.insert(post.number)
        matches[index] = Match(post: post, rule: rule.rawValue)
      }
    }
    return matches
  }

  // MARK: - Deciding

  /// A post that the archive knows.
  private func decide(_ index: Int, _ document: DocumentIdentities, _ match: Match) throws -> Verdict {
    let keys = posts[index]
    var post = match.post
    let isSameRun = post.first == moment
    if post.isForgotten { return verdict(.buried, match, post) }
    if post.isPurged {
      // The same id for something else is something new (rule K7 of the design).
      let isNewer = (keys.date ?? keys.updated ?? .min) > (post.date ?? .min)
      guard isNewer, post.text != keys.text.digest else { return verdict(.buried, match, post) }
      post.purged = .never
      post.first = moment
      try take(index, document, into: &post, from: match.post)
      return verdict(.new, match, post)
    }
    // The whole post is known; the part is not to take its place.
    if keys.isCutOff, !isSameRun {
      return verdict(.known, match, post)
    }
    let change = isSameRun ? nil : Decision.Change(from: post, to: keys)
    let isBack = post.missed != .never && post.missed != feed.pending
    if change == .major { post.changed = moment }
    try take(index, document, into: &post, from: match.post)
    if isSameRun { return verdict(post.flags.contains(.backfill) ? .backfill : .new, match, post) }
    if isBack { return verdict(.revived, match, post) }
    if let change { return verdict(.updated(change), match, post) }
    // A run that goes on says again what it has said.
    guard post.since == moment else { return verdict(.known, match, post) }
    return verdict(.updated(post.changed == moment ? .major : .minor), match, post)
  }

  private func verdict(_ decision: Decision, _ match: Match, _ post: StoredPost) -> Verdict {
    Verdict(decision: decision, rule: match.rule, post: post.number, name: post.name)
  }

  /// Takes over what the document says of a known post now, and writes it where that is something else.
  private func take(
    _ index: Int, _ document: DocumentIdentities, into post: inout StoredPost, from before: StoredPost
  ) throws {
    takeKeys(index, document, into: &post)
    post.missed = .never
    notePart(&post)
    if post.wording != before.wording {
      post.since = try Wordings(database: store.database).change(post, from: before, at: moment)
    }
    post.content = contentDigest(index)
    if post == before { return }
    if post.content != before.content || post.purged != before.purged {
      try changes.note(post.number)
      try write(index, of: post.number)
    }
    let isFoundOtherwise =
      before.guidForm != post.guidForm || before.link != post.link || before.file != post.file
      || before.title != post.title || before.text != post.text || before.date != post.date
    if isFoundOtherwise || before.markup != post.markup || before.flags != post.flags || before.purged != post.purged {
      // What it was the same as may be so no more.
      for digest in PostStore.sharedKeys(of: before) {
        for other in try store.group(ofKey: digest) { try unsettle.execute(arguments: [other]) }
      }
      try unsettle.execute(arguments: [post.number])
    }
    try store.update(post, addingKeysWith: isFoundOtherwise ? salt : nil)
    try keepWhole(posts[index], of: post)
  }

  /// Of a whole document it shows in what it lacks.
  private func notePart(_ post: inout StoredPost) {
    if !recording.ending.isComplete { post.partial = feed.latest }
  }

  private func takeKeys(_ index: Int, _ document: DocumentIdentities, into post: inout StoredPost) {
    let quality = document.quality
    let keys = posts[index]
    post.take(keys, guidForm: quality.guidForms[index], link: quality.links[index])
    // An id that several posts share says nothing of any.
    if options.keys == .seed {
      (post.guidForm, post.link) = (keys.guidForm, keys.linkWithFragment)
    } else if quality.guids[index] == nil {
      post.guid = nil
    }
    // Which is kept as one.
    post.guidForm = post.guidForm ?? post.guid
  }

  /// What has neither id nor link is found by all that it says.
  private func keepWhole(_ keys: PostKeys, of post: StoredPost) throws {
    guard post.link == nil, post.guid == nil || feed.level > .guid else { return }
    try store.addKeys([PostStore.wholeKey(keys.whole, salt: salt)], to: post.number)
    if recording.twinSlug != nil {
      try store.database.cachedStatement(sql: "UPDATE origin SET whole = ? WHERE post = ?")
        .execute(arguments: [keys.whole, post.number])
    }
  }

  /// A post that the archive does not know.
  private func add(_ index: Int, _ document: DocumentIdentities, isBackfill: Bool) throws -> Verdict {
    let (keys, card) = (posts[index], recording.posts[index].card)
    var post = StoredPost()
    (post.feed, post.first, post.since) = (feed.number, moment, moment)
    takeKeys(index, document, into: &post)
    notePart(&post)
    if isBackfill { post.flags.insert(.backfill) }
    post.position = index
    post.content = contentDigest(index)
    let identity = try freeIdentity(document.identities[index])
    post.id = PostID(identity, inFeed: feed.key)
    post.name = "\(keys.name)-\(post.id)"
    let place = PlaceInTime(card.published, day: recording.day).seconds
    post.number = try store.insert(post, place: place, salt: salt)
    if recording.twinSlug != nil {
      try store.database.cachedStatement(sql: "INSERT INTO origin VALUES (?, ?, NULL)")
        .execute(arguments: [post.number, identity])
    }
    try keepWhole(keys, of: post)
    try write(index, of: post.number, isNew: true)
    try unsettle.execute(arguments: [post.number])
    return Verdict(decision: isBackfill ? .backfill : .new, rule: "none", post: post.number, name: post.name)
  }

  /// What names a post in its feed: its id may be that of a post which has another key by now, or is taken for another.
  private func freeIdentity(_ identity: DocumentIdentities.Identity) throws -> String {
    var attempt = 0
    while true {
      let text = "\(identity.rule) \(identity.value)" + (attempt == 0 ? "" : " \(attempt)")
      if try store.post(PostID(text, inFeed: feed.key), inFeed: feed.number) == nil { return text }
      attempt += 1
    }
  }

  // MARK: - Cards and bodies

  private func contentDigest(_ index: Int) -> Int64 {
    recording.posts[index].contentDigest(rules: recording.rules)
  }

  private func write(_ index: Int, of number: PostNumber, isNew: Bool = false) throws {
    let post = recording.posts[index]
    var day = recording.day
    if !isNew, let known = try cards.dates(of: number), known.published == post.card.published {
      // A place that was found for a post stays as long as it has the same date.
      day = known.day
    }
    if !isNew {
      let place = PlaceInTime(post.card.published, day: day).seconds
      try store.database.cachedStatement(sql: "UPDATE post SET place = ? WHERE id = ?")
        .execute(arguments: [place ?? CardStore.undated, number])
      try unsettle.execute(arguments: [number])
    }
    try cards.write(post.card, of: number, slugs: post.slugs, day: day)
    try cards.write(post.content.string, post.details, of: number, rules: recording.rules, packer)
  }

  // MARK: - What is old, and what has left

  /// The unknown posts of a known feed that are an archive which came all at once (rule K8): most of the document, and older
  /// than the middle one of the posts that were there, which no date that lies far ahead can move much.
  ///
  /// Posts without a date are old when they stand below known ones, or when the dated ones are an archive already: nothing
  /// else tells them from posts that were written since.
  private func oldArchive(_ document: DocumentIdentities, _ matches: [Int: Match]) throws -> Set<Int> {
    guard !isFirstSight else { return [] }
    let survivors = posts.indices.filter { document.survivors[$0] == $0 }
    let unknown = survivors.filter { index in matches[index].map { $0.post.first == moment } ?? true }
    guard isMost(unknown.count, of: survivors.count) else { return [] }
    let middle = try store.middleDate(feed: feed.number, before: moment)
    let isUnknown = Set(unknown)
    let firstKnown = survivors.first { !isUnknown.contains($0) } ?? posts.endIndex
    let dated = unknown.filter { index in posts[index].date.flatMap { date in middle.map { date < $0 } } ?? false }
    let isArchive = isMost(dated.count, of: survivors.count)
    let undated = unknown.filter { posts[$0].date == nil && (isArchive || $0 > firstKnown) }
    return isMost(dated.count + undated.count, of: survivors.count) ? Set(dated + undated) : []
  }

  private func isMost(_ count: Int, of all: Int) -> Bool { count >= Self.fewestForBackfill && count * 2 > all }

  /// Notes which posts are no longer there.
  ///
  /// Nothing is concluded from a document that is empty or cut off, nor from one that lacks nearly everything until a second look
  /// says the same (rule K7 of the design).
  private mutating func miss(_ seen: Set<PostNumber>) throws {
    let here = try store.postsHere(feed: feed.number)
    let missing = here.filter { !seen.contains($0) }
    feed.pending = .never
    if options.purge == .seed {
      let burial = try Burial(store.database)
      for number in missing { try burial.remove(number) }
      return
    }
    for number in missing { try store.setMissed(number, moment) }
    if Observations.isSudden(missing: missing.count, of: here.count) { feed.pending = moment }
  }
}
