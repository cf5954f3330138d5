import TamisArticle
public import TamisCheck
public import TamisCore
public import TamisExtract
public import TamisFeed
import TamisIdentify
public import TamisPlanet
import TamisRules
public import TamisSanitizer
import TamisURL

/// The way of a document through the stages, in the order in which it can be read here: parse, identify, sanitize, extract.
///
/// What follows, the archive and the site, needs a place to write to: see ``SiteBuild``.
public struct Pipeline: Sendable {
  /// A feed whose posts may be shown.
  public struct Output: Sendable {
    /// What the feed says about itself.
    public var feed: Feed
    /// The feed's name as plain text; may be empty.
    public var title = ""
    /// A line about the feed as plain text; may be empty.
    public var subtitle = ""
    /// Its posts in document order.
    public var posts: [Post] = []
    /// The visible text of each post's body, white space collapsed.
    public var texts: [String] = []
    /// All that can be said of its entries, in document order; empty when only posts were asked for.
    public var extractions: [Extraction] = []
    /// What may be done with the feed's texts, as plain text; may be empty.
    public var rights = ""
    /// What the sanitizer took away from its entries.
    public var removals = RemovalTotals()
    /// How the document ended.
    public var ending: Ending
    /// What was odd.
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
  private let reportsRemovals: Bool

  /// Makes a pipeline.
  ///
  /// - Parameters:
  ///   - policy: the rules for bodies. Relative URLs without a base go, whatever it says about them.
  ///   - fields: elements of entries that are to be had by name, in ``Post/fields``; one called `thumbnail` that holds a
  ///     URL is a picture that the feed names.
  ///   - known: what is known besides the feeds.
  ///   - fullText: for which entries the articles of known pages take the place of what the feed has.
  ///   - reportsRemovals: whether the findings say of each post, and of the feed, how much was taken away.
  public init(
    policy: Policy = .reading, limits: Limits = .standard, fields: [CustomField] = [], known: KnownPages = KnownPages(),
    fullText: FullText = .no, reportsRemovals: Bool = false
  ) {
    (self.known, self.fullText) = (known, fullText)
    self.limits = limits
    self.reportsRemovals = reportsRemovals
    parser = FeedParser(limits: limits, fields: fields)
    let tracking = TrackingParameters(policy.improvements.trackingParameters)
    identifier = Identifier(tracking: tracking, limits: limits)
    extractor = Extractor(tracking: tracking, limits: limits)
    sanitizer = Sanitizer(policy: policy.droppingRelativeURLs(), limits: limits)
    plain = Sanitizer(policy: .text, limits: limits)
    filling = ArticleFilling(sanitizer)
  }

  /// Takes one document through the stages.
  ///
  /// - Parameter details: whether all that can be said of an entry is wanted, or only posts.
  public func process(_ document: FeedDocument, details: Bool = true) throws(NotAFeed) -> Output {
    guard fullText != .no else { return try process(document, details: details, zone: nil, fullText: nil) }
    let (known, extractor) = (known, ArticleExtractor(limits: limits))
    let source = FullTextSource(setting: fullText) { known.article($0, extractor) }
    return try process(document, details: details, zone: nil, fullText: source)
  }

  /// - Parameters:
  ///   - zone: that of dates that name none; nil for UTC.
  ///   - fullText: where the articles of its pages come from; nil when only the feed counts.
  func process(
    _ document: FeedDocument, details: Bool, zone: LocalDates?, fullText: FullTextSource?
  ) throws(NotAFeed) -> Output {
    var findings: [Finding] = []
    var parsed = try read(document, into: &findings)
    var totals = RemovalTotals()
    let site = Identifier.site(of: &parsed.feed, from: document.url)
    var unresolved = UnresolvedLinks()
    // What a stage has done with is let go at once: a large feed is in memory once and not once a stage.
    var inputs: [Extractor.Input?] = []
    var ownTexts: [Int: String] = [:]
    inputs.reserveCapacity(parsed.entries.count)
    for index in parsed.entries.indices {
      var entry = Entry(at: parsed.entries[index].location)
      swap(&entry, &parsed.entries[index])
      zone?.apply(to: &entry)
      let identity = identify(entry, of: parsed.feed, site, into: &findings)
      unresolved.note(entry, identity)
      let body = sanitizedBody(of: entry, identity, site, &totals, into: &findings)
      var input = input(entry, of: parsed.feed, body, identity)
      if let fullText, let clean = filling.fill(&input, from: fullText, into: &findings) {
        // By what the feed says of it a post is known again, whatever its page has.
        ownTexts[index] = body.facts.text
        note(clean, of: entry, &totals, into: &findings)
      }
      inputs.append(input)
    }
    findings += unresolved.finding.map { [$0] } ?? []
    let repeated = Extractor.repeatedPictures(in: inputs.compactMap { $0?.facts })
    var output = Output(feed: parsed.feed, ending: parsed.ending)
    output.posts.reserveCapacity(inputs.count)
    for index in inputs.indices {
      guard var input = inputs[index].take() else { continue }
      input.repeatedPictures = repeated
      output.texts.append(ownTexts[index] ?? input.facts.text)
      if details {
        let extraction = extractor.extract(input, into: &findings)
        output.posts.append(extraction.post)
        output.extractions.append(extraction)
      } else {
        output.posts.append(extractor.run(input, into: &findings))
      }
    }
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

  /// Reads a document without the entries that say nothing, which are left as soon as they come, and those beyond the limit.
  private func read(_ document: FeedDocument, into findings: inout [Finding]) throws(NotAFeed) -> ParsedFeed {
    var entries: [Entry] = []
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
      return .goOn
    }
    if let firstEmpty {
      let message = "this entry says nothing; it and others like it are left out"
      findings.append(Finding(.note, "parse.empty-entry", message, at: firstEmpty))
    }
    if let firstBeyond {
      let message = "this feed has more than \(limits.entries) entries; those from here on are left out"
      findings.append(Finding(.warning, "parse.many-entries", message, at: firstBeyond))
    }
    var parsed = ParsedFeed(feed: feed, entries: entries, ending: ending)
    if case .insideEntry(let cut) = ending {
      // The entry that was cut off has another number when some before it were left out.
      parsed.ending = kept.last == cut ? .insideEntry(kept.count - 1) : .insideLostEntry
    } else if firstBeyond != nil {
      parsed.ending = .betweenEntries
    }
    return parsed
  }

