import TamisArchive
import TamisArticle
import TamisCore
import TamisFeed
import TamisFetch
import TamisFiles
import TamisURL

/// Fetches one page, with the same guards as for feeds, and extracts its article.
struct PageAsker: Sendable {
  /// The result of fetching the page.
  struct Answer: PoliteQueue.Contacting {
    var page: DuePage
    var outcome: PageOutcome
    /// The finding about a failure; nil when there is none.
    var finding: Finding?
    /// The request; nil when there was none.
    var contact: Reachability.Contact?
    /// Further findings.
    var notes: [Finding] = []
  }

  private let fetcher: Fetcher
  private let finder: PageFinder
  private let isCompared: @Sendable (DuePage) -> Bool
  private let visits: PageVisits
  private let now: Int64?

  /// Creates an asker.
  ///
  /// - Parameters:
  ///   - options: the options for fetching.
  ///   - finder: the finder of articles.
  ///   - visits: what is sent for pages to the servers of the feeds that want them.
  ///   - now: the time, in seconds since 1970; nil when the result must not depend on it.
  ///   - isCompared: a function that returns whether a page is compared with others of its site.
  /// - Throws: ``FetchProblem`` when requests cannot be made at all.
  init(
    _ options: SiteBuild.FetchOptions, _ finder: PageFinder, _ visits: PageVisits, now: Int64?,
    isCompared: @escaping @Sendable (DuePage) -> Bool
  ) throws(FetchProblem) {
    (self.now, self.finder, self.visits, self.isCompared) = (now, finder, visits, isCompared)
    fetcher = try options.fetcher(largest: KnownPages.largestPage)
  }

  func ask(_ due: DuePage) async -> Answer {
    let body = BoundedBody(most: KnownPages.largestPage)
    let visit = visits[due]
    let answer = await fetcher.fetch(
      due.page.address, for: visit?.feed, as: visit?.identity ?? RequestIdentity(), into: body)
    var found = self.answer(answer, body.bytes, for: due)
    found.contact = Reachability.Contact(answer, from: due.page.address)
    return found
  }

  private func answer(_ answer: FetchAnswer, _ bytes: [UInt8], for due: DuePage) -> Answer {
    if case .failed(let problem) = answer.outcome {
      return failed(
        due, message: problem.message, rule: problem.reason.rawValue, isFinal: problem.isFinal, answer: answer)
    }
    guard let url = WebURL(answer.address) else {
      return failed(due, message: "its address is not a valid URL", rule: "address", isFinal: true, answer: answer)
    }
    let type = answer.fields.value(of: "Content-Type").map { ContentType($0) }
    if let type, !type.isHTML {
      return failed(
        due, message: "this is not a web page: \(type.mediaType.prefix(100))", rule: "no-page", isFinal: true,
        answer: answer)
    }
    if bytes.isEmpty {
      return failed(due, message: "the answer is empty", rule: "empty", isFinal: false, answer: answer)
    }
    let page = PageFinder.Page(url: url, bytes: bytes, charset: type?.charset)
    if isCompared(due), let outcome = finder.waiting(page, for: due) { return Answer(page: due, outcome: outcome) }
    var notes: [Finding] = []
    let outcome = finder.outcome(page, for: due, into: &notes)
    return Answer(page: due, outcome: outcome, notes: notes)
  }

  private func failed(
    _ page: DuePage, message: String, rule: String, isFinal: Bool, answer: FetchAnswer
  ) -> Answer {
    let finding = Finding(.note, "pages.\(rule)", message, at: Finding.Location(file: page.page.address))
    if PoliteQueue.isGivenUp(isFinal: isFinal, failures: page.failures) {
      return Answer(page: page, outcome: .givenUp(message), finding: finding)
    }
    let next = PoliteQueue.nextTime(after: answer, failures: page.failures, now: now)
    return Answer(page: page, outcome: .failed(message, next: next), finding: finding)
  }
}
