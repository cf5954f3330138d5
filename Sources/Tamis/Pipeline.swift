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
  let limits: Limits
  let identifier: Identifier
  let sanitizer: Sanitizer
  let plain: Sanitizer
  let extractor: Extractor
  let known: KnownPages
  private let fullText: FullText
  let filling: ArticleFilling
  let stages: Stages
  let reportsRemovals: Bool

  /// Makes a pipeline.
  ///
  /// - Parameters:
  ///   - limits: bounds of reading and sanitizing; those of the sanitizer hold where they are smaller.
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
    self.sanitizer = sanitizer.droppingRelativeURLs().with(limits: sanitizer.limits.tightened(by: limits))
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
    let (ownTexts, totals) = prepareAll(&parsed.entries, into: &inputs, jobs: jobsOfEntries, &findings) { entry in
      prepare(entry, of: feed, site, zone, fullText)
    }
    let repeated = Extractor.repeatedPictures(in: inputs.compactMap { $0?.facts })
    var output = Output(feed: feed, ending: parsed.ending)
    var kept: [Int] = []
    output.posts.reserveCapacity(inputs.count)
    var names = NameBounds(limits)
    for range in Self.parts(of: inputs.count) {
      let part = range.map { inputs[$0].take() }
      let extractions = concurrently(count: part.count, jobs: jobs) { index in
        part[index].map { extracted(of: $0, repeated, details: details) }
      }
      for case (let index, var entry?) in zip(range, extractions) {
        findings += entry.findings
        names.apply(to: &entry.post, into: &findings)
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
    names.apply(to: &output, at: SourceLocation(file: document.name))
    return output
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
      return BodyChoice.body(of: entry).map { body in
        Baseline.Body(
          feed: name, entry: entry.id ?? entry.link ?? "", html: Self.html(of: body),
          base: Self.base(of: body, identity.page ?? site))
      }
    }
  }
}
