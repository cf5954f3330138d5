package import TamisCore
import TamisFeed
import TamisHTML
package import TamisSystem
import TamisURL

/// The web pages in a supplied file, read one after the other: JSON lines, or a WARC file, recognized by its content,
/// optionally packed by gzip or zstd.
///
/// A broken page is skipped with a finding. Memory use depends on the largest page, not on the file.
struct KnownFile {
  /// A page of the file.
  struct Page: Sendable {
    /// The URL of the page.
    var url: WebURL
    /// The content of the page.
    var bytes: [UInt8]
    /// The character set that the server declared; nil when it declared none.
    var charset: String?
    /// The time of fetching, in seconds since 1970; nil when the file does not have it.
    var date: Int64?
    /// The index among the pages of the file.
    var position: Int
  }

  /// The maximum length of a line in bytes (64 MiB).
  private static let longestLine = 64 << 20
  /// The maximum number of findings about the lines of one file.
  private static let mostFindings = 100

  private let name: String
  private var lines: LineStream?
  private var records: WARCReader?
  private var position = 0
  /// The style sheets that were met so far.
  private(set) var sheets = LinkedSheets()
  private var refused = 0

  /// Opens a file.
  ///
  /// - Throws: ``ReadFailure`` when it cannot be opened.
  init(_ path: FilePath) throws(ReadFailure) {
    name = path.description
    let source = try FileSource(path)
    if ArchivedPages.isOne(source) {
      records = try WARCReader(source.packed, name: name)
    } else {
      lines = try LineStream(StreamedFile(path), longest: Self.longestLine)
    }
  }

  /// Returns the next page; nil at the end.
  mutating func next(into findings: inout [Finding]) -> Page? {
    let page = records == nil ? nextLine(into: &findings) : nextRecord(into: &findings)
    if page != nil { position += 1 }
    return page
  }

  // MARK: - JSON lines

  private mutating func nextLine(into findings: inout [Finding]) -> Page? {
    while let line = lines?.next() {
      let location = Finding.Location(file: name, line: line.number, column: 1)
      if line.isCut {
        refuse(KnownLine.Refusal(message: "this line is longer than \(Self.longestLine) bytes"), location, &findings)
        continue
      }
      if line.bytes.allSatisfy(\.isHTMLSpace) { continue }
      do throws(KnownLine.Refusal) {
        switch try KnownLine(line.bytes) {
        case .page(let url, let html):
          return Page(url: url, bytes: Array(html.utf8), charset: "utf-8", date: nil, position: position)
        case .sheet(let url, let css): sheets.add(Array(css.utf8), at: url.removingFragment.href)
        case .picture: break
        }
      } catch {
        refuse(error, location, &findings)
      }
    }
    if refused > Self.mostFindings {
      let message = "\((refused - Self.mostFindings).counted("more line")) of this file are left out"
      findings.append(Finding(.warning, "known.line", message, at: Finding.Location(file: name)))
    }
    if let failure = lines?.failure { findings.append(Self.unreadable(name, failure)) }
    (lines, refused) = (nil, 0)
    return nil
  }

  private mutating func refuse(
    _ refusal: KnownLine.Refusal, _ location: Finding.Location, _ findings: inout [Finding]
  ) {
    refused += 1
    if refused <= Self.mostFindings { findings.append(KnownLine.finding(refusal, at: location)) }
  }

  /// Returns the finding about a file that cannot be read, or not to its end.
  static func unreadable(_ name: String, _ failure: ReadFailure) -> Finding {
    Finding(
      .warning, "known.read", "this file cannot be read: \(failure.message); the pages in it are not known",
      at: Finding.Location(file: name))
  }

  // MARK: - Records

  /// Returns the next successful HTML response; truncated ones are skipped.
  private mutating func nextRecord(into findings: inout [Finding]) -> Page? {
    while let record = records?.next(into: &findings) {
      guard record.kind == .response, record.http?.status == 200, !record.body.isEmpty, !record.isCut else { continue }
      let type = ContentType(record.contentType ?? "")
      guard let url = record.targetURI.flatMap({ WebURL($0) }) else { continue }
      if type.mediaType == "text/css" { sheets.add(record.body, at: url.removingFragment.href) }
      guard type.isHTML else { continue }
      return Page(url: url, bytes: record.body, charset: type.charset, date: record.date, position: position)
    }
    return nil
  }
}

extension ArticlePipeline {
  /// Reads the style sheets in supplied files, which pages may link to.
  ///
  /// - Parameters:
  ///   - files: the files, as ``KnownFile`` reads them; the pages in them are passed over.
  ///   - findings: receives what is wrong with them.
  /// - Returns: a digest of the sheets, empty for none.
  package mutating func readSheets(in files: [FilePath], into findings: inout [Finding]) -> String {
    for path in files {
      do throws(ReadFailure) {
        var file = try KnownFile(path)
        while file.next(into: &findings) != nil {}
        sheets.add(file.sheets)
      } catch {
        findings.append(KnownFile.unreadable(path.description, error))
      }
    }
    var digest = SHA256.Stream()
    for text in sheets.all { digest.add(text) }
    return sheets.isEmpty ? "" : digest.finish().hex
  }
}
