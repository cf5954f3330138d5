import TamisCore
import TamisExtract
import TamisFeed
import TamisIdentify
import TamisPlanet
import TamisSanitizer
import TamisURL

/// The stages that look at one entry alone, for several entries at once.
extension Pipeline {
  /// The most entries that are between two stages at once.
  private static let entriesAtOnce = 256

  /// So many entries in parts that are worked on one after the other.
  static func parts(of count: Int) -> [Range<Int>] {
    stride(from: 0, to: count, by: entriesAtOnce).map { $0..<min($0 + entriesAtOnce, count) }
  }

  /// An entry after the stages that look at it alone.
  struct PreparedEntry: Sendable {
    /// Nil when a stage leaves it out.
    var input: Extractor.Input?
    /// What was sanitized.
    var results: [Sanitizer.Result] = []
    /// The feed's own text, where an article replaces it.
    var ownText: String?
    /// Where the entry is, when its relative links cannot be resolved.
    var unresolved: SourceLocation?
    var findings: [Finding] = []
  }

  /// Takes the entries of a document through the stages that look at each alone.
  ///
  /// - Parameter inputs: gets what is extracted from, nil for entries that are left out.
  /// - Returns: the feed's own texts of the entries that have an article; and what was removed.
  func prepareAll(
    _ entries: inout [FeedEntry], into inputs: inout [Extractor.Input?], jobs: Int, _ findings: inout [Finding],
    _ prepare: @Sendable (FeedEntry) -> PreparedEntry
  ) -> (ownTexts: [Int: String], totals: RemovalTotals) {
    var (totals, unresolved) = (RemovalTotals(), UnresolvedLinks())
    var ownTexts: [Int: String] = [:]
    inputs.reserveCapacity(entries.count)
    for range in Self.parts(of: entries.count) {
      // Release what a stage is done with: a large feed is in memory once, not once for each stage.
      let part = range.map { index in
        var entry = FeedEntry(at: entries[index].location)
        swap(&entry, &entries[index])
        return entry
      }
      for entry in concurrently(count: part.count, jobs: jobs, work: { prepare(part[$0]) }) {
        findings += entry.findings
        for result in entry.results { totals.add(result) }
        unresolved.note(entry.unresolved)
        ownTexts[inputs.count] = entry.ownText
        inputs.append(entry.input)
      }
    }
    findings += unresolved.finding.map { [$0] } ?? []
    return (ownTexts, totals)
  }

  func prepare(
    _ entry: FeedEntry, of feed: Feed, _ site: WebURL?, _ zone: LocalDates?, _ fullText: FullTextSource?
  ) -> PreparedEntry {
    var (entry, prepared) = (entry, PreparedEntry())
    zone?.apply(to: &entry)
    if entry.authors.isEmpty { entry.authors = Self.inherited(by: entry, of: feed) }
    guard stages.apply(to: &entry, of: feed, into: &prepared.findings) else { return prepared }
    let identity = identify(entry, of: feed, site, into: &prepared.findings)
    let bodies = BodyChoice.bodies(of: entry)
    let clean = sanitized(bodies, of: entry, identity, site, &prepared)
    if identity.isUnresolved || clean.removalCounts[.relative] != nil { prepared.unresolved = entry.location }
    var input = input(
      entry, of: feed, clean, identity, summary: entry.summary.map(bodies.contains) ?? false ? "" : text(entry.summary))
    if clean.facts.images.isEmpty { input.otherImages = otherImages(of: entry, besides: bodies, identity, site) }
    if let fullText, let article = filling.fill(&input, from: fullText, into: &prepared.findings) {
      // A post is recognized by the feed's own text, not by the article of its page.
      prepared.ownText = clean.facts.text
      note(article, of: entry, &prepared)
    }
    prepared.input = input
    return prepared
  }

  /// The authors of an entry that names none: those of the feed that it is from (RFC 4287, 4.2.1; JSON Feed 1.1, "authors").
  private static func inherited(by entry: FeedEntry, of feed: Feed) -> [FeedPerson] {
    guard feed.version.hasPrefix("atom") || feed.version.hasPrefix("json") else { return [] }
    return entry.source?.authors ?? feed.authors
  }

  /// What is extracted from an entry.
  struct ExtractedEntry: Sendable {
    var post: Post
    /// Nil when only posts were requested.
    var extraction: Extraction?
    var text: String
    var findings: [Finding]
  }

  func extracted(of input: Extractor.Input, _ repeated: Set<String>, details: Bool) -> ExtractedEntry {
    var (input, findings) = (input, [Finding]())
    input.repeatedPictures = repeated
    let extraction = details ? extractor.extract(input, into: &findings) : nil
    let post = extraction?.post ?? extractor.run(input, into: &findings)
    return ExtractedEntry(post: post, extraction: extraction, text: input.facts.text, findings: findings)
  }

  private func sanitized(
    _ bodies: [Markup], of entry: FeedEntry, _ identity: Identifier.Identity, _ site: WebURL?,
    _ noted: inout PreparedEntry
  ) -> Sanitizer.Result {
    let base = bodies.first.flatMap { Self.base(of: $0, identity.page ?? site) }
    let html =
      bodies.count > 1 ? bodies.map { "<div>\(Self.html(of: $0))</div>" }.joined() : bodies.first.map(Self.html)
    let clean = sanitizer.sanitize(html ?? "", base: base, page: identity.page)
    if !bodies.isEmpty { note(clean, of: entry, &noted) }
    return clean
  }

