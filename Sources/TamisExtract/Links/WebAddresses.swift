import TamisCore
import TamisURL

/// Tells which addresses a page may point to.
struct WebAddresses {
  /// What relative addresses are resolved against.
  let base: WebURL?

  /// The address as the URL Standard writes it, nil when it is not one of http or https.
  func web(_ text: String) -> String? {
    guard let url = WebURL(text, base: base), url.scheme == "http" || url.scheme == "https" else { return nil }
    return url.href
  }

  /// As ``WebAddress/web(_:)``, or an inline picture.
  func picture(_ text: String) -> String? {
    if let web = web(text) { return web }
    let isInline = ["png", "jpeg", "gif", "webp", "avif"].contains { text.hasPrefix("data:image/\($0);base64,") }
    return isInline && WebURL(text) != nil ? text : nil
  }

  /// A link of the feed that may be followed.
  func safe(_ link: Link) -> Link? {
    guard let url = web(link.href) else { return nil }
    var link = link
    link.href = url
    return link
  }

  /// An enclosure that may be linked and played.
  func safe(_ enclosure: Enclosure) -> Enclosure? {
    guard let url = web(enclosure.url) else { return nil }
    return Enclosure(url: url, type: enclosure.type, length: enclosure.length)
  }
}
