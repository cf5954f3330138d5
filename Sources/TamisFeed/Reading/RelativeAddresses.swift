package import TamisCore
import TamisURL

/// The URLs that the relative URLs of a feed are resolved against where no `xml:base` is in force.
///
/// A relative URL of an entry is resolved against the entry's page, as in the browser of who reads that page; else
/// against the feed's home page, else against the document. A link to another site is not the entry's page when the
/// entry's id is a page on the feed's site.
package struct RelativeAddresses {
  private let home: WebURL?
  private let document: WebURL?
  private let limits: Limits

  /// Finds the base URLs.
  ///
  /// - Parameters:
  ///   - feed: the feed as far as it was read.
  ///   - document: the URL of the document; nil when it is not known, to use the feed's `self` link.
  ///   - limits: the limits, of which ``Limits/baseBytes`` applies.
  package init(of feed: Feed, document: String?, limits: Limits) {
    let own = feed.ownAddress
    let isUsable = { (url: WebURL) in url.isHTTP && url.utf8.count <= limits.baseBytes }
    let address = [document, own].lazy.compactMap { $0.flatMap { WebURL($0) } }.first(where: isUsable)
    home = feed.link.flatMap { WebURL($0, base: address) }.flatMap { isUsable($0) ? $0 : nil }
    (self.document, self.limits) = (address, limits)
  }

  /// Resolves the relative URLs of the feed itself; its links are relative to the document.
  package func resolve(_ feed: inout Feed) {
    let ofDocument = Resolver(base: document ?? home)
    ofDocument.resolve(&feed.link)
    for index in feed.links.indices { ofDocument.resolve(&feed.links[index].href) }
    Resolver(base: home ?? document).resolve(&feed)
  }

  /// Resolves the relative URLs of an entry, and names the base of its texts.
  package func resolve(_ entry: inout Feed.Entry) {
    let ofLinks = Resolver(base: home ?? document)
    ofLinks.resolve(&entry.link)
    for index in entry.links.indices { ofLinks.resolve(&entry.links[index].href) }
    let original = entry.extensions.first { $0.name == "feedburner_origlink" }?.text
    let page = [original, entry.link].lazy.compactMap { $0.flatMap { WebURL($0) } }.first(where: \.isHTTP)
    let own = page.flatMap { page in
      guard let home, !page.isOnSite(of: home) else { return page }
      return entry.id.flatMap { WebURL($0) }.flatMap { $0.isHTTP && $0.isOnSite(of: home) ? $0 : nil } ?? page
    }
    let base = own.flatMap { $0.utf8.count <= limits.baseBytes ? $0 : nil } ?? home ?? document
    if let base { Resolver(base: base).resolve(&entry) }
  }
}

extension Feed {
  /// The `self` link, which is sought among the first links only, since each entry asks.
  var ownAddress: String? { links.prefix(100).first { $0.rel == "self" }?.href }
}

/// Resolves the URLs of a model against one URL.
private struct Resolver {
  let base: WebURL?

  func resolve(_ text: inout String) {
    // What begins so is not relative, and most URLs do.
    guard let base, !text.isEmpty, !text.hasPrefix("https://"), !text.hasPrefix("http://"),
      WebURL(text) == nil || WebURL.isRelativeToItsScheme(text.utf8.span)
    else { return }
    text = WebURL(text, base: base)?.href ?? text
  }

  func resolve(_ text: inout String?) {
    guard var known = text else { return }
    resolve(&known)
    text = known
  }

  func resolve(_ entry: inout Feed.Entry) {
    for index in entry.enclosures.indices { resolve(&entry.enclosures[index].url) }
    resolve(&entry.media)
    resolve(&entry.comments)
    resolve(&entry.authors)
    resolve(&entry.contributors)
    resolve(&entry.publisher)
    for index in entry.content.indices { resolve(&entry.content[index]) }
    for index in entry.otherTexts.indices { resolve(&entry.otherTexts[index]) }
    resolve(&entry.title)
    resolve(&entry.summary)
    resolve(&entry.subtitle)
    resolve(&entry.info)
    resolve(&entry.rights)
    resolve(&entry.mediaText)
    resolve(&entry.image)
    resolve(&entry.chaptersURL)
    entry.chapters = entry.chapters?.map { chapter in
      var chapter = chapter
      resolve(&chapter.link)
      return chapter
    }
    for index in entry.fields.indices {
      guard case .url(var url) = entry.fields[index].value else { continue }
      resolve(&url)
      entry.fields[index].value = .url(url)
    }
    resolve(&entry.extensions)
    guard var source = entry.source else { return }
    resolve(&source.link)
    for index in source.links.indices { resolve(&source.links[index].href) }
    Resolver(base: source.link.flatMap { WebURL($0) } ?? base).resolve(&source)
    entry.source = source
  }

  /// Resolves the URLs of a feed besides its links.
  func resolve(_ feed: inout Feed) {
    resolve(&feed.logo)
    resolve(&feed.icon)
    resolve(&feed.authors)
    resolve(&feed.contributors)
    resolve(&feed.publisher)
    resolve(&feed.image)
    resolve(&feed.textInput)
    resolve(&feed.media)
    resolve(&feed.extensions)
    if var generator = feed.generator {
      resolve(&generator.url)
      feed.generator = generator
    }
    for text in [\Feed.title, \.subtitle, \.summary, \.info, \.rights] { resolve(&feed[keyPath: text]) }
  }

  private func resolve(_ text: inout Feed.Markup) {
    resolve(&text.source)
    if text.base == nil { text.base = base?.href } else { resolve(&text.base) }
  }

  private func resolve(_ text: inout Feed.Markup?) {
    guard var known = text else { return }
    resolve(&known)
    text = known
  }

  private func resolve(_ media: inout [Feed.MediaObject]) {
    for index in media.indices {
      resolve(&media[index].url)
      resolve(&media[index].title)
      resolve(&media[index].description)
    }
  }

  private func resolve(_ people: inout [Feed.Person]) {
    for index in people.indices { resolve(&people[index].url) }
  }

  private func resolve(_ person: inout Feed.Person?) {
    guard var known = person else { return }
    resolve(&known.url)
    person = known
  }

  private func resolve(_ image: inout Feed.Image?) {
    guard var known = image else { return }
    resolve(&known.url)
    resolve(&known.link)
    resolve(&known.title)
    resolve(&known.description)
    image = known
  }

  /// The elements without a field of their own whose text is a URL.
  private static let elements: Set = [
    "docs", "newlocation", "wfw_comment", "wfw_commentrss", "author_avatar", "next_url", "hubs", "external_url",
  ]

  private func resolve(_ elements: inout [Feed.ExtensionElement]) {
    for index in elements.indices {
      if Self.elements.contains(elements[index].name) { resolve(&elements[index].text) }
      // These of JSON Feed are recognized by the URL of their attachment.
      guard elements[index].name.hasPrefix("attachment_") else { continue }
      for number in elements[index].attributes.indices where elements[index].attributes[number].name == "url" {
        resolve(&elements[index].attributes[number].value)
      }
    }
  }
}
