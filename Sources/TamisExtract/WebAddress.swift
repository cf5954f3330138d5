import TamisCore
import TamisURL

/// Addresses that a page may point to.
enum WebAddress {
  /// The address as the URL Standard writes it, nil when it is not one of http or https.
  static func web(_ text: String) -> String? {
    guard let url = WebURL(text), url.scheme == "http" || url.scheme == "https" else { return nil }
    return url.href
  }

  /// As ``WebAddress/web(_:)``, or an inline picture.
  static func picture(_ text: String) -> String? {
    if let web = web(text) { return web }
    let isInline = ["png", "jpeg", "gif", "webp", "avif"].contains { text.hasPrefix("data:image/\($0);base64,") }
    return isInline && WebURL(text) != nil ? text : nil
  }

  /// An enclosure that may be linked and played.
  static func safe(_ enclosure: Enclosure) -> Enclosure? {
    guard let url = web(enclosure.url) else { return nil }
    return Enclosure(url: url, type: enclosure.type, length: enclosure.length)
  }
}
