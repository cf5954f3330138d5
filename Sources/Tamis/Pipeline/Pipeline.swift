import TamisArticle
public import TamisCore
package import TamisExtract
public import TamisFeed
package import TamisHTML
package import TamisPlanet
public import TamisSanitizer
import TamisURL

/// The stages for a document, in order: parse, identify, sanitize, extract.
///
/// The archive and the site, which come next, write files: see ``SiteBuild``.
public struct Pipeline: Sendable {
  /// A feed with sanitized posts.
  public struct Output: Sendable {
    /// The feed's own metadata.
    public var feed: Feed
    /// The feed's name as plain text; may be empty.
    public var title = ""
    /// A line about the feed as plain text; may be empty.
    public var subtitle = ""
    /// The posts in document order.
    public var posts: [Post] = []
    /// The visible text of each post's body, with white space collapsed.
    package var texts: [String] = []
    /// Everything extracted from the entries, in document order; empty when only posts were requested.
    package var extractions: [Extraction] = []
    /// The feed's copyright notice, as plain text; may be empty.
    public var rights = ""
    /// The parts that the sanitizer removed from the entries.
    public var removals = Removal.Totals()
    /// The effect of the selection of parts on the entries' bodies.
    package var selectionUse = SelectionUse()
    /// The way in which the document ended.
    public var ending: Feed.Ending
    /// The findings.
    public var findings: [Finding] = []

    fileprivate init(feed: Feed, ending: Feed.Ending) { (self.feed, self.ending) = (feed, ending) }
  }

  let parser: FeedParser
  let limits: Limits
  let identifier: Identifier
  let sanitizer: Sanitizer
  let plain: Sanitizer
  let extractor: Extractor
  let known: KnownPages
  private let fullText: Planet.FullText
  private let filling: ArticleFilling
  let stages: Stages
  let reportsRemovals: Bool
  /// Whether posts contain what was removed from them.
  var recordsRemovals = false
  /// The parts of bodies that are read; nil for all.
  package var selection: PreparedSelection?

  /// Creates a pipeline.
  ///
  /// - Parameters:
  ///   - sanitizer: the sanitizer of bodies. Relative URLs without a base are removed, regardless of its policy.
  ///   - limits: the bounds of reading and sanitizing; those of the sanitizer apply where they are smaller.
  ///   - fields: the elements of entries that are read by name, in ``Post/fields``; one called `thumbnail` that holds a
  ///     URL is a picture that the feed names.
  ///   - stages: additional stages of the caller.
  ///   - reportsRemovals: whether the findings contain the amount that was removed from each post and from the feed.
  public init(
    sanitizer: Sanitizer = .reading, limits: Limits = .standard, fields: [FeedParser.CustomField] = [],
    stages: Stages = Stages(), reportsRemovals: Bool = false
  ) {
    self.init(
      sanitizer: sanitizer, limits: limits, fields: fields, known: KnownPages(), stages: stages,
      reportsRemovals: reportsRemovals)
  }

  /// Creates a pipeline with supplied pages.
  ///
  /// - Parameters:
  ///   - sanitizer: the sanitizer of bodies.
  ///   - limits: the bounds of reading and sanitizing.
  ///   - fields: the elements of entries that are read by name.
  ///   - known: supplied pages and sizes of pictures.
  ///   - fullText: the entries for which the articles of supplied pages replace the feed's text.
  ///   - stages: additional stages of the caller.
  ///   - reportsRemovals: whether the findings contain the amount that was removed.
  package init(
    sanitizer: Sanitizer = .reading, limits: Limits = .standard, fields: [FeedParser.CustomField] = [],
    known: KnownPages, fullText: Planet.FullText = .no, stages: Stages = Stages(), reportsRemovals: Bool = false
  ) {
    self.stages = stages
    (self.known, self.fullText) = (known, fullText)
    self.limits = limits
    self.reportsRemovals = reportsRemovals
    var parser = FeedParser(limits: limits, fields: fields)
    // The page of an entry is found more exactly here.
    parser.resolvesEntries = false
    self.parser = parser
    let tracking = TrackingParameters(sanitizer.policy.improvements.trackingParameters)
    identifier = Identifier(tracking: tracking, limits: limits)
    // A tracker is never used as the thumbnail of a post, whatever the policy.
    let hosts = sanitizer.policy.improvements.trackingHosts.union(Policy.reading.improvements.trackingHosts)
    extractor = Extractor(tracking: tracking, trackers: TrackingHosts(hosts), limits: limits)
    self.sanitizer = sanitizer.droppingRelativeURLs().with(limits: sanitizer.limits.tightened(by: limits))
    plain = Sanitizer.text.with(limits: limits)
    filling = ArticleFilling(self.sanitizer)
  }

