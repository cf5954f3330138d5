import Synchronization
import TamisArchive
package import TamisArticle
import TamisCore
import TamisFeed
import TamisFetch
import TamisSystem
import TamisHTML
import TamisPlanet
import TamisURL

/// The stage between fetching feeds and reading them: takes wanted pages from files of supplied pages, and fetches the
/// others.
///
/// The extracted articles are stored in the archive. A fetched page is never fetched again; a failing one is, with
/// growing delays. Only pages of feeds whose settings want full text are fetched.
struct FullTextStage {
  /// The number of pages that were fetched.
  private(set) var came = 0
  /// The number of pages that were taken from files.
  var taken: Int { known.taken }
  /// The findings about the other pages.
  private(set) var findings: [Finding] = []

  private var configuration: SiteBuild.Configuration
  /// The numbers of the pages that this run has fetched or tried to.
  private var asked: Set<Int64> = []
  private var failed = 0
  private var left = 0
  private var outcomes: [PoliteQueue.Outcome] = []
  private var known: KnownFiles
  private var compared: ComparedPages

  init(_ configuration: SiteBuild.Configuration) {
    self.configuration = configuration
    known = KnownFiles(configuration)
    compared = ComparedPages(configuration)
  }

  /// Disables fetching since the network is unavailable; pages are then taken only from files.
  mutating func stopFetching() { configuration.fetching.extent = .none }

  /// Fetches the pages that are already wanted, before feeds are fetched: a feed with new pages is read again.
  mutating func askAgain(_ archive: Archive, _ progress: @escaping @Sendable (SiteBuild.Progress) -> Void) async throws
  {
    guard !configuration.isRehearsal else { return }
    let rules = configuration.siteRules
    try archive.setPageRules(rules.checksum) { address in WebURL(address).map(rules.checksum) ?? 0 }
    // Pages that an interrupted run left behind.
    try await compared.finish(archive, known.sheets)
    try await fill(configuration.subscriptions.feeds, archive, withStale: false)
    try await ask(configuration.subscriptions.feeds, archive, withStale: false, progress)
    try await compared.finish(archive, known.sheets)
  }

  /// Reads the fetched documents, and fetches the pages that their entries want.
  mutating func run(
    _ feeds: [FetchedFeed], _ archive: Archive, _ progress: @escaping @Sendable (SiteBuild.Progress) -> Void
  ) async throws {
    guard !configuration.isRehearsal else { return }
    try forget(feeds.map(\.subscription), archive)
    try await look(feeds.filter(\.subscription.settings.wantsPages).compactMap(FeedSources.File.init), archive)
    // The requests of the entries are stored again by now, including those for pages under another rule.
    try await fill(feeds.map(\.subscription), archive, withStale: true)
    try await ask(feeds.map(\.subscription), archive, withStale: true, progress)
    try await compared.finish(archive, known.sheets)
    findings += compared.findings
    findings.sort { $0.location.file < $1.location.file }
    findings += known.findings.sorted { ($0.location.file, $0.location.line) < ($1.location.file, $1.location.line) }
    findings += PoliteQueue.findings(
      failed: failed, left: left, outcomes, of: "page", codes: ("pages.missing", "pages.more"),
      consequence: "the feeds' own texts are shown, and most pages are fetched again later",
      archive: configuration.archive)
  }

  /// Deletes the requests of feeds that are no longer subscribed to, or whose settings no longer want full text.
  private func forget(_ feeds: [Planet.Subscription], _ archive: Archive) throws {
    let settings = Dictionary(feeds.map { ($0.storedAddress, $0.settings) }) { first, _ in first }
    let isWhole = configuration.subscriptions.isWhole && configuration.subscriptions.lists.isEmpty
    let paths = try archive.pathsWantingPages().filter { path in settings[path].map { !$0.wantsPages } ?? isWhole }
    try archive.wantNoPages(at: paths)
  }

  // MARK: - Which pages

  /// The maximum number of pages that one document may want.
  private static let mostRequests = 1000
  /// The maximum number of characters of an entry's title and text that are stored, by which its article is found.
  private static let longestTitle = 500
  private static let longestText = 4000

  private func look(_ files: [FeedSources.File], _ archive: Archive) async throws {
    if files.isEmpty { return }
    let pipelines = Pipelines(configuration)
    try await inOrder(
      count: files.count, jobs: configuration.jobs,
      work: { [now = configuration.now] in Self.requests(of: files[$0], pipelines, now: now) }
    ) { position, requests in
      guard let requests else { return }
      try archive.want(requests, at: files[position].name)
    }
  }

  /// Returns the pages that the entries of a document want; nil when it cannot be read.
  private static func requests(of file: FeedSources.File, _ pipelines: Pipelines, now: Int64?) -> [WantedPage]? {
    guard let setting = file.settings.fullText, let document = try? file.document() else { return nil }
    let box = PageRequests()
    let source = FullTextSource(setting: setting) { request in
      box.add(request)
      return nil
    }
    guard (try? pipelines[file.settings].process(document, details: false, zone: nil, fullText: source)) != nil else {
      return nil
    }
    // Posts that are too old to be shown want no page.
    let oldest = file.settings.maximumAge.flatMap { days in now.map { $0 - Int64(days) * 86_400 } } ?? .min
    var seen: Set<String> = []
    return box.requests.compactMap { request in
      guard let address = request.addresses.first, request.date ?? .max >= oldest, seen.insert(address).inserted else {
        return nil
      }
      return WantedPage(
        address: address, title: String(request.title.prefix(longestTitle)),
        text: String(request.text.prefix(longestText)))
    }
  }

