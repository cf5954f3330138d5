/// The media type of a file of a site, by the ending of its name.
struct MediaType: Sendable, Hashable {
  /// The value of `Content-Type`.
  let text: String
  /// Whether files of the type are pages.
  var isPage: Bool { text.hasPrefix("text/html") }

  static let page = MediaType(text: "text/html; charset=utf-8")
  static let plain = MediaType(text: "text/plain; charset=utf-8")

  /// The types by endings, longer endings first.
  private static let table: [(ending: String, type: String)] = [
    (".atom.xml", "application/atom+xml; charset=utf-8"),
    ("atom.xml", "application/atom+xml; charset=utf-8"),
    (".rss.xml", "application/rss+xml; charset=utf-8"),
    ("rss.xml", "application/rss+xml; charset=utf-8"),
    ("feed.json", "application/feed+json"),
    (".html", page.text), (".css", "text/css; charset=utf-8"), (".json", "application/json"),
    (".xml", "application/xml; charset=utf-8"), (".opml", "text/x-opml; charset=utf-8"),
    (".svg", "image/svg+xml"), (".png", "image/png"), (".jpg", "image/jpeg"), (".jpeg", "image/jpeg"),
    (".gif", "image/gif"), (".webp", "image/webp"), (".avif", "image/avif"), (".bmp", "image/bmp"),
    (".ico", "image/vnd.microsoft.icon"), (".woff2", "font/woff2"), (".txt", plain.text),
  ]

  private init(text: String) { self.text = text }

  /// Finds the type of a file; one without a known ending has `application/octet-stream`.
  init(ofFile name: String) {
    text = Self.table.first { name.hasSuffix($0.ending) }?.type ?? "application/octet-stream"
  }
}
