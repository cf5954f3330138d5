/// What has changed in a whole document since the one before (Tamis.docc/HowAPostIsRecognized.md, K2).
///
/// Its posts are paired with the stored ones by all that only one of each has: a link, a title, a text. What most pairs
/// have anew says nothing about a post: links may have the number of a session, dates be those of the request.
struct DocumentChange {
  /// Whether the ids are the numbers of rows, so that posts have the ids that others had.
  ///
  /// A feed of the posts `mill`, `fog` with the ids 1 and 2 gets the post `harbour`: now 1 is `harbour`, 2 is `mill`.
  private(set) var hasRowIDs = false
  /// Those of id, link and date that are new in most posts.
  private(set) var new: Set<Trait> = []
  /// Those of id, link and date that are as before in all posts, and in at least two.
  private(set) var lasting: Set<Trait> = []

  /// A value that tells posts apart; `words` is date, title and text together.
  enum Trait: Int, CaseIterable { case id, link, date, title, text, file, words }

  private struct Value: Hashable {
    let trait: Trait
    let value: Int64
  }

  /// Whether dates are new, near those of before for all posts that keep title and file, and between those of the
  /// posts before and after.
  ///
  /// A zone was corrected: `fog` of Monday 8:00 is of Monday 9:00. Where the `news` of each hour have one file, 9:00 is
  /// later than the `weather` of 8:05, and they are other news.
  private var hasCorrectedTimes = false

  private let posts: [PostKeys]
  private let before: [StoredPost]
  /// For each post and trait, the index of the stored post that alone has the value that the post alone has.
  private let owners: [Int?]
  /// The place of the stored post that is the last of those that this document has too, by what they say.
  private var last: (first: Moment, place: Int)?
  /// The minimum number of posts that show how a document changes.
  private static let fewest = 2

  /// Compares a document with the one before.
  ///
  /// - Parameters:
  ///   - posts: the keys of the document's posts, with the identifiers that tell them apart.
  ///   - before: the stored posts that the document before had.
  init(_ posts: [PostKeys], before: [StoredPost]) {
    (self.posts, self.before) = (posts, before)
    let (said, known) = (Self.unique(posts), Self.unique(before.map(\.keys)))
    owners = posts.flatMap { post in
      Trait.allCases.lazy.map { trait in
        guard let value = trait.value(of: post).map({ Value(trait: trait, value: $0) }) else { return nil }
        return said[value] == nil ? nil : known[value]
      }
    }
    if before.isEmpty { return }
    hasRowIDs = areIDsOfOthers()
    for trait in [Trait.id, .link, .date] { compare(trait) }
    hasCorrectedTimes = new.contains(.date) && areTimesCorrected()
    // A feed of bulletins gives new ids, links and dates to the same words: they are new.
    let names = [Trait.id, .link].filter { trait in
      !(hasRowIDs && trait == .id) && posts.contains { trait.value(of: $0) != nil }
    }
    let isUndated = new.contains(.date) || !posts.contains { $0.date != nil }
    if !names.isEmpty, new.isSuperset(of: names), isUndated { new = [] }
    last = posts.indices.compactMap { speaker($0, without: .id).map { Self.place(before[$0]) } }.min { $0 < $1 }
  }

  private mutating func compare(_ trait: Trait) {
    var (same, others) = (0, 0)
    for (index, post) in posts.enumerated() {
      guard let value = trait.value(of: post), let speaker = speaker(index, without: trait),
        let old = trait.value(of: before[speaker].keys)
      else { continue }
      if old == value { same += 1 } else { others += 1 }
    }
    if others >= Self.fewest, others > same { new.insert(trait) }
    if others == 0, same >= Self.fewest { lasting.insert(trait) }
  }

  private func areTimesCorrected() -> Bool {
    let dates = before.compactMap(\.keys.date).sorted()
    let next = Dictionary(zip(dates, dates.dropFirst()), uniquingKeysWith: { first, _ in first })
    let previous = Dictionary(zip(dates.dropFirst(), dates), uniquingKeysWith: { first, _ in first })
    return posts.indices.allSatisfy { index in
      guard let place = owner(index, .title), place == owner(index, .file), let date = posts[index].date,
        let old = before[place].keys.date
      else { return true }
      let isNear = Likeness(posts[index], before[place].keys).areDatesNear ?? false
      return isNear && date < next[old] ?? .max && date > previous[old] ?? .min
    }
  }

  /// Whether posts say what other ids said, and nothing of what their own said, at least as many as agree with theirs.
  private func areIDsOfOthers() -> Bool {
    let stored = Set(before.compactMap(\.keys.ids.guid))
    var (own, others, most) = (0, 0, 0)
    for (index, post) in posts.enumerated() {
      guard let id = post.ids.guid, stored.contains(id) else { continue }
      let says = Trait.allCases.dropFirst().compactMap { owner(index, $0).map { before[$0].keys.ids.guid } }
      if says.contains(id) {
        own += 1
      } else if says.contains(where: { $0 != nil }) {
        others += 1
        most = max(most, says.count + (owner(index, .link) == nil ? 0 : 1))
      }
    }
    return others >= Self.fewest || most >= Self.fewest && others >= own
  }

