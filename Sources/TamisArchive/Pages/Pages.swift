import GRDB
import TamisCore
import TamisFoundation
import TamisURL

/// A request for the page of an entry, whose article may replace the text in the feed.
package struct WantedPage: Sendable, Hashable {
  /// The URL.
  package var address: String
  /// The title of the entry in the feed.
  package var title: String
  /// The text of the entry in the feed.
  package var text: String

  /// Creates a request.
  package init(address: String, title: String, text: String) {
    (self.address, self.title, self.text) = (address, title, text)
  }
}

/// A page that is to be fetched.
package struct DuePage: WantedThing, Hashable {
  package let number: Int64
  /// The request.
  package let page: WantedPage
  package let failures: Int

  package var address: String { page.address }
}

/// A fetched page.
package enum PageContent: Sendable, Hashable {
  /// The extracted article, compressed, and the checksums of the article and of the rule for its site (0 without one).
  case article([UInt8], checksum: Int64, rule: Int64)
  /// The page waits for the other pages with which it is compared.
  case waiting(WaitingPage)
}

/// The pages of entries whose feeds have only an excerpt.
extension Archive {
  /// Records the requests of a feed's present document, which replace those of the previous one.
  package func want(_ pages: [WantedPage], at path: String) throws(Archive.Failure) {
    try write { database in
      let insert = try database.cachedStatement(
        sql: """
          INSERT INTO page (address, title, text) VALUES (?, ?, ?)
          ON CONFLICT (address) DO UPDATE SET title = excluded.title, text = excluded.text
            WHERE content IS NULL OR id IN (SELECT page FROM stalePage)
          """)
      let find = try database.cachedStatement(sql: "SELECT id FROM page WHERE address = ?")
      let add = try database.cachedStatement(sql: "INSERT OR IGNORE INTO wantedPage VALUES (?, ?)")
      let wanted = "SELECT page FROM wantedPage WHERE location = ?"
      let before = Set(try Int64.fetchAll(database, sql: wanted, arguments: [path]))
      try database.execute(sql: "DELETE FROM wantedPage WHERE location = ?", arguments: [path])
      var renamed = try database.forms(ofPages: before, without: Set(pages.map(\.address)))
      for page in pages where page.address.utf8.count <= Limits.standard.linkBytes {
        if let form = PageForm.of(page.address), let old = renamed.removeValue(forKey: form) {
          try database.rename(page: old, to: page.address)
        }
        if let id = try Int64.fetchOne(find, arguments: [page.address]), !before.contains(id) {
          try database.askAgain(forPageOfOthers: id)
        }
        let (title, text) = (page.title.prefix(bytes: Limits.standard.nameBytes), page.text)
        try insert.execute(arguments: [page.address, title, text.prefix(bytes: Limits.standard.fieldBytes)])
        guard let id = try Int64.fetchOne(find, arguments: [page.address]) else { continue }
        try add.execute(arguments: [path, id])
      }
    }
  }

  /// Returns the paths of the feeds whose entries want pages.
  ///
  /// - Throws: ``Archive/Failure`` when the archive cannot be read.
  package func pathsWantingPages() throws(Archive.Failure) -> [String] {
    try read { try String.fetchAll($0, sql: "SELECT DISTINCT location FROM wantedPage ORDER BY location") }
  }

  /// Returns the pages that the entries of some feeds want, each with the first of these feeds.
  ///
  /// - Parameter paths: the paths of the feeds.
  /// - Returns: the paths of feeds by the numbers of pages.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read.
  package func pagesWanted(by paths: Set<String>) throws(Archive.Failure) -> [Int64: String] {
    try readLongRows { database in
      var found: [Int64: String] = [:]
      let rows = try Row.fetchCursor(database, sql: "SELECT page, location FROM wantedPage ORDER BY page, location")
      while let row = try rows.next() {
        guard try paths.contains(row[1]), try found[row[0]] == nil else { continue }
        try found[row[0]] = row[1]
      }
      return found
    }
  }

