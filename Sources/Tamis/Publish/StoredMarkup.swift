import TamisArchive
import TamisCore
import TamisSanitizer

/// Makes safe markup of stored bodies, for pages, feeds and books.
///
/// A body may have been changed since it was recorded, or was sanitized by other rules. It is therefore sanitized by
/// the rules of the site, whatever the archive says of it.
struct StoredMarkup: Sendable {
  private let sanitizer: Sanitizer

  /// Creates a maker of markup by the rules of a site.
  init(_ sanitizer: Sanitizer) {
    self.sanitizer = sanitizer.forPages.droppingRelativeURLs()
  }

  /// Returns the markup of a body.
  ///
  /// - Parameters:
  ///   - body: the body.
  ///   - pictures: the pictures that the site has, by their original URLs, which hooks do not rewrite.
  /// - Returns: the markup.
  func html(of body: KeptBody, keeping pictures: [String: KeptPicture]) -> SanitizedHTML {
    sanitizer.rewritingURLs(except: pictures.keys).sanitizedHTML(of: body.html)
  }
}
