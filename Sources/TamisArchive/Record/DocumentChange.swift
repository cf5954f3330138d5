/// What has changed in a whole document since the one before (Tamis.docc/HowAPostIsRecognized.md, K2).
///
/// Its posts are paired with the stored ones by all that only one of each has: a link, a title, a text. What most pairs
/// have anew says nothing about a post: links may have the number of a session, dates be those of the request.
struct DocumentChange {
  /// Whether the ids are the numbers of rows, so that posts have the ids that others had.
  ///
  /// A feed of the posts `mill`, `fog` with the ids 1 and 2 gets the post `harbour`: now 1 is `harbour`, 2 is `mill`.
  private(set) var hasRowIDs = false
  /// What is new in most posts.
  private(set) var new: Set<Trait> = []
  /// What is as before in all posts, and in at least two.
  private(set) var lasting: Set<Trait> = []

  /// A value that tells posts apart.
  enum Trait: CaseIterable { case id, link, date, title, text, file }

  private struct Value: Hashable {
    let trait: Trait
    let value: Int64
  }

  private let posts: [PostKeys]
  private let before: [StoredPost]
  /// For each post the stored post that alone has a value that it alone has, by the value's trait.
  private let owners: [[Trait: Int]]
  /// The date of the oldest stored post that this document has too, by what it says.
  private var oldest: Int64?

  /// Compares a document with the one before.
  ///
  /// - Parameters:
  ///   - posts: the keys of the document's posts, with the identifiers that tell them apart.
  ///   - before: the stored posts that the document before had.
  init(_ posts: [PostKeys], before: [StoredPost]) {
    (self.posts, self.before) = (posts, before)
    let (said, known) = (Self.unique(posts), Self.unique(before.map(\.keys)))
    owners = posts.map { post in
      Self.values(of: post).reduce(into: [Trait: Int]()) { owners, value in
        if (said[value] ?? nil) != nil, let place = known[value] ?? nil { owners[value.trait] = place }
      }
    }
    hasRowIDs = areIDsOfOthers()
    let partners = owners.map { owners in
      Trait.allCases.map { trait in
        partner(owners, without: [.id, trait]).flatMap { [owners[.title], owners[.text]].contains($0) ? $0 : nil }
      }
    }
    for (place, trait) in Trait.allCases.enumerated() {
      let pairs = posts.indices.compactMap { index -> Bool? in
        guard let value = trait.value(of: posts[index]), let partner = partners[index][place],
          let old = trait.value(of: before[partner].keys)
        else { return nil }
        return old != value
      }
      let others = pairs.count { $0 }
      if others >= Self.fewest, others * 2 > pairs.count { new.insert(trait) }
      if others == 0, pairs.count >= Self.fewest { lasting.insert(trait) }
    }
    // A feed of bulletins gives new ids, links and dates to the same words: they are new.
    let names = Set<Trait>(posts.contains { $0.ids.guid != nil } ? [.id] : []).union(
      posts.contains { $0.ids.link != nil } ? [.link] : [])
    let isUndated = new.contains(.date) || !posts.contains { $0.date != nil }
    if !names.isEmpty, new.isSuperset(of: names), isUndated { new = [] }
    oldest = partners.compactMap { ($0.first ?? nil).flatMap { before[$0].keys.date } }.min()
  }

  /// The minimum number of posts that show how a document changes.
  private static let fewest = 2

  /// Whether posts say what other ids said, and nothing of what their own said, at least as many as agree with theirs.
  private func areIDsOfOthers() -> Bool {
    let stored = Set(before.compactMap(\.keys.ids.guid))
    var (own, others, most) = (0, 0, 0)
    for (post, owners) in zip(posts, owners) {
      guard let id = post.ids.guid, stored.contains(id) else { continue }
      let says = owners.filter { $0.key != .id }.values.map { before[$0].keys.ids.guid }
      if says.contains(id) { own += 1 } else if says.contains(where: { $0 != nil }) {
        others += 1
        most = max(most, says.count)
      }
    }
    return others >= Self.fewest || most >= Self.fewest && others >= own
  }

  /// Returns the stored post that a post was before it was edited; nil when none is it without doubt.
  ///
  /// - Parameters:
  ///   - index: the index of the post in the document.
  ///   - isNamed: whether it has an id or a link that the feed never had.
  ///   - claimed: the stored posts that other posts of the document were matched with.
  func edited(_ index: Int, isNamed: Bool, except claimed: Set<PostNumber>) -> StoredPost? {
    let owners = owners[index]
    guard let place = partner(owners), !claimed.contains(before[place].number) else { return nil }
    let likeness = Likeness(posts[index], before[place].keys)
    if likeness.isOtherFile { return nil }
    if isNamed {
      let isSame = owners[.date] == place && (owners[.link] == place || owners[.title] == place && !isOtherLink(likeness))
      return isSame || isReplaced(before[place]) && lasting.contains(.link) && owners[.link] == place ? before[place] : nil
    }
    let isAlike = likeness.isAlike || likeness.isSameText
    if owners[.date] == place { return likeness.isSameTitle || isAlike ? before[place] : nil }
    let isUndated = new.contains(.date) || likeness.one.date == nil || likeness.other.date == nil
    return isUndated && isAlike && owners[.title] == place ? before[place] : nil
  }

  private func isOtherLink(_ likeness: Likeness) -> Bool {
    guard !new.contains(.link), let link = likeness.one.ids.link, let before = likeness.other.ids.link else { return false }
    return link != before
  }

  /// Whether the place of a stored post is among those that are still there, and not behind the last of them, where
  /// posts leave a feed.
  func isReplaced(_ post: StoredPost) -> Bool {
    guard post.missed == .never, let date = post.keys.date, let oldest else { return false }
    return date > oldest
  }

  /// Returns the stored post that most values name, nil when two are named as often.
  private func partner(_ owners: [Trait: Int], without traits: [Trait] = []) -> Int? {
    var counts: [Int: Int] = [:]
    for (trait, place) in owners where !traits.contains(trait) { counts[place, default: 0] += 1 }
    guard let most = counts.values.max() else { return nil }
    let named = counts.filter { $0.value == most }
    return named.count == 1 ? named.first?.key : nil
  }

  /// Returns for each value of the posts the index of the post that has it, nil where several have it.
  private static func unique(_ posts: [PostKeys]) -> [Value: Int?] {
    var found: [Value: Int?] = [:]
    for (index, post) in posts.enumerated() {
      for value in values(of: post) { found.updateValue(found.keys.contains(value) ? nil : index, forKey: value) }
    }
    return found
  }

  private static func values(of post: PostKeys) -> [Value] {
    Trait.allCases.compactMap { trait in trait.value(of: post).map { Value(trait: trait, value: $0) } }
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
    }
  }
}