  /// Records the present rules for sites: pages that were fetched under another rule become due again.
  ///
  /// - Parameters:
  ///   - all: the checksum of all rules; nothing is done when it is unchanged.
  ///   - rule: a function that returns the checksum of the rule for a page's URL; 0 when there is none.
  /// - Throws: ``Archive/Failure`` when the archive cannot be written.
  package func setPageRules(_ all: Int64, _ rule: (String) -> Int64) throws(Archive.Failure) {
    let before = try read { try Int64.fetchOne($0, sql: "SELECT rule FROM pageRule WHERE page = 0") ?? 0 }
    if before == all { return }
    try write { database in
      let sql = """
        SELECT page.id, address, COALESCE(rule, 0) FROM page LEFT JOIN pageRule ON page = page.id WHERE content IS NOT NULL
        """
      var other: [Int64] = []
      let rows = try Row.fetchCursor(database, sql: sql)
      while let row = try rows.next() { if try rule(row[1]) != row[2] as Int64 { other.append(try row[0]) } }
      try database.execute(sql: "DELETE FROM stalePage")
      for page in other { try database.askAgain(for: page) }
      try database.execute(sql: "INSERT OR REPLACE INTO pageRule VALUES (0, ?)", arguments: [all])
    }
  }

  /// Records that the entries of feeds no longer want pages.
  ///
  /// - Throws: ``Archive/Failure`` when the archive cannot be written.
  package func wantNoPages(at paths: [String]) throws(Archive.Failure) {
    if paths.isEmpty { return }
    try write { database in
      for path in paths { try database.execute(sql: "DELETE FROM wantedPage WHERE location = ?", arguments: [path]) }
    }
  }

  /// Returns the pages that are to be fetched, without waiting ones, in the order in which they were recorded.
  ///
  /// - Parameters:
  ///   - paths: the paths of the feeds for which pages may be fetched.
  ///   - now: the time, in seconds since 1970; nil when all are due except those that were given up.
  ///   - withStale: whether pages that were fetched under another rule are included.
  /// - Returns: the pages that are due.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read.
  package func duePages(
    of paths: Set<String>, now: Int64?, withStale: Bool = false
  ) throws(Archive.Failure) -> [DuePage] {
    try missingPages(
      of: paths, where: Database.isDue(now: now), now.map { ["now": $0] } ?? [:], withStale: withStale)
  }

  /// Returns all wanted pages that were not fetched, in the order in which they were recorded.
  ///
  /// Pages that were given up are included.
  ///
  /// - Parameters:
  ///   - paths: the paths of the feeds whose pages count.
  ///   - withStale: whether pages that were fetched under another rule are included.
  /// - Returns: the missing pages.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read.
  package func missingPages(of paths: Set<String>, withStale: Bool = false) throws(Archive.Failure) -> [DuePage] {
    try missingPages(of: paths, where: "1", [:], withStale: withStale)
  }

  private func missingPages(
    of paths: Set<String>, where condition: String, _ values: [String: Int64], withStale: Bool
  ) throws(Archive.Failure) -> [DuePage] {
    let missing = withStale ? "(content IS NULL OR page.id IN (SELECT page FROM stalePage))" : "content IS NULL"
    let sql = """
      SELECT page.id, address, title, text, failures, wantedPage.location FROM page JOIN wantedPage ON wantedPage.page = page.id
      WHERE \(missing) AND page.id NOT IN (SELECT page FROM waitingPage) AND \(condition) ORDER BY page.id, wantedPage.location
      """
    return try readLongRows { database in
      var pages: [DuePage] = []
      let rows = try Row.fetchCursor(database, sql: sql, arguments: StatementArguments(values))
      while let row = try rows.next() {
        guard try paths.contains(row[5]), try pages.last?.number != row[0] else { continue }
        let page = try WantedPage(address: row[1], title: row[2], text: row[3])
        pages.append(try DuePage(number: row[0], page: page, failures: row[4]))
      }
      return pages
    }
  }

  /// Stores the results of fetching pages.
  package func remember(
    _ outcomes: [(page: DuePage, outcome: RequestOutcome<PageContent>)], asked: Int64?
  ) throws(Archive.Failure) {
    if outcomes.isEmpty { return }
    try write { database in
      for (page, outcome) in outcomes { try database.remember(outcome, of: page.number, asked: asked) }
    }
  }

  /// Returns the extracted content of the pages that a feed's entries want, compressed, by URL.
  ///
  /// - Throws: ``Archive/Failure`` when the archive cannot be read.
  package func pages(at path: String) throws(Archive.Failure) -> [String: [UInt8]] {
    let sql = """
      SELECT address, content FROM wantedPage JOIN page ON page.id = wantedPage.page WHERE location = ? AND content IS NOT NULL
      """
    return try readLongRows { database in
      let rows = try Row.fetchAll(database, sql: sql, arguments: [path])
      return try Dictionary(rows.map { try ($0[0], Array($0[1] as Data)) }) { first, _ in first }
    }
  }

