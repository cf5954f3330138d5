/// The keys of a document that tell its posts apart (Tamis.docc/HowAPostIsRecognized.md, K2).
///
/// A cut-off post is not counted: its id may be incomplete.
struct KeyQuality {
  /// The usable identifiers of each post.
  private(set) var usable: [PostIdentifiers]
  /// Whether more than 5 of 100 ids are unusable.
  private(set) var hasBadGUIDs = false
  /// The texts that several posts have.
  private var sharedTexts: Set<Int64> = []

  init(_ posts: [DocumentKeys]) {
    usable = posts.map(\.compared.ids)
    for column in PostIdentifiers.columns {
      let values = usable.map { $0[keyPath: column.path] }
      let wholes = column.withFragment.map { path in posts.map { $0[keyPath: path] } }
      let forms = Self.forms(of: posts, by: column.path, withoutFragment: values, withFragment: wholes ?? values)
      for index in usable.indices { usable[index][keyPath: column.path] = forms[index] }
    }
    let bad = posts.indices.count {
      posts[$0].compared.ids.guid != nil && usable[$0].guid == nil && !posts[$0].isCutOff
    }
    hasBadGUIDs = (Double(100 * bad) / Double(max(1, posts.count))).rounded() > 5
    for index in usable.indices where usable[index].guid == nil { usable[index].guidForm = nil }
    var seen: [Int64: Int64?] = [:]
    for keys in posts {
      guard let text = keys.compared.text.digest else { continue }
      if let guid = seen.updateValue(keys.compared.ids.guid, forKey: text),
        guid != keys.compared.ids.guid || guid == nil
      {
        sharedTexts.insert(text)
      }
    }
  }

  /// Whether a post has a usable id or link.
  func isNamed(_ index: Int, _ level: KeyLevel) -> Bool {
    level == .guid && usable[index].guid != nil || usable[index].link != nil
  }

  /// Leaves out of a post what says nothing in this document.
  mutating func leaveOut(_ traits: Set<DocumentChange.Trait>, of keys: inout DocumentKeys, _ index: Int) {
    if traits.contains(.id) { (usable[index].guid, usable[index].guidForm) = (nil, nil) }
    if traits.contains(.link) { (usable[index].link, keys.linkWithFragment) = (nil, nil) }
    if traits.contains(.date) { keys.compared.date = nil }
  }

  /// Whether several posts of the document have this text.
  func isShared(_ text: Int64?) -> Bool { text.map(sharedTexts.contains) ?? false }

  /// Returns the normal forms, with the fragment where posts of the document differ only in it, nil where even that is
  /// shared.
  private static func forms(
    of posts: [DocumentKeys], by key: KeyPath<PostIdentifiers, Int64?>, withoutFragment forms: [Int64?],
    withFragment wholes: [Int64?]
  ) -> [Int64?] {
    let shared = shared(forms, posts, by: key)
    if shared.isEmpty { return forms }
    let sharedWhole = Self.shared(wholes, posts, by: key)
    return zip(forms, wholes).map { form, whole in
      guard let form else { return nil }
      if !shared.contains(form) { return form }
      guard let whole, whole != form, !sharedWhole.contains(whole) else { return nil }
      return whole
    }
  }

  /// The maximum number of versions of a post in one document: more are posts that say nearly the same.
  private static let mostVersions = 2

  /// Returns the keys that several different posts have.
  private static func shared(
    _ keys: [Int64?], _ posts: [DocumentKeys], by column: KeyPath<PostIdentifiers, Int64?>
  ) -> Set<Int64> {
    var firsts: [Int64: Int] = [:]
    var bodies: [Int64: Set<Int64>] = [:]
    var shared: Set<Int64> = []
    for (index, key) in keys.enumerated() where !posts[index].isCutOff {
      guard let value = key else { continue }
      bodies[value, default: []].insert(posts[index].compared.markup)
      if let first = firsts[value] {
        if areDifferent(posts[first], posts[index], by: column) { shared.insert(value) }
      } else {
        firsts[value] = index
      }
    }
    return shared.union(bodies.filter { $0.value.count > mostVersions }.keys)
  }

  /// Whether two posts with a common key are different posts.
  ///
  /// Posts with different texts are different when their titles differ, when they lead to other pages or files, when
  /// they have different days, or different times and no titles, or when only that key connects them; otherwise one is
  /// a later version. Two posts without words have nothing in common. All posts of a feed may have the same text: posts
  /// are then different when they link elsewhere and differ in more than that, or have other titles and days.
  private static func areDifferent(
    _ first: DocumentKeys, _ second: DocumentKeys, by key: KeyPath<PostIdentifiers, Int64?>
  ) -> Bool {
    let likeness = Likeness(first.compared, second.compared)
    let (one, other) = (likeness.one, likeness.other)
    func differ(_ value: Int64?, _ other: Int64?) -> Bool { value != nil && other != nil && value != other }
    let leadsElsewhere = differ(first.linkWithFragment, second.linkWithFragment) || likeness.isOtherFile
    let isOtherDay = likeness.isOtherDay || (one.date == nil) != (other.date == nil)
    if likeness.isSameText {
      if leadsElsewhere { return one.title != other.title || one.markup != other.markup || isOtherDay }
      // All entries of a changelog lead to one page and may say "Bug fixes".
      guard one.title != 0, other.title != 0, one.title != other.title else { return false }
      if isOtherDay || one.date == nil { return true }
      return one.text.words < TextForm.fewestWords && !likeness.areTitlesAlike
    }
    if leadsElsewhere || one.title != other.title { return true }
    // A status page has one title and one link, and tells its posts by their ids.
    if key == \.link, differ(one.ids.guid, other.ids.guid) { return true }
    // A feed may give the same id and link to all its untitled notes of a day.
    let areNotes = one.title == 0 && one.text.digest != nil && other.text.digest != nil
    // Versions of one text share most of their words.
    let areVersions = likeness.similarity ?? 0 >= 0.5
    if isOtherDay || areNotes && differ(one.date, other.date), !areVersions { return true }
    if isOtherDay { return false }
    if one.text.digest == nil, other.text.digest == nil, one.markup == other.markup { return false }
    // A version of a post is of another time, or has most of its words.
    if one.ids.link == nil, !differ(one.date, other.date), !areVersions { return true }
    let ties = [
      one.ids.guid != nil && one.ids.guid == other.ids.guid, one.ids.link != nil && one.ids.link == other.ids.link,
      likeness.isSameTitle,
    ]
    return ties.count { $0 } < 2
  }
}

/// The key by which a feed's posts are recognized.
///
/// A feed that gave wrong ids once will do so again, so it never goes back.
enum KeyLevel: Int64, Sendable { case guid, link }