  /// Processes one document.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - details: whether extractions are wanted, or only posts.
  /// - Returns: the feed with sanitized posts.
  /// - Throws: ``FeedParser/Failure`` when the document is not a feed.
  public func process(_ document: FeedDocument, details: Bool = true) throws(FeedParser.Failure) -> Output {
    guard fullText != .no else { return try process(document, details: details, zone: nil, fullText: nil) }
    let (known, extractor) = (known, ArticleExtractor(limits: limits))
    let source = FullTextSource(setting: fullText) { known.article($0, extractor) }
    return try process(document, details: details, zone: nil, fullText: source)
  }

  /// Processes one document.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - details: whether extractions are wanted, or only posts.
  ///   - zone: the time zone of dates without one; nil for UTC.
  ///   - fullText: the source of articles for its entries; nil to use only the feed.
  ///   - jobs: the number of entries that are processed at once; the result does not depend on it.
  /// - Returns: the feed with sanitized posts.
  /// - Throws: ``FeedParser/Failure`` when the document is not a feed.
  func process(
    _ document: FeedDocument, details: Bool, zone: LocalDates?, fullText: FullTextSource?, jobs: Int = 1
  ) throws(FeedParser.Failure) -> Output {
    var findings: [Finding] = []
    var (parsed, entries) = try read(document, into: &findings)
    var escaping = SecondEscaping()
    for entry in entries.parts.joined() { escaping.note(entry) }
    let escapingOfAll = escaping
    let site = Identifier.site(of: &parsed.feed, from: document.base)
    var names = NameBounds(limits)
    names.apply(toAuthorsOf: &parsed.feed, at: Finding.Location(file: document.name), into: &findings)
    let feed = parsed.feed
    // Additional stages and the source of articles are called with one entry after the other.
    let jobsOfEntries = stages.beforeSanitizing.isEmpty && fullText == nil ? jobs : 1
    var inputs = PartedList<Extractor.Input?>()
    let (totals, selectionUse) = prepareAll(&entries, into: &inputs, jobs: jobsOfEntries, &findings) {
      entry in
      prepare(escapingOfAll.undone(entry), of: feed, site, zone, fullText)
    }
    var pictures = RepeatedPictures()
    for case let input? in inputs.parts.joined() { pictures.add(input.facts) }
    let repeated = pictures
    var output = Output(feed: feed, ending: parsed.ending)
    var kept: [Int] = []
    for number in inputs.parts.indices {
      let part = inputs.takePart(at: number)
      let extractions = concurrently(count: part.count, jobs: jobs) { index in
        part[index].map { extracted(of: $0, repeated, details: details) }
      }
      for case (let offset, var entry?) in extractions.enumerated() {
        guard finish(&entry, of: feed, &names, into: &findings) else { continue }
        kept.append(number * PartedList<Extractor.Input?>.partSize + offset)
        output.texts.append(entry.text)
        entry.extraction?.post = entry.post
        output.posts.append(entry.post)
        if let extraction = entry.extraction { output.extractions.append(extraction) }
      }
    }
    output.ending = parsed.ending.keeping(kept)
    if reportsRemovals {
      let message = "in \(totals.fragments) bodies, \(totals)"
      findings.append(Finding(.note, "sanitize.total", message, at: Finding.Location(file: document.name)))
    }
    output.title = text(parsed.feed.title)
    output.subtitle = text(parsed.feed.subtitle ?? parsed.feed.summary)
    output.rights = text(parsed.feed.rights)
    (output.removals, output.selectionUse) = (totals, selectionUse)
    output.findings = findings
    names.apply(to: &output, at: Finding.Location(file: document.name))
    return output
  }

