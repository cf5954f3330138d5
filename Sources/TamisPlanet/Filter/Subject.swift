import TamisCore
import TamisURL

/// A post while rules are applied to it, with cached texts for matching.
struct Subject {
  /// The result of comparing a post with a member of a condition.
  private enum Verdict {
    /// The condition does not have the member.
    case absent
    case unmet
    /// The member holds, for a reason in words.
    case met(String)

    /// The verdict for a reason, or for the lack of one.
    init(_ reason: String?) { self = reason.map { .met($0) } ?? .unmet }
  }

  /// A part of the post, as it is compared with words and expressions.
  private struct Part {
    /// The part in words, such as `the title`.
    var words: String
    /// The text, with white space collapsed.
    var text: String
    /// The text as words, once it was needed.
    var folded: FoldedText?
  }

  var post: Post
  private let context: PostFilter.Context
  private var parts: [Planet.FilterCondition.Field: [Part]] = [:]
  private var length: Int?

  init(_ post: Post, _ context: PostFilter.Context) { (self.post, self.context) = (post, context) }

  /// Returns the subject for a changed post.
  func replaced(by post: Post) -> Subject { Subject(post, context) }

  mutating func rename(_ new: String) {
    post.title = new
    parts[.title] = nil
  }

  /// Returns the reason why a post meets a condition, or nil when it does not.
  mutating func reason(for condition: PreparedCondition) -> String? {
    var reasons: [String] = []
    // What costs little comes first.
    let tests: [(inout Subject, PreparedCondition) -> Verdict] = [
      { $0.tags($1) }, { $0.categories($1) }, { $0.languages($1) }, { $0.domains($1) }, { $0.kinds($1) },
      { $0.age($1) }, { $0.authors($1) }, { $0.words($1) }, { $0.matches($1) }, { $0.words(counted: $1) },
      { $0.all($1) }, { $0.any($1) }, { $0.not($1) },
    ]
    for test in tests {
      switch test(&self, condition) {
      case .absent: continue
      case .unmet: return nil
      case .met(let reason): reasons.append(reason)
      }
    }
    return reasons.isEmpty ? "it holds for every post" : reasons.joined(separator: " and ")
  }

  // MARK: - Facts

  private func tags(_ prepared: PreparedCondition) -> Verdict {
    if prepared.condition.tags.isEmpty { return .absent }
    return Verdict(prepared.tag(among: post.tags).map { "it has the tag '\($0)'" })
  }

  private func categories(_ prepared: PreparedCondition) -> Verdict {
    if prepared.condition.categories.isEmpty { return .absent }
    return Verdict(prepared.category(among: context.categories).map { "its feed is in '\($0)'" })
  }

  private func languages(_ prepared: PreparedCondition) -> Verdict {
    if prepared.condition.languages.isEmpty { return .absent }
    guard let language = post.language ?? context.language,
      prepared.condition.languages.contains(where: { Self.language(language, isIn: $0) })
    else { return .unmet }
    return .met("its language is '\(language)'")
  }

  private func domains(_ prepared: PreparedCondition) -> Verdict {
    if prepared.condition.domains.isEmpty { return .absent }
    guard let host, prepared.hasDomain(host) else { return .unmet }
    return .met("its link leads to '\(host)'")
  }

  private func kinds(_ prepared: PreparedCondition) -> Verdict {
    if prepared.condition.kinds.isEmpty { return .absent }
    let kind = Planet.FilterCondition.Kind(post.card)
    guard prepared.condition.kinds.contains(kind) else { return .unmet }
    return .met("it is \(kind == .article ? "an" : "a") \(kind.rawValue)")
  }

  private func age(_ prepared: PreparedCondition) -> Verdict {
    let (older, newer) = (prepared.condition.olderThan, prepared.condition.newerThan)
    if older == nil, newer == nil { return .absent }
    guard let now = context.now, let date = post.published ?? post.updated else { return .unmet }
    if let older, !Self.isOlder(date, than: older, at: now) { return .unmet }
    if let newer, Self.isOlder(date, than: newer, at: now) { return .unmet }
    let words = [older.map { "older than \($0.counted("day"))" }, newer.map { "not older than \($0.counted("day"))" }]
    return .met("it is \(words.compactMap(\.self).joined(separator: " and "))")
  }

