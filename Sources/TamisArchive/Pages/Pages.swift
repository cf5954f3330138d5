import Foundation
import GRDB

/// A page that an entry of a feed wants: its article may take the place of what the feed has.
public struct WantedPage: Sendable, Hashable {
  /// Where it is.
  public var address: String
  /// What the feed calls the entry.
  public var title: String
  /// What the feed has of its text.
  public var text: String

  /// Makes a wish.
  public init(address: String, title: String, text: String) {
    (self.address, self.title, self.text) = (address, title, text)
  }
}

/// A page that is to be asked for.
public struct DuePage: Sendable, Hashable {
  /// Its number in the archive.
  public let number: Int64
  /// What is wanted.
  public let page: WantedPage
  /// How often it could not be had.
  public let failures: Int
}

/// What came of asking for a page.
public enum PageOutcome: Sendable, Hashable {
  /// It came; what was found on it, packed, and the checksum of the rule for its site (0 without one).
  case came([UInt8], checksum: Int64, rule: Int64 = 0)
  /// It came, and its article is looked for when the others have that it is compared with.
  case held(HeldPage)
  /// It could not be had, and why; asked for again at a time, or when all are due.
  case failed(String, next: Int64?)
  /// It will not be asked for again, and why.
  case givenUp(String)
}

/// The pages of entries of which feeds have only an excerpt.
extension Archive {
  /// Notes which pages the entries of a feed's document want, instead of those of the one before.
  public func want(_ pages: [WantedPage], at place: String) throws(ArchiveError) {
    try write { database in
      let insert = try database.cachedStatement(
        sql: """
          INSERT INTO page (address, title, text) VALUES (?, ?, ?)
          ON CONFLICT (address) DO UPDATE SET title = excluded.title, text = excluded.text
            WHERE content IS NULL OR id IN (SELECT page FROM stalePage)
          """)
      let find = try database.cachedStatement(sql: "SELECT id FROM page WHERE address = ?")
      let add = try database.cachedStatement(sql: "INSERT OR IGNORE INTO wish VALUES (?, ?)")
      try database.execute(sql: "DELETE FROM wish WHERE place = ?", arguments: [place])
      for page in pages {
        try insert.execute(arguments: [page.address, page.title, page.text])
        guard let id = try Int64.fetchOne(find, arguments: [page.address]) else { continue }
        try add.execute(arguments: [place, id])
      }
    }
  }

  /// The places of the feeds whose entries want pages.
  public func placesWantingPages() throws(ArchiveError) -> [String] {
    try read { try String.fetchAll($0, sql: "SELECT DISTINCT place FROM wish ORDER BY place") }
  }

  /// Notes under which rules for sites pages are looked at from now on: those that came under another are to be asked for again.
  ///
  /// - Parameters:
  ///   - all: the checksum of all rules; where it is that of the last time nothing is looked at.
  ///   - rule: the checksum of the rule for a page, by its address; 0 where there is none.
  public func setPageRules(_ all: Int64, _ rule: (String) -> Int64) throws(ArchiveError) {
    let before = try read { try Int64.fetchOne($0, sql: "SELECT rule FROM pageRule WHERE page = 0") ?? 0 }
    if before == all { return }
    try write { database in
      let sql = """
        SELECT page.id, address, COALESCE(rule, 0) FROM page LEFT JOIN pageRule ON page = page.id WHERE content IS NOT NULL
        """
      var other: [Int64] = []
      let rows = try Row.fetchCursor(database, sql: sql)
      while let row = try rows.next() { if rule(row[1]) != row[2] as Int64 { other.append(row[0]) } }
      try database.execute(sql: "DELETE FROM stalePage")
      for page in other {
        try database.execute(sql: "INSERT INTO stalePage VALUES (?)", arguments: [page])
        let again = "UPDATE page SET isGivenUp = 0, failures = 0, next = NULL WHERE id = ?"
        try database.execute(sql: again, arguments: [page])
      }
      try database.execute(sql: "INSERT OR REPLACE INTO pageRule VALUES (0, ?)", arguments: [all])
    }
  }

  /// Notes that the entries of feeds want no pages any more.
  public func wantNoPages(at places: [String]) throws(ArchiveError) {
    if places.isEmpty { return }
    try write { database in
      for place in places { try database.execute(sql: "DELETE FROM wish WHERE place = ?", arguments: [place]) }
    }
  }

  /// The pages that are to be asked for, without those that are held, in the order in which they became known.
  ///
  /// - Parameters:
  ///   - places: those of the feeds for which pages may be asked for.
  ///   - now: the time, seconds since 1970; nil when all are due that are not given up.
  ///   - withStale: whether also those that are there, and are to be looked at under another rule.
  public func duePages(
    of places: Set<String>, now: Int64?, withStale: Bool = false
  ) throws(ArchiveError) -> [DuePage] {
    // What would be due within a minute is due, and a clock that was set back must not silence one.
    let due = now == nil ? "1" : "(next IS NULL OR next <= :now + 60 OR asked > :now + 60)"
    let values = now.map { ["now": $0] } ?? [:]
    return try missingPages(of: places, where: "isGivenUp = 0 AND \(due)", values, withStale: withStale)
  }

