import TamisCore
import TamisSystem

/// A writer of a list of posts as feeds: Atom, RSS and JSON Feed.
struct FeedOutput {
  /// A post in a feed.
  struct Entry {
    /// The card, shared with the item; a property with a wrapper cannot be a constant.
    @Indirect private(set) var card: Post.Card
    let sortDate: Int64?
    /// The title; never empty.
    let title: String
    let feedTitle: String
    let page: PagePath
    /// The sanitized body, with the URLs of kept pictures replaced; nil for an excerpt.
    let content: String?
    /// The URL of the thumbnail; nil when there is none.
    let picture: String?
    let enclosures: [Post.File]
    /// An identifier that is independent of the site's URL (a version 8 UUID, RFC 9562).
    let id: String

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - entry: the post.
    ///   - title: its title; never empty.
    ///   - address: the URL of the site, with a trailing slash; nil when not known.
    init(_ entry: OutputEntry, title: String, at address: String?) {
      (_card, sortDate) = (entry.item.$card, entry.item.sortDate)
      self.title = title
      feedTitle = entry.item.feed.title
      page = entry.item.page
      // Without the site's URL its own files have no URLs.
      let pictures = address == nil ? [:] : entry.pictures
      content = entry.content.flatMap { html in
        let text = html.string.isEmpty ? "" : PictureTags.rewritten(html, kept: pictures, root: address ?? "")
        let whole = Self.figures(of: entry, around: text, kept: pictures, root: address ?? "")
        return whole.isEmpty ? nil : whole
      }
      let own = address.flatMap { site in entry.item.keptThumbnail.map { $0.path.url(at: site) } }
      picture = own ?? entry.item.card.thumbnail.flatMap { $0.url.beginsAsHTTP ? $0.url : nil }
      enclosures = entry.details.files.filter(\.url.beginsAsHTTP)
      id = FeedOutput.id(of: "post", page.text)
    }

    /// Returns the body with the pictures that it does not show: the thumbnail before it, the others after it.
    private static func figures(
      of entry: OutputEntry, around body: String, kept: [String: KeptPicture], root: String
    ) -> String {
      func figure(_ url: String, _ alternative: String, _ caption: String) -> String {
        guard url.beginsAsHTTP else { return "" }
        var bytes = Array("<figure><img src=\"".utf8)
        HTMLText.append(kept[url].map { $0.path.url(at: root) } ?? url, to: &bytes)
        bytes += "\" alt=\"".utf8
        HTMLText.append(alternative, to: &bytes)
        bytes += "\" />".utf8
        if !caption.isEmpty {
          bytes += "<figcaption>".utf8
          HTMLText.append(caption, to: &bytes)
          bytes += "</figcaption>".utf8
        }
        return String(decoding: bytes + Array("</figure>".utf8), as: UTF8.self)
      }
      let details = entry.details
      var whole = ""
      if let lead = entry.item.lead {
        let text = lead.alternative.isEmpty ? details.thumbnailCaption : lead.alternative
        whole = figure(lead.url, text, details.thumbnailCaption)
      }
      whole += body
      for picture in details.pictures { whole += figure(picture.url, picture.caption, picture.caption) }
      return whole
    }

    /// The time of the last change; a publication date in the future is not used.
    var updated: Int64 {
      guard let sorted = sortDate else { return 0 }
      let published = card.published.map { min($0, sorted) } ?? sorted
      return max(card.updated ?? .min, published)
    }
    var authors: [String] { card.authors }
    var tags: [String] { card.tags }
    var original: String? { (card.permalink?.url).ifHTTP }
  }

  /// The URL of the site, with a trailing slash.
  let address: String
  /// The page that lists the same posts.
  let page: PagePath
  /// The path of the feeds, without the file names of the formats.
  let base: String
  let title: String
  let subtitle: String
  /// The language of the list; nil when not known.
  ///
  /// An entry has its own. Atom can only express it with `xml:lang`, which applies to entries that set none.
  let language: String?
  let entries: [Entry]
  /// The number of this document in the history of the list; nil for the one with the newest posts.
  let number: Int?
  /// The number of the document of the history that is before this one; nil for none.
  let previous: Int?

