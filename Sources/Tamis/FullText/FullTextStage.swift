import Synchronization
import TamisArchive
import TamisCore
import TamisDigest
import TamisFeed
import TamisFetch
import TamisPlanet
import TamisURL

/// The stage between fetching feeds and reading them: the pages that their entries want are taken from files of known pages, and what
/// is not there is asked for.
///
/// What was found on a page is kept in the archive; one that came is never asked for again, one that fails later and later. Only
/// feeds whose settings say so have their pages asked for.
struct FullTextStage {
  /// Pages that came.
  private(set) var came = 0
  /// Pages that were taken from files.
  var taken: Int { known.taken }
  /// What is wrong with others.
  private(set) var findings: [Finding] = []

  private let configuration: SiteBuild.Configuration
  private var asked = 0
  private var failed = 0
  private var left = 0
  private var known: KnownFiles
  private var compared: ComparedPages

  init(_ configuration: SiteBuild.Configuration) {
    self.configuration = configuration
    known = KnownFiles(configuration)
    compared = ComparedPages(configuration)
  }

  /// Asks for pages that are known to be wanted, before feeds are: a feed of which pages have come is read again.
  mutating func askAgain(_ archive: Archive, _ progress: @escaping (SiteBuild.Progress) -> Void) async throws {
    guard !configuration.isRehearsal else { return }
    let rules = configuration.siteRules
    try archive.setPageRules(rules.checksum) { address in WebURL(address).map(rules.checksum) ?? 0 }
    // What a run has left that was cut short.
    try await compared.finish(archive)
    try await fill(configuration.subscriptions.feeds, archive, withStale: false)
    try await ask(configuration.subscriptions.feeds, archive, withStale: false, progress)
    try await compared.finish(archive)
  }

  /// Looks through the documents that have come, and asks for the pages that their entries want.
  mutating func run(
    _ feeds: [FetchedFeed], _ archive: Archive, _ progress: @escaping (SiteBuild.Progress) -> Void
  ) async throws {
    guard !configuration.isRehearsal else { return }
    try forget(feeds.map(\.subscription), archive)
    try await look(feeds.filter(\.subscription.settings.wantsPages).compactMap(Sources.File.init), archive)
    // What feeds say of the pages that were there is known again by now.
    try await fill(feeds.map(\.subscription), archive, withStale: true)
    try await ask(feeds.map(\.subscription), archive, withStale: true, progress)
    try await compared.finish(archive)
    findings += compared.findings
    findings.sort { $0.location.file < $1.location.file }
    findings += known.findings.sorted { ($0.location.file, $0.location.line) < ($1.location.file, $1.location.line) }
    if failed > 0 { findings.append(missing(failed)) }
    if left > 0 { findings.append(more(left)) }
  }

  /// Feeds whose settings have changed want nothing any more, nor do those that are not subscribed to.
  private func forget(_ feeds: [Subscription], _ archive: Archive) throws {
    let settings = Dictionary(feeds.map { ($0.place, $0.settings) }) { first, _ in first }
    let isWhole = configuration.subscriptions.isWhole && configuration.subscriptions.lists.isEmpty
    let places = try archive.placesWantingPages().filter { place in settings[place].map { !$0.wantsPages } ?? isWhole }
    try archive.wantNoPages(at: places)
  }

  // MARK: - Which pages

  /// More pages of one document are not wanted.
  private static let mostWishes = 1000
  /// So much of what a feed says of an entry is remembered, in characters, to find its article by.
  private static let longestTitle = 500
  private static let longestText = 4000

  private func look(_ files: [Sources.File], _ archive: Archive) async throws {
    if files.isEmpty { return }
    let pipelines = Pipelines(configuration)
    try await inOrder(
      count: files.count, jobs: configuration.jobs,
      work: { [now = configuration.now] in Self.wishes(of: files[$0], pipelines, now: now) }
    ) { position, wishes in
      guard let wishes else { return }
      try archive.want(wishes, at: files[position].place)
    }
  }

  /// The pages that the entries of a document want; nil when it cannot be read.
  private static func wishes(of file: Sources.File, _ pipelines: Pipelines, now: Int64?) -> [WantedPage]? {
    guard let setting = file.settings.fullText, let document = try? file.document() else { return nil }
    let box = WishBox()
    let source = FullTextSource(setting: setting) { wish in
      box.add(wish)
      return nil
    }
    guard (try? pipelines[file.settings].process(document, details: false, zone: nil, fullText: source)) != nil else {
      return nil
    }
    // Posts that are too old to be shown want nothing.
    let oldest = file.settings.maximumAge.flatMap { days in now.map { $0 - Int64(days) * 86_400 } } ?? .min
    var seen: Set<String> = []
    return box.wishes.compactMap { wish in
      guard let address = wish.addresses.first, wish.date ?? .max >= oldest, seen.insert(address).inserted else {
        return nil
      }
      return WantedPage(
        address: address, title: String(wish.title.prefix(longestTitle)), text: String(wish.text.prefix(longestText)))
    }
  }

