package import TamisCore

/// The body of a post for a page, under the page's own heading.
///
/// It is the second proof that markup is safe, made of the first (`SanitizedHTML`) alone; templates insert no other markup.
///
/// Headings begin at the second level and skip none, wide tables and code scroll in a box that the keyboard reaches, every
/// picture and every link has a name, a picture's title is shown below it, and in mixed writing directions each block finds its
/// own. Only a repeated title is removed. In a page that loads nothing, links replace what it would load.
package struct PageBody: Sendable, Hashable, CustomStringConvertible {
  /// The markup, valid UTF-8.
  let bytes: [UInt8]

  /// The body of a page.
  ///
  /// - Parameters:
  ///   - heading: the title above it, which is not repeated.
  ///   - isOffline: whether the page must load nothing.
  ///   - words: the texts for missing names.
  ///   - pictures: those that the site has, by their addresses elsewhere.
  ///   - root: the relative path from the page to the site's root.
  package init(
    _ html: SanitizedHTML, under heading: Heading? = nil, isOffline: Bool, words: Words = .standard,
    pictures: [String: KeptPicture] = [:],
    root: String = ""
  ) {
    let source = Array(html.string.utf8)
    var writer = PageBodyWriter(
      source, isOffline: isOffline, words: words, pictures: PictureTags(source, kept: pictures, root: root))
    if let heading {
      writer.repeatedTitle = RepeatedTitle(heading.title, in: source, page: heading.page).range
      writer.direction = heading.direction
    }
    writer.run()
    bytes = writer.output
  }

  /// The heading above a body.
  package struct Heading: Sendable, Hashable {
    /// The title; empty when the post has none of its own.
    package var title: String
    /// The URL of the original post; nil when it is not known.
    package var page: String?
    /// The direction in which the post runs.
    package var direction: TextDirection

    /// The heading of a post.
    package init(of card: PostCard) {
      (title, page, direction) = (card.isUntitled ? "" : card.title, card.original, card.direction)
    }
  }

  /// The same body for a list of posts.
  ///
  /// - Parameter page: the way from the list to the page of the post.
  package func listed(page: String) -> PageBody {
    var listed = ListedBody(bytes, page: page)
    return PageBody(listed: listed.rewritten())
  }

  private init(listed bytes: [UInt8]) { self.bytes = bytes }

  /// The markup.
  package var description: String { String(decoding: bytes, as: UTF8.self) }
}
