/// A picture that a site has in a file of its own.
public struct KeptPicture: Sendable, Hashable {
  /// Where its file is in the site.
  public var path: PagePath
  /// Pixels from left to right.
  public var width: Int
  /// Pixels from top to bottom.
  public var height: Int

  /// Makes a picture.
  public init(path: PagePath, width: Int, height: Int) { (self.path, self.width, self.height) = (path, width, height) }

  /// Where the picture with a digest of its bytes is in a site, and in the folder in which pictures are kept.
  ///
  /// - Parameters:
  ///   - digest: SHA-256, in hexadecimal.
  ///   - ending: with what the names of its format end, without the dot.
  public static func path(digest: String, ending: String) -> PagePath {
    PagePath("\(folder)\(digest.prefix(2))/\(digest).\(ending)")
  }

  /// The folder in which a site has pictures, with a slash at its end.
  public static let folder = "pictures/"
}
