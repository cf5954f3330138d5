package import TamisCore
import TamisFeed
package import TamisFetch
import TamisFiles
import TamisURL

/// Finds the feeds of a URL: the URL itself, the feeds to which its page links, or feeds at usual paths.
package struct FeedDiscovery: Sendable {
  /// The result of requesting a URL.
  package enum Result: Sendable, Hashable {
    /// A feed, at this URL: the end of permanent redirects, otherwise the requested one.
    case feed(String)
    /// A page with feeds, the best first.
    case page([DiscoveredFeed])
    /// No feed, or no response from a server.
    case failure(FetchProblem)
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
  package func find(at address: String) async -> Result {
    let own = WebURL(address)
    let (answer, document) = await fetch(address, for: own)
    if case .failed(let problem) = answer.outcome { return .failure(problem) }
    if Self.isFeed(document) { return .feed(answer.permanent ?? address) }
    let base = WebURL(answer.address)
    let links = DiscoveredFeeds.find(in: document, base: base)
    if !links.isEmpty { return .page(links) }
    for feed in base.map(DiscoveredFeeds.usualPaths) ?? [] {
      let (answer, document) = await fetch(feed.address, for: own)
      if answer.outcome == .document, Self.isFeed(document) { return .page([feed]) }
    }
    return .failure(
      FetchProblem(.notAFeed, "this is not a feed, the page names no feed, and there is none at the usual addresses"))
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