  /// Reads a document, dropping empty entries immediately and entries beyond the limit.
  private func read(_ document: FeedDocument, into findings: inout [Finding]) throws(FeedParser.Failure)
    -> (document: FeedParser.Result, entries: PartedList<Feed.Entry>)
  {
    var entries = PartedList<Feed.Entry>()
    var kept: [Int] = []
    var (count, gate) = (0, EntryGate(limits))
    let (feed, ending) = try parser.parse(document, into: &findings) { entry in
      if gate.admits(entry) {
        entries.append(entry)
        kept.append(count)
      }
      count += 1
      return .continue
    }
    findings += gate.findings
    var parsed = FeedParser.Result(feed: feed, entries: [], ending: ending)
    if case .insideEntry = ending {
      parsed.ending = ending.keeping(kept)
    } else if gate.isExceeded {
      parsed.ending = .betweenEntries
    }
    return (parsed, entries)
  }

  /// The body of an entry before it is sanitized.
  package struct EntryBody {
    /// The entry's id, otherwise its link; empty when it has neither.
    package var entry: String
    /// The HTML as it is in the feed.
    package var html: String
    /// The URL against which relative URLs are resolved.
    package var base: WebURL?
  }

  /// Returns the bodies of a document's entries before they are sanitized.
  package func bodies(of document: FeedDocument) throws(FeedParser.Failure) -> [EntryBody] {
    var findings: [Finding] = []
    var parsed = try parser.run(document, into: &findings)
    let site = Identifier.site(of: &parsed.feed, from: document.base)
    return parsed.entries.compactMap { entry in
      let identity = identify(entry, of: parsed.feed, site, into: &findings)
      return BodyChoice.body(of: entry).map { body in
        EntryBody(
          entry: entry.id ?? entry.link ?? "", html: Self.html(of: body),
          base: Self.base(of: body, identity.textBase))
      }
    }
  }
}

/// The stages that process each entry alone, for several entries at once.
extension Pipeline {
  /// An entry after the stages that process it alone.
  struct PreparedEntry: Sendable {
    /// The input of extraction; nil when a stage leaves the entry out.
    var input: Extractor.Input?
    /// The results of sanitizing.
    var results: [Sanitizer.Result] = []
    /// The effect of the selection of parts on its body.
    var selectionUse = SelectionUse()
    /// The location of the entry, if its relative links cannot be resolved.
    var unresolved: Finding.Location?
    var findings: [Finding] = []
  }

  /// Takes the entries of a document through the stages that process each alone.
  ///
  /// - Parameters:
  ///   - entries: the entries, which are released as they are prepared.
  ///   - inputs: receives the inputs of extraction, nil for entries that are left out.
  ///   - jobs: the number of entries that are processed at once; the result does not depend on it.
  ///   - findings: the list to which problems are added, in the order of the entries.
  ///   - prepare: a function that takes an entry through the stages; it may be called on several threads.
  /// - Returns: the removed parts, and the effect of the selection of parts.
  private func prepareAll(
    _ entries: inout PartedList<Feed.Entry>, into inputs: inout PartedList<Extractor.Input?>, jobs: Int,
    _ findings: inout [Finding],
    _ prepare: @Sendable (Feed.Entry) -> PreparedEntry
  ) -> (totals: Removal.Totals, selectionUse: SelectionUse) {
    var (totals, unresolved, selectionUse) = (Removal.Totals(), UnresolvedLinks(), SelectionUse())
    for number in entries.parts.indices {
      let part = entries.takePart(at: number)
      for entry in concurrently(count: part.count, jobs: jobs, work: { prepare(part[$0]) }) {
        findings += entry.findings
        for result in entry.results { totals.add(result) }
        selectionUse.add(entry.selectionUse)
        unresolved.note(entry.unresolved)
        inputs.append(entry.input)
      }
    }
    findings += unresolved.finding.map { [$0] } ?? []
    return (totals, selectionUse)
  }

