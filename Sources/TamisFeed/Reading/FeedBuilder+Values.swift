import TamisCore
import TamisURL

/// Reads single values out of elements.
extension FeedBuilder {
  /// A URL resolved against a base: as it was written when there is no base to resolve it against, nil when it is empty.
  mutating func resolve(_ text: String, against base: String?) -> String? {
    guard let reference = text.trimmedOrNil() else { return nil }
    if let base = base.flatMap({ WebURL($0) }), isRelative(reference) {
      return WebURL(reference, base: base)?.href ?? reference
    }
    return reference
  }

  /// Whether a URL is relative.
  private func isRelative(_ reference: String) -> Bool {
    WebURL(reference) == nil || WebURL.isRelativeToItsScheme(reference.utf8.span)
  }

  /// A base URL for what is inside an element; one that is not to be fetched from changes nothing.
  mutating func safeBase(_ text: String, within outer: String?) -> String? {
    guard let reference = text.trimmedOrNil() else { return outer }
    let resolved = WebURL(reference, base: outer.flatMap { WebURL($0) })
    guard isUsable(base: resolved?.href ?? reference) else { return outer }
    guard let url = resolved else { return outer ?? reference }
    return ["http", "https", "ftp", "file"].contains(url.scheme) ? url.href : outer
  }

  /// Whether a base URL is short enough: each address that is resolved against it becomes as long.
  mutating func isUsable(base: String) -> Bool {
    if base.utf8.count <= limits.baseBytes { return true }
    note(
      .warning, "parse.base-too-long",
      "this base URL has more than \(limits.baseBytes) bytes; addresses are not resolved against it", at: location)
    return false
  }

  /// The text of a field with its type, base and language; nil when it is empty.
  mutating func markup(of frame: Frame) -> Markup? {
    var text = frame.content
    if frame.isBase64 || isBinary(frame) {
      let decoded = Base64.decode(text)
      if decoded == nil, isBinary(frame) {
        note(.note, "parse.binary", "this content is not text; it is left out", at: location(of: frame))
        text = ""
      }
      text = decoded ?? text
    }
    let source = frame.attribute("src").flatMap { resolve($0, against: frame.base) }
    guard !text.isEmpty || source != nil else { return nil }
    let kind = kind(of: frame, text)
    if kind == .xhtml, isAtom { text = InlineMarkup.withoutWrapper(text) }
    var markup = Markup(DoubleEncoding.undone(text), kind: kind, base: frame.base, language: frame.language)
    (markup.source, markup.sourceType) = (source, source.flatMap { _ in mediaType(of: frame) })
    return markup
  }

  /// How the text of a field is to be read: as its type says, or by evidence where it has none.
  private mutating func kind(of frame: Frame, _ text: String) -> Markup.Kind {
    guard frame.kind == .text, frame.attribute("type") == nil || frame.isEscaped else { return frame.kind }
    if !isAnyAtom, HTMLEvidence.isConvincing(text) { return .html }
    // A title of Atom may be about markup.
    if isAnyAtom, frame.isBody, HTMLEvidence.hasElements(text.utf8.span) { return .html }
    return .text
  }

  /// Whether Atom 1.0 wants the content in base64: its type is neither text nor XML (RFC 4287, 4.1.3.3).
  private mutating func isBinary(_ frame: Frame) -> Bool {
    guard isAtom, let type = frame.attribute("type")?.asciiLowercased(), type.contains("/") else { return false }
    return !type.hasPrefix("text/") && !type.hasSuffix("+xml") && !type.hasSuffix("/xml")
  }

  /// A date, kept with its text even when it cannot be read; nil when it is empty.
  mutating func date(of frame: Frame, _ field: FeedElement.DateField) -> FeedDate? {
    let text = frame.content
    guard !text.isEmpty else { return nil }
    if field == .validity { return FeedDate(source: text, seconds: nil) }
    let date = FeedDate(reading: text)
    if date.seconds == nil {
      note(.warning, "parse.date", "'\(text.prefix(60))' is not a date that can be read", at: location(of: frame))
    }
    return date
  }

  /// A size in bytes; one that is no number costs only itself.
  mutating func length(of frame: Frame) -> Int? {
    guard let text = frame.attribute("length")?.trimmedOrNil() else { return nil }
    if let length = Int(text), length >= 0 { return length }
    note(.note, "parse.length", "the length '\(text.prefix(40))' is not a number of bytes", at: location(of: frame))
    return nil
  }

