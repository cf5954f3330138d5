public import TamisCore
public import TamisURL

/// Finds the article of a web page, by one walk over it and trees that weigh its blocks.
public final class ArticleExtractor: Sendable {
  /// What is asked about.
  public struct Input: Sendable {
    /// The page, UTF-8 (``PageEncoding`` makes it); what is no UTF-8 in it is read as windows-1252.
    public var page: [UInt8]
    /// Where it is; nil when nobody knows.
    public var url: WebURL?
    /// What a feed calls the article; empty when there is no feed.
    public var feedTitle = ""
    /// What a feed has of its text; empty when there is no feed.
    public var feedText = ""
    /// What the pages of its site have in common; nil when that is not to count.
    public var templates: SiteTemplates?

    /// A page of which nothing else is known.
    public init(page: [UInt8], url: WebURL? = nil) { (self.page, self.url) = (page, url) }
  }

  private let trees: Trees
  private let limits: Limits
  private let rules: SiteRules

  /// Makes an extractor.
  ///
  /// - Parameters:
  ///   - rules: those for the pages of single sites.
  ///   - trees: what weighs blocks; those that come with the program, or others that `Training/train.py` made.
  public init(limits: Limits = .standard, rules: SiteRules = SiteRules(), trees: Trees = .shipped) {
    (self.limits, self.rules, self.trees) = (limits, rules, trees)
  }

  /// A page with fewer words that look like an article has none.
  public static let fewestWords = 10
  /// Of a page of which the trees leave fewer words, what looks like prose in the box with most of it is taken.
  static let fewWords = 25

  /// The article of a page.
  public func extract(_ input: Input) -> Article {
    let page = MeasuredPage(input, limits, rules)
    let (scores, choice) = choose(page)
    var article = Article(facts: page.facts, markup: nil, text: "", confidence: 0)
    article.siteRule = page.site.map {
      SiteRuleUse(host: $0.rule.host, isUnmet: !$0.rule.keep.isEmpty && page.keeping == nil)
    }
    guard isArticle(choice, of: page) else { return article }
    let markup = ArticleWriter.markup(page, choice)
    article.markup = Markup(String(decoding: markup, as: UTF8.self), kind: .html, base: input.url?.href)
    article.text = text(of: page, choice)
    // Who says where the article is, knows.
    article.confidence = page.keeping == nil ? confidence(page, choice, scores) : 1
    article.agreement = agreement(page, choice, input)
    return article
  }

  /// What other pages of its site are compared with a page by; nil when nobody knows of which site it is.
  public func outline(_ input: Input) -> PageOutline? {
    let page = SeenPage(input, limits, rules)
    return PageOutline(page.blocks, title: page.facts.title?.value ?? "", at: page.url)
  }

  /// What becomes of each block of a page, in document order, and why.
  public func explain(_ input: Input) -> [BlockReport] {
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

  /// Whether what was chosen is an article; where somebody has said that it is, a few words or a picture are.
  private func isArticle(_ choice: Choice, of page: MeasuredPage) -> Bool {
    page.keeping == nil ? choice.words >= Self.fewestWords : choice.isShown.contains(true)
  }

  /// The sums of the trees' weights, and what is chosen by them.
  private func choose(_ page: MeasuredPage) -> ([Int], Choice) {
    let scores = page.blocks.list.indices.map { trees.score(page.numbers.row($0)) }
    if let keeping = page.keeping {
      // Headings and links are furniture or not by what stays beside them.
      var choice = Choice(page, scores.indices.map { keeping[$0].weight(scores[$0]) })
      choice.keep(keeping)
      return (scores, choice)
    }
    let choice = Choice(page, scores)
    // Better the plainest prose of the page than nothing; how sure that is says the confidence.
    return (scores, choice.words < Self.fewWords ? Choice(page, page.proseScores(or: scores)) : choice)
  }

  private func text(of page: MeasuredPage, _ choice: Choice) -> String {
    page.blocks.list.indices.filter { choice.isText[$0] }
      .map { page.tape.text(of: page.blocks.list[$0]).collapsingSpace() }.joined(separator: "\n")
  }

  /// The mean, over the words of all blocks that were in question, of how sure the trees are; a sum of weights of two is very sure.
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

  /// The blocks of a page with their numbers, a line of JSON each: what trees are made of.
  public func writeNumbers(_ input: Input, into writer: inout JSONWriter) {
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

  /// The names of the numbers, in their order.
  public static var numberNames: [String] { Feature.allCases.map { "\($0)" } }
}

/// A page that was read.
struct SeenPage {
  let tape: PageTape
  let facts: PageFacts
  let blocks: Blocks
  /// Where it is, or says that it is.
  let url: WebURL?
  /// What a rule for the site makes of the page; nil when there is none.
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
  let facts: PageFacts
  let blocks: Blocks
  let sums: Sums
  let marks: Landmarks
  let tables: DataTables
  let numbers: BlockNumbers
  /// What a rule for the site makes of the page; nil when there is none.
  let site: SitePart?
  /// How the blocks stand to where that rule says that the article is; nil when it does not say, or nothing is there.
  let keeping: [BlockKeeping]?
  /// What it has in common with other pages of its site; nil when that is not to count.
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
  /// The scores with what looks like prose in the box with most of it above zero.
  func proseScores(or scores: [Int]) -> [Int] {
    blocks.list.indices.map { index in
      let block = blocks.list[index]
      return block.isGood && marks.contains(tape, block) ? max(scores[index], 1) : scores[index]
    }
  }
}

extension Trees {
  /// Those that come with the program.
  public static let shipped: Trees = {
    do throws(Fault) {
      return try Trees(reading: String(decoding: PackageResources.article_trees, as: UTF8.self))
    } catch {
      fatalError("article.trees:\(error.line): \(error.message)")
    }
  }()
}