  func prepare(
    _ entry: Feed.Entry, of feed: Feed, _ site: WebURL?, _ zone: LocalDates?, _ fullText: FullTextSource?
  ) -> PreparedEntry {
    var (entry, prepared) = (entry, PreparedEntry())
    (zone ?? LocalDates()).apply(to: &entry, &prepared.findings)
    if entry.authors.isEmpty { entry.authors = Self.inherited(by: entry, of: feed) }
    guard stages.apply(to: &entry, of: feed, into: &prepared.findings) else { return prepared }
    Self.renderMarkdown(of: &entry)
    let identity = identify(entry, of: feed, site, into: &prepared.findings)
    let bodies = BodyChoice.bodies(of: entry)
    if BodyChoice.hasOtherText(entry, besides: bodies) {
      let message = "another text of this entry says something else than its body; it is not shown"
      prepared.findings.append(
        Finding(.note, "extract.other-text", message, at: entry.location, entry: entry.title?.value ?? entry.id))
    }
    let clean = sanitized(bodies, of: entry, identity, site, &prepared)
    if identity.isUnresolved || clean.removalCounts[.relative] != nil { prepared.unresolved = entry.location }
    var input = input(
      entry, of: feed, clean, identity, summary: entry.summary.map(bodies.contains) ?? false ? "" : text(entry.summary))
    if clean.facts.images.isEmpty { input.otherImages = otherImages(of: entry, besides: bodies, identity, site) }
    if let fullText, let article = filling.fill(&input, from: fullText, into: &prepared.findings) {
      // A post is recognized by the feed's own text, not by the article of its page.
      input.ownText = clean.facts.text
      note(article, of: entry, &prepared)
    }
    if recordsRemovals {
      var totals = Removal.Totals()
      for result in prepared.results { totals.add(result) }
      input.removals = totals.listed
    }
    prepared.input = input
    return prepared
  }

  /// Renders the Markdown of an entry whose only text it is (the source namespace, http://source.scripting.com/).
  private static func renderMarkdown(of entry: inout Feed.Entry) {
    guard entry.content.isEmpty, entry.summary == nil, entry.otherTexts.isEmpty,
      let text = entry.extensionText("source_markdown")
    else { return }
    let html = CommonMark.html(of: text)
    entry.content = [Feed.Markup(html ?? text, kind: html == nil ? .text : .html)]
  }

  /// Returns the authors of an entry that names none: those of the feed that it is from (RFC 4287, 4.2.1; JSON Feed
  /// 1.1, "authors").
  private static func inherited(by entry: Feed.Entry, of feed: Feed) -> [Feed.Person] {
    guard feed.version.hasPrefix("atom") || feed.version.hasPrefix("json") else { return [] }
    return entry.source?.authors ?? feed.authors
  }

  /// The result of extraction from an entry.
  struct ExtractedEntry: Sendable {
    var post: Post
    /// The extraction; nil when only posts were requested.
    var extraction: Extraction?
    /// The text by which the post is recognized: the feed's own, also when an article replaces it.
    var text: String
    var findings: [Finding]
  }

  func extracted(of input: Extractor.Input, _ repeated: RepeatedPictures, details: Bool) -> ExtractedEntry {
    var (input, findings) = (input, [Finding]())
    input.repeatedPictures = repeated
    let extraction = details ? extractor.extract(input, into: &findings) : nil
    let post = extraction?.post ?? extractor.run(input, into: &findings)
    let text = input.ownText ?? input.facts.text
    return ExtractedEntry(post: post, extraction: extraction, text: text, findings: findings)
  }

  /// Bounds the names of a post and takes it through the stages after extracting; returns whether it is kept.
  func finish(
    _ entry: inout ExtractedEntry, of feed: Feed, _ names: inout NameBounds, into findings: inout [Finding]
  ) -> Bool {
    findings += entry.findings
    names.apply(to: &entry.post, into: &findings)
    return stages.apply(to: &entry.post, of: feed, into: &findings, sanitize: sanitizedBody(_:of:))
  }

