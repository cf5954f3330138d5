import GRDB
import TamisCore
import TamisSystem

/// Decides on the posts of one document and writes the decisions, within one transaction.
struct Recorder {
  /// The minimum number of unknown posts of a known feed for a backfill (Tamis.docc/HowAPostIsRecognized.md, K8).
  private static let fewestForBackfill = 3

  /// The distance between the positions of documents of a feed's history.
  private static let positionsOfDocument = 1_000_000

  let store: PostStore
  let cards: CardStore
  let changes: ChangeLog
  private let packer: Packer
  let moment: Moment
  let settings: SiteSettings
  private var feed: StoredFeed
  private let salt: Int64
  private var recording: RecordedDocument
  private var posts: [DocumentKeys]
  private let isFirstSight: Bool
  /// Whether no document of the feed was read in an earlier run.
  private let isFirstRead: Bool
  /// Whether the document is the one that was read last, with settings that give its posts other dates.
  private let readsDatesAnew: Bool
  /// Whether the settings that decide about words are others than those under which the feed was read last.
  private let hasOtherSettings: Bool
  /// Whether any of its settings is another.
  private let isReadOtherwise: Bool
  /// Whether the feed has no stored posts, so that no lookup is needed.
  private let isEmpty: Bool
  private let unsettled: RowWriter
  /// The date of the post before, in the order of the document, behind which a new one without a date stands.
  private var lastDate: Int64?
  private let isMostlyDated: Bool
  /// For a document of the feed's history: the moment of the first complete document, since which its posts are not in
  /// the present one.
  private var missedSince: Moment?

  /// Creates a recorder.
  ///
  /// - Parameters:
  ///   - recording: the document with its posts.
  ///   - database: the archive's database.
  ///   - run: the moment of the run; a feed that was already seen at that moment gets the next one.
  ///   - settings: how posts are recognized and kept.
  ///   - packer: the compressor of bodies.
  /// - Throws: `DatabaseError` when the database cannot be read or written.
  init(_ recording: RecordedDocument, _ database: Database, run: Moment, settings: SiteSettings, packer: Packer)
    throws
  {
    store = PostStore(database: database)
    cards = CardStore(database: database)
    changes = try ChangeLog(database)
    self.packer = packer
    var feed = try StoredFeed.find(recording.card, database, at: run)
    let observations = Observations(database: database, feed: feed.number)
    isFirstSight = feed.first == run
    isFirstRead = isFirstSight || feed.latest == .never
    let find = "SELECT reading FROM feed WHERE id = ?"
    let reading = try String.fetchOne(database.cachedStatement(sql: find), arguments: [feed.number])
    let dating = recording.source.reading.split(separator: " ").last
    readsDatesAnew =
      try reading.map { $0.split(separator: " ").last != dating } ?? false
      && observations.isLatest(recording.source.document, feed.latest)
    hasOtherSettings =
      reading.map { ReadSource.wording(of: $0) != ReadSource.wording(of: recording.source.reading) } ?? false
    isReadOtherwise = reading != recording.source.reading
    if recording.historyNumber == nil {
      moment = try observations.add(recording, at: run, to: &feed)
    } else {
      (moment, missedSince) = (run, try observations.firstWhole())
    }
    self.feed = feed
    self.recording = recording
    self.settings = settings
    salt = feed.salt
    posts = recording.posts.map(\.keys)
    isMostlyDated = posts.count { $0.compared.date != nil } * 2 > posts.count
    isEmpty = try isFirstSight && store.postsHere(feed: feed.number).isEmpty
    unsettled = try RowWriter(database, sql: "INSERT OR IGNORE INTO unsettled VALUES (?)")
  }

