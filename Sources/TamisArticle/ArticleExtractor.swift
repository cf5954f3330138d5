package import TamisCore
package import TamisHTML
package import TamisURL

/// An extractor of the article of a web page, with one walk over the page and decision trees that score its blocks.
package final class ArticleExtractor: Sendable {
  /// A page with its context.
  package struct Input: Sendable {
    /// The page in UTF-8 (see ``PageEncoding``); invalid UTF-8 is read as windows-1252.
    package var page: [UInt8]
    /// The URL of the page; nil when not known.
    package var url: WebURL?
    /// The article's title in a feed; empty when there is no feed.
    package var feedTitle = ""
    /// The article's text in a feed; empty when there is no feed.
    package var feedText = ""
    /// The boilerplate that pages of the site share; nil to skip the comparison.
    package var templates: SiteTemplates?
    /// The style sheets that the page may link to.
    package var sheets = LinkedSheets()

    /// Creates an input from a page without a feed.
    ///
    /// - Parameters:
    ///   - page: the page in UTF-8.
    ///   - url: the URL of the page, or nil when not known.
    package init(page: [UInt8], url: WebURL? = nil) { (self.page, self.url) = (page, url) }

    /// What finds the sheets; nil when there are none.
    var sheetFinder: LinkedSheets.Finder? {
      if sheets.isEmpty { return nil }
      return { [sheets, url] href, base in
        let base = base.flatMap { WebURL($0, base: url) } ?? url
        return WebURL(href, base: base).flatMap { sheets.sheet(at: $0.removingFragment.href) }
      }
    }
  }

  /// The given model, or nil for the shipped one, which is loaded on first use.
  private let ownModel: ArticleModel?
  private let limits: Limits
  private let rules: SiteRules

  /// Creates an extractor.
  ///
  /// - Parameters:
  ///   - limits: the limits on what is read.
  ///   - rules: the rules for the pages of single sites.
  ///   - model: the trees, made by `Training/train.py`; nil for the shipped ones.
  package init(limits: Limits = .standard, rules: SiteRules = SiteRules(), model: ArticleModel? = nil) {
    (self.limits, self.rules, ownModel) = (limits, rules, model)
  }

  private var model: ArticleModel { ownModel ?? .shipped }

  /// The minimum number of words of an article; fewer are one when they have a sentence and the page has little more.
  package static let fewestWords = 10
  private static let fewestWordsOfAll = 5
  /// The number of bytes of linked data that are read of one page.
  package static let mostLinkedDataBytes = LinkedFacts.mostBytes
  /// The number of bytes of other JSON that are read of a page whose markup has nothing.
  package static let mostPreloadedBytes = PreloadedData.mostBytes

  /// Returns the article of a page.
  package func extract(_ input: Input) -> Article {
    let page = MeasuredPage(input, limits, rules)
    let decision = decide(page, model.scores(of: page))
    var article = Article(facts: page.facts, markup: nil, text: "", confidence: decision.confidence)
    article.siteRule = page.site.map {
      SiteRuleUse(host: $0.rule.host, isUnmet: !$0.rule.keep.isEmpty && page.keeping == nil)
    }
    article.kind = decision.kind
    let base = page.facts.base ?? input.url?.href
    if let embedded = decision.embedded {
      article.markup = Feed.Markup(embedded.markup, kind: .html, base: base)
      (article.text, article.posts, article.source) = (embedded.text, embedded.posts, embedded.source.rawValue)
    } else if decision.isInMarkup {
      let markup = ArticleWriter.markup(page, decision.choice, decision.posts)
      article.markup = Feed.Markup(String(decoding: markup, as: UTF8.self), kind: .html, base: base)
      let lines = lines(of: page, decision.choice)
      article.text = lines.map(\.text).joined(separator: "\n")
      article.posts = decision.posts?.withTexts(lines) ?? []
      article.agreement = agreement(page, decision.choice, input)
      article.hidden = hidden(in: page, decision.choice)
    }
    article.sheetRefusal = page.tape.sheetRefusal
    article.facts.isDataCut = decision.isDataCut
    article.facts.settle(by: decision.kind)
    article.facts.removeInvisible()
    article.facts.add(article.posts.first)
    return article
  }

  /// Returns the number of hidden parts between the first block that stays and the end of what is around the last.
  private func hidden(in page: MeasuredPage, _ choice: Choice) -> Int {
    let shown = page.blocks.list.indices.filter { choice.isShown[$0] }
    guard let first = shown.first, let last = shown.last else { return 0 }
    let owner = page.blocks.list[last].owner
    let around = owner < 0 ? -1 : Int(page.tape.elements[owner].parent)
    let end = around < 0 ? page.blocks.list[last].items.upperBound : page.tape.elements[around].end
    return page.tape.hidden.count { $0 >= page.blocks.list[first].items.lowerBound && $0 < end }
  }

  /// What is decided about a page.
  private struct Decision {
    var choice: Choice
    /// The addition to the scores of the choice.
    var bias: Int
    var isInMarkup: Bool
    var embedded: EmbeddedText?
    var posts: ThreadPosts?
    var kind: Article.KindGuess?
    var confidence = 0.0
    /// Whether there is more data than was read.
    var isDataCut = false
  }

  private func decide(_ page: MeasuredPage, _ scores: [Int]) -> Decision {
    let (best, kind) = Candidate.best(of: page, scores, by: model)
    var decision = Decision(choice: best.choice, bias: best.bias, isInMarkup: isArticle(best.choice, of: page))
    if page.keeping == nil {
      let words = decision.isInMarkup ? best.choice.words : 0
      let data = PreloadedData(page.facts.preloaded, of: page.tape, insteadOf: words)
      decision.embedded = EmbeddedText(page.facts, data, insteadOf: words)
      decision.isDataCut = page.facts.isDataCut || data.isCut
    }
    if let embedded = decision.embedded {
      // The markup of a page that has its text elsewhere looks like a list.
      decision.kind = kind?.kind == .listing ? nil : kind
      (decision.isInMarkup, decision.confidence) = (false, embedded.confidence)
    } else if decision.isInMarkup {
      // A rule for the site is trusted.
      (decision.confidence, decision.kind) = (page.keeping == nil ? best.confidence : 1, kind)
      decision.posts = kind?.kind == .thread ? ThreadPosts(page, best.choice) : nil
      decision.choice.drop(decision.posts?.labels ?? [], .postLabel)
    }
    return decision
  }

  /// Returns the digests for the comparison with other pages of the site, or nil when the site is not known.
  package func outline(_ input: Input) -> PageOutline? {
    let page = SeenPage(input, limits, rules)
    return PageOutline(page.blocks, title: page.facts.title?.value ?? "", at: page.url)
  }

  /// Returns the decision about a page and each of its blocks, with the reasons.
  package func explain(_ input: Input) -> PageReport {
    let page = MeasuredPage(input, limits, rules)
    let scores = model.scores(of: page)
    let decision = decide(page, scores)
    let (choice, source) = (decision.choice, decision.embedded?.source)
    let reports = page.blocks.list.indices.map { index in
      var report = BlockReport(page, index, score: scores[index], shares: model.blocks.shares(page.numbers.row(index)))
      if decision.isInMarkup {
        (report.isShown, report.rule) = (choice.isShown[index], choice.rules[index])
        report.selector = report.rule == .siteKeep ? page.keeping?[index].selector?.description : nil
        report.otherPages = report.rule == .repeated ? page.repeated?.others[index] : nil
        if report.rule == .weighed, choice.isText[index], scores[index] + decision.bias <= 0 {
          report.rule = .mostProse
        }
      } else {
        report.rule = source == .linkedData ? .linkedData : source == .preloaded ? .preloadedData : .noArticle
      }
      return report
    }
    return PageReport(
      confidence: decision.confidence, kind: decision.kind, threshold: Double(-decision.bias / 10_000) / 100,
      blocks: page.site.map { $0.explained(reports, page.blocks.list) } ?? reports)
  }

  /// Whether the chosen blocks are an article; with a rule for the site, a few words or a picture are enough.
  private func isArticle(_ choice: Choice, of page: MeasuredPage) -> Bool {
    if page.keeping != nil { return choice.isShown.contains(true) }
    var content = Sum()
    for (index, block) in page.blocks.list.enumerated()
    where choice.isText[index] && block.zones.isDisjoint(with: [.navigation, .footer, .control, .beside]) {
      content.add(block)
    }
    // A footer, a banner and the fields of a form alone are no article.
    if content.words * 2 < choice.words { return false }
    if choice.words >= Self.fewestWords { return true }
    return content.sentences > 0 && content.words >= Self.fewestWordsOfAll && choice.words * 2 >= page.sums.page.words
  }

  /// Returns the texts of the blocks that are text, with the numbers of the blocks.
  private func lines(of page: MeasuredPage, _ choice: Choice) -> [(block: Int, text: String)] {
    page.blocks.list.indices.filter { choice.isText[$0] && page.blocks.list[$0].characters > 0 }
      .map { ($0, InvisibleText.visible(page.tape.text(of: page.blocks.list[$0]).collapsingSpace())) }
  }

  private func agreement(_ page: MeasuredPage, _ choice: Choice, _ input: Input) -> Double? {
    if input.feedText.isEmpty { return nil }
    let found = choice.isText.indices.filter { choice.isText[$0] }.flatMap {
      page.blocks.digests(of: page.blocks.list[$0])
    }
    return Double(WordRuns(digests: found[...]).share(ofText: input.feedText)) / 1000
  }

  /// Writes the features of a page as members of a JSON object, for training trees: `blocks` with their features, and
  /// `choices` with theirs and the numbers of their blocks.
  ///
  /// - Parameters:
  ///   - input: the page.
  ///   - writer: the writer of the JSON.
  package func writeNumbers(_ input: Input, into writer: inout JSONWriter) {
    let page = MeasuredPage(input, limits, SiteRules())
    let scores = model.scores(of: page)
    writer.array("blocks") { writer in
      for (index, block) in page.blocks.list.enumerated() {
        writer.object { writer in
          writer.member("text", page.tape.text(of: block))
          writer.array("row") { writer in page.numbers.row(index).forEach { writer.int(Int64($0)) } }
        }
      }
    }
    writer.array("choices") { writer in
      for candidate in Candidate.all(of: page, scores, by: model) {
        let kept = candidate.choice.isText.indices.filter { candidate.choice.isText[$0] }
        writer.object { writer in
          writer.array("row") { writer in candidate.numbers.forEach { writer.int(Int64($0)) } }
          writer.array("blocks") { writer in kept.forEach { writer.int(Int64($0)) } }
        }
      }
    }
  }

  /// The names of the features of blocks, in the order of the numbers.
  package static var numberNames: [String] { Feature.allCases.map { "\($0)" } }
  /// The names of the features of choices of blocks, in the order of the numbers.
  package static var choiceNumberNames: [String] { PageFeature.allCases.map { "\($0)" } }
}