  /// The pictures of the texts that are not the body, for entries whose body has none.
  private func otherImages(
    of entry: FeedEntry, besides bodies: [Markup], _ identity: Identifier.Identity, _ site: WebURL?
  ) -> [MarkupFacts.Image] {
    let others = entry.content + (entry.summary.map { [$0] } ?? []) + entry.otherTexts
    return others.filter { $0.kind != .text && !bodies.contains($0) && $0.value.contains("<img") }.flatMap { text in
      let base = Self.base(of: text, identity.page ?? site)
      return sanitizer.sanitize(Self.html(of: text), base: base, page: identity.page).facts.images
    }
  }

  /// The body that a stage wrote.
  func sanitizedBody(_ html: String, of post: Post) -> SanitizedHTML {
    let page = post.permalink.flatMap { WebURL($0.url) }
    return sanitizer.sanitizedHTML(of: html, base: page, page: page)
  }

  /// Counts removals, and adds findings about them.
  private func note(_ clean: Sanitizer.Result, of entry: FeedEntry, _ noted: inout PreparedEntry) {
    noted.results.append(clean)
    if clean.removalCounts[.limit] != nil {
      let message =
        "some URLs are left out or not resolved: the base URL has more than \(limits.baseBytes) bytes, or the post would "
        + "have grown by more than \(limits.resolvingGrowth) times its size"
      noted.findings.append(Finding(.warning, "sanitize.limit", message, at: entry.location, entry: text(entry.title)))
    }
    if reportsRemovals, !clean.removalCounts.isEmpty || clean.tidy != .notAsked {
      let message = "\(RemovalTotals(clean))"
      noted.findings.append(Finding(.note, "sanitize.total", message, at: entry.location, entry: text(entry.title)))
    }
  }

  func identify(
    _ entry: FeedEntry, of feed: Feed, _ site: WebURL?, into findings: inout [Finding]
  ) -> Identifier.Identity {
    let input = Identifier.Input(
      entry: entry, site: site, language: feed.language, isAtom: feed.version.hasPrefix("atom"))
    return identifier.run(input, into: &findings)
  }

  private func input(
    _ entry: FeedEntry, of feed: Feed, _ clean: Sanitizer.Result, _ identity: Identifier.Identity, summary: String
  ) -> Extractor.Input {
    // Only the languages of the bodies are needed from now on.
    var entry = entry
    for index in entry.content.indices { entry.content[index].value = "" }
    entry.summary?.value = ""
    (entry.otherTexts, entry.mediaText) = ([], nil)
    var input = Extractor.Input(
      entry: entry, title: text(entry.title), summary: summary, content: clean.html, facts: clean.facts,
      language: feed.language, base: identity.base)
    input.permalink = identity.permalink
    input.rights = text(entry.rights)
    // Some feeds name themselves.
    if let source = entry.source, source.title?.value != feed.title?.value { input.sourceTitle = text(source.title) }
    (input.mediaTitles, input.mediaCaptions) = (texts(\.title, of: entry.media), texts(\.description, of: entry.media))
    if !known.isEmpty, let permalink = identity.permalink {
      // A crawler stores it under the URL in the feed.
      input.page = known.pictures(onPage: permalink.url) ?? permalink.original.flatMap(known.pictures)
    }
    input.pictureSizes = known.sizes
    return input
  }

  /// A text of each of the pictures and videos, as plain text; empty when none has it.
  private func texts(_ text: KeyPath<MediaObject, Markup?>, of media: [MediaObject]) -> [String] {
    media.contains { $0[keyPath: text] != nil } ? media.map { self.text($0[keyPath: text]) } : []
  }

  /// What relative URLs in a body are resolved against: the feed's base URL, else the entry's page.
  static func base(of body: Markup, _ page: WebURL?) -> WebURL? { body.base.flatMap { WebURL($0) } ?? page }

  static func html(of body: Markup) -> String {
    switch body.kind {
    case .xhtml: body.value
    case .html: PlainText.body(ofMarkup: body.value) ?? body.value
    case .text: PlainText.body(body.value)
    }
  }

  /// A short field as plain text: markup loses its tags, text stays as it is.
  func text(_ markup: Markup?) -> String {
    guard let markup else { return "" }
    switch markup.kind {
    case .text: return DoubleEscaping.decoded(markup.value).collapsingSpace()
    case .html, .xhtml: return plain.sanitize(markup.value).facts.text
    }
  }
}

/// Entries whose relative links cannot be resolved, because the feed's URL is not known.
private struct UnresolvedLinks {
  private var count = 0
  private var first: SourceLocation?

  /// - Parameter location: where an entry has such links; nil when it has none.
  mutating func note(_ location: SourceLocation?) {
    guard let location else { return }
    count += 1
    first = first ?? location
  }

  /// One for the feed, not one for each entry.
  var finding: Finding? {
    first.map { location in
      let message =
        "from here on \(count.counted("entry", plural: "entries")) \(count == 1 ? "has" : "have") relative URLs that cannot be "
        + "resolved, because the address of the feed is not known; give it with --address FILE=URL"
      return Finding(.warning, "extract.no-base", message, at: location)
    }
  }
}