  mutating func record() throws -> [Verdict] {
    if recording.historyNumber != nil { return try recordHistory() }
    let quality = KeyQuality(posts)
    let isWhole = recording.ending.isComplete
    // In a cut-off document, good ids may appear bad.
    let change = try changeOfDocument(quality)
    if settings.keys == .ladder, isWhole, quality.hasBadGUIDs || change.hasRowIDs { feed.level = .link }
    let document = DocumentIdentities(posts, quality: quality, level: feed.level, policy: settings.keys)
    let matches = try match(document, change)
    let kept = try keepBodies(matches, quality)
    let backfilled = try backfilled(document, matches)
    var verdicts: [Verdict] = []
    for index in posts.indices {
      lastDate = posts[index].compared.date ?? lastDate
      let survivor = document.survivors[index]
      guard survivor == index else {
        verdicts.append(Verdict(decision: .duplicate(of: survivor), rule: document.identities[index].rule))
        continue
      }
      var verdict =
        if let match = matches[index] {
          try decide(index, document, match)
        } else if posts[index].isCutOff, try isNameless(posts[index].compared) {
          // The post was cut off before its id and link: when complete, it would get another key.
          Verdict(decision: .cutOff, rule: "cut-off")
        } else {
          try add(index, document, isBackfill: backfilled.contains(index))
        }
      if posts[index].isHeldBack, verdict.decision.isShown { verdict.decision = .heldBack }
      verdict.keepsBody = kept.contains(index)
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

  /// Adds the posts of a document of the feed's history that are not stored; the others stay as they are.
  private mutating func recordHistory() throws -> [Verdict] {
    let quality = KeyQuality(posts)
    let document = DocumentIdentities(posts, quality: quality, level: feed.level, policy: settings.keys)
    let matches = try match(document, DocumentChange(posts.map(\.compared), before: []))
    return try posts.indices.map { index in
      let survivor = document.survivors[index]
      if survivor != index {
        return Verdict(decision: .duplicate(of: survivor), rule: document.identities[index].rule)
      }
      if let match = matches[index] { return verdict(match.post.isBuried ? .buried : .known, match, match.post) }
      // A part of a post would stay one: its document is not read again.
      if posts[index].isCutOff { return Verdict(decision: .cutOff, rule: "cut-off") }
      var verdict = try add(index, document, isBackfill: true)
      if posts[index].isHeldBack { verdict.decision = .heldBack }
      return verdict
    }
  }

  /// Compares the document as a whole with the one before.
  private func changeOfDocument(_ quality: KeyQuality) throws -> DocumentChange {
    let before = try isEmpty ? [] : store.posts(where: "feed = ? AND missed = 0", [feed.number])
    let posts = zip(posts, quality.usable).map { keys, ids in
      var keys = keys.compared
      keys.ids = ids
      return keys
    }
    return DocumentChange(posts, before: before)
  }

  /// Gives the posts that came without their words those with which they are stored, unless the settings of the feed
  /// say that it is read in another way; returns their indices.
  private mutating func keepBodies(_ matches: [Int: Match], _ quality: KeyQuality) throws -> Set<Int> {
    guard settings.keys == .ladder, !hasOtherSettings else { return [] }
    var kept: Set<Int> = []
    let stored = matches.mapValues(\.post).filter { $1.first != moment }
    for index in LostBodies(posts, stored, quality).indices {
      guard let post = stored[index], let card = try cards.card(of: post.number)?.card,
        let body = try cards.body(of: post.number)?.unpacked, !body.isDamaged
      else { continue }
      recording.posts[index].keep(body, card, post)
      posts[index] = recording.posts[index].keys
      kept.insert(index)
    }
    return kept
  }

  private mutating func writeFeed() throws {
    let linked = posts.map(\.compared).filter { $0.ids.link != nil }
    let isAggregator = linked.count { !$0.flags.contains(.own) } * 2 > linked.count
    if isAggregator != feed.isAggregator {
      // Another post may be canonical now.
      try store.database.execute(
        sql:
          "INSERT OR IGNORE INTO unsettled SELECT DISTINCT post FROM same JOIN post ON post.id = same.post WHERE post.feed = ?",
        arguments: [feed.number])
    }
    feed.isAggregator = isAggregator
    try feed.write(store.database)
  }

  /// Whether a cut-off post cannot be identified.
  ///
  /// Such a post has neither title nor text, or neither id nor link although others have them, or no text either.
  private func isNameless(_ post: PostKeys) throws -> Bool {
    func isNamed(_ post: PostKeys) -> Bool { post.ids.guid != nil || post.ids.link != nil }
    if post.text.digest == nil, post.flags.contains(.untitled) || !isNamed(post) { return true }
    if isNamed(post) { return false }
    let named = "SELECT EXISTS (SELECT 1 FROM post WHERE feed = ? AND (guid IS NOT NULL OR link IS NOT NULL))"
    return try posts.contains { isNamed($0.compared) } || store.database.isTrue(named, [feed.number])
  }

  // MARK: - Matching

  struct Match {
    var post: StoredPost
    var rule: String
  }

  /// Returns the stored post for each post of the document.
  ///
  /// Each rule is applied to all posts before the next one: the link rule is used only when no other post of the
  /// document has the id (Tamis.docc/HowAPostIsRecognized.md, K3).
  private func match(_ document: DocumentIdentities, _ change: DocumentChange) throws -> [Int: Match] {
    guard !isEmpty else { return [:] }
    var (posts, quality) = (posts, document.quality)
    if settings.keys == .ladder {
      for index in posts.indices { quality.leaveOut(change.new, of: &posts[index], index) }
    }
    var finder = PostFinder(store: store, feed: feed, quality: quality, change: change)
    var matches: [Int: Match] = [:]
    var claimed: Set<PostNumber> = []
    // A cut-off post is matched last, and not by its text, which is incomplete.
    let survivors = posts.indices.filter { document.survivors[$0] == $0 && !posts[$0].isCutOff }
    let cutOff = posts.indices.filter { document.survivors[$0] == $0 && posts[$0].isCutOff }
    let named = survivors.filter { document.quality.isNamed($0, feed.level) }
    let rules = settings.keys == .guidOrLink ? [.guidOrLink] : PostFinder.Rule.ladder(from: feed.level)
    var unknown: Set<Int> = []
    for (step, rule) in rules.enumerated() {
      // Most posts that the first rule does not find are new.
      if step == 1 {
        for index in survivors where matches[index] == nil {
          if try !store.isKnown(finder.allKeys(posts[index], index)) { unknown.insert(index) }
        }
      }
      // All posts of an earlier document are new.
      if missedSince == nil, rule == .link || rule == .whole {
        finder.isRotated = named.count >= 2 && named.allSatisfy { matches[$0] == nil }
      }
      for index in survivors where matches[index] == nil && !unknown.contains(index) {
        guard let post = try finder.find(posts[index], index, rule, except: claimed) else { continue }
        claimed.insert(post.number)
        matches[index] = Match(post: post, rule: rule.rawValue)
      }
    }
    if finder.isRotated, settings.keys == .ladder {
      matches.merge(try moved(survivors, document, matches, &claimed)) { $1 }
    }
    for index in survivors where settings.keys == .ladder && matches[index] == nil {
      let isNamed = !finder.isKeyless(index)
      guard let post = change.edited(index, isNamed: isNamed, except: claimed) else { continue }
      claimed.insert(post.number)
      matches[index] = Match(post: post, rule: "edited")
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

  /// Returns the stored posts of a document with new ids and links only, where no other rule has found them.
  private func moved(
    _ survivors: [Int], _ document: DocumentIdentities, _ matches: [Int: Match], _ claimed: inout Set<PostNumber>
  ) throws -> [Int: Match] {
    var arrived: [Int: (post: StoredPost, link: String?)] = [:]
    for index in survivors where matches[index] == nil {
      var post = StoredPost()
      takeKeys(index, document, into: &post)
      arrived[index] = (post, recording.posts[index].post.card.permalink?.url)
    }
    let found = try MovedPosts(arrived, except: claimed, of: feed, store).matches()
    claimed.formUnion(found.values.map(\.number))
    return found.mapValues { Match(post: $0, rule: "moved") }
  }

  // MARK: - Deciding

  /// Decides on a stored post.
  private func decide(_ index: Int, _ document: DocumentIdentities, _ match: Match) throws -> Verdict {
    let keys = posts[index]
    var post = match.post
    let isSameRun = post.first == moment
    if post.isForgotten { return verdict(.buried, match, post) }
    if post.isPurged {
      // A post with a purged id and other content is a new post (Tamis.docc/HowAPostIsRecognized.md, K7).
      let isNewer = (keys.compared.date ?? keys.updated ?? .min) > (post.keys.date ?? .min)
      guard isNewer, post.keys.text.digest != keys.compared.text.digest else { return verdict(.buried, match, post) }
      post.purged = .never
      post.first = moment
      try take(index, document, into: &post, from: match.post)
      return verdict(.new, match, post)
    }
    // The complete post is stored and must not be replaced by a part of it.
    if keys.isCutOff, !isSameRun {
      return verdict(.known, match, post)
    }
    let change = isSameRun ? nil : Archive.Decision.Change(from: post.keys, to: keys.compared)
    let isBack = post.missed != .never && post.missed != feed.pending
    if change == .major { post.changed = moment }
    try take(index, document, into: &post, from: match.post)
    if isSameRun { return verdict(post.keys.flags.contains(.backfill) ? .backfill : .new, match, post) }
    if isBack { return verdict(.revived, match, post) }
    if let change { return verdict(.updated(change), match, post) }
    // A resumed run reports the same decisions again.
    guard post.since == moment else { return verdict(.known, match, post) }
    return verdict(.updated(post.changed == moment ? .major : .minor), match, post)
  }

  private func verdict(_ decision: Archive.Decision, _ match: Match, _ post: StoredPost) -> Verdict {
    Verdict(decision: decision, rule: match.rule, post: post.number, name: post.name)
  }

  /// Updates a stored post with the document's content, and writes it if it has changed.
  private func take(
    _ index: Int, _ document: DocumentIdentities, into post: inout StoredPost, from before: StoredPost
  ) throws {
    takeKeys(index, document, into: &post)
    let ids = before.keys.ids
    post.keys.ids.former = post.keys.ids.link == ids.link ? ids.former : ids.link ?? ids.former
    post.missed = .never
    notePart(&post)
    if post.wording != before.wording {
      post.since = try Wordings(database: store.database).change(post, from: before, at: moment)
    }
    let recorded = try standing(index, &post, before)
    post.content = recorded.contentDigest(rules: recording.rules)
    if post == before { return }
    if post.content != before.content || post.purged != before.purged {
      try changes.note(post.number)
      try rewrite(recorded, of: post.number)
    }
    let isFoundOtherwise = PostStore.keys(of: before.keys, salt: salt) != PostStore.keys(of: post.keys, salt: salt)
    if before.keys != post.keys || before.purged != post.purged {
      // The copies in other feeds have to be compared again.
      for digest in PostStore.sharedKeys(of: before.keys) {
        for other in try store.group(ofKey: digest) { try unsettle(other) }
      }
      try unsettle(post.number)
    }
    try store.update(post, addingKeysWith: isFoundOtherwise ? salt : nil)
    try keepWhole(posts[index], of: post)
  }

  /// Returns the document's post with the dates under which the stored one stands, if its words have not changed.
  ///
  /// Some feeds date all posts by the moment of the request. A post without a date, or with one that is not believed,
  /// takes that of the document; so does each post of a document that is read again in another time zone.
  private func standing(_ index: Int, _ post: inout StoredPost, _ before: StoredPost) throws -> RecordedPost {
    var recorded = recording.posts[index]
    guard !readsDatesAnew, post.wording == before.wording, !before.isPurged,
      recorded.contentDigest(rules: recording.rules) != before.content,
      let (stood, _, day) = try cards.card(of: post.number),
      stood.published != nil, SortDate.isBelieved(stood.published, on: day)
    else { return recorded }
    (recorded.post.card.published, recorded.post.card.updated) = (stood.published, stood.updated)
    recorded.post.card.publishedOffset = stood.publishedOffset
    // The settings judge it by that date too.
    if !isReadOtherwise { post.keys.flags.takeJudgement(of: before.keys.flags) }
    post.keys.date = before.keys.date
    return recorded
  }

  /// Records that a document that was cut off had the post; a complete document shows by itself which posts it lacks.
  private func notePart(_ post: inout StoredPost) {
    if !recording.ending.isComplete { post.partial = feed.latest }
  }

  private func takeKeys(_ index: Int, _ document: DocumentIdentities, into post: inout StoredPost) {
    var keys = posts[index].compared
    if settings.keys == .guidOrLink {
      keys.ids.link = posts[index].linkWithFragment
    } else {
      // A value that several posts share does not identify any of them; a file is still evidence against being another
      // post.
      let file = keys.ids.file
      keys.ids = document.quality.usable[index]
      keys.ids.file = file
      keys.ids.guidForm = keys.ids.guidForm ?? keys.ids.guid
    }
    post.take(keys)
  }

  /// Adds the key of the whole content, by which a post without id and link is found.
  private func keepWhole(_ keys: DocumentKeys, of post: StoredPost) throws {
    guard post.keys.ids.link == nil, post.keys.ids.guid == nil || feed.level == .link else { return }
    try store.addKeys([PostStore.wholeKey(keys.whole, salt: salt)], to: post.number)
    if recording.twinSlug != nil {
      let update = try store.database.cachedStatement(sql: "UPDATE origin SET whole = ? WHERE post = ?")
      try update.execute(arguments: [keys.whole, post.number])
    }
  }

  /// Adds a post that is not stored.
  private mutating func add(_ index: Int, _ document: DocumentIdentities, isBackfill: Bool) throws -> Verdict {
    let (keys, card) = (posts[index], recording.posts[index].post.card)
    var post = StoredPost()
    (post.feed, post.first, post.since) = (feed.number, moment, moment)
    takeKeys(index, document, into: &post)
    notePart(&post)
    if isBackfill { post.keys.flags.insert(.backfill) }
    post.position = index
    if let missedSince, let number = recording.historyNumber {
      post.missed = missedSince
      post.position += number * Self.positionsOfDocument
    }
    post.content = recording.posts[index].contentDigest(rules: recording.rules)
    let identity = document.identities[index].text
    post.id = try store.freeID(from: PostID(identity, inFeed: feed.key), inFeed: feed.number)
    post.name = "\(keys.name)-\(post.id)"
    let isOld = isFirstRead || isBackfill
    let day = isOld ? SortDate.day(ofOld: card.published, seen: recording.day) : dayOfNew(card.published)
    post.number = try store.insert(post, sortDate: SortDate(card.published, day: day).seconds, salt: salt)
    if recording.twinSlug != nil {
      let insert = try store.database.cachedStatement(sql: "INSERT INTO origin VALUES (?, ?, NULL)")
      try insert.execute(arguments: [post.number, identity])
    }
    try keepWhole(keys, of: post)
    try write(recording.posts[index], of: post.number, day: day)
    try unsettle(post.number)
    return Verdict(decision: isBackfill ? .backfill : .new, rule: "none", post: post.number, name: post.name)
  }

  // MARK: - Cards and bodies

  /// Records that the decisions on a post have to be derived anew.
  private func unsettle(_ post: PostNumber) throws { try unsettled.write { $0.append(post) } }

  private func write(_ recorded: RecordedPost, of number: PostNumber, day: Int64?) throws {
    let post = recorded.post
    try cards.write(post.card, of: number, slugs: recorded.slugs, day: day)
    try cards.write(recorded.body, post.details, of: number, rules: recording.rules, packer)
  }

  private func rewrite(_ recorded: RecordedPost, of number: PostNumber) throws {
    let published = recorded.post.card.published
    let known = try cards.card(of: number).map { ($0.card.published, $0.day) }
    let day = known.map { keptDay(of: published, after: $0) } ?? recording.day
    try store.database.cachedStatement(sql: "UPDATE post SET sortDate = ? WHERE id = ?")
      .execute(arguments: [SortDate(published, day: day).seconds ?? CardStore.undated, number])
    try unsettle(number)
    try write(recorded, of: number, day: day)
  }

  /// Returns the day on which a stored post was first seen with a date.
  ///
  /// An implausible date in place of another or of none does not move the post.
  private func keptDay(of published: Int64?, after known: (published: Int64?, day: Int64?)) -> Int64? {
    if SortDate.isBelieved(published, on: recording.day) {
      return known.published == published && known.day != SortDate.unseen ? known.day : recording.day
    }
    if known.published == published { return known.day }
    guard published == nil || !SortDate.isBelieved(known.published, on: known.day) else { return recording.day }
    return known.day == nil ? known.published : SortDate(known.published, day: known.day).seconds ?? SortDate.unseen
  }

  /// Returns the day to store for a new post: today, or a second before that of the post before it, if it has no date
  /// although most of its document have one.
  private mutating func dayOfNew(_ published: Int64?) -> Int64? {
    guard published == nil, isMostlyDated, let last = lastDate, SortDate.isBelieved(last, on: recording.day) else {
      return recording.day
    }
    lastDate = last - 1
    return lastDate
  }

  // MARK: - Backfills, and posts that have left

  /// Returns the unknown posts of a stored feed that are a backfill, an old archive that came at once
  /// (Tamis.docc/HowAPostIsRecognized.md, K8).
  ///
  /// They are most of the document, and older than the median of the posts that were present, which a single date far
  /// in the future cannot move much.
  ///
  /// Posts without a date are old when they come after stored ones, or when the dated ones are already a backfill:
  /// nothing else distinguishes them from new posts.
  private func backfilled(_ document: DocumentIdentities, _ matches: [Int: Match]) throws -> Set<Int> {
    guard !isFirstSight else { return [] }
    let survivors = posts.indices.filter { document.survivors[$0] == $0 }
    let unknown = survivors.filter { index in matches[index].map { $0.post.first == moment } ?? true }
    guard isMost(unknown.count, of: survivors.count) else { return [] }
    let middle = try store.middleDate(feed: feed.number, before: moment)
    let isUnknown = Set(unknown)
    let firstKnown = survivors.first { !isUnknown.contains($0) } ?? posts.endIndex
    let dated = unknown.filter { index in
      posts[index].compared.date.flatMap { date in middle.map { date < $0 } } ?? false
    }
    let isArchive = isMost(dated.count, of: survivors.count)
    let undated = unknown.filter { posts[$0].compared.date == nil && (isArchive || $0 > firstKnown) }
    return isMost(dated.count + undated.count, of: survivors.count) ? Set(dated + undated) : []
  }

  private func isMost(_ count: Int, of all: Int) -> Bool { count >= Self.fewestForBackfill && count * 2 > all }

  /// Records which posts have disappeared.
  ///
  /// An empty or cut-off document has no effect; one that lacks nearly everything has none until a second document
  /// confirms it (Tamis.docc/HowAPostIsRecognized.md, K7).
  private mutating func miss(_ seen: Set<PostNumber>) throws {
    let here = try store.postsHere(feed: feed.number)
    let missing = here.filter { !seen.contains($0) }
    let isSudden = Observations.isSudden(missing: missing.count, of: here.count)
    feed.pending = isSudden ? moment : .never
    for number in missing { try store.setMissed(number, moment) }
    if settings.purge == .now, !isSudden { try PostDeletion(store.database).removeMissed(of: feed.number) }
  }
}
