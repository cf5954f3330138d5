import GRDB
package import TamisCore
import TamisSystem
import TamisFoundation

/// A fetched page that waits for the other pages with which it is compared.
package struct WaitingPage: Sendable, Hashable {
  /// The URL of the page after all redirects.
  package var url: String
  /// The character set that the server declared; nil when it declared none.
  package var charset: String?
  /// The content of the page, compressed.
  package var content: [UInt8]
  /// The digests by which other pages are compared with this one.
  package var outline: PageOutline

  /// Creates a page.
  package init(url: String, charset: String?, content: [UInt8], outline: PageOutline) {
    (self.url, self.charset, self.content, self.outline) = (url, charset, content, outline)
  }
}

extension PageOutline {
  /// The digests as bytes, little-endian.
  fileprivate var packedBlocks: Data {
    Data(blocks.flatMap { block in (0..<8).map { UInt8(truncatingIfNeeded: block >> UInt64($0 * 8)) } })
  }

  fileprivate init(_ row: Row) throws {
    let bytes = Array(try row["blocks"] as Data)
    let blocks: [UInt64] = stride(from: 0, through: bytes.count - 8, by: 8).map { start in
      (0..<8).reduce(0) { $0 | UInt64(bytes[start + $1]) << UInt64($1 * 8) }
    }
    try self.init(
      site: row["site"], title: UInt64(bitPattern: row["title"]), text: UInt64(bitPattern: row["text"]), blocks: blocks)
  }
}

/// Handles pages that are compared with others of their sites before their articles are extracted.
extension Archive {
  /// Returns the sites of waiting pages, each with a digest of the feeds whose entries need the same pages, sorted.
  ///
  /// - Throws: ``Archive/Failure`` when the archive cannot be read.
  package func heldSites() throws(Archive.Failure) -> [String] {
    let sql = "SELECT DISTINCT site FROM waitingPage JOIN pageOutline USING (page) ORDER BY site"
    return try read { try String.fetchAll($0, sql: sql) }
  }

  /// Returns the next waiting pages of a site, in the order in which they were recorded.
  ///
  /// - Parameters:
  ///   - site: one of ``heldSites()``.
  ///   - number: the number of a page; the pages after it are returned.
  ///   - count: the maximum number of pages.
  /// - Returns: the pages, each with what is kept of it until its article is extracted; empty when no more are waiting.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read.
  package func waitingPages(
    of site: String, after number: Int64, count: Int
  ) throws(Archive.Failure) -> [(page: DuePage, waiting: WaitingPage)] {
    let sql = """
      SELECT page.id, address, page.title, page.text, failures, url, charset, waitingPage.content,
        site, pageOutline.title, pageOutline.text, blocks
      FROM waitingPage JOIN pageOutline USING (page) JOIN page ON page.id = waitingPage.page
      WHERE site = ? AND page.id > ? ORDER BY page.id LIMIT ?
      """
    return try readLongRows { database in
      try Row.fetchAll(database, sql: sql, arguments: [site, number, count]).map { row in
        let wanted = try WantedPage(address: row[1], title: row[2], text: row[3])
        let outline = try PageOutline(site: row[8], title: 0, text: 0, blocks: [])
        let waiting = try WaitingPage(url: row[5], charset: row[6], content: Array(row[7] as Data), outline: outline)
        return try (DuePage(number: row[0], page: wanted, failures: row[4]), waiting)
      }
    }
  }

  /// Returns the outlines of a site's pages, the newest page last; those beyond `most` are deleted.
  ///
  /// - Parameters:
  ///   - site: one of ``heldSites()``.
  ///   - most: the maximum total number of block digests; the outline of one page is always returned.
  /// - Returns: the outlines, and the number of deleted ones.
  /// - Throws: ``Archive/Failure`` when the archive cannot be written.
  package func outlines(of site: String, most: Int) throws(Archive.Failure) -> (outlines: [PageOutline], forgotten: Int)
  {
    try write { database in
      let sql = "SELECT page, site, title, text, blocks FROM pageOutline WHERE site = ? ORDER BY page DESC"
      var (found, count, last): ([PageOutline], Int, Int64) = ([], 0, 0)
      let rows = try Row.fetchCursor(database, sql: sql, arguments: [site])
      while let row = try rows.next() {
        let outline = try PageOutline(row)
        count += outline.blocks.count
        if count > most, !found.isEmpty { break }
        found.append(outline)
        last = try row["page"]
      }
      // The outline of a waiting page must not be deleted: its article is extracted with it.
      try database.execute(
        sql: "DELETE FROM pageOutline WHERE site = ? AND page < ? AND page NOT IN (SELECT page FROM waitingPage)",
        arguments: [site, last])
      return (found.reversed(), database.changesCount)
    }
  }
}

extension Database {
  /// Stores a page until the other pages have been fetched.
  func store(_ waiting: WaitingPage, as page: Int64) throws {
    let outline = waiting.outline
    // Pages that another feed has named, such as lists of the same posts, say nothing of what a site repeats.
    let wanting = "SELECT location FROM wantedPage WHERE page = ? ORDER BY location"
    let feeds = try String.fetchAll(cachedStatement(sql: wanting), arguments: [page]).joined(separator: "\n")
    let site = "\(outline.site) \(Checksum(Array(feeds.utf8)).shortened)"
    try cachedStatement(sql: "INSERT OR REPLACE INTO waitingPage VALUES (?, ?, ?, ?)")
      .execute(arguments: [page, waiting.url, waiting.charset, Data(waiting.content)])
    try cachedStatement(sql: "INSERT OR REPLACE INTO pageOutline VALUES (?, ?, ?, ?, ?)")
      .execute(arguments: [
        page, site, Int64(bitPattern: outline.title), Int64(bitPattern: outline.text), outline.packedBlocks,
      ])
  }
}