/// A page that was read.
struct SeenPage {
  let tape: PageTape
  let facts: Article.Facts
  let blocks: Blocks
  /// The URL of the page, as given or from its own `canonical` link.
  let url: WebURL?
  /// The effect of a rule for the site; nil when there is none.
  let site: SitePart?

  init(_ input: ArticleExtractor.Input, _ limits: Limits, _ rules: SiteRules) {
    let whole = PageReader(limits: limits).read(input.page.span, sheets: input.sheetFinder)
    facts = FactCascade.facts(of: whole, url: input.url, page: input.page)
    url = input.url ?? facts.canonical.flatMap { WebURL($0.value) }
    site = rules.isEmpty ? nil : SitePart(rules, url, whole)
    tape = site?.tape ?? whole
    blocks = BlockFinder.find(in: tape)
  }
}

/// A page that was read and measured.
struct MeasuredPage {
  let tape: PageTape
  let facts: Article.Facts
  let blocks: Blocks
  let sums: Sums
  let marks: Landmarks
  let tables: DataTables
  /// The box with the most prose; nil when the page has none.
  let box: MainBox?
  /// The features of the blocks.
  let numbers: BlockNumbers
  /// The effect of a rule for the site; nil when there is none.
  let site: SitePart?
  /// The place of each block relative to the elements that the rule keeps; nil when the rule names none, or they are
  /// empty.
  let keeping: [BlockKeeping]?
  /// The blocks that other pages of the site also have; nil when these are not compared.
  let repeated: RepeatedBlocks?

