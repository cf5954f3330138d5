import TamisArticle
package import TamisCheck
public import TamisCore
public import TamisExtract
public import TamisFeed
import TamisIdentify
public import TamisPlanet
public import TamisSanitizer
import TamisURL

/// The stages of a document in order: parse, identify, sanitize, extract.
///
/// The next stages, the archive and the site, write files: see ``SiteBuild``.
public struct Pipeline: Sendable {
  /// A feed with sanitized posts.
  public struct Output: Sendable {
    /// The feed's own metadata.
    public var feed: Feed
    /// The feed's name as plain text; may be empty.
    public var title = ""
    /// A line about the feed as plain text; may be empty.
    public var subtitle = ""
    /// Its posts in document order.
    public var posts: [Post] = []
    /// The visible text of each post's body, white space collapsed.
    public var texts: [String] = []
    /// Everything extracted from its entries, in document order; empty when only posts were requested.
    public var extractions: [Extraction] = []
    /// The feed's copyright notice, as plain text; may be empty.
    public var rights = ""
    /// What the sanitizer removed from its entries.
    public var removals = RemovalTotals()
    /// How the document ended.
    public var ending: Ending
    /// The findings.
    public var findings: [Finding] = []

    fileprivate init(feed: Feed, ending: Ending) { (self.feed, self.ending) = (feed, ending) }
  }

  private let parser: FeedParser
  private let limits: Limits
  private let identifier: Identifier
  private let sanitizer: Sanitizer
  private let plain: Sanitizer
  private let extractor: Extractor
  private let known: KnownPages
  private let fullText: FullText
  private let filling: ArticleFilling
  private let stages: Stages
  private let reportsRemovals: Bool

  /// Makes a pipeline.
  ///
  /// - Parameters:
  ///   - sanitizer: sanitizes bodies. Relative URLs without a base are removed, whatever its policy says about them.
  ///   - fields: elements of entries to be read by name, in ``Post/fields``; one called `thumbnail` that holds a
  ///     URL is a picture that the feed names.
  ///   - known: supplied pages and sizes of pictures.
  ///   - fullText: for which entries the articles of supplied pages replace the feed's text.
  ///   - stages: additional stages of the caller.
  ///   - reportsRemovals: whether there are findings about how much was removed from each post and from the feed.
  public init(
    sanitizer: Sanitizer = .reading, limits: Limits = .standard, fields: [CustomField] = [],
    known: KnownPages = KnownPages(),
    fullText: FullText = .no, stages: Stages = Stages(), reportsRemovals: Bool = false
  ) {
    self.stages = stages
    (self.known, self.fullText) = (known, fullText)
    self.limits = limits
    self.reportsRemovals = reportsRemovals
    parser = FeedParser(limits: limits, fields: fields)
    let tracking = TrackingParameters(sanitizer.policy.improvements.trackingParameters)
    identifier = Identifier(tracking: tracking, limits: limits)
    // No policy wants a tracker as the thumbnail of a post.
    let hosts = sanitizer.policy.improvements.trackingHosts.union(Policy.reading.improvements.trackingHosts)
    extractor = Extractor(tracking: tracking, trackers: TrackingHosts(hosts), limits: limits)
    self.sanitizer = sanitizer.droppingRelativeURLs().with(limits: limits)
    plain = Sanitizer.text.with(limits: limits)
    filling = ArticleFilling(self.sanitizer)
  }

  /// Takes one document through the stages.
  ///
  /// - Parameter details: whether extractions are wanted, or only posts.
  public func process(_ document: FeedDocument, details: Bool = true) throws(FeedParserError) -> Output {
    guard fullText != .no else { return try process(document, details: details, zone: nil, fullText: nil) }
    let (known, extractor) = (known, ArticleExtractor(limits: limits))
    let source = FullTextSource(setting: fullText) { known.article($0, extractor) }
    return try process(document, details: details, zone: nil, fullText: source)
  }

