/// Which keys of a document tell its posts apart (rule K2 of the design).
struct KeyQuality {
  /// For each post its id, nil when it has none that can be used.
  private(set) var guids: [Int64?]
  /// For each post its id's normal form, likewise.
  private(set) var guidForms: [Int64?]
  /// For each post its link, likewise.
  private(set) var links: [Int64?]
  /// Whether more than 5 of 100 ids cannot be used.
  private(set) var hasBadGUIDs = false

  init(_ posts: [PostKeys]) {
    let shared = Self.shared(posts.map(\.guid), posts)
    guids = posts.map { keys in keys.guid.flatMap { shared.contains($0) ? nil : $0 } }
    let bad = zip(posts, guids).count { $0.guid != nil && $1 == nil }
    hasBadGUIDs = (Double(100 * bad) / Double(max(1, posts.count))).rounded() > 5
    guidForms = Self.forms(posts, \.guidForm, \.guidWithFragment)
    links = Self.forms(posts, \.link, \.linkWithFragment)
    for index in posts.indices where guids[index] == nil { guidForms[index] = nil }
  }

  /// The normal form, with the fragment where posts of the document differ only in it, nil where even that is shared.
  private static func forms(
    _ posts: [PostKeys], _ form: KeyPath<PostKeys, Int64?>, _ whole: KeyPath<PostKeys, Int64?>
  ) -> [Int64?] {
    let shared = shared(posts.map { $0[keyPath: form] }, posts)
    let sharedWhole = shared.isEmpty ? [] : Self.shared(posts.map { $0[keyPath: whole] }, posts)
    return posts.map { keys in
      guard let value = keys[keyPath: form] else { return nil }
      if !shared.contains(value) { return value }
      guard let full = keys[keyPath: whole], full != value, !sharedWhole.contains(full) else { return nil }
      return full
    }
  }

  /// Keys that different posts have.
  ///
  /// Posts with other words are different when their titles are, when they have none, or when they lead to other pages; of
  /// two with one title and one page one is a later version.
  private static func shared(_ values: [Int64?], _ posts: [PostKeys]) -> Set<Int64> {
    var firsts: [Int64: Int] = [:]
    var shared: Set<Int64> = []
    for (index, value) in values.enumerated() {
      guard let value else { continue }
      if let first = firsts[value] {
        if areDifferent(posts[first], posts[index]) { shared.insert(value) }
      } else {
        firsts[value] = index
      }
    }
    return shared
  }

  private static func areDifferent(_ one: PostKeys, _ other: PostKeys) -> Bool {
    if one.text.digest == other.text.digest { return false }
    if one.title != other.title { return true }
    if let link = one.linkWithFragment, let second = other.linkWithFragment, link != second { return true }
    // Versions of one post have its id; without one, another day is another post.
    let isOtherDay = one.date.map { $0 / 86_400 } != other.date.map { $0 / 86_400 }
    return isOtherDay && (one.title == 0 || one.guid == nil)
  }
}

/// By which key a feed's posts are known; it only gets coarser, for a feed that got it wrong once will again.
enum KeyLevel: Int64, Sendable, Comparable {
  case guid
  case link
  case linkAndDate
  case linkDateAndTitle
  case text

  static func < (lhs: KeyLevel, rhs: KeyLevel) -> Bool { lhs.rawValue < rhs.rawValue }
}
