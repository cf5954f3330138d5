import TamisCore
import TamisSanitizer

/// Removes URLs that are not safe to follow from feeds.
///
/// The scheme of a URL in the model has to be on the list. For a text that may be taken for a URL, such as an id or an
/// element of another vocabulary, only schemes that run code or display the feed's own content are refused.
struct SafeAddresses: Sendable {
  let schemes: Set<String>

  /// Returns the entry without unsafe URLs, and findings about these.
  func cleaned(_ entry: Feed.Entry) -> (entry: Feed.Entry, findings: [Finding]) {
    var (entry, sieve) = (entry, Sieve(schemes: schemes, location: entry.location))
    entry.id = sieve.name(entry.id)
    entry.link = sieve.address(entry.link)
    entry.links = entry.links.compactMap { sieve.part($0, at: $0.href, \.attributes) }
    entry.enclosures = entry.enclosures.compactMap { sieve.part($0, at: $0.url, \.attributes) }
    entry.media = entry.media.compactMap { sieve.part($0, at: $0.url, \.attributes) }
    entry.comments = sieve.address(entry.comments)
    entry.authors = entry.authors.map { sieve.person($0) }
    entry.contributors = entry.contributors.map { sieve.person($0) }
    entry.publisher = entry.publisher.map { sieve.person($0) }
    sieve.categories(&entry.categories)
    entry.content = entry.content.map { sieve.text($0) }
    entry.title = entry.title.map { sieve.text($0) }
    entry.summary = entry.summary.map { sieve.text($0) }
    entry.subtitle = entry.subtitle.map { sieve.text($0) }
    entry.info = entry.info.map { sieve.text($0) }
    entry.rights = entry.rights.map { sieve.text($0) }
    entry.image = entry.image.map { sieve.image($0) }
    entry.chaptersURL = sieve.address(entry.chaptersURL)
    entry.chapters = entry.chapters?.map { chapter in
      var chapter = chapter
      (chapter.link, chapter.image) = (sieve.address(chapter.link), sieve.address(chapter.image))
      return chapter
    }
    entry.fields = entry.fields.filter { sieve.keeps($0) }
    sieve.elements(&entry.extensions)
    if let source = entry.source {
      let cleaned = self.cleaned(source, at: entry.location)
      entry.source = cleaned.feed
      sieve.findings += cleaned.findings
    }
    return (entry, sieve.findings)
  }

  /// Returns the feed without unsafe URLs, and findings about these.
  func cleaned(_ feed: Feed, at location: Finding.Location = Finding.Location(file: "")) -> (
    feed: Feed, findings: [Finding]
  ) {
    var (feed, sieve) = (feed, Sieve(schemes: schemes, location: location))
    feed.id = sieve.name(feed.id)
    feed.link = sieve.address(feed.link)
    feed.links = feed.links.compactMap { sieve.part($0, at: $0.href, \.attributes) }
    (feed.logo, feed.icon) = (sieve.address(feed.logo), sieve.address(feed.icon))
    feed.namespaces = feed.namespaces.filter { sieve.name($0.value) != nil }
    feed.authors = feed.authors.map { sieve.person($0) }
    feed.contributors = feed.contributors.map { sieve.person($0) }
    feed.publisher = feed.publisher.map { sieve.person($0) }
    sieve.categories(&feed.categories)
    let generator = sieve.address(feed.generator?.url)
    feed.generator?.url = generator
    feed.title = feed.title.map { sieve.text($0) }
    feed.subtitle = feed.subtitle.map { sieve.text($0) }
    feed.summary = feed.summary.map { sieve.text($0) }
    feed.info = feed.info.map { sieve.text($0) }
    feed.rights = feed.rights.map { sieve.text($0) }
    feed.image = feed.image.map { sieve.image($0) }
    feed.textInput = feed.textInput.map { sieve.image($0) }
    feed.media = feed.media.compactMap { sieve.part($0, at: $0.url, \.attributes) }
    sieve.elements(&feed.extensions)
    return (feed, sieve.findings)
  }

  /// Checks one part after the other, and records the refused URLs.
  private struct Sieve {
    let schemes: Set<String>
    let location: Finding.Location
    var findings: [Finding] = []

    /// Returns a URL; nil when its scheme is not on the list.
    mutating func address(_ text: String?) -> String? {
      let schemes = schemes
      return keep(text) { schemes.contains($0) }
    }

    /// Returns a text that may be a URL; nil when its scheme is one of those that run code.
    mutating func name(_ text: String?) -> String? {
      keep(text) { Policy.Floor.objection(toScheme: $0) == nil }
    }

    private mutating func keep(_ text: String?, _ allows: (String) -> Bool) -> String? {
      guard let text, let scheme = Self.scheme(of: text), !allows(scheme) else { return text }
      let message =
        "the URL '\(text.prefix(60))' has the scheme '\(scheme)', which is not safe to follow; it is left out"
      findings.append(Finding(.warning, "parse.unsafe-url", message, at: location))
      return nil
    }

    /// Returns the scheme of a URL as browsers find it (URL Standard, 4.4); nil when the URL is relative.
    ///
    /// Controls and spaces before it are ignored, as are tabs and line breaks inside.
    private static func scheme(of text: String) -> String? {
      var scheme: [UInt8] = []
      for byte in text.utf8 {
        if byte == ASCII.tab || byte == ASCII.lineFeed || byte == ASCII.carriageReturn { continue }
        if scheme.isEmpty, byte <= ASCII.space { continue }
        if byte == UInt8(ascii: ":") { break }
        let isMark = byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
        guard byte.isASCIIAlphanumeric || isMark && !scheme.isEmpty, scheme.count < 64 else { return nil }
        scheme.append(byte.asciiLowercased)
      }
      guard text.utf8.contains(UInt8(ascii: ":")), let first = scheme.first, !first.isASCIIDigit else { return nil }
      return String(decoding: scheme, as: UTF8.self)
    }

    // MARK: - Parts of the model

    /// Returns a part without unsafe attributes; nil when its own URL is unsafe.
    mutating func part<Part>(
      _ part: Part, at url: String, _ attributes: WritableKeyPath<Part, [Feed.ExtensionElement.Attribute]>
    ) -> Part? {
      guard address(url) != nil else { return nil }
      var part = part
      self.attributes(&part[keyPath: attributes])
      return part
    }

    mutating func person(_ person: Feed.Person) -> Feed.Person {
      var person = person
      person.url = address(person.url)
      return person
    }

    mutating func text(_ markup: Feed.Markup) -> Feed.Markup {
      var markup = markup
      (markup.base, markup.source) = (address(markup.base), address(markup.source))
      return markup
    }

    mutating func image(_ image: Feed.Image) -> Feed.Image {
      var image = image
      (image.url, image.link) = (address(image.url), address(image.link))
      image.title = image.title.map { text($0) }
      image.description = image.description.map { text($0) }
      return image
    }

    mutating func categories(_ categories: inout [Feed.Category]) {
      for index in categories.indices { categories[index].scheme = name(categories[index].scheme) }
    }

    mutating func keeps(_ field: Feed.Field) -> Bool {
      switch field.value {
      case .url(let url): address(url) != nil
      case .text(let text): name(text) != nil
      case .number, .date: true
      }
    }

    mutating func elements(_ elements: inout [Feed.ExtensionElement]) {
      elements = elements.compactMap { element in
        guard name(element.text) != nil else { return nil }
        var element = element
        attributes(&element.attributes)
        return element
      }
    }

    private mutating func attributes(_ attributes: inout [Feed.ExtensionElement.Attribute]) {
      attributes = attributes.filter { name($0.value) != nil }
    }
  }
}
