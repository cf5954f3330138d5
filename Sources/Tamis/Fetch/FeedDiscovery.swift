public import TamisCore
import TamisFeed
public import TamisFetch
import TamisFiles
import TamisURL

/// Finds the feeds that an address leads to: itself, those that its page names, or those where many sites have theirs.
public struct FeedDiscovery: Sendable {
  /// What an address leads to.
  public enum Result: Sendable, Hashable {
    /// It is a feed, at this address: where permanent redirects lead, else the one that was asked for.
    case feed(String)
    /// It is a page with feeds, the best first.
    case page([FeedLink])
    /// There is no feed, or nobody answers.
    case failure(FetchProblem)
  }

  private let fetcher: Fetcher
  private let folder: PrivateFolder

  /// - Throws: when requests cannot be made at all.
  public init(_ options: FetchOptions) throws(FetchProblem) {
    fetcher = try options.fetcher()
    do { folder = try PrivateFolder() } catch { throw FetchProblem(.write, "no folder can be made: \(error)") }
  }

  /// Asks what is at an address.
  ///
  /// A name and a password in it are for all that its own server is asked for; in what is found they are not.
  public func find(at address: String) async -> Result {
    let own = WebURL(address)
    let (answer, document) = await fetch(address, for: own)
    if case .failed(let problem) = answer.outcome { return .failure(problem) }
    if Self.isFeed(document) { return .feed(answer.permanent ?? address) }
    let base = WebURL(answer.address)
    let links = FeedLinks.find(in: document, base: base)
    if !links.isEmpty { return .page(links) }
    for place in base.map(FeedLinks.usualPlaces) ?? [] {
      let (answer, document) = await fetch(place.address, for: own)
      if answer.outcome == .document, Self.isFeed(document) { return .page([place]) }
    }
    return .failure(
      FetchProblem(.notAFeed, "this is no feed, its page names none, and there is none where many sites have theirs"))
  }

  /// So much of an answer is looked at.
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
