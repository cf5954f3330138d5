/// The path of a file of a site from the site's root, such as `posts/blog/first-post-0123456789abcdef.html`.
public struct PagePath: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The path, without a slash at its beginning.
  public let text: String

  /// A path that is known to stay in the site.
  public init(_ text: String) { self.text = text }

  /// The path.
  public var description: String { text }

  /// The way from this file to the site's root: `../` for each folder around it.
  public var root: String { String(repeating: "../", count: text.utf8.count { $0 == UInt8(ascii: "/") }) }

  /// In the order of their bytes.
  public static func < (lhs: PagePath, rhs: PagePath) -> Bool {
    lhs.text.utf8.lexicographicallyPrecedes(rhs.text.utf8)
  }
}