  /// Takes the wishes of one document.
  private final class WishBox: Sendable {
    private let taken = Mutex<[PageWish]>([])

    var wishes: [PageWish] { taken.withLock { $0 } }

    func add(_ wish: PageWish) {
      taken.withLock { if $0.count < mostWishes { $0.append(wish) } }
    }
  }

  // MARK: - Asking

  private static func places(_ feeds: [Subscription]) -> Set<String> {
    Set(feeds.filter { $0.settings.wantsPages && !$0.settings.isOff }.map(\.place))
  }

  /// Of a page, whether a feed wants it to be compared with others of its site.
  private static func comparison(
    _ feeds: [Subscription], _ archive: Archive
  ) throws -> @Sendable (DuePage) -> Bool {
    let compared = places(feeds.filter { $0.settings.comparesPages == true })
    if compared.isEmpty { return { _ in false } }
    let numbers = Set(try archive.missingPages(of: compared, withStale: true).map(\.number))
    return { numbers.contains($0.number) }
  }

  /// Takes what is wanted and known from files.
  private mutating func fill(_ feeds: [Subscription], _ archive: Archive, withStale: Bool) async throws {
    if configuration.knownPages.isEmpty { return }
    let missing = try archive.missingPages(of: Self.places(feeds), withStale: withStale)
    try await known.take(missing, into: archive, isCompared: try Self.comparison(feeds, archive))
  }

  private mutating func ask(
    _ feeds: [Subscription], _ archive: Archive, withStale: Bool,
    _ progress: @escaping (SiteBuild.Progress) -> Void
  ) async throws {
    let options = configuration.fetching
    let places = Self.places(feeds)
    guard options.extent != .none, !places.isEmpty else { return }
    let now = options.extent == .all ? nil : configuration.now
    let due = try archive.duePages(of: places, now: now, withStale: withStale)
    let pages = Array(InTurn.ordered(due, address: \.page.address).prefix(max(0, options.pagesPerRun - asked)))
    left = due.count - pages.count
    if pages.isEmpty { return }
    asked += pages.count
    let asker = try PageAsker(
      options, PageFinder(configuration.siteRules), now: configuration.now,
      isCompared: try Self.comparison(feeds, archive))
    try await InTurn.ask(pages) {
      await asker.ask($0)
    } remember: { answers in
      for answer in answers {
        switch answer.outcome {
        case .came, .held: came += 1
        case .failed, .givenUp: break
        }
        findings += answer.notes
        if let finding = answer.finding {
          failed += 1
          findings.append(finding)
        }
      }
      try archive.remember(answers.map { ($0.page, $0.outcome) }, asked: configuration.now)
    } progress: {
      progress(.paged($0, of: pages.count))
    }
  }

  private func missing(_ count: Int) -> Finding {
    Finding(
      .warning, "pages.missing",
      "\(count.counted("page")) could not be fetched; what the feeds have of them stays, and most are asked for again later; -v says which",
      at: SourceLocation(file: configuration.archive.description))
  }

  private func more(_ count: Int) -> Finding {
    Finding(
      .note, "pages.more", "\(count.counted("page")) will be asked for in the next runs",
      at: SourceLocation(file: configuration.archive.description))
  }
}

extension Archive {
  /// A digest of what is known of the pages that a feed's entries want, 16 digits; empty for feeds that want none.
  func readingOfPages(at place: String, _ settings: FeedSettings) throws(ArchiveError) -> String {
    guard settings.wantsPages else { return "" }
    return String(SHA256(try marksOfPages(at: place).joined(separator: "\n")).hex.prefix(16))
  }

  /// Where the full text of a feed's entries comes from; nil for feeds that want none.
  func fullText(at place: String, _ settings: FeedSettings) throws(ArchiveError) -> FullTextSource? {
    guard settings.wantsPages, let setting = settings.fullText else { return nil }
    let pages = try pages(at: place)
    return FullTextSource(setting: setting) { wish in
      wish.addresses.lazy.compactMap { pages[$0].flatMap(PageArticle.init(packed:)) }.first
    }
  }
}
