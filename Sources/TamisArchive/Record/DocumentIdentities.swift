public import TamisCore
/// The identity of each post of a document, and which posts are duplicates (Tamis.docc/HowAPostIsRecognized.md, K3 and
/// K4).
struct DocumentIdentities {
  /// The text that identifies a post in its feed.
  struct Identity: Hashable {
    var rule: String
    var value: Int64
  }

  /// For each post its identity.
  private(set) var identities: [Identity] = []
  /// For each post the one that is kept for it: itself, unless it is a duplicate.
  private(set) var survivors: [Int] = []
  let quality: KeyQuality

  init(_ posts: [PostKeys], quality: KeyQuality, level: KeyLevel, policy: KeyPolicy) {
    self.quality = quality
    identities = posts.indices.map { index in
      policy == .guidOrLink ? Self.guidOrLink(posts[index]) : Self.ladder(posts[index], quality, index, level)
    }
    survivors = Self.survivors(posts, identities)
  }

  /// The feed's id, else the link, else one value for all that have neither: the key policy `guidOrLink`.
  private static func guidOrLink(_ keys: PostKeys) -> Identity {
    if let guid = keys.ids.guid { return Identity(rule: "guid", value: guid) }
    if let link = keys.linkWithFragment { return Identity(rule: "link", value: link) }
    return Identity(rule: "none", value: Digest.of("", kind: "no id or link"))
  }

  private static func ladder(_ keys: PostKeys, _ quality: KeyQuality, _ index: Int, _ level: KeyLevel) -> Identity {
    if level == .guid, let form = quality.usable[index].guidForm ?? quality.usable[index].guid {
      return Identity(rule: "guid", value: form)
    }
    if let link = quality.usable[index].link {
      if level <= .link { return Identity(rule: "link", value: link) }
      var value = Digest.mix(UInt64(bitPattern: link), UInt64(bitPattern: keys.date ?? 0))
      if level == .linkDateAndTitle { value = Digest.mix(value, UInt64(bitPattern: keys.title)) }
      if level <= .linkDateAndTitle { return Identity(rule: "link-date", value: Int64(bitPattern: value)) }
    }
    if let file = quality.usable[index].file, let date = keys.date {
      let value = Digest.mix(UInt64(bitPattern: file), UInt64(bitPattern: date))
      return Identity(rule: "file", value: Int64(bitPattern: value))
    }
    return Identity(rule: "text", value: keys.whole)
  }

  /// Of posts with one identity the one that was changed last, then that with more text, then the first.
  private static func survivors(_ posts: [PostKeys], _ identities: [Identity]) -> [Int] {
    var best: [Identity: Int] = [:]
    for (index, identity) in identities.enumerated() {
      guard let other = best[identity] else {
        best[identity] = index
        continue
      }
      let (old, new) = (posts[other], posts[index])
      let isBetter =
        (new.updated ?? new.date ?? .min, new.text.words) > (old.updated ?? old.date ?? .min, old.text.words)
      if isBetter, !new.isCutOff { best[identity] = index }
    }
    return identities.indices.map { best[identities[$0]] ?? $0 }
  }
}

/// How posts are recognized.
public enum KeyPolicy: String, Sendable, Hashable, CaseIterable {
  /// By the best of their keys that can be used (Tamis.docc/HowAPostIsRecognized.md, K3).
  case ladder
  /// By the feed's id, else the link, and by nothing else.
  case guidOrLink = "guid-or-link"
}

/// How posts are recognized and stored.
public struct IngestOptions: Sendable, Hashable {
  /// How posts are recognized.
  public var keys = KeyPolicy.ladder
  /// What happens to posts that have left their feed.
  public var purge = PurgePolicy.keep
  /// Whether posts that are copies of posts in other feeds are folded into them.
  public var folds = true
  /// Whether the archive is a shard: one of several among which the feeds are distributed.
  public var isShard = false

  /// Recognizes posts by the best of their keys, and keeps all posts.
  public init() {}
}
