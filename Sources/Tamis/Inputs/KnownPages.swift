import TamisArchive
import TamisArticle
package import TamisCore
import TamisHTML
import TamisExtract
package import TamisSystem
import TamisURL

/// Supplied data besides the feeds, from an archive or an earlier crawl: articles' pages, and real sizes of pictures.
///
/// The data is written as JSON lines, each an object with `url` and either `html`, a page, or `width` and `height`, a
/// picture's size.
package struct KnownPages: Sendable {
  private var pages: [String: PagePictures] = [:]
  /// The pages, compressed, by URL; empty unless pages are kept.
  private var packed: [String: [UInt8]] = [:]
  private let keepsPages: Bool
  private var sheets = LinkedSheets()
  /// The sizes of pictures by URL.
  private(set) var sizes: [String: PictureSize] = [:]

  /// The maximum size of a page whose article is extracted (4 MiB).
  static let largestPage = PackedValue.largestPage

  /// Creates an empty collection.
  ///
  /// - Parameter keepsPages: whether articles are extracted from pages, which then have to be kept completely.
  package init(keepsPages: Bool = false) { self.keepsPages = keepsPages }

  /// Whether there is no data.
  package var isEmpty: Bool { pages.isEmpty && sizes.isEmpty }

  /// Returns the pictures that a page names; nil when the page was not supplied.
  func pictures(onPage url: String) -> PagePictures? {
    pages.isEmpty ? nil : WebURL(url).flatMap { pages[$0.removingFragment.href] }
  }

  /// Returns the article of a page; nil when the page was not supplied.
  func article(_ request: PageRequest, _ extractor: ArticleExtractor) -> PageArticle? {
    for address in request.addresses {
      guard let url = WebURL(address), let packed = packed[address],
        let page = Packing.unpack(packed, most: Self.largestPage)
      else { continue }
      var input = ArticleExtractor.Input(page: PageEncoding.decode(page), url: url)
      (input.feedTitle, input.feedText, input.sheets) = (request.title, request.text, sheets)
      var findings: [Finding] = []
      return PageArticle(input, at: url, extractor, into: &findings)
    }
    return nil
  }

  /// Adds the lines of a file.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - findings: receives findings about lines that are skipped.
  /// - Returns: a digest of the lines, in hexadecimal.
  /// - Throws: ``ReadFailure`` when the file cannot be read to its end.
  package mutating func add(_ file: FilePath, into findings: inout [Finding]) throws(ReadFailure) -> String {
    var lines = try LineStream(StreamedFile(file), longest: Limits.standard.documentBytes)
    var digest = SHA256.Stream()
    while let line = lines.next() {
      digest.add(line.bytes + [ASCII.lineFeed])
      if line.bytes.allSatisfy(\.isHTMLSpace) { continue }
      let location = Finding.Location(file: file.description, line: line.number, column: 1)
      add(line: line.bytes, at: location, into: &findings)
    }
    if let failure = lines.failure { throw failure }
    return digest.finish().hex
  }

  /// Adds one line; one that is no page, sheet or size is skipped with a finding.
  ///
  /// - Parameters:
  ///   - line: the line.
  ///   - location: the location of the line, for the finding.
  ///   - findings: receives the finding.
  package mutating func add(line: [UInt8], at location: Finding.Location, into findings: inout [Finding]) {
    do throws(KnownLine.Refusal) {
      switch try KnownLine(line) {
      case .page(let url, let html):
        let pictures = PagePictures(html: html)
        for address in WebAddress.names(ofPage: url) { pages[address] = pictures }
        if keepsPages, html.utf8.count <= Self.largestPage {
          let page = Packer().pack(Array(html.utf8))
          for address in WebAddress.names(ofPage: url) { packed[address] = page }
        }
      case .sheet(let url, let css): if keepsPages { sheets.add(Array(css.utf8), at: url.removingFragment.href) }
      case .picture(let url, let size): sizes[url.href] = size
      }
    } catch {
      findings.append(KnownLine.finding(error, at: location))
    }
  }
}
