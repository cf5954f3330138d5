import TamisArchive
import TamisArticle
import TamisCore
import TamisDigest
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
  }

  private let fetcher: Fetcher
  private let extractor = ArticleExtractor()
  private let now: Int64?

  init(_ options: FetchOptions, now: Int64?) throws(FetchProblem) {
    self.now = now
    var transport = options.transport
    transport.limits.wireBytes = min(transport.limits.wireBytes, KnownPages.largestPage)
    transport.limits.unpackedBytes = min(transport.limits.unpackedBytes, KnownPages.largestPage)
    fetcher = Fetcher(
      transport: try options.sender(transport), guardian: transport.guardian,
      limits: transport.limits, courtesy: options.courtesy)
  }

  func ask(_ due: DuePage) async -> Answer {
    let body = BoundedBody(most: KnownPages.largestPage)
    let answer = await fetcher.fetch(due.page.address, into: body)
    if case .failed(let problem) = answer.outcome {
      let isFinal = problem.reason == .gone || problem.reason == .tooLarge || problem.reason == .address
      return failed(due, problem.message, problem.reason.rawValue, isFinal: isFinal, answer)
    }
    guard let url = WebURL(answer.address) else {
      return failed(due, "its address is none", "address", isFinal: true, answer)
    }
    if let type = answer.fields.value(of: "Content-Type"), !Self.isPage(type) {
      return failed(due, "this is no web page: \(type.prefix(100))", "no-page", isFinal: true, answer)
    }
    let bytes = body.bytes
    if bytes.isEmpty { return failed(due, "the answer is empty", "empty", isFinal: false, answer) }
    let wish = PageWish(addresses: [due.page.address], title: due.page.title, text: due.page.text)
    let packed = PageArticle(html: bytes, at: url, for: wish, extractor).packed
    return Answer(page: due, outcome: .came(packed, checksum: Int64(bitPattern: Checksum(packed).value)))
  }

  private static func isPage(_ type: String) -> Bool {
    let name = type.prefix { $0 != ";" }.lowercased()
    return name.hasPrefix("text/html") || name.hasPrefix("application/xhtml+xml")
  }

  /// So many times in a row a page is asked for.
  private static let mostFailures = 10
  private static let hour: Int64 = 3600

  private func failed(
    _ page: DuePage, _ message: String, _ rule: String, isFinal: Bool, _ answer: FetchAnswer
  ) -> Answer {
    let finding = Finding(.note, "pages.\(rule)", message, at: SourceLocation(file: page.page.address))
    if isFinal || page.failures + 1 >= Self.mostFailures {
      return Answer(page: page, outcome: .givenUp(message), finding: finding)
    }
    let next = now.map { now in
      let asked = Freshness(answer.fields, now: now).retryAfter ?? 0
      return now + min(max(Self.hour << Int64(page.failures), asked), Schedule.longestFailing)
    }
    return Answer(page: page, outcome: .failed(message, next: next), finding: finding)
  }
}
