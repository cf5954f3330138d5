package import TamisCore

/// The body of a post for a page, below the page's own heading.
///
/// This is the second type that proves that markup is safe, created only from the first (`SanitizedHTML`); templates
/// insert no other markup.
///
/// Headings begin at level 2 and skip none, wide tables and code scroll in a box that is reachable by keyboard, all
/// pictures and links have names, a picture's title is shown below it, and in mixed writing directions each block finds
/// its own. Only a repeated title is removed. In a page that loads nothing, links replace external resources.
package struct PageBody: Sendable, Hashable, CustomStringConvertible {
  /// The markup, valid UTF-8.
  let bytes: [UInt8]

  /// Creates the body of a page.
  ///
  /// - Parameters:
  ///   - html: the sanitized markup.
  ///   - heading: the title above the body, which is not repeated.
  ///   - isOffline: whether the page must load nothing.
  ///   - words: the texts for missing names.
  ///   - pictures: the pictures that the site has, by their original URLs.
  ///   - root: the relative path from the page to the site's root.
  package init(
    _ html: SanitizedHTML, under heading: Heading? = nil, isOffline: Bool, words: Site.Words = .standard,
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
    /// The title; empty when the post has none.
    package var title: String
    /// The URL of the original post; nil when not known.
    package var page: String?
    /// The writing direction of the post.
    package var direction: TextDirection

    /// Creates the heading of a post.
    package init(of card: Post.Card) {
      (title, page, direction) = (card.isUntitled ? "" : card.title, card.permalink?.url, card.direction)
    }
  }

  /// The URLs of sound and films for which the body has a player, without their queries, which programs add to them.
  var playedFiles: Set<String> {
    var files: Set<String> = []
    let mark = Array("src=\"".utf8)
    var index = 0
    while let open = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
      let end = bytes[open...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count
      let tag = bytes[open..<end]
      index = end
      guard ["<audio", "<source", "<video"].contains(where: { tag.starts(with: $0.utf8) }) else { continue }
      guard let start = tag.firstRange(of: mark)?.upperBound else { continue }
      let value = tag[start...].prefix { $0 != UInt8(ascii: "\"") }
      files.insert(Self.withoutQuery(String(decoding: value, as: UTF8.self).decodingCharacterReferences()))
    }
    return files
  }

  /// Returns the URL of a file without its query, which programs add to it.
  ///
  /// A program that answers with files has no name of a file, and keeps its query.
  static func withoutQuery(_ url: String) -> String {
    if Site.family(ofName: Site.fileName(of: url)) == .other { return url }
    return String(decoding: url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }, as: UTF8.self)
  }

  /// Returns the body for a list of posts.
  ///
  /// - Parameters:
  ///   - page: the page of the post.
  ///   - root: the relative path from the list to the site's root.
  ///   - number: the number of the body, which no other body of the list has.
  /// - Returns: the body as a list shows it: links to its anchors lead to the page of the post.
  package func listed(page: PagePath, root: String, number: Int) -> PageBody {
    var listed = ListedBody(bytes, page: Site.link(from: root, to: page), ids: BodyIDs(body: number))
    return PageBody(source: listed.rewritten())
  }

  /// Creates a body of what another one was rewritten to.
  init(source bytes: [UInt8]) { self.bytes = bytes }

  /// The markup.
  package var description: String { String(decoding: bytes, as: UTF8.self) }
}
