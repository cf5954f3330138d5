package import TamisCore
package import TamisFeed
package import TamisSanitizer
import TamisURL

/// Writes a feed as JSON in Universal Feed Parser's data model, as `tamis parse` prints it.
///
/// Keys without a value are left out. Markup is sanitized, unless no sanitizer is given; text is not escaped, as in
/// that model. The document is one object, its entries first, so that they can be written while the feed is still being
/// read.
package struct FeedJSON: Sendable {
  private let sanitizer: Sanitizer?
  /// The filter of unsafe URLs; nil when all are written.
  private let addresses: SafeAddresses?

  /// Creates a writer.
  ///
  /// - Parameter sanitizer: the sanitizer of markup; nil writes the markup of the feed, which is unsafe to show.
  package init(sanitizer: Sanitizer?) { (self.sanitizer, addresses) = (sanitizer, nil) }

  /// Creates a writer of strings that may be inserted into HTML unchanged.
  ///
  /// Text is escaped, so that each string is HTML, and its type says so. URLs with a scheme that the sanitizer's policy
  /// refuses are left out; ``findings(about:)`` lists them.
  package init(safe sanitizer: Sanitizer) {
    (self.sanitizer, addresses) = (sanitizer, SafeAddresses(schemes: sanitizer.policy.urls.schemes))
  }

  /// Returns the whole feed: `entries`, `feed`, `bozo`, `encoding`, `version`, `namespaces`.
  ///
  /// - Parameters:
  ///   - parsed: the feed.
  ///   - document: the document from which it was read.
  /// - Returns: the JSON document, in UTF-8.
  package func document(_ parsed: FeedParser.Result, of document: FeedDocument) -> [UInt8] {
    JSONWriter.object { writeMembers(of: parsed, document, to: &$0) }
  }

  /// The members of the whole feed's object.
  package func writeMembers(of parsed: FeedParser.Result, _ document: FeedDocument, to writer: inout JSONWriter) {
    writer.array("entries") { writer in for entry in parsed.entries { write(entry, to: &writer) } }
    writeMembers(of: parsed.feed, document, to: &writer)
  }

  /// Begins the document's object; its entries come next.
  package func beginDocument(in writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("entries")
    writer.beginArray()
  }

  /// Ends the document's object, with the members that are known only when all entries have been read.
  ///
  /// - Parameters:
  ///   - feed: the feed.
  ///   - document: the document from which it was read.
  ///   - writer: the writer.
  package func endDocument(_ feed: Feed, of document: FeedDocument, in writer: inout JSONWriter) {
    writer.endArray()
    writeMembers(of: feed, document, to: &writer)
    writer.endObject()
  }

  private func writeMembers(of feed: Feed, _ document: FeedDocument, to writer: inout JSONWriter) {
    let feed = addresses?.cleaned(feed).feed ?? feed
    writer.escapesHTML = addresses != nil
    defer { writer.escapesHTML = false }
    writer.key("feed")
    write(feed, to: &writer)
    writer.member("bozo", feed.fault != nil)
    if let fault = feed.fault {
      writer.object("bozo_exception") { writer in
        writer.member("type", Self.exceptions[fault.code] ?? "SAXParseException")
        writer.member("message", fault.description)
      }
    }
    writer.member("encoding", feed.encoding)
    writer.member("version", feed.version)
    writer.object("namespaces") { writer in
      for (prefix, uri) in feed.namespaces.sorted(by: { $0.key < $1.key }) { writer.member(prefix, uri) }
    }
    writeResponse(document, to: &writer)
  }

  /// Writes the members of the feed itself.
  ///
  /// - Parameters:
  ///   - feed: the feed.
  ///   - writer: the writer.
  package func write(_ feed: Feed, to writer: inout JSONWriter) {
    let feed = addresses?.cleaned(feed).feed ?? feed
    let escapes = writer.escapesHTML
    writer.escapesHTML = addresses != nil
    defer { writer.escapesHTML = escapes }
    writer.object { writeMembers(of: feed, to: &$0) }
  }

  private func writeMembers(of feed: Feed, to writer: inout JSONWriter) {
    write("title", feed.title, to: &writer)
    // JSON Feed's description has another name in that model.
    write(feed.isJSON ? "summary" : "subtitle", feed.subtitle, to: &writer)
    if !feed.isJSON { write("summary", feed.summary, to: &writer) }
    write("rights", feed.rights, to: &writer)
    write("info", feed.info, to: &writer)
    writer.member("link", feed.link)
    writer.write(links: feed.links, enclosures: [])
    writer.member("id", feed.id)
    writer.member("language", feed.language)
    writer.write(authors: feed.authors, contributors: feed.contributors)
    writer.write("publisher", feed.publisher)
    writer.write(feed.categories)
    writer.write("published", feed.published)
    writer.write("updated", feed.updated)
    writer.write("created", feed.created)
    writer.write("expired", feed.expired)
    writer.write(feed.generator)
    write("image", feed.image, to: &writer)
    write("textinput", feed.textInput, to: &writer)
    writer.member("logo", feed.logo)
    writer.write(feed.media)
    writer.write(feed.place)
    writer.member("icon", feed.icon)
    writer.write(feed.extensions)
  }

  /// Returns findings about URLs that are left out of an entry because they are not safe to follow.
  package func findings(about entry: Feed.Entry) -> [Finding] { addresses?.cleaned(entry).findings ?? [] }

  /// Returns findings about URLs that are left out of the feed itself because they are not safe to follow.
  ///
  /// - Parameters:
  ///   - feed: the feed.
  ///   - location: the location for the findings.
  /// - Returns: the findings; empty when no URL is left out.
  package func findings(about feed: Feed, at location: Finding.Location) -> [Finding] {
    addresses?.cleaned(feed, at: location).findings ?? []
  }

  /// Writes one entry.
  ///
  /// - Parameters:
  ///   - entry: the entry.
  ///   - writer: the writer.
  package func write(_ entry: Feed.Entry, to writer: inout JSONWriter) {
    let entry = addresses?.cleaned(entry).entry ?? entry
    writer.escapesHTML = addresses != nil
    defer { writer.escapesHTML = false }
    writer.object { writer in
      write("title", entry.title, to: &writer)
      write("subtitle", entry.subtitle, to: &writer)
      writeContent(of: entry, to: &writer)
      write("info", entry.info, to: &writer)
      write("rights", entry.rights, to: &writer)
      writer.member("link", entry.link)
      writer.write(links: entry.links, enclosures: entry.enclosures)
      if let id = entry.id {
        writer.member("id", id)
        writer.member("guidislink", entry.idIsPermalink && entry.link == id)
      }
      writer.write(authors: entry.authors, contributors: entry.contributors)
      writer.write("publisher", entry.publisher)
      writer.write(entry.categories)
      writer.write("published", entry.published)
      writer.write("updated", entry.updated)
      writer.write("created", entry.created)
      writer.write("expired", entry.expired)
      writer.member("comments", entry.comments)
      writer.write(entry.media)
      writer.write(entry.place)
      writer.writeChapters(of: entry)
      writeImage(of: entry, to: &writer)
      writeSource(of: entry, to: &writer)
      writer.write(entry.fields)
      writer.write(entry.extensions)
    }
  }

  // MARK: - Parts

  /// The names of Universal Feed Parser's exceptions.
  private static let exceptions = [
    "parse.undeclared-prefix": "UndeclaredNamespace", "parse.encoding": "CharacterEncodingOverride",
    "parse.media-type": "NonXMLContentType",
  ]

  /// Members from the HTTP response: `headers`, `href`, `etag`, `updated`.
  private func writeResponse(_ document: FeedDocument, to writer: inout JSONWriter) {
    if !document.headers.isEmpty {
      writer.object("headers") { writer in
        var names: [String: String] = [:]
        for field in document.headers { names[field.name.lowercased()] = field.value }
        for (name, value) in names.sorted(by: { $0.key < $1.key }) { writer.member(name, value) }
      }
    }
    guard let url = document.url else { return }
    writer.member("href", url)
    writer.member("etag", document.header("ETag"))
    if let modified = document.header("Last-Modified") { writer.write("updated", Feed.Timestamp(reading: modified)) }
  }

  /// Writes `summary` and `content`; without a summary the first content is written as the summary too.
  private func writeContent(of entry: Feed.Entry, to writer: inout JSONWriter) {
    // A call of `map(value)` would copy the writer, with its policy.
    var values: [String] = []
    for content in entry.content { values.append(value(of: content)) }
    if let summary = entry.summary {
      write("summary", summary, value: value(of: summary), to: &writer)
    } else if let first = entry.content.first {
      write("summary", first, value: values[0], to: &writer)
    }
    guard !values.isEmpty else { return }
    writer.array("content") { writer in
      for (content, value) in zip(entry.content, values) {
        writeDetail(of: content, to: &writer) { string(value, of: content, to: &$0) }
      }
    }
  }

  private func writeImage(of entry: Feed.Entry, to writer: inout JSONWriter) {
    if let image = entry.media.first(where: { $0.source == .itunesImage }) {
      writer.object("image") { $0.member("href", image.url) }
    } else {
      write("image", entry.image, to: &writer)
    }
  }

  private func writeSource(of entry: Feed.Entry, to writer: inout JSONWriter) {
    guard let source = entry.source else { return }
    writer.object("source") { writer in
      writeMembers(of: source, to: &writer)
      if !writer.has("href") { writer.member("href", source.link) }
    }
  }

  /// Returns the text that is written: markup is sanitized.
  private func value(of markup: Feed.Markup) -> String {
    guard markup.kind != .text, let sanitizer else { return markup.value }
    return sanitizer.sanitizedHTML(of: markup.value, base: markup.base.flatMap { WebURL($0) }).string
  }

  private func write(_ name: StaticString, _ markup: Feed.Markup?, to writer: inout JSONWriter) {
    if let markup { write(name, markup, value: value(of: markup), to: &writer) }
  }

  private func write(_ name: StaticString, _ markup: Feed.Markup, value: String, to writer: inout JSONWriter) {
    writer.key(name)
    let range = string(value, of: markup, to: &writer)
    writer.key(name, "_detail")
    writeDetail(of: markup, to: &writer) { $0.again(range) }
  }

  /// Writes the text of a field, which is HTML unless it is plain.
  @discardableResult
  private func string(_ value: String, of markup: Feed.Markup, to writer: inout JSONWriter) -> Range<Int> {
    markup.kind == .text ? writer.string(value) : writer.string(html: value)
  }

  private func writeDetail(of markup: Feed.Markup, to writer: inout JSONWriter, value: (inout JSONWriter) -> Void) {
    guard addresses != nil else { return writer.writeDetail(markup, value: value) }
    // The escaped text is HTML.
    var markup = markup
    markup.kind = .html
    writer.writeDetail(markup, value: value)
  }

  private func write(_ name: StaticString, _ image: Feed.Image?, to writer: inout JSONWriter) {
    guard let image, image != Feed.Image() else { return }
    writer.key(name)
    writer.object { writer in
      writer.member("href", image.url)
      write("title", image.title, to: &writer)
      writer.member("link", image.link)
      write("subtitle", image.description, to: &writer)
      writer.member("name", image.name)
      writer.member("width", image.width)
      writer.member("height", image.height)
    }
  }
}

extension Feed {
  /// Whether the document was a JSON Feed.
  fileprivate var isJSON: Bool { version.hasPrefix("json") }
}
