import TamisCore
import TamisFoundation

/// The facts of a post that decide whether it is the same as a post of another feed, so that the decision can be made
/// without the archive.
///
/// The facts are texts by name: the engine does not interpret them. Digests are hexadecimal; unknown facts are left
/// out.
package struct PairFacts: Sendable, Hashable {
  private let post: StoredPost
  private let feed: String
  /// The number of posts with this text in the feed that has it most often.
  private let copies: Int
  private let isShown: Bool
  private let isAggregator: Bool

  /// The maximum number of copies of a text in one feed; a text with more is boilerplate and not evidence.
  static let mostOfOneText = 1

  init(_ post: StoredPost, of feed: StoredFeed, copies: Int = 0) {
    (self.post, self.feed, self.copies) = (post, feed.key.text, copies)
    isShown = !post.isBuried && !post.flags.contains(.heldBack) && !feed.isOut
    isAggregator = feed.isAggregator
  }

  // MARK: - As texts

  /// The names of all facts.
  package static let names = [
    "feed", "post", "id", "link", "text", "title", "titleWords", "markup", "words", "numbers", "sketch", "landmarks",
    "date", "first", "since", "wordings", "marks", "copies",
  ]

  private enum Mark: Character { case own = "o", global = "g", hidden = "h", aggregator = "a", speaking = "s" }

  /// The facts by name, in that order; unknown ones are left out.
  package var texts: [(name: String, text: String)] {
    var marks = ""
    func mark(_ mark: Mark, _ isSo: Bool) { if isSo { marks.append(mark.rawValue) } }
    mark(.own, post.flags.contains(.own))
    mark(.global, post.flags.contains(.global))
    mark(.hidden, !isShown)
    mark(.aggregator, isAggregator)
    mark(.speaking, post.flags.contains(.speaking))
    let texts: [String?] = [
      feed, post.id.description, Self.hex(post.ids.guidForm), Self.hex(post.ids.link), Self.hex(post.text),
      Self.hex(post.title),
      post.titleWords, Self.hex(post.markup), "\(post.words)", "\(post.numbers)",
      post.sketch.map(Self.hex),
      post.landmarks.isEmpty ? nil : post.landmarks.compactMap(Self.hex).joined(separator: " "),
      post.date.map { "\($0)" }, "\(post.first.rawValue)", "\(post.since.rawValue)",
      post.wordings.isEmpty ? nil : post.wordings.map(Self.text).joined(separator: " "), marks, nil,
    ]
    return zip(Self.names, texts).compactMap { name, text in text.map { (name, $0) } }
  }

  /// The error of facts that cannot be used.
  package struct Invalid: Error, Sendable {
    /// The name of the fact that is missing or invalid.
    package let name: String
  }

  /// Creates the facts from texts.
  ///
  /// - Parameter texts: the facts by name. `copies` is the number of posts in the feed that has the same text most
  ///   often, as counted by an engine; if it is left out, the text is not boilerplate.
  /// - Throws: ``Invalid`` with the name of the first fact that is missing or cannot be read.
  package init(_ texts: [String: String]) throws(Invalid) {
    func number(_ name: String) throws(Invalid) -> Int64? {
      guard let text = texts[name] else { return nil }
      guard let number = Int64(text) else { throw Invalid(name: name) }
      return number
    }
    func digest(_ name: String) throws(Invalid) -> Int64? {
      guard let text = texts[name] else { return nil }
      guard text.utf8.count == 16, let digest = UInt64(text, radix: 16) else { throw Invalid(name: name) }
      return Int64(bitPattern: digest)
    }
    guard let feed = texts["feed"] else { throw Invalid(name: "feed") }
    guard let id = try digest("post") else { throw Invalid(name: "post") }
    let marks = Set((texts["marks"] ?? "").compactMap { Mark(rawValue: $0) })
    var post = StoredPost()
    post.id = PostID(rawValue: id)
    (post.ids.guidForm, post.ids.link, post.text) = (try digest("id"), try digest("link"), try digest("text"))
    (post.title, post.titleWords) = (try digest("title") ?? 0, texts["titleWords"] ?? "")
    post.markup = try digest("markup") ?? PostKeys.emptyMarkup
    post.words = Int((try number("words") ?? 0).clamped(to: ValidValue.words))
    post.numbers = (try number("numbers") ?? 0).clamped(to: ValidValue.numbers)
    post.date = try number("date")?.clamped(to: CheckedValue.times)
    post.first = Moment(rawValue: try number("first") ?? 0)
    post.since = Moment(rawValue: try number("since") ?? 0)
    if let sketch = texts["sketch"] { post.sketch = try Self.sketch(sketch) }
    for part in (texts["landmarks"] ?? "").split(separator: " ") {
      guard let digest = UInt64(part, radix: 16) else { throw Invalid(name: "landmarks") }
      post.landmarks.append(Int64(bitPattern: digest))
    }
    for part in (texts["wordings"] ?? "").split(separator: " ") {
      let sides = part.split(separator: ":")
      guard sides.count >= 2, let since = Int64(sides[0]), let words = Int64(sides[1]) else {
        throw Invalid(name: "wordings")
      }
      let sketch = sides.count > 2 ? try Self.sketch(String(sides[2])) : nil
      post.wordings.append(
        Wording(
          digest: 0, since: since, words: Int(words.clamped(to: ValidValue.words)), sketch: sketch.map { Data($0) }))
    }
    if marks.contains(.own) { post.flags.insert(.own) }
    if marks.contains(.global) { post.flags.insert(.global) }
    if marks.contains(.speaking) { post.flags.insert(.speaking) }
    (self.post, self.feed, copies) = (post, feed, Int((try number("copies") ?? 0).clamped(to: ValidValue.words)))
    (isShown, isAggregator) = (!marks.contains(.hidden), marks.contains(.aggregator))
  }

  private static func sketch(_ text: String) throws(Invalid) -> [UInt8] {
    let digits = Array(text.utf8)
    guard digits.count == 2 * Sketch.count else { throw Invalid(name: "sketch") }
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: digits.count, by: 2) {
      guard let byte = UInt8(String(decoding: digits[start...start + 1], as: UTF8.self), radix: 16) else {
        throw Invalid(name: "sketch")
      }
      bytes.append(byte)
    }
    return bytes
  }

  /// `1767225600:120:` and the sketch.
  private static func text(_ wording: Wording) -> String {
    "\(wording.since):\(wording.words)" + (wording.sketch.map { ":" + hex(Array($0)) } ?? "")
  }

  private static func hex(_ sketch: [UInt8]) -> String { sketch.map { digits(UInt64($0), 2) }.joined() }

  private static func hex(_ digest: Int64?) -> String? { digest.map { digits(UInt64(bitPattern: $0), 16) } }

  static func digits(_ number: UInt64, _ count: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
  }

  // MARK: - Decisions

  /// Whether two posts are the same, and why: the rule that found it, or in words what contradicts it.
  ///
  /// An archive that has both posts makes the same decision (``Folding``).
  package func isSame(as other: PairFacts) -> (isSame: Bool, reason: String) {
    let (rule, reasons) = decision(on: other)
    return (rule != nil, rule?.rawValue ?? reasons.joined(separator: "; "))
  }

  /// The rule by which two posts are the same, nil when they are not, and the comparisons in words.
  func decision(on other: PairFacts) -> (rule: Sameness.Rule?, reasons: [String]) {
    if feed == other.feed { return (nil, ["both are of one feed"]) }
    if !isShown || !other.isShown { return (nil, ["one of them is hidden"]) }
    let sameness = Sameness(post, other.post, explains: true)
    if Set(PostStore.sharedKeys(of: post)).isDisjoint(with: PostStore.sharedKeys(of: other.post)) {
      return (nil, sameness.rule == nil ? sameness.reasons : ["they share no key"])
    }
    if sameness.rule?.isOfText == true, max(copies, other.copies) > Self.mostOfOneText {
      return (nil, sameness.reasons + ["the text stands in several posts of one feed"])
    }
    return (sameness.rule, sameness.reasons)
  }
}