  private func sanitized(
    _ bodies: [Feed.Markup], of entry: Feed.Entry, _ identity: Identifier.Identity, _ site: WebURL?,
    _ noted: inout PreparedEntry
  ) -> Sanitizer.Result {
    let base = bodies.first.flatMap { Self.base(of: $0, identity.textBase) }
    var html =
      bodies.count > 1 ? bodies.map { "<div>\(Self.html(of: $0))</div>" }.joined() : bodies.first.map(Self.html) ?? ""
    let clean = html.withUTF8 {
      sanitizer.sanitize(utf8: $0.span, base: base, page: identity.page, selection: selection)
    }
    if !bodies.isEmpty {
      if let name = SelfClosedTags.firstTakingText(in: html) {
        let message =
          "<\(name)/> is not closed by its slash in HTML, so browsers do not show the text behind it; write <\(name)></\(name)>"
        noted.findings.append(
          Finding(.warning, "sanitize.self-closed", message, at: entry.location, entry: text(entry.title)))
      }
      note(clean, of: entry, &noted)
      noted.selectionUse = clean.selectionUse
    }
    return clean
  }

  /// Returns the pictures of the texts besides the body, for entries whose body has none.
  private func otherImages(
    of entry: Feed.Entry, besides bodies: [Feed.Markup], _ identity: Identifier.Identity, _ site: WebURL?
  ) -> [SanitizedHTML.Facts.Image] {
    let others = entry.content + (entry.summary.map { [$0] } ?? []) + entry.otherTexts
    return others.filter { $0.kind != .text && Self.mayHavePicture($0.value) && !bodies.contains($0) }.flatMap { text in
      let base = Self.base(of: text, identity.textBase)
      return sanitizer.sanitize(Self.html(of: text), base: base, page: identity.page).facts.images
    }
  }

  /// Whether something in markup begins like the tag of a picture.
  private static func mayHavePicture(_ markup: String) -> Bool {
    let bytes = markup.utf8.span
    var index = 0
    while true {
      index = ByteScan.index(of: UInt8(ascii: "<"), in: bytes, from: index) + 1
      guard index + 3 <= bytes.count else { return false }
      if bytes[index].asciiLowercased == UInt8(ascii: "i"), bytes[index + 1].asciiLowercased == UInt8(ascii: "m"),
        bytes[index + 2].asciiLowercased == UInt8(ascii: "g")
      {
        return true
      }
    }
  }

  /// Returns the sanitized form of a body that a stage wrote.
  func sanitizedBody(_ html: String, of post: Post) -> SanitizedHTML {
    let page = post.permalink.flatMap { WebURL($0.url) }
    return sanitizer.sanitizedHTML(of: html, base: page, page: page)
  }

  /// Counts removals, and adds findings about them.
  private func note(_ clean: Sanitizer.Result, of entry: Feed.Entry, _ noted: inout PreparedEntry) {
    noted.results.append(clean)
    if clean.removalCounts[.limit] != nil {
      let message =
        "a part of the post is beyond a limit, and was left out or not resolved: the base URL has more than \(limits.baseBytes) "
        + "bytes, URLs or unclosed formatting would have made the post much larger, or it has more than "
        + "\(limits.fragmentBytes) bytes and became text"
      noted.findings.append(Finding(.warning, "sanitize.limit", message, at: entry.location, entry: text(entry.title)))
    }
    if reportsRemovals, !clean.removalCounts.isEmpty || clean.tidy != .notAsked {
      let message = "\(Removal.Totals(clean))"
      noted.findings.append(Finding(.note, "sanitize.total", message, at: entry.location, entry: text(entry.title)))
    }
  }

  private func identify(
    _ entry: Feed.Entry, of feed: Feed, _ site: WebURL?, into findings: inout [Finding]
  ) -> Identifier.Identity {
    let input = Identifier.Input(
      entry: entry, site: site, language: feed.language, isAtom: feed.version.hasPrefix("atom"))
    return identifier.run(input, into: &findings)
  }

