public import TamisCore

/// The body of a post as it stands in a page under the page's own heading.
///
/// It is the second proof that markup is safe, made of the first (`SanitizedHTML`) alone; templates insert no other markup.
///
/// Headings begin at the second level and leave none out, wide tables and code scroll in a box that the keyboard reaches, every
/// picture and every link has a name, a picture's title is read below it, and where scripts of both directions meet each block
/// finds its own. Nothing is taken away but a title that stands above it already; in a page that asks nobody for anything, links stand in the places of what it would
/// load.
public struct PageBody: Sendable, Hashable, CustomStringConvertible {
  /// The markup, valid UTF-8.
  let bytes: [UInt8]

  /// The body of a page.
  ///
  /// - Parameters:
  ///   - heading: what it stands under, and is not said once more.
  ///   - isOffline: whether the page may ask nobody for anything.
  ///   - words: what stands where the author gave no name.
  ///   - pictures: those that the site has, by their addresses elsewhere.
  ///   - root: what leads from the page to the site's root.
  public init(
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

  /// What a body stands under.
  public struct Heading: Sendable, Hashable {
    /// The title; empty when the post has none of its own.
    public var title: String
    /// Where the post is elsewhere; nil when that is not known.
    public var page: String?
    /// The direction in which the post runs.
    public var direction: TextDirection

    /// The heading of a post.
    public init(of card: PostCard) {
      (title, page, direction) = (card.isUntitled ? "" : card.title, card.original, card.direction)
    }
  }

  /// The same as it stands in a list of posts.
  ///
  /// - Parameter page: the way from the list to the page of the post.
  public func listed(page: String) -> PageBody {
    var listed = ListedBody(bytes, page: page)
    return PageBody(listed: listed.rewritten())
  }

  private init(listed bytes: [UInt8]) { self.bytes = bytes }

  /// The markup.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}
