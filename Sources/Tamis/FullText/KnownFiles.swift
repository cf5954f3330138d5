import TamisArchive
import TamisCore
import TamisHTML
import TamisSystem
import TamisURL

/// Pages of posts in supplied files, from which wanted pages are taken before any request.
///
/// Files are read twice, first to choose among several versions of a page: the one with the latest date, otherwise the
/// one that comes later in its file. The result therefore does not depend on the order of the files or on an
/// interruption, and only the page that is being read is in memory.
struct KnownFiles {
  /// The number of pages that were taken.
  private(set) var taken = 0
  /// The findings about the files.
  private(set) var findings: [Finding] = []

  /// The maximum number of URLs that are kept in memory (4 Mi); files with more may be read once more.
  static let mostAddresses = 4 << 20
  /// The number of pages that are in memory at once.
  private static let pagesAtOnce = 16

  private let files: [FilePath]
  private let jobs: Int
  private let finder: PageFinder
  /// The hashes of all URLs in the files; nil when they are not known.
  private var addresses: Set<Int>?
  private var isFirst = true
  /// The style sheets in the files.
  private(set) var sheets = LinkedSheets()

  init(_ configuration: SiteBuild.Configuration) {
    (files, jobs) = (configuration.knownPages, configuration.jobs)
    finder = PageFinder(configuration.siteRules)
  }

  /// Takes the pages that the files contain.
  ///
  /// - Parameters:
  ///   - pages: the pages that are wanted.
  ///   - archive: the archive in which they are stored.
  ///   - isCompared: a function that returns whether a page is compared with others of its site.
  /// - Throws: ``Archive/Failure`` when the archive cannot be written.
  mutating func take(
    _ pages: [DuePage], into archive: Archive, isCompared: @escaping @Sendable (DuePage) -> Bool
  ) async throws {
    if files.isEmpty || pages.isEmpty { return }
    if let addresses, !pages.contains(where: { addresses.contains($0.page.address.hashValue) }) { return }
    let chosen = choose(pages)
    isFirst = false
    for (number, file) in files.enumerated() {
      let positions = Dictionary(
        chosen.lazy.filter { $0.value.file == number }.map { ($0.value.position, [pages[$0.key]]) },
        uniquingKeysWith: +)
      if !positions.isEmpty { try await take(positions, of: file, into: archive, isCompared) }
    }
  }

  // MARK: - Choosing versions

  /// The location of a page in a file.
  private struct PageLocation {
    var date: Int64
    var position: Int
    var checksum: UInt64
    var file: Int

    /// The order of versions: the later one is greater.
    var rank: (Int64, Int, UInt64) { (date, position, checksum) }
  }

  /// Returns the locations of the wanted pages, by index.
  private mutating func choose(_ pages: [DuePage]) -> [Int: PageLocation] {
    let wanted = Dictionary(pages.enumerated().map { ($1.page.address, $0) }) { first, _ in first }
    var chosen: [Int: PageLocation] = [:]
    var seen: Set<Int>? = []
    for (number, path) in files.enumerated() {
      forEachPage(of: path, isFirst: isFirst) { page in
        for name in WebAddress.names(ofPage: page.url) {
          seen?.insert(name.hashValue)
          if seen?.count ?? 0 > Self.mostAddresses { seen = nil }
          guard let index = wanted[name], page.bytes.count <= KnownPages.largestPage else { continue }
          let location = PageLocation(
            date: page.date ?? .min, position: page.position, checksum: Checksum(page.bytes).value, file: number)
          if let best = chosen[index], best.rank >= location.rank { continue }
          chosen[index] = location
        }
      }
    }
    addresses = seen
    return chosen
  }

  /// Calls `body` with each page of a file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - isFirst: whether findings about the file have not been reported yet.
  ///   - body: a function that is called with each page, in file order.
  private mutating func forEachPage(of path: FilePath, isFirst: Bool, _ body: (KnownFile.Page) -> Void) {
    var found: [Finding] = []
    do throws(ReadFailure) {
      var file = try KnownFile(path)
      while let page = file.next(into: &found) { body(page) }
      if isFirst { sheets.add(file.sheets) }
    } catch {
      found.append(KnownFile.unreadable(path.description, error))
    }
    if isFirst { findings += found }
  }

  // MARK: - Reading pages

  /// Takes the pages at some positions of a file.
  private mutating func take(
    _ positions: [Int: [DuePage]], of path: FilePath, into archive: Archive,
    _ isCompared: @escaping @Sendable (DuePage) -> Bool
  ) async throws {
    guard var file = try? KnownFile(path) else { return }
    var ignored: [Finding] = []
    var batch: [(due: DuePage, page: KnownFile.Page)] = []
    var left = positions.count
    while left > 0, let page = file.next(into: &ignored) {
      ignored = []
      guard let due = positions[page.position] else { continue }
      left -= 1
      // The file may have changed in between.
      let names = WebAddress.names(ofPage: page.url)
      batch += due.filter { names.contains($0.page.address) }.map { ($0, page) }
      if batch.count >= Self.pagesAtOnce {
        try await take(batch, into: archive, isCompared)
        batch = []
      }
    }
    try await take(batch, into: archive, isCompared)
  }

  private mutating func take(
    _ batch: [(due: DuePage, page: KnownFile.Page)], into archive: Archive,
    _ isCompared: @escaping @Sendable (DuePage) -> Bool
  ) async throws {
    var outcomes: [(page: DuePage, outcome: RequestOutcome<PageContent>)] = []
    var found = findings
    try await inOrder(
      count: batch.count, jobs: jobs,
      work: { [finder, sheets] number in
        let (due, page) = batch[number]
        let found = PageFinder.Page(
          url: page.url, bytes: page.bytes, charset: page.charset, sheets: sheets)
        var notes: [Finding] = []
        let waiting = isCompared(due) ? finder.waiting(found, for: due) : nil
        return (waiting ?? finder.content(found, for: due, into: &notes), notes)
      }
    ) { number, result in
      outcomes.append((batch[number].due, .came(result.0)))
      found += result.1
    }
    findings = found
    try archive.remember(outcomes, asked: nil)
    taken += outcomes.count
  }
}