  private mutating func authors(_ prepared: PreparedCondition) -> Verdict {
    if prepared.condition.authors.isEmpty { return .absent }
    for position in parts(.author).indices where prepared.authors.first(in: folded(.author, position)) != nil {
      return .met("it is by '\(parts(.author)[position].text)'")
    }
    return .unmet
  }

  private mutating func words(counted prepared: PreparedCondition) -> Verdict {
    let (shorter, longer) = (prepared.condition.shorterThan, prepared.condition.longerThan)
    if shorter == nil, longer == nil { return .absent }
    let length = length ?? WordCount(parts(.text).first?.text ?? "").length
    self.length = length
    if let shorter, length >= shorter { return .unmet }
    if let longer, length <= longer { return .unmet }
    return .met("it has \(length.counted("word"))")
  }

  // MARK: - Texts

  private mutating func words(_ prepared: PreparedCondition) -> Verdict {
    if prepared.condition.words.isEmpty { return .absent }
    for field in prepared.condition.fields {
      for (position, part) in parts(field).enumerated() {
        if let word = prepared.words.first(in: folded(field, position)) { return .met("'\(word)' is in \(part.words)") }
      }
    }
    return .unmet
  }

  private mutating func matches(_ prepared: PreparedCondition) -> Verdict {
    if prepared.condition.matches.isEmpty { return .absent }
    for field in prepared.condition.fields {
      for part in parts(field) {
        for pattern in prepared.patterns {
          guard let match = pattern.firstMatch(in: part.text) else { continue }
          if match.isEmpty { return .met("/\(pattern.source)/ matches \(part.words)") }
          let shown = String(match.unicodeScalars.prefix(Self.shownMatch))
          let ending = shown.utf8.count < match.utf8.count ? "…" : ""
          return .met("'\(shown)\(ending)' of /\(pattern.source)/ is in \(part.words)")
        }
      }
    }
    return .unmet
  }

  /// The number of code points of a match that a reason shows.
  private static let shownMatch = 60

  /// Returns a part of a field as words, which are made once.
  private mutating func folded(_ field: Planet.FilterCondition.Field, _ position: Int) -> FoldedText {
    let part = parts(field)[position]
    if let folded = part.folded { return folded }
    let folded = FoldedText(part.text)
    parts[field]?[position].folded = folded
    return folded
  }

  /// Returns a field of the post as texts: one for the title, one for each author.
  private mutating func parts(_ field: Planet.FilterCondition.Field) -> [Part] {
    if let known = parts[field] { return known }
    func part(_ words: String, _ text: String?) -> [Part] {
      text.map { [Part(words: words, text: $0.collapsingSpace())] } ?? []
    }
    let found =
      switch field {
      case .title: part("the title", post.title)
      case .text: part("the text", FilteredText.of(post.content))
      case .link: part("the link", post.permalink?.url)
      case .domain: part("the domain", host)
      case .author: post.authors.flatMap { part("the author '\($0)'", $0) }
      case .tag: post.tags.flatMap { part("the tag '\($0)'", $0) }
      }
    parts[field] = found
    return found
  }

  /// The host of the link.
  private var host: String? { post.permalink.flatMap { WebURL($0.url)?.hostname?.withoutRootDot } }

  // MARK: - Conditions inside

  private mutating func all(_ prepared: PreparedCondition) -> Verdict {
    if prepared.all.isEmpty { return .absent }
    var reasons: [String] = []
    for condition in prepared.all {
      guard let reason = reason(for: condition) else { return .unmet }
      reasons.append(reason)
    }
    return .met(reasons.joined(separator: " and "))
  }

  private mutating func any(_ prepared: PreparedCondition) -> Verdict {
    if prepared.any.isEmpty { return .absent }
    for condition in prepared.any {
      if let reason = reason(for: condition) { return .met(reason) }
    }
    return .unmet
  }

  private mutating func not(_ prepared: PreparedCondition) -> Verdict {
    if prepared.not.isEmpty { return .absent }
    for condition in prepared.not where reason(for: condition) != nil { return .unmet }
    return .met(prepared.not.map { "the condition \($0.summary) is not met" }.joined(separator: " and "))
  }

  // MARK: - Comparisons

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

extension String {
  /// A host without the dot of DNS's root at its end, which names the same host.
  var withoutRootDot: String { hasSuffix(".") ? String(dropLast()) : self }
}
