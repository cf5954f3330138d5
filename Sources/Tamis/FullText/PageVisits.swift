import TamisArchive
import TamisCore
import TamisFetch
import TamisPlanet
import TamisURL

/// What is sent for pages to the servers of the feeds whose entries want them.
///
/// A page counts as wanted by the first of its feeds, by their addresses, that sends anything. A feed of somebody else
/// can therefore not have a page fetched with a login that is not its own.
struct PageVisits: Sendable {
  /// What is sent for a page to the server of a feed.
  struct Visit: Sendable {
    /// The subscribed URL of the feed.
    var feed: WebURL
    var identity: RequestIdentity
  }

  private var visits: [String: Visit] = [:]
  /// The feeds whose secrets are missing.
  private var closed: Set<String> = []
  private let paths: [Int64: String]

  /// Finds the feeds that send something, and the pages that they want.
  ///
  /// - Parameters:
  ///   - feeds: the feeds that want pages.
  ///   - secrets: the values of secrets.
  ///   - archive: the archive.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read.
  init(_ feeds: [Planet.Subscription], _ secrets: SecretStore, _ archive: Archive) throws(Archive.Failure) {
    for feed in feeds where !feed.settings.request.isEmpty || feed.address.hasCredentials {
      if let identity = try? secrets.identity(of: feed.settings.request) {
        visits[feed.storedAddress] = Visit(feed: feed.address.url, identity: identity)
      } else {
        closed.insert(feed.storedAddress)
      }
    }
    let senders = closed.union(visits.keys)
    paths = senders.isEmpty ? [:] : try archive.pagesWanted(by: senders)
  }

  /// Returns what is sent for a page; nil when no feed that wants it sends anything.
  subscript(page: DuePage) -> Visit? { paths[page.number].flatMap { visits[$0] } }

  /// Returns whether a page may be asked for: without its feed's secret, another page would come and be kept.
  func mayAsk(_ page: DuePage) -> Bool { paths[page.number].map { !closed.contains($0) } ?? true }
}
