/// Which keys of a document tell its posts apart (rule K2 of the design).
///
/// A post that the document was cut off in has no say: its id may be half of one.
struct KeyQuality {
  /// For each post its id, nil when it has none that can be used.
  private(set) var guids: [Int64?]
  /// For each post its id's normal form, likewise.
  private(set) var guidForms: [Int64?]
  /// For each post its link, likewise.
  private(set) var links: [Int64?]
  /// For each post its file, likewise.
  private(set) var files: [Int64?]
  /// Whether more than 5 of 100 ids cannot be used.
  private(set) var hasBadGUIDs = false
  /// Texts that several posts have.
  private var standing: Set<Int64> = []

  init(_ posts: [PostKeys]) {
    let ids = posts.map(\.guid)
    let shared = Self.shared(ids, posts)
    guids = ids.map { id in id.flatMap { shared.contains($0) ? nil : $0 } }
    let bad = zip(ids, posts).count { id, keys in id.map(shared.contains) == true && !keys.isCutOff }
    hasBadGUIDs = (Double(100 * bad) / Double(max(1, posts.count))).rounded() > 5
    guidForms = Self.forms(posts, posts.map(\.guidForm), posts.map(\.guidWithFragment))
    links = Self.forms(posts, posts.map(\.link), posts.map(\.linkWithFragment))
    let sharedFiles = Self.shared(posts.map(\.file), posts)
    files = posts.map { keys in keys.file.flatMap { sharedFiles.contains($0) ? nil : $0 } }
    for index in posts.indices where guids[index] == nil { guidForms[index] = nil }
    var seen: [Int64: Int64?] = [:]
    for keys in posts {
      guard let text = keys.text.digest else { continue }
      if let guid = seen.updateValue(keys.guid, forKey: text), guid != keys.guid || guid == nil {
        standing.insert(text)
      }
    }
  }

  /// Whether a text stands below several posts.
  func isStanding(_ text: Int64?) -> Bool { text.map(standing.contains) ?? false }

  /// The normal form, with the fragment where posts of the document differ only in it, nil where even that is shared.
  private static func forms(_ posts: [PostKeys], _ forms: [Int64?], _ wholes: [Int64?]) -> [Int64?] {
    let shared = shared(forms, posts)
    if shared.isEmpty { return forms }
    let sharedWhole = Self.shared(wholes, posts)
    return zip(forms, wholes).map { form, whole in
      guard let form else { return nil }
      if !shared.contains(form) { return form }
      guard let whole, whole != form, !sharedWhole.contains(whole) else { return nil }
      return whole
    }
  }

  /// Those of the posts' keys that different posts have.
  private static func shared(_ keys: [Int64?], _ posts: [PostKeys]) -> Set<Int64> {
    var firsts: [Int64: Int] = [:]
    var shared: Set<Int64> = []
    for (index, key) in keys.enumerated() where !posts[index].isCutOff {
      guard let value = key else { continue }
      if let first = firsts[value] {
        if areDifferent(posts[first], posts[index]) { shared.insert(value) }
      } else {
        firsts[value] = index
      }
    }
    return shared
  }

  /// Whether two posts with a key in common are two all the same.
  ///
  /// Posts with other words are different when their titles are, when they lead to other pages or files, when they are of
  /// other days, or when nothing but that key ties them; else one is a later version. Having no words is having nothing in
  /// common. Equal words may stand below all posts: those are different which lead elsewhere and differ in more than that.
  private static func areDifferent(_ one: PostKeys, _ other: PostKeys) -> Bool {
    func differ(_ key: KeyPath<PostKeys, Int64?>) -> Bool {
      guard let value = one[keyPath: key], let second = other[keyPath: key] else { return false }
      return value != second
    }
    let leadsElsewhere = differ(\.linkWithFragment) || differ(\.file)
    let isOtherDay = one.date.map { $0 / 86_400 } != other.date.map { $0 / 86_400 }
    if let text = one.text.digest, text == other.text.digest {
      return leadsElsewhere && (one.title != other.title || one.markup != other.markup || isOtherDay)
    }
    if leadsElsewhere || one.title != other.title { return true }
    if isOtherDay { return !areAlike(one, other) }
    if one.text.digest == nil, other.text.digest == nil, one.markup == other.markup { return false }
    let ties = [
      one.guid != nil && one.guid == other.guid, one.link != nil && one.link == other.link,
      one.title != 0 && one.title == other.title,
    ]
    return ties.count { $0 } < 2
  }

  /// Whether the texts share most of their words, as versions of one do.
  private static func areAlike(_ one: PostKeys, _ other: PostKeys) -> Bool {
    guard let sketch = one.text.sketch, let second = other.text.sketch else { return false }
    return sketch.similarity(to: second) >= 0.5
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
