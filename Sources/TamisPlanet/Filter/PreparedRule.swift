import TamisCore

/// A rule prepared for fast matching.
struct PreparedRule: Sendable {
  let rule: Planet.FilterRule
  /// The condition; nil for rules without one.
  let condition: Planet.FilterCondition?
  let words: WordSet
  let authors: WordSet
  private let tags: Set<String>
  private let categories: Set<String>
  private let retags: [String: String?]

  init(_ rule: Planet.FilterRule) {
    self.rule = rule
    switch rule.action {
    case .keep(let condition), .drop(let condition), .excerpt(let condition): self.condition = condition
    case .rename, .retag, .program: condition = nil
    }
    words = WordSet(condition?.words ?? [])
    authors = WordSet(condition?.authors ?? [])
    tags = Set((condition?.tags ?? []).map(Self.folded))
    categories = Set((condition?.categories ?? []).map(Self.folded))
    guard case .retag(let changes) = rule.action else {
      retags = [:]
      return
    }
    // Names that differ only in case are the same; the last in byte order counts, whatever the order of the dictionary.
    retags = Dictionary(
      changes.sorted { $0.key < $1.key }.map { (Self.folded($0.key), $0.value) }, uniquingKeysWith: { $1 })
  }

  /// Returns the first tag of a post that the condition names.
  func tag(among names: [String]) -> String? { names.first { tags.contains(Self.folded($0)) } }

  /// Returns the first category of a feed that the condition names, or that is inside one that it names.
  func category(among names: [String]) -> String? {
    names.first { name in
      let parts = Self.folded(name).split(separator: "/", omittingEmptySubsequences: false)
      return parts.indices.contains { categories.contains(parts[...$0].joined(separator: "/")) }
    }
  }

  /// Returns the tags under their new names, each once.
  func retagged(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.compactMap { name in
      let new = retags[Self.folded(name)] ?? name
      guard let new, seen.insert(Self.folded(new)).inserted else { return nil }
      return new
    }
  }

  private static func folded(_ name: String) -> String { name.lowercased() }
}

/// A post while rules are applied to it, with cached texts for matching.
struct Subject {
  var post: Post
  private let context: PostFilter.Context
  private var title: FoldedText?
  private var text: FoldedText?

  init(_ post: Post, _ context: PostFilter.Context) { (self.post, self.context) = (post, context) }

  mutating func rename(_ new: String) { (post.title, title) = (new, nil) }

  /// Returns the reason why a post meets a rule's condition, or nil when it does not.
  mutating func reason(for rule: PreparedRule) -> String? {
    guard let condition = rule.condition else { return nil }
    var reasons: [String] = []
    if !condition.tags.isEmpty {
      guard let tag = rule.tag(among: post.tags) else { return nil }
      reasons.append("it has the tag '\(tag)'")
    }
    if !condition.categories.isEmpty {
      guard let category = rule.category(among: context.categories) else { return nil }
      reasons.append("its feed is in '\(category)'")
    }
    if !condition.languages.isEmpty {
      guard let language = post.language ?? context.language,
        condition.languages.contains(where: { Self.language(language, isIn: $0) })
      else { return nil }
      reasons.append("its language is '\(language)'")
    }
    if let days = condition.olderThan {
      guard let now = context.now, let date = post.published ?? post.updated, Self.isOlder(date, than: days, at: now)
      else { return nil }
      reasons.append("it is older than \(days.counted("day"))")
    }
    if !condition.authors.isEmpty {
      guard let author = post.authors.first(where: { rule.authors.first(in: FoldedText($0)) != nil }) else {
        return nil
      }
      reasons.append("it is by '\(author)'")
    }
    if !condition.words.isEmpty {
      guard let found = wordReason(rule, condition.field) else { return nil }
      reasons.append(found)
    }
    return reasons.isEmpty ? "it holds for every post" : reasons.joined(separator: " and ")
  }

  private mutating func wordReason(_ rule: PreparedRule, _ field: Planet.FilterCondition.Field) -> String? {
    if field != .text {
      let folded = title ?? FoldedText(post.title)
      title = folded
      if let word = rule.words.first(in: folded) { return "'\(word)' is in the title" }
    }
    if field != .title {
      let folded = text ?? FoldedText(FilteredText.of(post.content))
      text = folded
      if let word = rule.words.first(in: folded) { return "'\(word)' is in the text" }
    }
    return nil
  }

  /// Whether a language tag matches a range by basic filtering (RFC 4647, 3.3.1).
  private static func language(_ tag: String, isIn range: String) -> Bool {
    let (tag, range) = (tag.asciiLowercased(), range.asciiLowercased())
    return tag == range || tag.hasPrefix(range + "-")
  }

  private static func isOlder(_ date: Int64, than days: Int, at now: Int64) -> Bool {
    let (age, isTooLarge) = now.subtractingReportingOverflow(date)
    return isTooLarge ? date < now : age > Int64(days) * 86_400
  }
}
