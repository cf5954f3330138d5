package import TamisCore
import TamisHTML
package import TamisURL

/// The fourth stage: makes a post from an entry and its sanitized body.
///
/// The extractor picks the thumbnail and the excerpt by rules and reports which rule decided. It makes no requests.
package struct Extractor: Sendable {
  /// The input of the extractor.
  package struct Input: Sendable {
    /// The entry as its feed contains it.
    @Indirect package var entry: Feed.Entry
    /// The title as plain text.
    package var title: String
    /// The feed's own summary as plain text; empty when there is none or it is the body.
    package var summary: String
    /// The body.
    package var content: SanitizedHTML
    /// The links, pictures and text of the body.
    @Indirect package var facts: SanitizedHTML.Facts
    /// The feed's own text, if an article replaces it; nil otherwise.
    package var ownText: String?
    /// The feed's language, for entries that name none.
    package var language: String?
    /// The entry's page; nil when it names none.
    package var permalink: Post.Permalink?
    /// The base URL of the entry's relative URLs: its page, else the feed's.
    package var base: WebURL?
    /// The entry's copyright notice, as plain text; empty when there is none.
    package var rights = ""
    /// The title of the feed that the entry was taken from, as plain text; empty when there is none.
    package var sourceTitle = ""
    /// What the sanitizer removed from the entry, to be shown with it.
    package var removals: [FeedStatus.Removals] = []
    /// The pictures that several of the feed's posts have.
    package var repeatedPictures = RepeatedPictures()
    /// The title of each of the entry's media objects, as plain text; empty when not known.
    package var mediaTitles: [String] = []
    /// The caption of each of the entry's media objects, as plain text; empty when not known.
    package var mediaCaptions: [String] = []
    /// The pictures that the article's page names; nil when the page is not available.
    package var page: PagePictures?
    /// The pictures of the entry's other texts, where the body has none.
    package var otherImages: [SanitizedHTML.Facts.Image] = []
    /// The real sizes of pictures by URL, as far as known.
    package var pictureSizes: [String: PictureSize] = [:]

    /// Makes an input.
    package init(
      entry: Feed.Entry, title: String, summary: String, content: SanitizedHTML, facts: SanitizedHTML.Facts,
      language: String?,
      base: WebURL?
    ) {
      self.entry = entry
      self.title = title
      self.summary = summary
      self.content = content
      self.facts = facts
      self.language = language
      self.base = base
    }
  }

  private let tracking: TrackingParameters
  private let trackers: TrackingHosts
  private let limits: Limits

  /// Makes an extractor.
  ///
  /// - Parameters:
  ///   - tracking: the parameters to remove from permalinks.
  ///   - trackers: the hosts whose pictures only count readers.
  ///   - limits: the limits for the categories and tags of a post.
  package init(
    tracking: TrackingParameters = TrackingParameters([]), trackers: TrackingHosts = TrackingHosts([]),
    limits: Limits = .standard
  ) {
    (self.tracking, self.trackers) = (tracking, trackers)
    self.limits = limits
  }

  /// Makes a post from an entry.
  ///
  /// - Parameters:
  ///   - input: the entry and its sanitized body.
  ///   - findings: the list to which problems are added.
  /// - Returns: the post.
  package func run(_ input: Input, into findings: inout [Finding]) -> Post {
    let reading = reading(input, into: &findings)
    let links = input.facts.links.lazy.map { BodyLink($0, site: reading.site) }
    return post(reading, kind(reading, links), choice(reading).thumbnail)
  }

  /// Extracts everything from an entry.
  ///
  /// - Parameters:
  ///   - input: the entry and its sanitized body.
  ///   - findings: the list to which problems are added.
  /// - Returns: the post, and everything else that was found in the entry.
  package func extract(_ input: Input, into findings: inout [Finding]) -> Extraction {
    let reading = reading(input, into: &findings)
    let (entry, addresses) = (input.entry, reading.addresses)
    let choice = choice(reading)
    let bodyLinks = input.facts.links.map { BodyLink($0, site: reading.site) }
    let kind = kind(reading, bodyLinks)
    return Extraction(
      post: post(reading, kind, choice.thumbnail), pictures: choice.candidates,
      links: EntryLinks.all(of: entry, addresses), bodyLinks: bodyLinks,
      media: entry.media.compactMap { MediaFile($0, addresses) }, commentCount: EntryLinks.commentCount(of: entry),
      podcast: reading.podcast, text: TextFacts(input.facts, reading.counts, kind: kind))
  }

  /// An entry with what several rules need of it.
  private struct Reading {
    var input: Input
    var addresses: WebAddresses
    /// The host name of the entry's site.
    var site: String?
    var counts: WordCount
    var podcast: PodcastFacts?
  }

  private func reading(_ input: Input, into findings: inout [Finding]) -> Reading {
    let addresses = WebAddresses(base: input.base)
    noteTags(of: input, into: &findings)
    noteFiles(of: input, addresses, into: &findings)
    return Reading(
      input: input, addresses: addresses, site: (input.permalink.flatMap { WebURL($0.url) } ?? input.base)?.hostname,
      counts: WordCount(input.facts.text), podcast: PodcastFacts(input.entry, addresses))
  }

  private func kind(_ reading: Reading, _ links: some Sequence<BodyLink>) -> Post.Kind {
    // The first link to another site has text, or the feed names a page of another site that the entry is about.
    var leadsAway: Bool {
      if let link = links.first(where: { $0.kind == .external }), !link.text.isEmpty { return true }
      return EntryLinks.references(reading.input, reading.addresses).contains { page in
        let link = SanitizedHTML.Facts.Link(href: page.url, text: "")
        return page.kind == .related && BodyLink(link, site: reading.site).kind == .external
      }
    }
    return Post.Kind(reading.input.entry, reading.input.facts, reading.counts, leadsAway: leadsAway)
  }

  private func choice(_ reading: Reading) -> ThumbnailRule.Choice {
    let input = reading.input
    return ThumbnailRule.pick(
      input.entry, input.facts, reading.addresses,
      .init(
        trackers: trackers, repeated: input.repeatedPictures, page: input.page, others: input.otherImages,
        sizes: input.pictureSizes))
  }

  private func post(_ reading: Reading, _ kind: Post.Kind, _ thumbnail: Post.Thumbnail?) -> Post {
    let input = reading.input
    return Post(
      card: card(reading, kind, thumbnail), details: details(reading, kind, thumbnail), content: input.content,
      links: input.facts.links, id: input.entry.id, location: input.entry.location)
  }

  private func card(_ reading: Reading, _ kind: Post.Kind, _ thumbnail: Post.Thumbnail?) -> Post.Card {
    let (input, entry, podcast) = (reading.input, reading.input.entry, reading.podcast)
    var card = Post.Card()
    card.title = input.title
    // A summary that says no more than the title, as of sites that fill it in by themselves, is none.
    card.excerpt =
      [input.summary, input.facts.text].lazy.map { Excerpt.cut($0, under: input.title) }
      .first { $0.contains { $0.isLetter || $0.isNumber } } ?? ""
    card.published = entry.date
    card.publishedOffset = entry.appeared?.offset
    card.updated = entry.updated?.seconds.flatMap { $0 == entry.date ? nil : $0 }
    card.kind = kind
    card.readingMinutes = ReadingTime.minutes(reading.counts, of: kind)
    card.playingSeconds = PlayingTime.seconds(entry, podcast)
    // Season and episode numbers below 1 are not shown.
    func number(_ number: Int?) -> Int? { number.flatMap { (1..<1_000_000).contains($0) ? $0 : nil } }
    (card.season, card.episode) = (number(podcast?.season), number(podcast?.episode))
    card.language = (entry.language ?? input.language).flatMap(LanguageTag.normalized)
    card.direction = TextDirection(language: card.language, text: input.title, input.facts.text)
    card.thumbnail = thumbnail
    (card.tags, card.authors) = (labels(entry.categories), names(entry.authors))
    card.permalink = input.permalink
    return card
  }

  private func details(_ reading: Reading, _ kind: Post.Kind, _ thumbnail: Post.Thumbnail?) -> Post.Details {
    let (input, entry, podcast) = (reading.input, reading.input.entry, reading.podcast)
    let addresses = reading.addresses
    let media = NamedMedia(input, addresses, trackers: trackers)
    var details = Post.Details()
    details.enclosures = EntryFiles.all(of: entry, addresses, besides: input.permalink?.url)
    details.media = media.files
    details.chapters = podcast?.chapters ?? []
    details.pictures = media.pictures(besides: thumbnail?.url, input.facts)
    details.thumbnailCaption = media.caption(of: thumbnail?.url)
    details.references = EntryLinks.references(input, addresses)
    details.people = podcast?.people.map(\.name) ?? []
    details.videoPage = videoPage(of: input, kind, thumbnail, isAttached: !details.media.isEmpty)
    details.transcripts = podcast?.transcripts ?? []
    details.comments = entry.comments.flatMap(addresses.web)
    details.removals = input.removals
    (details.rights, details.fields) = (input.rights, fields(of: entry, addresses))
    return details
  }

  /// The page of an entry's video, when the video itself is not attached.
  private func videoPage(of input: Input, _ kind: Post.Kind, _ thumbnail: Post.Thumbnail?, isAttached: Bool) -> String?
  {
    if kind == .video {
      let isAttached =
        isAttached || input.entry.enclosures.contains { $0.type?.asciiLowercased().hasPrefix("video/") == true }
      return isAttached ? nil : input.facts.embeds.first ?? input.permalink?.url
    }
    return thumbnail?.source == PictureCandidate.embedSource ? input.facts.embeds.first : nil
  }

  private func names(_ people: [Feed.Person]) -> [String] {
    distinct(people.map { $0.name ?? $0.email?.split(separator: "@").first.map(String.init) })
  }

  private func labels(_ categories: [Feed.Category]) -> [String] {
    Array(distinct(categories.map { $0.label ?? $0.term }).prefix(limits.categories))
  }

  private func noteTags(of input: Input, into findings: inout [Finding]) {
    let count = input.entry.categories.count
    guard count > limits.listedTags else { return }
    let rest = count > limits.categories ? "\(limits.categories) are kept, and " : ""
    let message = "this has \(count) categories; \(rest)the first \(limits.listedTags) get pages in a site"
    findings.append(Finding(.note, "extract.tags", message, at: input.entry.location, entry: input.title))
  }

  private func noteFiles(of input: Input, _ addresses: WebAddresses, into findings: inout [Finding]) {
    let entry = input.entry
    let attached = entry.enclosures.map { ("enclosure", $0.url) }
    let named = entry.media.map { ("media object", $0.url) }
    for (name, url) in (attached + named).prefix(100) where addresses.web(url) == nil && addresses.picture(url) == nil {
      let message = "the \(name) '\(url.prefix(80))' is not an http(s) URL; it is left out"
      findings.append(Finding(.warning, "extract.enclosure", message, at: entry.location, entry: input.title))
    }
  }

  /// The texts without duplicates, in order, with double escaping undone and without what nobody sees.
  private func distinct(_ texts: [String?]) -> [String] {
    var seen: Set<String> = []
    return texts.compactMap { $0.map { InvisibleText.line(DoubleEscaping.decoded($0)) } }.filter {
      !$0.isEmpty && seen.insert($0).inserted
    }
  }

  /// The first text of each element for which the model has no field, overridden by the requested fields.
  private func fields(of entry: Feed.Entry, _ addresses: WebAddresses) -> [String: String] {
    var fields: [String: String] = [:]
    for element in entry.extensions where !element.text.isEmpty && fields[element.name] == nil {
      fields[element.name] = InvisibleText.visible(element.text).collapsingSpace()
    }
    for field in entry.fields {
      if case .url(let text) = field.value {
        fields[field.name] = addresses.web(text)
      } else {
        fields[field.name] = InvisibleText.visible(field.value.text)
      }
    }
    return fields
  }
}
