/// A picture that is stored as a file of a site.
package struct KeptPicture: Sendable, Hashable {
  /// The path of its file in the site.
  package var path: PagePath
  /// Width in pixels.
  package var width: Int
  /// Height in pixels.
  package var height: Int

  /// Makes a picture.
  package init(path: PagePath, width: Int, height: Int) { (self.path, self.width, self.height) = (path, width, height) }

  /// Returns the path of a picture in a site and in the folder of stored pictures.
  ///
  /// - Parameters:
  ///   - digest: the SHA-256 digest, in hexadecimal.
  ///   - ending: the file extension of its format, without the dot.
  /// - Returns: the path, in a folder named by the first two digits of the digest.
  package static func path(digest: String, ending: String) -> PagePath {
    PagePath("\(folder)\(digest.prefix(2))/\(digest).\(ending)")
  }

  /// The folder of pictures in a site, with a slash at its end.
  package static let folder = "pictures/"
}
