/// The path of a file of a site from the site's root, such as `posts/blog/first-post-0123456789abcdef.html`.
package struct PagePath: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The path, without a slash at its beginning.
  package let text: String

  /// Makes a path; the caller guarantees that it stays in the site.
  package init(_ text: String) { self.text = text }

  /// Creates the path of the page of a post.
  ///
  /// - Parameters:
  ///   - name: the name of the page, unique in its feed.
  ///   - feedSlug: the slug of the feed.
  package init(ofPost name: String, feedSlug: String) { text = "posts/\(feedSlug)/\(name).html" }

  /// The path.
  package var description: String { text }

  /// The relative path from this file to the site's root: `../` for each folder around it.
  package var root: String { String(repeating: "../", count: text.utf8.count { $0 == UInt8(ascii: "/") }) }

  /// Returns whether the first path sorts before the second, by bytes.
  package static func < (lhs: PagePath, rhs: PagePath) -> Bool {
    lhs.text.utf8.lexicographicallyPrecedes(rhs.text.utf8)
  }
}
