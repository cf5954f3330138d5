package import TamisCore
import TamisFeed
package import TamisFetch
import TamisSystem
import TamisURL

/// Finds the feeds of a URL: the URL itself, the feeds to which its page links, or feeds at usual paths.
package struct FeedDiscovery: Sendable {
  /// The result of requesting a URL.
  package enum Result: Sendable, Hashable {
    /// A feed, at this URL: the end of permanent redirects, otherwise the requested one.
    case feed(String)
    /// A page with feeds.
    case page(Page)
    /// No feed, or no response from a server.
    case failure(FetchProblem)
  }

  /// The feeds of a page, of which one was found to be a feed.
  package struct Page: Sendable, Hashable {
    /// The feeds that the page names, the best first; behind them one at a usual address, if that was found.
    package var feeds: [DiscoveredFeed]
    /// The index of the one to take.
    package var index = 0
    /// Why others were not taken, by their indices.
    package var problems: [Int: FetchProblem] = [:]
  }

  private let fetcher: Fetcher
  private let folder: PrivateFolder

  /// Creates a discovery.
  ///
  /// - Throws: ``FetchProblem`` when requests cannot be made at all.
  package init(_ options: SiteBuild.FetchOptions) throws(FetchProblem) {
    fetcher = try options.fetcher()
    do { folder = try PrivateFolder() } catch { throw FetchProblem(.write, "no folder can be made: \(error)") }
  }

  /// Requests a URL and finds its feeds.
  ///
  /// A user name and a password in the URL are sent with all requests to the same server; results do not contain them.
  ///
  /// - Parameters:
  ///   - address: the URL of a feed or of a page.
  ///   - number: which feed of a page to take, from 1; nil for the first that is one. It is not looked whether there
  ///     are that many.
  /// - Returns: the feed, or the page with the feed to take.
  package func find(at address: String, number: Int? = nil) async -> Result {
    let own = WebURL(address)
    var address = address
    var (answer, document) = await fetch(address, for: own)
    for _ in 0..<Self.mostRefreshes {
      guard answer.outcome == .document, !Self.isFeed(document), let base = WebURL(answer.address),
        DiscoveredFeeds.find(in: document, base: base, fields: answer.fields).isEmpty,
        let next = DiscoveredFeeds.refresh(of: document, base: base, fields: answer.fields)
      else { break }
      let other = await fetch(next.href, for: own)
      guard other.answer.outcome == .document else { break }
      (address, answer, document) = (next.href, other.answer, other.beginning)
    }
    if case .failed(let problem) = answer.outcome { return .failure(problem) }
    if Self.isFeed(document) { return .feed(answer.permanent ?? address) }
    let base = WebURL(answer.address)
    var page = Page(feeds: DiscoveredFeeds.find(in: document, base: base, fields: answer.fields))
    guard let number, !page.feeds.isEmpty else { return await chosen(of: page, base, own) }
    page.index = number - 1
    guard page.feeds.indices.contains(page.index), let problem = await self.problem(of: page.feeds[page.index], own)
    else {
      return .page(page)
    }
    return .failure(problem)
  }

  /// The maximum number of pages that lead to another page by themselves.
  private static let mostRefreshes = 3
  /// The maximum number of feeds of a page that are requested.
  private static let mostAsked = 8

  /// Returns a page with the first feed that is one: of those that it names, at usual addresses, and last of comments.
  private func chosen(of page: Page, _ base: WebURL?, _ own: WebURL?) async -> Result {
    var page = page
    let parts = page.feeds.indices.filter { page.feeds[$0].source == .part }
    let main = page.feeds.indices.filter { page.feeds[$0].source != .part }
    if await choose(among: main.isEmpty ? parts : main, of: &page, own) { return .page(page) }
    let named = Set(page.feeds.map(\.address))
    for feed in base.map(DiscoveredFeeds.usualPaths) ?? [] where !named.contains(feed.address) {
      if await problem(of: feed, own) != nil { continue }
      page.index = page.feeds.count
      page.feeds.append(feed)
      return .page(page)
    }
    if !main.isEmpty, await choose(among: parts, of: &page, own) { return .page(page) }
    guard let first = page.problems.min(by: { $0.key < $1.key }) else {
      return .failure(
        FetchProblem(.notAFeed, "this is not a feed, the page names no feed, and there is none at the usual addresses"))
    }
    let what = page.feeds.count == 1 ? "the feed that the page names" : "the first feed that the page names"
    return .failure(
      FetchProblem(
        .notAFeed,
        "\(what) is none (\(page.feeds[first.key].address): \(first.value.message)), and no other was found"))
  }

  /// Chooses the first of some feeds that is one; returns false when none is.
  private func choose(among indices: [Int], of page: inout Page, _ own: WebURL?) async -> Bool {
    for index in indices.prefix(Self.mostAsked) {
      page.index = index
      page.problems[index] = await problem(of: page.feeds[index], own)
      if page.problems[index] == nil { return true }
    }
    return false
  }

  /// Requests what should be a feed; nil when it is one.
  private func problem(of feed: DiscoveredFeed, _ own: WebURL?) async -> FetchProblem? {
    let (answer, document) = await fetch(feed.address, for: own)
    if case .failed(let problem) = answer.outcome { return problem }
    return Self.isFeed(document) ? nil : FetchProblem(.notAFeed, "this is not a feed")
  }

  /// The maximum number of bytes of a response that are read.
  private static let lengthOfBeginning = 512 << 10

  private func fetch(_ address: String, for own: WebURL?) async -> (answer: FetchAnswer, beginning: [UInt8]) {
    do {
      let download = try FetchFolder(folder.path).begin(address)
      let answer = await fetcher.fetch(address, for: own, into: download)
      return (answer, download.beginning(Self.lengthOfBeginning))
    } catch {
      return (FetchAnswer(.failed(FetchProblem(.write, "\(error)")), address: address), [])
    }
  }

  private static func isFeed(_ document: [UInt8]) -> Bool { FeedParser().recognize(document) == .feed }
}
