import Foundation
import GRDB

/// A page that has come and is kept until the others have that it is compared with.
public struct HeldPage: Sendable, Hashable {
  /// Where it was, at the end of all redirects.
  public var url: String
  /// What its server said that it is in; nil when it did not.
  public var charset: String?
  /// Its bytes, packed.
  public var content: [UInt8]
  /// What others are compared with it by.
  public var outline: KeptOutline

  /// Makes a page.
  public init(url: String, charset: String?, content: [UInt8], outline: KeptOutline) {
    (self.url, self.charset, self.content, self.outline) = (url, charset, content, outline)
  }
}

/// What is known of a page to compare others of its site with it: digests.
public struct KeptOutline: Sendable, Hashable {
  /// The host of its site.
  public var site: String
  /// The digest of its title.
  public var title: UInt64
  /// The digest of its text.
  public var text: UInt64
  /// The digests of its blocks.
  public var blocks: [UInt64]

  /// Makes an outline.
  public init(site: String, title: UInt64, text: UInt64, blocks: [UInt64]) {
    (self.site, self.title, self.text, self.blocks) = (site, title, text, blocks)
  }

  /// The digests as bytes, the lowest first.
  fileprivate var packedBlocks: Data {
    Data(blocks.flatMap { block in (0..<8).map { UInt8(truncatingIfNeeded: block >> UInt64($0 * 8)) } })
  }

  fileprivate init(_ row: Row) {
    let bytes = Array(row["blocks"] as Data)
    blocks = stride(from: 0, through: bytes.count - 8, by: 8).map { start in
      (0..<8).reduce(0) { $0 | UInt64(bytes[start + $1]) << UInt64($1 * 8) }
    }
    site = row["site"]
    (title, text) = (UInt64(bitPattern: row["title"]), UInt64(bitPattern: row["text"]))
  }
}

/// Pages that are compared with others of their sites before their articles are looked for.
extension Archive {
  /// The sites of pages that are held, in order.
  public func heldSites() throws(ArchiveError) -> [String] {
    let sql = "SELECT DISTINCT site FROM heldPage JOIN pageOutline USING (page) ORDER BY site"
    return try read { try String.fetchAll($0, sql: sql) }
  }

  /// The next pages of a site that are held, in the order in which they became known.
  ///
  /// - Parameters:
  ///   - number: of the pages behind the one with this number.
  ///   - count: at most so many.
  public func heldPages(
    of site: String, after number: Int64, count: Int
  ) throws(ArchiveError) -> [(page: DuePage, held: HeldPage)] {
    let sql = """
      SELECT page.id, address, page.title, page.text, failures, url, charset, heldPage.content,
        site, pageOutline.title, pageOutline.text, blocks
      FROM heldPage JOIN pageOutline USING (page) JOIN page ON page.id = heldPage.page
      WHERE site = ? AND page.id > ? ORDER BY page.id LIMIT ?
      """
    return try read { database in
      try Row.fetchAll(database, sql: sql, arguments: [site, number, count]).map { row in
        let wanted = WantedPage(address: row[1], title: row[2], text: row[3])
        let outline = KeptOutline(site: row[8], title: 0, text: 0, blocks: [])
        let held = HeldPage(url: row[5], charset: row[6], content: Array(row[7] as Data), outline: outline)
        return (DuePage(number: row[0], page: wanted, failures: row[4]), held)
      }
    }
  }

  /// What pages of a site are compared by, the newest page last; those that have no room are forgotten.
  ///
  /// - Parameter most: at most so many digests of blocks are given, but those of one page.
  /// - Returns: the outlines, and how many were forgotten.
  public func outlines(of site: String, most: Int) throws(ArchiveError) -> (outlines: [KeptOutline], forgotten: Int) {
    try write { database in
      let sql = "SELECT page, site, title, text, blocks FROM pageOutline WHERE site = ? ORDER BY page DESC"
      var (found, count, last): ([KeptOutline], Int, Int64) = ([], 0, 0)
      let rows = try Row.fetchCursor(database, sql: sql, arguments: [site])
      while let row = try rows.next() {
        let outline = KeptOutline(row)
        count += outline.blocks.count
        if count > most, !found.isEmpty { break }
        found.append(outline)
        last = row["page"]
      }
      // One that is held is not looked for without its own.
      try database.execute(
        sql: "DELETE FROM pageOutline WHERE site = ? AND page < ? AND page NOT IN (SELECT page FROM heldPage)",
        arguments: [site, last])
      return (found.reversed(), database.changesCount)
    }
  }
}

extension Database {
  /// Keeps a page until the others have come.
  func hold(_ held: HeldPage, as page: Int64) throws {
    let outline = held.outline
    try cachedStatement(sql: "INSERT OR REPLACE INTO heldPage VALUES (?, ?, ?, ?)")
      .execute(arguments: [page, held.url, held.charset, Data(held.content)])
    try cachedStatement(sql: "INSERT OR REPLACE INTO pageOutline VALUES (?, ?, ?, ?, ?)")
      .execute(arguments: [
        page, outline.site, Int64(bitPattern: outline.title), Int64(bitPattern: outline.text), outline.packedBlocks,
      ])
  }
}