  /// All pages that are wanted and have not come, also those that are not asked for any more, in the order in which they became known.
  ///
  /// - Parameters:
  ///   - places: those of the feeds whose pages count.
  ///   - withStale: whether also those that are there, and are to be looked at under another rule.
  public func missingPages(of places: Set<String>, withStale: Bool = false) throws(ArchiveError) -> [DuePage] {
    try missingPages(of: places, where: "1", [:], withStale: withStale)
  }

  private func missingPages(
    of places: Set<String>, where condition: String, _ values: [String: Int64], withStale: Bool
  ) throws(ArchiveError) -> [DuePage] {
    let missing = withStale ? "(content IS NULL OR page.id IN (SELECT page FROM stalePage))" : "content IS NULL"
    let sql = """
      SELECT page.id, address, title, text, failures, wish.place FROM page JOIN wish ON wish.page = page.id
      WHERE \(missing) AND page.id NOT IN (SELECT page FROM heldPage) AND \(condition) ORDER BY page.id, wish.place
      """
    return try read { database in
      var pages: [DuePage] = []
      let rows = try Row.fetchCursor(database, sql: sql, arguments: StatementArguments(values))
      while let row = try rows.next() {
        guard places.contains(row[5]), pages.last?.number != row[0] else { continue }
        let page = WantedPage(address: row[1], title: row[2], text: row[3])
        pages.append(DuePage(number: row[0], page: page, failures: row[4]))
      }
      return pages
    }
  }

  /// Remembers what came of asking for pages.
  public func remember(
    _ outcomes: [(page: DuePage, outcome: PageOutcome)], asked: Int64?
  ) throws(ArchiveError) {
    if outcomes.isEmpty { return }
    try write { database in
      for (page, outcome) in outcomes { try database.remember(outcome, of: page.number, asked: asked) }
    }
  }

  /// What is known of the pages that a feed's entries want, packed, by their addresses.
  public func pages(at place: String) throws(ArchiveError) -> [String: [UInt8]] {
    let sql = """
      SELECT address, content FROM wish JOIN page ON page.id = wish.page WHERE place = ? AND content IS NOT NULL
      """
    return try read { database in
      let rows = try Row.fetchAll(database, sql: sql, arguments: [place])
      return Dictionary(rows.map { ($0[0], Array($0[1] as Data)) }) { first, _ in first }
    }
  }

  /// By what it shows that other pages are known of those that a feed's entries want: their addresses and checksums.
  public func marksOfPages(at place: String) throws(ArchiveError) -> [String] {
    let sql = """
      SELECT address || ' ' || checksum FROM wish JOIN page ON page.id = wish.page
      WHERE place = ? AND content IS NOT NULL ORDER BY address
      """
    return try read { try String.fetchAll($0, sql: sql, arguments: [place]) }
  }

  /// Lets go of the pages that no feed wants and no post links to.
  public func tidyPages() throws(ArchiveError) {
    try write { database in
      let unwanted = "id NOT IN (SELECT page FROM wish)"
      guard try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM page WHERE \(unwanted))") ?? false else {
        return
      }
      try database.execute(
        sql: """
          DELETE FROM page WHERE \(unwanted) AND address NOT IN (
            SELECT substr(original, 1, instr(original || '#', '#') - 1) FROM card WHERE original IS NOT NULL)
          """)
      // Numbers are given again.
      for table in ["pageRule", "stalePage", "heldPage", "pageOutline"] {
        try database.execute(sql: "DELETE FROM \(table) WHERE page <> 0 AND page NOT IN (SELECT id FROM page)")
      }
    }
  }
}

extension Database {
  fileprivate func remember(_ outcome: PageOutcome, of page: Int64, asked: Int64?) throws {
    switch outcome {
    case .held(let held): return try hold(held, as: page)
    case .came(let content, let checksum, let rule):
      let keep = """
        UPDATE page SET content = ?, checksum = ?, asked = ?, next = NULL, failures = 0, problem = NULL, isGivenUp = 0,
          title = '', text = '' WHERE id = ?
        """
      try cachedStatement(sql: keep).execute(arguments: [Data(content), checksum, asked, page])
      try cachedStatement(sql: "INSERT OR REPLACE INTO pageRule VALUES (?, ?)").execute(arguments: [page, rule])
    case .failed(let problem, let next): try fail(page, problem, next: next, isGivenUp: false, asked: asked)
    case .givenUp(let problem): try fail(page, problem, next: nil, isGivenUp: true, asked: asked)
    }
    try cachedStatement(sql: "DELETE FROM heldPage WHERE page = ?").execute(arguments: [page])
    if case .failed = outcome { return }
    try cachedStatement(sql: "DELETE FROM stalePage WHERE page = ?").execute(arguments: [page])
  }

  private func fail(_ page: Int64, _ problem: String, next: Int64?, isGivenUp: Bool, asked: Int64?) throws {
    let sql = "UPDATE page SET failures = failures + 1, problem = ?, next = ?, isGivenUp = ?, asked = ? WHERE id = ?"
    try cachedStatement(sql: sql).execute(arguments: [problem, next, isGivenUp, asked, page])
  }
}
