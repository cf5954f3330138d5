import TamisArchive
import TamisArticle
import TamisCore
import TamisDigest
import TamisFeed
import TamisFetch
import TamisURL

/// Asks for one page, under the same guards as for feeds, and finds its article.
struct PageAsker: Sendable {
  /// What came of it.
  struct Answer: Sendable {
    var page: DuePage
    var outcome: PageOutcome
    /// What is to be said of it; nil when nothing is wrong.
    var finding: Finding?
    /// What else is to be said of it.
    var notes: [Finding] = []
  }

  private let fetcher: Fetcher
  private let extractor: ArticleExtractor
  private let rules: SiteRules
  private let now: Int64?

  /// - Parameter rules: those for where on the pages of single sites the article is.
  init(_ options: FetchOptions, _ rules: SiteRules, now: Int64?) throws(FetchProblem) {
    (self.now, self.rules, extractor) = (now, rules, ArticleExtractor(rules: rules))
    fetcher = try options.fetcher(largest: KnownPages.largestPage)
  }

  func ask(_ due: DuePage) async -> Answer {
    let body = BoundedBody(most: KnownPages.largestPage)
    let answer = await fetcher.fetch(due.page.address, into: body)
    if case .failed(let problem) = answer.outcome {
      return failed(due, problem.message, problem.reason.rawValue, isFinal: problem.isFinal, answer)
    }
    guard let url = WebURL(answer.address) else {
      return failed(due, "its address is none", "address", isFinal: true, answer)
    }
    let type = answer.fields.value(of: "Content-Type").map { ContentType($0) }
    if let type, !type.isHTML {
      return failed(due, "this is no web page: \(type.mediaType.prefix(100))", "no-page", isFinal: true, answer)
    }
    let bytes = body.bytes
    if bytes.isEmpty { return failed(due, "the answer is empty", "empty", isFinal: false, answer) }
    let wish = PageWish(addresses: [due.page.address], title: due.page.title, text: due.page.text)
    var notes: [Finding] = []
    let packed = PageArticle(html: bytes, charset: type?.charset, at: url, for: wish, extractor, into: &notes).packed
    let rule = WebURL(due.page.address).map(rules.checksum) ?? 0
    return Answer(page: due, outcome: .came(packed, checksum: Checksum(packed).shortened, rule: rule), notes: notes)
  }

  private func failed(
    _ page: DuePage, _ message: String, _ rule: String, isFinal: Bool, _ answer: FetchAnswer
  ) -> Answer {
    let finding = Finding(.note, "pages.\(rule)", message, at: SourceLocation(file: page.page.address))
    if InTurn.isGivenUp(isFinal: isFinal, failures: page.failures) {
      return Answer(page: page, outcome: .givenUp(message), finding: finding)
    }
    let next = InTurn.nextTime(after: answer, failures: page.failures, now: now)
    return Answer(page: page, outcome: .failed(message, next: next), finding: finding)
  }
}
