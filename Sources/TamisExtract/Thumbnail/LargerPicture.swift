import TamisCore
import TamisURL

/// Finds a larger file of a picture that a feed names only as a small square, on hosts that make one for every picture.
///
/// The URL forms are as of November 2026. Blogger's feeds name `s72-c`, and for videos YouTube's still, 120 pixels
/// wide.
enum LargerPicture {
  /// The width that a thumbnail needs (Tamis.docc/HowAThumbnailIsPicked.md, T3).
  ///
  /// Google enlarges no picture beyond its own size.
  private static let size = "s640"

  /// The URL of the larger file; nil when there is none, or the named one is large.
  static func address(of address: String) -> String? {
    guard let url = WebURL(address), url.isHTTP, let host = url.hostname else { return nil }
    if host.hasSuffix(".bp.blogspot.com") || host == "blogger.googleusercontent.com" || isGooglePhoto(host) {
      return google(address)
    }
    let isYouTube = host == "img.youtube.com" || host.hasSuffix("ytimg.com")
    return isYouTube ? replaced(address, last: "default.jpg", by: "hqdefault.jpg") : nil
  }

  private static func isGooglePhoto(_ host: String) -> Bool {
    host.hasPrefix("lh") && host.hasSuffix(".googleusercontent.com")
  }

  /// The larger file for `/s72-c/name.jpg` and `…=s72-c`.
  private static func google(_ address: String) -> String? {
    var parts = address.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 4, let last = parts.last else { return nil }
    if isSmall(parts[parts.count - 2][...]) {
      parts[parts.count - 2] = size
    } else if let sign = last.lastIndex(of: "="), isSmall(last[last.index(after: sign)...]) {
      parts[parts.count - 1] = last[...sign] + size
    } else {
      return nil
    }
    return parts.joined(separator: "/")
  }

  /// Whether a text names a square or crop below the wanted size: `s72-c`, `s72-w640-h360-c`.
  private static func isSmall(_ text: Substring) -> Bool {
    let steps = text.split(separator: "-", omittingEmptySubsequences: false)
    guard let first = steps.first, first.hasPrefix("s"), let side = Int(first.dropFirst()) else { return false }
    return side < 640 && steps.dropFirst().allSatisfy { $0.utf8.allSatisfy { $0.isASCIIAlphanumeric } }
  }

  private static func replaced(_ address: String, last name: String, by other: String) -> String? {
    address.hasSuffix("/" + name) ? address.dropLast(name.utf8.count) + other : nil
  }
}