  /// A link from Atom's attributes or RSS's text.
  mutating func link(of frame: Frame) -> FeedLink? {
    // Many feeds escape the ampersands of their links twice; `&amp;` in a URL is never meant.
    var reference =
      frame.attribute("href") ?? frame.attribute("rdf:resource") ?? frame.attribute("url") ?? frame.content
    reference = Self.withSingleAmpersands(reference)
    // An empty one is the document itself.
    let own = frame.attribute("href") == "" ? frame.base : nil
    guard let href = resolve(reference, against: frame.base) ?? own else { return nil }
    return FeedLink(
      href: href, rel: frame.attribute("rel")?.asciiLowercased().trimmedOrNil() ?? "alternate",
      type: mediaType(of: frame), hreflang: frame.attribute("hreflang"), title: frame.attribute("title"),
      length: length(of: frame),
      attributes: frame.attributes(except: ["href", "rel", "type", "hreflang", "title", "length"]))
  }

  /// A media type, which knows no case (RFC 2045, 5.1); some write only its end.
  mutating func mediaType(of frame: Frame) -> String? {
    guard let type = frame.attribute("type")?.asciiLowercased().trimmedOrNil() else { return nil }
    switch type {
    case "html": return "text/html"
    case "xhtml": return "application/xhtml+xml"
    default: return type
    }
  }

  /// The text with `&` for each `&amp;`.
  private static func withSingleAmpersands(_ text: String) -> String {
    var copy = text
    return copy.withUTF8 { bytes in
      let span = bytes.span
      let ampersand = UInt8(ascii: "&")
      var (output, copied, index): ([UInt8], Int, Int) = ([], 0, 0)
      while true {
        index = ByteScan.index(of: ampersand, in: span, from: index)
        if index == span.count { break }
        index += 1
        guard ByteScan.stands("amp;", in: span, at: index) else { continue }
        output.append(span, copied..<index)
        index += 4
        copied = index
      }
      if copied == 0 { return text }
      output.append(span, copied..<span.count)
      return String(decoding: output, as: UTF8.self)
    }
  }

  /// A Creative Commons licence: an address as text or as RDF's resource.
  mutating func license(of frame: Frame) -> FeedLink? {
    resolve(frame.attribute("rdf:resource") ?? frame.content, against: frame.base).map {
      FeedLink(href: $0, rel: "license")
    }
  }

  /// A picture, sound or film of Media RSS; an address that is the text of a thumbnail counts too.
  mutating func media(of frame: Frame) -> MediaObject? {
    let isThumbnail = frame.element == .mediaThumbnail
    guard let url = resolve(frame.attribute("url") ?? (isThumbnail ? frame.content : ""), against: frame.base) else {
      return nil
    }
    return MediaObject(
      url: url, source: isThumbnail ? .thumbnail : .content, type: mediaType(of: frame),
      medium: frame.attribute("medium"), width: frame.attribute("width").flatMap(Dimension.pixels),
      height: frame.attribute("height").flatMap(Dimension.pixels), attributes: frame.attributes(except: ["url"]))
  }

  /// The categories an element names: one, or for Media RSS and Dublin Core what its text holds.
  mutating func categories(of frame: Frame) -> [FeedCategory] {
    let text = frame.content.collapsingSpace().trimmedOrNil()
    let term = frame.attribute("term") ?? frame.attribute("text")
    let label = frame.attribute("label")
    guard (term ?? text)?.trimmedOrNil() != nil || label != nil else { return [] }
    let scheme = frame.attribute("scheme") ?? frame.attribute("domain") ?? Self.schemes[frame.name]
    let first = FeedCategory(term: (term ?? text)?.collapsingSpace(), scheme: scheme, label: label)
    // A term and a text are two categories.
    if let text, let term, term.collapsingSpace() != text { return [first, FeedCategory(term: text)] }
    return [first]
  }

  /// The default schemes of categories of other vocabularies (Media RSS 1.5.1, media:category).
  private static let schemes = [
    "itunes_category": "http://www.itunes.com/",
    "media_category": "http://search.yahoo.com/mrss/category_schema",
  ]

  /// Words between commas.
  mutating func keywords(of frame: Frame, _ scheme: String?) -> [FeedCategory] {
    frame.content.split(separator: ",").compactMap { $0.trimmedOrNil() }.map { FeedCategory(term: $0, scheme: scheme) }
  }

  /// Sets requested fields from an element of the entry; the first value that can be read is used.
  mutating func takeCustomFields(_ frame: Frame) {
    for field in customFields where field.element == frame.name {
      let text = field.attribute.map { frame.attribute($0) ?? "" } ?? frame.content
      guard let text = text.trimmedOrNil(), entry?.fields.contains(where: { $0.name == field.name }) == false else {
        continue
      }
      if let value = field.value(of: text, resolve: { resolve($0, against: frame.base) }) {
        entry?.fields.append(NamedField(name: field.name, value: value))
      } else {
        note(
          .warning, "parse.field",
          "'\(text.prefix(60))' is not a \(field.kind.rawValue); the field \(field.name) is left out",
          at: location(of: frame))
      }
    }
  }
}

extension FeedLink {
  /// Whether it leads to the page that the feed or entry is about.
  var isPage: Bool {
    rel == "alternate" && (type == nil || type == "text/html" || type == "application/xhtml+xml")
  }
}
