import TamisCore

/// The identity of each post of a document, and which posts are duplicates (Tamis.docc/HowAPostIsRecognized.md, K3 and
/// K4).
struct DocumentIdentities {
  /// The text that identifies a post in its feed.
  struct Identity: Hashable {
    var rule: String
    var value: Int64

    /// The text of which a post's id is made.
    var text: String { "\(rule) \(value)" }
  }

  /// The identity of each post.
  private(set) var identities: [Identity] = []
  /// The index of the post that is kept for each post: its own, unless it is a duplicate.
  private(set) var survivors: [Int] = []
  let quality: KeyQuality

  init(_ posts: [DocumentKeys], quality: KeyQuality, level: KeyLevel, policy: KeyPolicy) {
    self.quality = quality
    identities = posts.indices.map { index in
      policy == .guidOrLink ? Self.guidOrLink(posts[index]) : Self.ladder(posts[index], quality, index, level)
    }
    survivors = Self.survivors(posts, identities)
  }

  /// Returns the feed's id, otherwise the link, otherwise one value for all posts without both: the key policy
  /// `guidOrLink`.
  private static func guidOrLink(_ keys: DocumentKeys) -> Identity {
    if let guid = keys.compared.ids.guid { return Identity(rule: "guid", value: guid) }
    if let link = keys.linkWithFragment { return Identity(rule: "link", value: link) }
    return Identity(rule: "none", value: Digest.of("", kind: "no id or link"))
  }

  private static func ladder(_ keys: DocumentKeys, _ quality: KeyQuality, _ index: Int, _ level: KeyLevel) -> Identity {
    if level == .guid, let form = quality.usable[index].guidForm ?? quality.usable[index].guid {
      return Identity(rule: "guid", value: form)
    }
    if let link = quality.usable[index].link { return Identity(rule: "link", value: link) }
    if let file = quality.usable[index].file, let date = keys.compared.date {
      let value = Digest.mix(UInt64(bitPattern: file), UInt64(bitPattern: date))
      return Identity(rule: "file", value: Int64(bitPattern: value))
    }
    return Identity(rule: "text", value: keys.whole)
  }

  /// Returns for each post the one that is kept among those with its identity: the last changed, then the one with more
  /// text, then the first.
  private static func survivors(_ posts: [DocumentKeys], _ identities: [Identity]) -> [Int] {
    var best: [Identity: Int] = [:]
    for (index, identity) in identities.enumerated() {
      guard let other = best[identity] else {
        best[identity] = index
        continue
      }
      let (old, new) = (posts[other], posts[index])
      let isBetter =
        (new.updated ?? new.compared.date ?? .min, new.compared.text.words)
        > (old.updated ?? old.compared.date ?? .min, old.compared.text.words)
      if isBetter, !new.isCutOff { best[identity] = index }
    }
    return identities.indices.map { best[identities[$0]] ?? $0 }
  }
}