  init(_ input: ArticleExtractor.Input, _ limits: Limits, _ rules: SiteRules) {
    let page = SeenPage(input, limits, rules)
    (tape, facts, blocks, site) = (page.tape, page.facts, page.blocks, page.site)
    keeping = site?.keeping(blocks.list)
    repeated = input.templates.flatMap { templates in
      PageOutline(page.blocks, title: page.facts.title?.value ?? "", at: page.url)
        .map { RepeatedBlocks($0, page.blocks, templates) }
    }
    sums = Sums(tape, blocks)
    var hints = BlockMeasure.Hints()
    hints.title = WordRuns(facts.title?.value ?? "")
    hints.description = WordRuns(facts.description?.value ?? "")
    hints.linkedBody = WordRuns(facts.linkedBody)
    hints.feedTitle = WordRuns(input.feedTitle)
    hints.feed = WordRuns(input.feedText)
    marks = Landmarks(tape, blocks, sums, title: hints.title.words)
    tables = DataTables(tape, sums)
    box = MainBox(tape, blocks, sums, headline: marks.headline)
    var numbers = BlockMeasure.numbers(tape, blocks, sums, marks, hints)
    if let box { BoxMeasure.measure(tape, blocks, sums, box, into: &numbers) }
    self.numbers = numbers
  }
}
