import Tamis
import TestSupport
import Testing

@Suite struct PostFilterTests {
  private static let now: Int64 = 1_800_000_000

  /// Rules, as they are written in a configuration, are applied to a post as each case says.
  @Test(arguments: Case.all(in: "Filters"))
  func filterRulesMatchFixture(_ each: Case) {
    let file = PlanetFile(reading: Array("filters:\n\(each.sections["rules"] ?? "")\n".utf8), name: "r", as: .tamis)
    #expect(file.isValid, "\(each): \(file.findings)")
    var context = PostFilter.Context()
    context.categories = list(each.settings["feed"])
    context.language = each.settings["feed-language"]
    context.now = Self.now
    let outcome = PostFilter(file.planet.filters).apply(to: post(each), in: context)
    var found = outcome.decisions.map(\.words)
    if let post = outcome.post {
      found.append("title: \(post.title)")
      if !post.tags.isEmpty { found.append("tags: \(post.tags.joined(separator: ", "))") }
      if outcome.isExcerpt { found.append("excerpt") }
    }
    #expect(found.joined(separator: "\n") == each.sections["outcome"], "\(each)")
  }

  private func list(_ text: String?) -> [String] { (text ?? "").split(separator: ", ").map(String.init) }

  private func post(_ each: Case) -> Post {
    var post = Self.post(title: each.settings["title"] ?? "", html: each.sections["text"] ?? "")
    post.authors = list(each.settings["authors"])
    post.tags = list(each.settings["tags"])
    post.language = each.settings["language"]
    post.kind = each.settings["kind"].flatMap(Post.Kind.init) ?? .article
    post.permalink = each.settings["link"].map { Post.Permalink(url: $0) }
    post.published = each.settings["age"].flatMap { Int64($0) }.map { Self.now - $0 * 86_400 }
    return post
  }

  private static func post(title: String, html: String) -> Post {
    var card = Post.Card()
    card.title = title
    return Post(card: card, content: Sanitizer.reading.sanitize(html).html)
  }

  /// Ten thousand words are searched for in one pass.
  @Test func manyWordsAreSearchedInOnePass() {
    var condition = Planet.FilterCondition()
    condition.words = (0..<10_000).map { "word\($0) never" } + ["needle in hay"]
    let text = String(repeating: "word1 word2 and so on, ", count: 20_000)
    let post = Self.post(title: "", html: "<p>\(text)</p><p>needle in</p> <p>hay</p>")
    var outcome: PostFilter.Outcome?
    let time = processorTime {
      outcome = PostFilter([Planet.FilterRule(.drop(condition))]).apply(to: post, in: .init())
    }
    #expect(outcome != nil && outcome?.post == nil)
    #expect(outcome?.decisions.map(\.words) == ["dropped: 'needle in hay' is in the text"])
    #expect(time < .seconds(20), "\(time)")
  }

  /// A rule has the same fingerprint wherever it is written, and another with any other member.
  @Test func fingerprintFollowsRule() {
    func fingerprints(_ text: String) -> [String] {
      PlanetFile(reading: Array("filters: \(text)".utf8), name: "r", as: .tamis).planet.filters.map(\.fingerprint)
    }
    let rules = [
      "words: x", "words: x, in: title", "words: x, in: [title, tag]", "matches: x", "tags: x", "authors: x",
      "languages: en", "categories: x", "domains: x.example", "kinds: note", "older-than: 3d", "newer-than: 3d",
      "shorter-than: 3", "longer-than: 3", "all: {words: x}", "any: {words: x}", "not: {words: x}",
    ].map { "drop: {\($0)}" }
    let found = fingerprints("[\(rules.joined(separator: ", "))]")
    #expect(Set(found).count == rules.count)
    #expect(fingerprints("\n- " + rules.joined(separator: "\n- ")) == found)
  }

  @Test func invalidExpressionMatchesNothing() {
    var condition = Planet.FilterCondition()
    condition.matches = ["("]
    let filter = PostFilter([Planet.FilterRule(.drop(condition))])
    #expect(filter.apply(to: Self.post(title: "(", html: ""), in: .init()).post != nil)
  }

  @Test func unsearchableWordsAreRejected() {
    #expect(WordSet.objection(to: " \u{200B} ") != nil)
    #expect(WordSet.objection(to: String(repeating: "a ", count: WordSet.longestRun + 1)) != nil)
    #expect(WordSet.objection(to: "C++") == nil)
  }
}