  private func input(
    _ entry: Feed.Entry, of feed: Feed, _ clean: Sanitizer.Result, _ identity: Identifier.Identity, summary: String
  ) -> Extractor.Input {
    // Only the languages of the bodies are needed from here on.
    var entry = entry
    for index in entry.content.indices { entry.content[index].value = "" }
    entry.summary?.value = ""
    (entry.otherTexts, entry.mediaText) = ([], nil)
    // Entries share the authors of their feed, of which each would get a copy by being written.
    for (index, author) in entry.authors.enumerated() where author.name.map(PlainText.hasTags) ?? false {
      entry.authors[index].name = author.name.map(name)
    }
    var input = Extractor.Input(
      entry: entry, title: text(entry.title), summary: summary, content: clean.html, facts: clean.facts,
      language: feed.language, base: identity.base)
    input.permalink = identity.permalink
    input.rights = text(entry.rights)
    // Some feeds name themselves as the source.
    if let source = entry.source, source.title?.value != feed.title?.value { input.sourceTitle = text(source.title) }
    (input.mediaTitles, input.mediaCaptions) = (texts(\.title, of: entry.media), texts(\.description, of: entry.media))
    if !known.isEmpty, let permalink = identity.permalink {
      // A crawler stores the page under the URL in the feed.
      input.page = known.pictures(onPage: permalink.url) ?? permalink.original.flatMap(known.pictures)
    }
    input.pictureSizes = known.sizes
    return input
  }

  /// Returns a text of each of the pictures and videos, as plain text; empty when none has it.
  private func texts(_ text: KeyPath<Feed.MediaObject, Feed.Markup?>, of media: [Feed.MediaObject]) -> [String] {
    media.contains { $0[keyPath: text] != nil } ? media.map { self.text($0[keyPath: text]) } : []
  }

  /// Returns the URL against which relative URLs in a body are resolved: an `xml:base` that is an http(s) URL,
  /// otherwise the entry's page.
  static func base(of body: Feed.Markup, _ page: WebURL?) -> WebURL? {
    body.base.flatMap { WebURL($0, base: page) }.flatMap { $0.isHTTP ? $0 : nil } ?? page
  }

  static func html(of body: Feed.Markup) -> String {
    switch body.kind {
    case .xhtml: body.value
    case .html: PlainText.body(ofMarkup: body.value) ?? body.value
    case .text: PlainText.body(body.value)
    }
  }

  /// Returns a short field as plain text: tags are removed from markup; what nobody sees is removed from both.
  func text(_ markup: Feed.Markup?) -> String {
    guard var value = markup?.value else { return "" }
    guard markup?.kind != .text else { return InvisibleText.line(DoubleEscaping.decoded(value)) }
    let sources = value.contains("math") ? Self.formulaSources : nil
    let text = value.withUTF8 { plain.sanitize(utf8: $0.span, base: nil, page: nil, selection: sources).facts.text }
    return InvisibleText.line(text)
  }

  /// The sources of formulas, which stand beside what is read.
  private static let formulaSources = (try? CSSSelector("math annotation, math annotation-xml"))
    .flatMap { PreparedSelection(PartSelection(remove: [$0])) }

  /// Returns a name of a person without tags, which some feeds put around it; the name itself when nothing else is
  /// left.
  private func name(_ name: String) -> String {
    guard PlainText.hasTags(name) else { return name }
    let text = plain.sanitize(name).facts.text
    return text.isEmpty ? name : text
  }
}

/// Entries whose relative links cannot be resolved, because the feed's URL is not known.
private struct UnresolvedLinks {
  private var count = 0
  private var first: Finding.Location?

  /// Adds an entry.
  ///
  /// - Parameter location: the location of an entry with such links; nil when it has none.
  mutating func note(_ location: Finding.Location?) {
    guard let location else { return }
    count += 1
    first = first ?? location
  }

  /// The single finding for the feed.
  var finding: Finding? {
    first.map { location in
      let message =
        "from here on \(count.counted("entry", plural: "entries")) \(count == 1 ? "has" : "have") relative URLs that cannot be "
        + "resolved, because the address of the feed is not known; give it with --address FILE=URL"
      return Finding(.warning, "extract.no-base", message, at: location)
    }
  }
}
