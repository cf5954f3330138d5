import GRDB
import TamisCore

/// Finds the posts of a feed that has changed all of its ids and links, as after a move to another host
/// (Tamis.docc/HowAPostIsRecognized.md, K3).
///
/// The document as a whole is the evidence: it has none of the ids and links of before. A post of it and a stored post
/// are then one when they are the only two with their title and day, with their text, or with the last part of their
/// link, and nothing contradicts it.
struct MovedPosts {
  /// A value that one post of the document and one stored post share, in the order in which they are compared.
  private enum Key: CaseIterable { case titleAndDay, title, text, slug }

  /// A post, stored or of the document.
  private struct Candidate {
    /// The keys; those of a post of the document in the same form as those of a stored one.
    var post: StoredPost
    /// Its link; nil when there is none.
    var link: String?
    /// The last part of the path of its link, without extension; nil when there is none.
    var slug: String?
    /// The rest of its link, with all numbers alike; nil when there is none.
    var shape: String?

    init(_ post: StoredPost, link: String?) {
      (self.post, self.link) = (post, link)
      (slug, shape) = (link.flatMap(MovedPosts.slug), link.flatMap(MovedPosts.shape))
    }
  }

  /// The maximum number of stored posts for each post of the document that are looked at, the newest first.
  private static let storedForEach = 4
  /// The minimum of that number.
  private static let fewestStored = 200
  /// The minimum number of posts that only their texts recognize, when their dates have changed too.
  private static let fewestOfText = 3

  private let arrived: [Int: Candidate]
  private let stored: [PostNumber: Candidate]

  /// Collects the posts that may be one.
  ///
  /// - Parameters:
  ///   - arrived: the posts of the document that no other rule has found, by index, each with its link.
  ///   - claimed: the stored posts that other posts of the document were matched with.
  ///   - feed: the feed.
  ///   - store: the archive.
  /// - Throws: `DatabaseError` when the archive cannot be read.
  init(
    _ arrived: [Int: (post: StoredPost, link: String?)], except claimed: Set<PostNumber>, of feed: StoredFeed,
    _ store: PostStore
  ) throws {
    self.arrived = arrived.mapValues { Candidate($0.post, link: $0.link) }
    let most = max(Self.fewestStored, Self.storedForEach * arrived.count)
    let cards = CardStore(database: store.database)
    var stored: [PostNumber: Candidate] = [:]
    for post in try store.posts(where: "feed = ? ORDER BY id DESC LIMIT \(most)", [feed.number])
    where !claimed.contains(post.number) {
      stored[post.number] = Candidate(post, link: try cards.permalink(of: post.number))
    }
    self.stored = stored
  }

  /// Returns the stored post of each post of the document that has one, by index.
  func matches() -> [Int: StoredPost] {
    var found: [Int: StoredPost] = [:]
    var taken: Set<PostNumber> = []
    for key in Key.allCases {
      let news = Self.unique(arrived.filter { found[$0.key] == nil }, key)
      let olds = Self.unique(stored.filter { !taken.contains($0.key) }, key)
      let pairs = news.compactMap { value, index in olds[value].map { (index, $0) } }.sorted { $0.0 < $1.0 }
      let hasManyTexts = key == .text && pairs.count >= Self.fewestOfText && pairs.count * 2 > arrived.count
      for (index, number) in pairs {
        guard let new = arrived[index], let old = stored[number],
          Self.areOne(new, old, by: key, ignoringDates: hasManyTexts)
        else { continue }
        found[index] = old.post
        taken.insert(number)
      }
    }
    return found
  }

  /// Returns the posts that alone have a value of a key, by the value.
  private static func unique<Name>(_ candidates: [Name: Candidate], _ key: Key) -> [String: Name] {
    var names: [String: Name?] = [:]
    for (name, candidate) in candidates {
      guard let value = value(of: candidate, key) else { continue }
      names[value] = .some(names[value] == nil ? name : nil)
    }
    return names.compactMapValues { $0 }
  }

  private static func value(of candidate: Candidate, _ key: Key) -> String? {
    let post = candidate.post.keys
    switch key {
    case .titleAndDay:
      guard post.title != 0, let date = post.date else { return nil }
      return "\(post.title) \(date / SortDate.aDay)"
    case .title: return post.title == 0 ? nil : "\(post.title)"
    case .text: return post.text.words < Sameness.fewestWordsToContradict ? nil : post.text.digest.map { "\($0)" }
    case .slug: return candidate.slug
    }
  }

  /// Whether nothing contradicts that two posts with a common key are one.
  ///
  /// A feed that goes on as before replaces its bulletins by others with the same title, and often the same words:
  /// their links are as before but for a number or a name, and their times and files are others.
  private static func areOne(_ new: Candidate, _ old: Candidate, by key: Key, ignoringDates: Bool) -> Bool {
    let likeness = Likeness(new.post.keys, old.post.keys)
    let (one, other) = (likeness.one, likeness.other)
    if likeness.isSameTime {
      // All offers of a day may say "Full time. Apply now."
      let isToldByText = one.text.words >= TextForm.fewestWords && other.text.words >= Sameness.fewestWordsToContradict
      let isNext = new.link != old.link && new.shape == old.shape
      return (isToldByText || !isNext) && (key == .text || agree(likeness))
    }
    let areNear = likeness.areDatesNear ?? likeness.isSameTitle
    guard new.shape != nil, new.shape != old.shape, areNear || key == .text && ignoringDates else { return false }
    let isLongCopy = one.text.digest == other.text.digest && one.text.words >= TextForm.fewestWords
    if !isLongCopy, likeness.isOtherFile { return false }
    if likeness.more == 0 { return one.title == other.title }
    return agree(likeness)
  }

  /// Whether the texts of two posts can be those of one, with a footer or cut off.
  private static func agree(_ likeness: Likeness) -> Bool {
    if likeness.one.text.digest == likeness.other.text.digest { return true }
    if likeness.fewer == 0 { return likeness.isSameTitle }
    guard likeness.fewer >= Sameness.fewestWordsToContradict else { return false }
    // A footer and a teaser leave little of a text, but no other numbers.
    guard likeness.one.text.numbersAgree(with: likeness.other.text) else { return false }
    return likeness.share ?? 0 >= Sameness.leastShareOfTeaser
  }

  /// Returns a URL without its scheme and the last part of its path, with all numbers alike: `a.example/#/?p=#` of
  /// `https://a.example/2026/fog?p=12`.
  private static func shape(_ url: String) -> String? {
    let rest = url.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst(3)
    let path = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    var parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true)
    if parts.isEmpty { return nil }
    if parts.count > 1 { parts.removeLast() }
    var shape: [UInt8] = []
    for byte in Array(parts.joined(separator: [UInt8(ascii: "/")])) + Array(rest.dropFirst(path.count)) {
      if !byte.isASCIIDigit {
        shape.append(byte)
      } else if shape.last != UInt8(ascii: "#") {
        shape.append(UInt8(ascii: "#"))
      }
    }
    return String(decoding: shape, as: UTF8.self)
  }

  /// Returns the last part of the path of a URL, `fog` of `https://a.example/2026/fog.html?x`; nil for a short or
  /// numeric one.
  private static func slug(_ url: String) -> String? {
    let path = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    guard let last = path.split(separator: UInt8(ascii: "/")).dropFirst(2).last else { return nil }
    let name = String(Substring(last.prefix { $0 != UInt8(ascii: ".") })).asciiLowercased()
    let isName = name.utf8.count >= 3 && !name.utf8.allSatisfy(\.isASCIIDigit)
    return isName && !["index", "default", "post", "view"].contains(name) ? name : nil
  }
}