  // MARK: - One post

  /// Returns the stored post that a post was before it was edited; nil when none is it without doubt.
  ///
  /// - Parameters:
  ///   - index: the index of the post in the document.
  ///   - isNamed: whether it has an id or a link that the feed never had.
  ///   - claimed: the stored posts that other posts of the document were matched with.
  /// - Returns: the stored post; nil when there is none.
  func edited(_ index: Int, isNamed: Bool, except claimed: Set<PostNumber>) -> StoredPost? {
    guard let place = partner(index), !claimed.contains(before[place].number) else { return nil }
    let (post, likeness) = (before[place], Likeness(posts[index], before[place].keys))
    func owns(_ trait: Trait) -> Bool { owner(index, trait) == place }
    // Sound files move, as behind an address that counts: title, time and text together are then still the post's own.
    if likeness.isOtherFile { return owns(.words) && owner(index, .file) == nil ? post : nil }
    if isNamed {
      if owns(.link) { return owns(.date) || lasting.contains(.link) && isReplaced(post) ? post : nil }
      let isNearly =
        likeness.one.text.words >= TextForm.fewestWords
        && likeness.similarity ?? 0 >= Sameness.leastSimilarityWithOtherTitle
      return owns(.date) && owns(.title) && (isNearly || !isOtherLink(likeness)) ? post : nil
    }
    if owns(.date), likeness.isSameTitle || likeness.isAlike { return post }
    let isUndated = new.contains(.date) || likeness.one.date == nil || likeness.other.date == nil
    // A sound file says as much as words, which its post often lacks, unless other sounds get its name each day.
    let isTitled = owns(.title) && (likeness.isAlike || owns(.file) && hasCorrectedTimes)
    let isSame = isTitled || owns(.text) && likeness.one.title == likeness.other.title
    return isSame && (isUndated || likeness.isSameTime) ? post : nil
  }

  private func isOtherLink(_ likeness: Likeness) -> Bool {
    guard !new.contains(.link), let link = likeness.one.ids.link, let old = likeness.other.ids.link else {
      return false
    }
    return link != old
  }

  /// Whether a stored post stood before another that is still there: posts leave a feed at its end.
  func isReplaced(_ post: StoredPost) -> Bool {
    post.missed == .never && last.map { $0 < Self.place(post) } ?? false
  }

  private static func place(_ post: StoredPost) -> (first: Moment, place: Int) { (post.first, -post.position) }

  private func owner(_ index: Int, _ trait: Trait) -> Int? { owners[index * Trait.allCases.count + trait.rawValue] }

  /// Returns the stored post that says the same as a post of the document.
  private func speaker(_ index: Int, without trait: Trait) -> Int? {
    guard let place = partner(index, without: [.id, trait]) else { return nil }
    return owner(index, .title) == place || owner(index, .text) == place ? place : nil
  }

  /// Returns the stored post that most values name, nil when two are named as often.
  private func partner(_ index: Int, without traits: [Trait] = []) -> Int? {
    let places = Trait.allCases.map { traits.contains($0) ? nil : owner(index, $0) }
    let counts = places.map { place in place == nil ? 0 : places.count { $0 == place } }
    guard let most = counts.max(), most > 0 else { return nil }
    let named = zip(places, counts).filter { $0.1 == most }.map(\.0)
    return named.allSatisfy { $0 == named[0] } ? named[0] : nil
  }

  /// Returns the index of the post that has a value, for each value that one of the posts alone has.
  private static func unique(_ posts: [PostKeys]) -> [Value: Int] {
    var found: [Value: Int?] = [:]
    for (index, post) in posts.enumerated() {
      for trait in Trait.allCases {
        guard let value = trait.value(of: post).map({ Value(trait: trait, value: $0) }) else { continue }
        found.updateValue(found.keys.contains(value) ? nil : index, forKey: value)
      }
    }
    return found.compactMapValues(\.self)
  }
}

extension DocumentChange.Trait {
  /// Returns the value of a post; a post without words is compared by its markup.
  fileprivate func value(of post: PostKeys) -> Int64? {
    switch self {
    case .id: post.ids.guid
    case .link: post.ids.link
    case .date: post.date
    case .title: post.title == 0 ? nil : post.title
    case .text: post.text.digest ?? (post.markup == PostKeys.emptyMarkup ? nil : post.markup)
    case .file: post.ids.file
    case .words: post.date.map { date in [post.title, post.text.digest ?? 0].reduce(date) { $0 &* 31 &+ $1 } }
    }
  }
}