  /// Collects the requests of one document.
  private final class PageRequests: Sendable {
    private let taken = Mutex<[PageRequest]>([])

    var requests: [PageRequest] { taken.withLock { $0 } }

    func add(_ request: PageRequest) {
      taken.withLock { if $0.count < mostRequests { $0.append(request) } }
    }
  }

  // MARK: - Fetching

  private static func paths(_ feeds: [Planet.Subscription]) -> Set<String> {
    Set(feeds.filter { $0.settings.wantsPages && !$0.settings.isOff }.map(\.storedAddress))
  }

  /// Returns a function that returns whether a page is compared with others of its site.
  private static func comparison(
    _ feeds: [Planet.Subscription], _ archive: Archive
  ) throws -> @Sendable (DuePage) -> Bool {
    let compared = paths(feeds.filter { $0.settings.comparesPages == true })
    if compared.isEmpty { return { _ in false } }
    let numbers = Set(try archive.missingPages(of: compared, withStale: true).map(\.number))
    return { numbers.contains($0.number) }
  }

  /// Takes wanted pages from files.
  private mutating func fill(_ feeds: [Planet.Subscription], _ archive: Archive, withStale: Bool) async throws {
    if configuration.knownPages.isEmpty { return }
    let missing = try archive.missingPages(of: Self.paths(feeds), withStale: withStale)
    try await known.take(missing, into: archive, isCompared: try Self.comparison(feeds, archive))
  }

  private mutating func ask(
    _ feeds: [Planet.Subscription], _ archive: Archive, withStale: Bool,
    _ progress: @escaping @Sendable (SiteBuild.Progress) -> Void
  ) async throws {
    let options = configuration.fetching
    let paths = Self.paths(feeds)
    guard options.extent != .none, !paths.isEmpty else { return }
    let now = options.extent == .all ? nil : configuration.now
    // A page that has just failed is due again when all are.
    let visits = try PageVisits(feeds.filter { paths.contains($0.storedAddress) }, options.secrets, archive)
    let due = try archive.duePages(of: paths, now: now, withStale: withStale).filter {
      !asked.contains($0.number) && visits.mayAsk($0)
    }
    let pages = Array(PoliteQueue.ordered(due).prefix(max(0, options.pagesPerRun - asked.count)))
    left = due.count - pages.count
    if pages.isEmpty { return }
    asked.formUnion(pages.map(\.number))
    let asker = try PageAsker(
      options, PageFinder(configuration.siteRules), visits, now: configuration.now,
      isCompared: try Self.comparison(feeds, archive))
    let outcome = try await PoliteQueue.ask(pages, "page", options) {
      await asker.ask($0)
    } remember: { answers in
      for answer in answers {
        if case .came = answer.outcome { came += 1 }
        findings += answer.notes
        if let finding = answer.finding {
          failed += 1
          findings.append(finding)
        }
      }
      try archive.remember(answers.map { ($0.thing, $0.outcome) }, asked: configuration.now)
    } progress: {
      progress(.paged($0, of: pages.count))
    }
    outcomes.append(outcome)
  }
}

extension Archive {
  /// Returns a digest of the articles of the pages that a feed's entries want, 16 digits; empty for feeds that want
  /// none.
  func readingOfPages(at path: String, _ settings: Planet.FeedSettings) throws(Archive.Failure) -> String {
    guard settings.wantsPages else { return "" }
    return String(SHA256(try marksOfPages(at: path).joined(separator: "\n")).hex.prefix(16))
  }

  /// Returns the source of the full text of a feed's entries; nil for feeds that want none.
  func fullText(at path: String, _ settings: Planet.FeedSettings) throws(Archive.Failure) -> FullTextSource? {
    guard settings.wantsPages, let setting = settings.fullText else { return nil }
    let pages = try pages(at: path)
    return FullTextSource(setting: setting) { request in
      request.addresses.lazy.compactMap { pages[$0].flatMap(PageArticle.init(packed:)) }.first
    }
  }
}

extension SiteRules {
  /// A number that changes when the rules do; 0 when there are none.
  var checksum: Int64 { isEmpty ? 0 : Checksum(Array(all.map(\.text).joined(separator: "\n").utf8)).shortened }

  /// A text that changes when the rules do; empty when there are none.
  package var fingerprint: String { isEmpty ? "" : "\(checksum)" }

  /// Returns a number that changes when the rule for a page does; 0 when there is none.
  func checksum(of url: WebURL) -> Int64 { rule(for: url).map { Checksum(Array($0.text.utf8)).shortened } ?? 0 }
}

extension SiteRule {
  /// The whole rule as text.
  fileprivate var text: String {
    "\(host) keep \(keep.map(\.description).joined(separator: ", ")) drop \(drop.map(\.description).joined(separator: ", "))"
  }
}