  static func path(ofHistory number: Int, _ ending: String) -> PagePath { PagePath("history/\(number).\(ending)") }

  private func history(_ number: Int, _ ending: String) -> String {
    Self.path(ofHistory: number, ending).url(at: address)
  }

  private var updated: Int64 { entries.map(\.updated).max() ?? 0 }

  private func feed(_ name: String) -> String { PagePath(base + name).url(at: address) }

  /// Returns the list as Atom 1.0 (RFC 4287).
  func atom() -> [UInt8] {
    var xml = XMLText()
    let namespace = number == nil ? nil : "http://purl.org/syndication/history/1.0"
    xml.begin("feed", ["xmlns": "http://www.w3.org/2005/Atom", "xmlns:fh": namespace, "xml:lang": language])
    xml.element("id", Self.id(of: "feed", base))
    xml.element("title", title)
    xml.element("subtitle", subtitle.isEmpty ? nil : subtitle)
    xml.element("updated", DateText(updated).iso)
    xml.element("generator", "Tamis")
    if number != nil { xml.empty("fh:archive", [:]) }
    let own = number.map { history($0, "xml") } ?? feed("atom.xml")
    xml.empty("link", ["rel": "self", "type": "application/atom+xml", "href": own])
    if number != nil { xml.empty("link", ["rel": "current", "href": feed("atom.xml")]) }
    if let previous { xml.empty("link", ["rel": "prev-archive", "href": history(previous, "xml")]) }
    xml.empty("link", ["rel": "alternate", "type": "text/html", "href": page.url(at: address)])
    for entry in entries {
      // An entry of unknown language must not inherit that of the list.
      xml.begin("entry", ["xml:lang": entry.card.language ?? language.map { _ in "" }])
      xml.element("id", entry.id)
      xml.element("title", entry.title)
      xml.element("updated", DateText(entry.updated).iso)
      xml.element("published", entry.card.published.map { DateText($0).iso })
      for author in entry.authors.isEmpty ? [entry.feedTitle] : entry.authors {
        xml.begin("author")
        xml.element("name", author)
        xml.end()
      }
      xml.empty("link", ["rel": "alternate", "type": "text/html", "href": entry.page.url(at: address)])
      if let original = entry.original { xml.empty("link", ["rel": "via", "href": original]) }
      for enclosure in entry.enclosures {
        xml.empty(
          "link",
          [
            "rel": "enclosure", "type": enclosure.type, "length": enclosure.length.map { String($0) },
            "href": enclosure.url, "title": enclosure.title,
          ])
      }
      for tag in entry.tags { xml.empty("category", ["term": tag]) }
      xml.element("summary", entry.card.excerpt.isEmpty ? nil : entry.card.excerpt)
      xml.markup("content", entry.content, ["type": "html"])
      xml.end()
    }
    xml.end()
    return xml.bytes
  }

