import TamisArchive
import TamisArticle
import TamisCore
import TamisFeed
import TamisFetch
import TamisSystem
import TamisURL

/// Fetches one page, with the same guards as for feeds, and extracts its article.
struct PageAsker: Sendable {
  typealias Answer = PoliteQueue.Answer<DuePage, PageContent>

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
      due.address, for: visit?.feed, as: visit?.identity ?? RequestIdentity(), into: body)
    var found = self.answer(answer, body.bytes, for: due)
    found.contact = Reachability.Contact(answer, from: due.address)
    return found
  }

  private func answer(_ answer: FetchAnswer, _ bytes: [UInt8], for due: DuePage) -> Answer {
    func failed(_ message: String, _ code: String, isFinal: Bool) -> Answer {
      Answer(failed: due, answer, now: now, message, "pages.\(code)", isFinal: isFinal)
    }
    if case .failed(let problem) = answer.outcome {
      return failed(problem.message, problem.reason.rawValue, isFinal: problem.isFinal)
    }
    guard let url = WebURL(answer.address) else {
      return failed("its address is not a valid URL", "address", isFinal: true)
    }
    let type = answer.fields.value(of: "Content-Type").map { ContentType($0) }
    if let type, !type.isHTML {
      return failed("this is not a web page: \(type.mediaType.prefix(100))", "no-page", isFinal: true)
    }
    if bytes.isEmpty { return failed("the answer is empty", "empty", isFinal: false) }
    let page = PageFinder.Page(url: url, bytes: bytes, charset: type?.charset)
    if isCompared(due), let content = finder.waiting(page, for: due) { return Answer(due, .came(content)) }
    var notes: [Finding] = []
    let content = finder.content(page, for: due, into: &notes)
    return Answer(due, .came(content), notes: notes)
  }
}
