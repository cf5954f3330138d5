import CBuiltInFiles
package import TamisCore
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

    /// Creates an input from a page without a feed.
    ///
    /// - Parameters:
    ///   - page: the page in UTF-8.
    ///   - url: the URL of the page, or nil when not known.
    package init(page: [UInt8], url: WebURL? = nil) { (self.page, self.url) = (page, url) }
  }

  /// The given model, or nil for the shipped one, which is loaded on first use.
  private let ownTrees: Trees?
  private let limits: Limits
  private let rules: SiteRules

  /// Creates an extractor.
  ///
  /// - Parameters:
  ///   - limits: the limits on what is read.
  ///   - rules: the rules for the pages of single sites.
  ///   - trees: the model that scores blocks, made by `Training/train.py`; nil for the shipped one.
  package init(limits: Limits = .standard, rules: SiteRules = SiteRules(), trees: Trees? = nil) {
    (self.limits, self.rules, ownTrees) = (limits, rules, trees)
  }

  private var trees: Trees { ownTrees ?? .shipped }

  /// The minimum number of words of an article.
  package static let fewestWords = 10
  /// The number of words below which the prose in the box with the most of it is used instead of the trees' choice.
  static let fewWords = 25

  /// Returns the article of a page.
  package func extract(_ input: Input) -> Article {
    let page = MeasuredPage(input, limits, rules)
    let (scores, choice) = choose(page)
    var article = Article(facts: page.facts, markup: nil, text: "", confidence: 0)
    article.siteRule = page.site.map {
      SiteRuleUse(host: $0.rule.host, isUnmet: !$0.rule.keep.isEmpty && page.keeping == nil)
    }
    guard isArticle(choice, of: page) else { return article }
    let markup = ArticleWriter.markup(page, choice)
    article.markup = Feed.Markup(
      String(decoding: markup, as: UTF8.self), kind: .html, base: page.facts.base ?? input.url?.href)
    article.text = text(of: page, choice)
    // A rule for the site is trusted, so its confidence is 1.
    article.confidence = page.keeping == nil ? confidence(page, choice, scores) : 1
    article.agreement = agreement(page, choice, input)
    return article
  }

  /// Returns the digests for the comparison with other pages of the site, or nil when the site is not known.
  package func outline(_ input: Input) -> PageOutline? {
    let page = SeenPage(input, limits, rules)
    return PageOutline(page.blocks, title: page.facts.title?.value ?? "", at: page.url)
  }

  /// Returns the decision about each block of a page and its reasons, in document order.
  package func explain(_ input: Input) -> [BlockReport] {
    let page = MeasuredPage(input, limits, rules)
    let (scores, choice) = choose(page)
    let isArticle = isArticle(choice, of: page)
    let reports = page.blocks.list.indices.map { index in
      var report = BlockReport(page, index, score: scores[index], shares: trees.shares(page.numbers.row(index)))
      if isArticle {
        (report.isShown, report.rule) = (choice.isShown[index], choice.rules[index])
        report.selector = report.rule == .siteKeep ? page.keeping?[index].selector?.description : nil
        report.otherPages = report.rule == .repeated ? page.repeated?.others[index] : nil
        if report.rule == .weighed, choice.isText[index], scores[index] <= 0 { report.rule = .mostProse }
      } else {
        report.rule = .noArticle
      }
      return report
    }
    return page.site.map { $0.explained(reports, page.blocks.list) } ?? reports
  }

  /// Whether the chosen blocks are an article; with a rule for the site, a few words or a picture are enough.
  private func isArticle(_ choice: Choice, of page: MeasuredPage) -> Bool {
    page.keeping == nil ? choice.words >= Self.fewestWords : choice.isShown.contains(true)
  }

  /// Returns the scores of the blocks, and the choice made from them.
  private func choose(_ page: MeasuredPage) -> ([Int], Choice) {
    let scores = page.blocks.list.indices.map { trees.score(page.numbers.row($0)) }
    if let keeping = page.keeping {
      // Whether a heading or a link stays depends on the blocks next to it.
      var choice = Choice(page, scores.indices.map { keeping[$0].weight(scores[$0]) })
      choice.keep(keeping)
      return (scores, choice)
    }
    let choice = Choice(page, scores)
    // Plain prose is better than nothing; the confidence is low then.
    return (scores, choice.words < Self.fewWords ? Choice(page, page.proseScores(or: scores)) : choice)
  }

  private func text(of page: MeasuredPage, _ choice: Choice) -> String {
    page.blocks.list.indices.filter { choice.isText[$0] }
      .map { page.tape.text(of: page.blocks.list[$0]).collapsingSpace() }.joined(separator: "\n")
  }

  /// Returns the mean certainty of the trees over the words of the scored blocks; a score of two counts as certain.
  private func confidence(_ page: MeasuredPage, _ choice: Choice, _ scores: [Int]) -> Double {
    var (sum, words) = (0, 0)
    for (index, block) in page.blocks.list.enumerated() where choice.isText[index] || scores[index] > -1_000_000 {
      sum += min(abs(scores[index]), 2_000_000) * block.words
      words += block.words
    }
    return words == 0 ? 0 : Double(sum / words / 20_000) / 100
  }

  private func agreement(_ page: MeasuredPage, _ choice: Choice, _ input: Input) -> Double? {
    if input.feedText.isEmpty { return nil }
    let found = choice.isText.indices.filter { choice.isText[$0] }.flatMap {
      page.blocks.digests(of: page.blocks.list[$0])
    }
    return Double(WordRuns(digests: found[...]).share(ofText: input.feedText)) / 1000
  }

  /// Writes the features of the blocks of a page as JSON, for training trees.
  ///
  /// - Parameters:
  ///   - input: the page.
  ///   - writer: the writer of the JSON.
  package func writeNumbers(_ input: Input, into writer: inout JSONWriter) {
    let page = MeasuredPage(input, limits, SiteRules())
    writer.array { writer in
      for (index, block) in page.blocks.list.enumerated() {
        writer.object { writer in
          writer.member("text", page.tape.text(of: block))
          writer.key("row")
          writer.array { writer in page.numbers.row(index).forEach { writer.int(Int64($0)) } }
        }
      }
    }
  }

  /// The names of the features, in the order of the numbers.
  package static var numberNames: [String] { Feature.allCases.map { "\($0)" } }
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
    let whole = PageReader(limits: limits).read(input.page.span)
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
    numbers = BlockMeasure.numbers(tape, blocks, sums, marks, hints)
  }
}

extension MeasuredPage {
  /// Returns the scores, raised above zero for prose in the box with the most of it.
  func proseScores(or scores: [Int]) -> [Int] {
    blocks.list.indices.map { index in
      let block = blocks.list[index]
      return block.isGood && marks.contains(tape, block) ? max(scores[index], 1) : scores[index]
    }
  }
}

extension Trees {
  /// The shipped trees.
  package static let shipped: Trees = {
    do throws(Fault) {
      return try Trees(reading: String(decoding: Array(tamis_article_trees), as: UTF8.self))
    } catch {
      fatalError("article.trees:\(error.line): \(error.message)")
    }
  }()
}