  /// Returns the list as RSS 2.0 (https://www.rssboard.org/rss-specification) with `content:encoded`, `dc:creator` and
  /// `atom:link`.
  func rss() -> [UInt8] {
    var xml = XMLText()
    xml.begin(
      "rss",
      [
        "version": "2.0", "xmlns:atom": "http://www.w3.org/2005/Atom",
        "xmlns:content": "http://purl.org/rss/1.0/modules/content/", "xmlns:dc": "http://purl.org/dc/elements/1.1/",
      ])
    xml.begin("channel")
    xml.element("title", HTMLText.harmless(title))
    xml.element("link", page.url(at: address))
    // Descriptions are markup in RSS, in the channel and in items.
    xml.element("description", Self.markup(subtitle.isEmpty ? title : subtitle))
    xml.element("language", language)
    xml.element("generator", "Tamis")
    if !entries.isEmpty { xml.element("lastBuildDate", DateText(updated).rfc822) }
    xml.empty("atom:link", ["rel": "self", "type": "application/rss+xml", "href": feed("rss.xml")])
    if let previous { xml.empty("atom:link", ["rel": "prev-archive", "href": history(previous, "xml")]) }
    for entry in entries {
      xml.begin("item")
      xml.element("title", HTMLText.harmless(entry.title))
      xml.element("link", entry.page.url(at: address))
      xml.element("guid", entry.id, ["isPermaLink": "false"])
      xml.element("pubDate", entry.card.published.map { DateText($0).rfc822 })
      for author in entry.authors { xml.element("dc:creator", HTMLText.harmless(author)) }
      for tag in entry.tags { xml.element("category", HTMLText.harmless(tag)) }
      xml.element("description", Self.markup(entry.card.excerpt.isEmpty ? entry.title : entry.card.excerpt))
      xml.markup("content:encoded", entry.content)
      // RSS allows only one.
      if let enclosure = entry.enclosures.first {
        xml.empty(
          "enclosure",
          [
            "url": enclosure.url, "length": String(enclosure.length ?? 0),
            "type": enclosure.type ?? "application/octet-stream",
          ])
      }
      xml.end()
    }
    xml.end()
    xml.end()
    return xml.bytes
  }

  /// Returns text escaped as markup.
  private static func markup(_ text: String) -> String {
    var bytes: [UInt8] = []
    HTMLText.append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the list as JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/).
  func json() -> [UInt8] {
    JSONWriter.line { writer in
      writer.member("version", "https://jsonfeed.org/version/1.1")
      writer.member("_generator", "Tamis")
      writer.member("title", title)
      writer.member("home_page_url", page.url(at: address))
      writer.member("feed_url", number.map { history($0, "json") } ?? feed("feed.json"))
      writer.member("next_url", previous.map { history($0, "json") })
      writer.member("description", subtitle.isEmpty ? nil : subtitle)
      writer.member("language", language)
      writer.array("items") { writer in for entry in entries { item(entry, to: &writer) } }
    }
  }

  private func item(_ entry: Entry, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", entry.id)
      writer.member("url", entry.page.url(at: address))
      writer.member("external_url", entry.original)
      writer.member("title", entry.card.isUntitled && !entry.card.excerpt.isEmpty ? nil : entry.title)
      writer.member("summary", entry.card.excerpt.isEmpty ? nil : entry.card.excerpt)
      if let content = entry.content {
        writer.member("content_html", content)
      } else {
        writer.member("content_text", entry.card.excerpt)
      }
      writer.member("image", entry.picture)
      writer.member("date_published", entry.card.published.map { DateText($0).iso })
      writer.member("date_modified", entry.card.updated.map { DateText($0).iso })
      writer.member("language", entry.card.language)
      list("authors", entry.authors, to: &writer) { author, writer in
        writer.object { $0.member("name", author) }
      }
      list("tags", entry.tags, to: &writer) { tag, writer in writer.string(tag) }
      list("attachments", entry.enclosures, to: &writer) { enclosure, writer in
        writer.object { writer in
          writer.member("url", enclosure.url)
          writer.member("mime_type", enclosure.type ?? "application/octet-stream")
          // Feeds write 0 where they do not know the size.
          writer.member("size_in_bytes", enclosure.length.flatMap { $0 > 0 ? $0 : nil })
          writer.member("title", enclosure.title)
        }
      }
    }
  }

  private func list<Value>(
    _ name: StaticString, _ values: [Value], to writer: inout JSONWriter, _ write: (Value, inout JSONWriter) -> Void
  ) {
    guard !values.isEmpty else { return }
    writer.array(name) { writer in for value in values { write(value, &writer) } }
  }

  static func id(of kind: String, _ name: String) -> String {
    var digits = Array(SHA256("\(kind)\n\(name)").hex.utf8.prefix(32))
    digits[12] = UInt8(ascii: "8")
    digits[16] = UInt8(ascii: "a")
    for index in [20, 16, 12, 8] { digits.insert(UInt8(ascii: "-"), at: index) }
    return "urn:uuid:" + String(decoding: digits, as: UTF8.self)
  }
}
