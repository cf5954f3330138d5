import TamisArchive
import TamisCore
import TamisSanitizer
import TamisSite

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

  /// Returns a post with its body as a page shows it, below the page's own heading.
  ///
  /// - Parameters:
  ///   - item: the post.
  ///   - body: its body.
  ///   - pictures: the pictures that the page can show, by their original URLs.
  ///   - site: the site, for its words.
  ///   - isOffline: whether the page must load nothing.
  ///   - root: the relative path from the page to the site's root.
  /// - Returns: the post.
  func view(
    of item: CardItem, _ body: KeptBody, _ pictures: [String: KeptPicture], on site: Site, isOffline: Bool,
    root: String = ""
  ) -> PostView {
    let content = html(of: body, keeping: pictures)
    let shown = PageBody(
      content, under: PageBody.Heading(of: item.card), isOffline: isOffline, words: site.words, pictures: pictures,
      root: root)
    var view = PostView(item: item, details: body.details, body: shown)
    (view.kept, view.content) = (pictures, content)
    return view
  }
}