  /// Returns the checksums of the extracted content of the pages that a feed's entries want, with their URLs.
  ///
  /// A difference shows that something has changed.
  ///
  /// - Throws: ``Archive/Failure`` when the archive cannot be read.
  package func marksOfPages(at path: String) throws(Archive.Failure) -> [String] {
    let sql = """
      SELECT address || ' ' || checksum FROM wantedPage JOIN page ON page.id = wantedPage.page
      WHERE location = ? AND content IS NOT NULL ORDER BY address
      """
    return try readLongRows { try String.fetchAll($0, sql: sql, arguments: [path]) }
  }

  /// Deletes the pages that no feed wants and no post links to.
  ///
  /// - Throws: ``Archive/Failure`` when the archive cannot be written.
  package func tidyPages() throws(Archive.Failure) {
    try write { database in
      let unwanted = "id NOT IN (SELECT page FROM wantedPage)"
      guard try database.isTrue("SELECT EXISTS (SELECT 1 FROM page WHERE \(unwanted))") else {
        return
      }
      try database.execute(
        sql: """
          DELETE FROM page WHERE \(unwanted) AND address NOT IN (
            SELECT substr(permalink, 1, instr(permalink || '#', '#') - 1) FROM card WHERE permalink IS NOT NULL)
          """)
      // Numbers of deleted pages are reused.
      for table in ["pageRule", "stalePage", "waitingPage", "pageOutline"] {
        try database.execute(sql: "DELETE FROM \(table) WHERE page <> 0 AND page NOT IN (SELECT id FROM page)")
      }
    }
  }
}

/// The form of a page's URL by which it is known again (Tamis.docc/HowAPostIsRecognized.md, K1).
private enum PageForm {
  static func of(_ address: String) -> String? { AddressForm(address, tracking: TrackingParameters([]))?.text }
}

extension Database {
  /// Returns the pages that a feed wanted and wants no more, by the forms of their URLs.
  fileprivate func forms(ofPages numbers: Set<Int64>, without present: Set<String>) throws -> [String: Int64] {
    let find = try cachedStatement(sql: "SELECT address FROM page WHERE id = ?")
    var forms: [String: Int64] = [:]
    for number in numbers.sorted() {
      guard let address = try String.fetchOne(find, arguments: [number]), !present.contains(address) else { continue }
      if let form = PageForm.of(address) { forms[form] = number }
    }
    return forms
  }

  /// Gives a page a URL that is written otherwise, unless that has a page; its article stays until it is fetched there.
  fileprivate func rename(page: Int64, to address: String) throws {
    try cachedStatement(sql: "UPDATE OR IGNORE page SET address = ? WHERE id = ?").execute(arguments: [address, page])
    try askAgain(for: page)
  }

  /// Has a page asked for again; its article stays until then.
  fileprivate func askAgain(for page: Int64) throws {
    let stale = "INSERT OR IGNORE INTO stalePage SELECT id FROM page WHERE id = ? AND content IS NOT NULL"
    try cachedStatement(sql: stale).execute(arguments: [page])
    let again = "UPDATE page SET isGivenUp = 0, failures = 0, next = NULL WHERE id = ?"
    try cachedStatement(sql: again).execute(arguments: [page])
  }

  /// Has a page that another feed wants asked for again: it may have been named before there was one.
  fileprivate func askAgain(forPageOfOthers page: Int64) throws {
    if try isTrue("SELECT EXISTS (SELECT 1 FROM wantedPage WHERE page = ?)", [page]) { try askAgain(for: page) }
  }

  fileprivate func remember(_ outcome: RequestOutcome<PageContent>, of page: Int64, asked: Int64?) throws {
    switch outcome {
    case .came(.waiting(let waiting)): return try store(waiting, as: page)
    case .came(.article(let content, let checksum, let rule)):
      let keep = """
        UPDATE page SET content = ?, checksum = ?, asked = ?, next = NULL, failures = 0, problem = NULL, isGivenUp = 0,
          title = '', text = '' WHERE id = ?
        """
      try cachedStatement(sql: keep).execute(arguments: [Data(content), checksum, asked, page])
      try cachedStatement(sql: "INSERT OR REPLACE INTO pageRule VALUES (?, ?)").execute(arguments: [page, rule])
    case .failed, .givenUp: try note(outcome, of: page, in: "page", asked: asked)
    }
    try cachedStatement(sql: "DELETE FROM waitingPage WHERE page = ?").execute(arguments: [page])
    if case .failed = outcome { return }
    try cachedStatement(sql: "DELETE FROM stalePage WHERE page = ?").execute(arguments: [page])
  }
}