  /// - Parameters:
  ///   - zone: the time zone of dates without one; nil for UTC.
  ///   - fullText: the source of articles for its entries; nil to use only the feed.
  ///   - jobs: how many entries are worked on at once; the result does not depend on it.
  func process(
    _ document: FeedDocument, details: Bool, zone: LocalDates?, fullText: FullTextSource?, jobs: Int = 1
  ) throws(FeedParserError) -> Output {
    var findings: [Finding] = []
    var parsed = try read(document, into: &findings)
    let site = Identifier.site(of: &parsed.feed, from: document.url)
    let feed = parsed.feed
    // Stages of others see the entries one after the other, and so does the source of articles.
    let jobsOfEntries = stages.beforeSanitizing.isEmpty && fullText == nil ? jobs : 1
    var inputs: [Extractor.Input?] = []
    let (ownTexts, totals) = clean(&parsed.entries, into: &inputs, jobs: jobsOfEntries, &findings) { entry in
      clean(entry, of: feed, site, zone, fullText)
    }
    let repeated = Extractor.repeatedPictures(in: inputs.compactMap { $0?.facts })
    var output = Output(feed: feed, ending: parsed.ending)
    var kept: [Int] = []
    output.posts.reserveCapacity(inputs.count)
    for start in stride(from: 0, to: inputs.count, by: Self.entriesAtOnce) {
      let part = (start..<min(start + Self.entriesAtOnce, inputs.count)).map { inputs[$0].take() }
      let extractions = concurrently(count: part.count, jobs: jobs) { index in
        part[index].map { extracted(of: $0, repeated, details: details) }
      }
      for case (let index, var entry?) in zip(start..., extractions) {
        findings += entry.findings
        let isKept = stages.apply(to: &entry.post, of: feed, into: &findings, sanitize: sanitizedBody(_:of:))
        guard isKept else { continue }
        kept.append(index)
        output.texts.append(ownTexts[index] ?? entry.text)
        entry.extraction?.post = entry.post
        output.posts.append(entry.post)
        if let extraction = entry.extraction { output.extractions.append(extraction) }
      }
    }
    output.ending = parsed.ending.keeping(kept)
    if reportsRemovals {
      let message = "in \(totals.fragments) bodies, \(totals)"
      findings.append(Finding(.note, "sanitize.total", message, at: SourceLocation(file: document.name)))
    }
    output.title = text(parsed.feed.title)
    output.subtitle = text(parsed.feed.subtitle ?? parsed.feed.summary)
    output.rights = text(parsed.feed.rights)
    output.removals = totals
    output.findings = findings
    return output
  }

  /// The most entries that are between two stages at once.
  private static let entriesAtOnce = 256