  /// The bodies of a document's entries before they are sanitized, to be compared with a ``Baseline``.
  ///
  /// - Parameter name: what the feed is called there.
  public func bodies(of document: FeedDocument, named name: String) throws(NotAFeed) -> [Baseline.Body] {
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
    of entry: Entry, _ identity: Identifier.Identity, _ site: WebURL?, _ totals: inout RemovalTotals,
    into findings: inout [Finding]
  ) -> Sanitizer.Result {
    let body = Self.body(of: entry)
    let base = body.flatMap { Self.base(of: $0, identity.page ?? site) }
    let clean = sanitizer.sanitize(body.map(Self.html) ?? "", base: base, page: identity.page)
    if body != nil { note(clean, of: entry, &totals, into: &findings) }
    return clean
  }

  /// Counts what was taken away, and says what is to be said of it.
  private func note(
    _ clean: Sanitizer.Result, of entry: Entry, _ totals: inout RemovalTotals, into findings: inout [Finding]
  ) {
    totals.add(clean)
    if clean.removalCounts[.limit] != nil {
      let message =
        "addresses are left out or not resolved: their base has more than \(limits.baseBytes) bytes, or the post would "
        + "have grown by more than \(limits.resolvingGrowth) times its size"
      findings.append(Finding(.warning, "sanitize.limit", message, at: entry.location, entry: text(entry.title)))
    }
    if reportsRemovals, !clean.removalCounts.isEmpty || clean.tidy != .notAsked {
      let message = "\(RemovalTotals(clean))"
      findings.append(Finding(.note, "sanitize.total", message, at: entry.location, entry: text(entry.title)))
    }
  }

  private func identify(
    _ entry: Entry, of feed: Feed, _ site: WebURL?, into findings: inout [Finding]
  ) -> Identifier.Identity {
    let input = Identifier.Input(
      entry: entry, site: site, language: feed.language, isAtom: feed.version.hasPrefix("atom"))
    return identifier.run(input, into: &findings)
  }

  private func input(
    _ entry: Entry, of feed: Feed, _ clean: Sanitizer.Result, _ identity: Identifier.Identity
  ) -> Extractor.Input {
    let summary = entry.summary == Self.body(of: entry) ? "" : text(entry.summary)
    // Of the bodies only their languages are asked for from now on.
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
      // A crawler knows it by the address in the feed.
      input.page = known.pictures(onPage: permalink.url) ?? permalink.original.flatMap(known.pictures)
    }
    input.pictureSizes = known.sizes
    return input
  }

  /// What pictures and films say of themselves, as plain text; empty when none does.
  private func captions(of media: [MediaObject]) -> [String] {
    media.contains { $0.description != nil } ? media.map { text($0.description) } : []
  }

  /// The longest of the entry's bodies, else its summary.
  private static func body(of entry: Entry) -> Markup? {
    entry.content.max { $0.value.utf8.count < $1.value.utf8.count } ?? entry.summary
  }

  /// What relative URLs in a body are resolved against: what the feed says, else the entry's page.
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
    case .text: return DoubleEscaping.undone(markup.value).collapsingSpace()
    case .html, .xhtml: return plain.sanitize(markup.value).facts.text
    }
  }
}

/// The entries whose links lead nowhere because nobody knows where their feed is from.
private struct UnresolvedLinks {
  private var count = 0
  private var first: SourceLocation?

  mutating func note(_ entry: Entry, _ identity: Identifier.Identity) {
    guard identity.isUnresolved else { return }
    count += 1
    first = first ?? entry.location
  }

  /// One for the feed, not one for each entry.
  var finding: Finding? {
    first.map { location in
      let message =
        "from here on \(count.counted("link")) of entries cannot be followed: \(count == 1 ? "it is" : "they are") relative, and "
        + "nothing says where the feed is from; --address FILE=URL does"
      return Finding(.warning, "extract.no-base", message, at: location)
    }
  }
}