  /// An entry after the stages that look at it alone.
  private struct CleanEntry: Sendable {
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
  private func clean(
    _ entries: inout [FeedEntry], into inputs: inout [Extractor.Input?], jobs: Int, _ findings: inout [Finding],
    _ clean: @Sendable (FeedEntry) -> CleanEntry
  ) -> (ownTexts: [Int: String], totals: RemovalTotals) {
    var (totals, unresolved) = (RemovalTotals(), UnresolvedLinks())
    var ownTexts: [Int: String] = [:]
    inputs.reserveCapacity(entries.count)
    for start in stride(from: 0, to: entries.count, by: Self.entriesAtOnce) {
      // Release what a stage is done with: a large feed is in memory once, not once for each stage.
      let part = (start..<min(start + Self.entriesAtOnce, entries.count)).map { index in
        var entry = FeedEntry(at: entries[index].location)
        swap(&entry, &entries[index])
        return entry
      }
      for entry in concurrently(count: part.count, jobs: jobs, work: { clean(part[$0]) }) {
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

  private func clean(
    _ entry: FeedEntry, of feed: Feed, _ site: WebURL?, _ zone: LocalDates?, _ fullText: FullTextSource?
  ) -> CleanEntry {
    var (entry, clean) = (entry, CleanEntry())
    zone?.apply(to: &entry)
    guard stages.apply(to: &entry, of: feed, into: &clean.findings) else { return clean }
    let identity = identify(entry, of: feed, site, into: &clean.findings)
    if identity.isUnresolved { clean.unresolved = entry.location }
    let body = sanitizedBody(of: entry, identity, site, &clean)
    var input = input(entry, of: feed, body, identity)
    if let fullText, let article = filling.fill(&input, from: fullText, into: &clean.findings) {
      // A post is recognized by the feed's own text, not by the article of its page.
      clean.ownText = body.facts.text
      note(article, of: entry, &clean)
    }
    clean.input = input
    return clean
  }

  /// What is extracted from an entry.
  private struct ExtractedEntry: Sendable {
    var post: Post
    /// Nil when only posts were requested.
    var extraction: Extraction?
    var text: String
    var findings: [Finding]
  }

  private func extracted(of input: Extractor.Input, _ repeated: Set<String>, details: Bool) -> ExtractedEntry {
    var (input, findings) = (input, [Finding]())
    input.repeatedPictures = repeated
    let extraction = details ? extractor.extract(input, into: &findings) : nil
    let post = extraction?.post ?? extractor.run(input, into: &findings)
    return ExtractedEntry(post: post, extraction: extraction, text: input.facts.text, findings: findings)
  }

  /// Reads a document, dropping empty entries at once and those beyond the limit.
  private func read(_ document: FeedDocument, into findings: inout [Finding]) throws(FeedParserError) -> ParsedFeed {
    var entries: [FeedEntry] = []
    var kept: [Int] = []
    var (count, firstEmpty, firstBeyond) = (0, SourceLocation?.none, SourceLocation?.none)
    let (feed, ending) = try parser.parse(document, into: &findings) { entry in
      if entry.isEmpty {
        firstEmpty = firstEmpty ?? entry.location
      } else if entries.count >= limits.entries {
        firstBeyond = firstBeyond ?? entry.location
      } else {
        entries.append(entry)
        kept.append(count)
      }
      count += 1
      return .continue
    }
    if let firstEmpty {
      let message = "this entry is empty; empty entries are left out"
      findings.append(Finding(.note, "parse.empty-entry", message, at: firstEmpty))
    }
    if let firstBeyond {
      let message = "this feed has more than \(limits.entries) entries; those from here on are left out"
      findings.append(Finding(.warning, "parse.many-entries", message, at: firstBeyond))
    }
    var parsed = ParsedFeed(feed: feed, entries: entries, ending: ending)
    if case .insideEntry = ending {
      parsed.ending = ending.keeping(kept)
    } else if firstBeyond != nil {
      parsed.ending = .betweenEntries
    }
    return parsed
  }

  /// The bodies of a document's entries before they are sanitized, to be compared with a ``Baseline``.
  ///
  /// - Parameter name: the feed's name in the baseline.
  package func bodies(of document: FeedDocument, named name: String) throws(FeedParserError) -> [Baseline.Body] {
    var findings: [Finding] = []
    var parsed = try parser.run(document, into: &findings)
    let site = Identifier.site(of: &parsed.feed, from: document.url)
    return parsed.entries.compactMap { entry in
      let identity = identify(entry, of: parsed.feed, site, into: &findings)
      return Self.body(of: entry).map { body in
        Baseline.Body(
          feed: name, entry: entry.id ?? entry.link ?? "", html: Self.html(of: body),
          base: Self.base(of: body, identity.page ?? site))
      }
    }
  }

  private func sanitizedBody(
    of entry: FeedEntry, _ identity: Identifier.Identity, _ site: WebURL?, _ noted: inout CleanEntry
  ) -> Sanitizer.Result {
    let body = Self.body(of: entry)
    let base = body.flatMap { Self.base(of: $0, identity.page ?? site) }
    let clean = sanitizer.sanitize(body.map(Self.html) ?? "", base: base, page: identity.page)
    if body != nil { note(clean, of: entry, &noted) }
    return clean
  }

  /// The body that a stage wrote.
  private func sanitizedBody(_ html: String, of post: Post) -> SanitizedHTML {
    let page = post.permalink.flatMap { WebURL($0.url) }
    return sanitizer.sanitizedHTML(of: html, base: page, page: page)
  }

  /// Counts removals, and adds findings about them.
  private func note(_ clean: Sanitizer.Result, of entry: FeedEntry, _ noted: inout CleanEntry) {
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

  private func identify(
    _ entry: FeedEntry, of feed: Feed, _ site: WebURL?, into findings: inout [Finding]
  ) -> Identifier.Identity {
    let input = Identifier.Input(
      entry: entry, site: site, language: feed.language, isAtom: feed.version.hasPrefix("atom"))
    return identifier.run(input, into: &findings)
  }

  private func input(
    _ entry: FeedEntry, of feed: Feed, _ clean: Sanitizer.Result, _ identity: Identifier.Identity
  ) -> Extractor.Input {
    let summary = entry.summary == Self.body(of: entry) ? "" : text(entry.summary)
    // Only the languages of the bodies are needed from now on.
    var entry = entry
    for index in entry.content.indices { entry.content[index].value = "" }
    entry.summary?.value = ""
    var input = Extractor.Input(
      entry: entry, title: text(entry.title), summary: summary, content: clean.html, facts: clean.facts,
      language: feed.language, base: identity.base)
    input.permalink = identity.permalink
    input.rights = text(entry.rights)
    input.mediaCaptions = captions(of: entry.media)
    if !known.isEmpty, let permalink = identity.permalink {
      // A crawler stores it under the URL in the feed.
      input.page = known.pictures(onPage: permalink.url) ?? permalink.original.flatMap(known.pictures)
    }
    input.pictureSizes = known.sizes
    return input
  }

  /// The captions of pictures and videos, as plain text; empty when there are none.
  private func captions(of media: [MediaObject]) -> [String] {
    media.contains { $0.description != nil } ? media.map { text($0.description) } : []
  }

  /// The longest of the entry's bodies, else its summary.
  private static func body(of entry: FeedEntry) -> Markup? {
    entry.content.max { $0.value.utf8.count < $1.value.utf8.count } ?? entry.summary
  }

  /// What relative URLs in a body are resolved against: the feed's base URL, else the entry's page.
  private static func base(of body: Markup, _ page: WebURL?) -> WebURL? { body.base.flatMap { WebURL($0) } ?? page }

  private static func html(of body: Markup) -> String {
    switch body.kind {
    case .xhtml: body.value
    case .html: PlainText.body(ofMarkup: body.value) ?? body.value
    case .text: PlainText.body(body.value)
    }
  }

  /// A short field as plain text: markup loses its tags, text stays as it is.
  private func text(_ markup: Markup?) -> String {
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
        "from here on \(count.counted("link")) of entries \(count == 1 ? "is" : "are") relative and cannot be "
        + "resolved, because the address of the feed is not known; give it with --address FILE=URL"
      return Finding(.warning, "extract.no-base", message, at: location)
    }
  }
}
