public import TamisCheck
public import TamisCore
public import TamisExtract
public import TamisFeed
import TamisRules
public import TamisSanitizer
import TamisURL

/// The way of a feed through the stages, in the order in which it can be read here: parse, sanitize, extract.
///
/// What follows, dedupe and pages, needs all feeds and a place to write to: see ``SiteBuild``.
public struct Pipeline: Sendable {
  /// A feed whose posts may be shown.
  public struct Output: Sendable {
    /// What the feed says about itself.
    public var feed: Feed
    /// The feed's name as plain text; may be empty.
    public var title: String
    /// A line about the feed as plain text; may be empty.
    public var subtitle: String
    /// What is known of its entries, in document order.
    public var extractions: [Extraction]
    /// Its posts in document order.
    public var posts: [Post] { extractions.map(\.post) }
    /// What was odd.
    public var findings: [Finding]
  }

  private let parser: FeedParser
  private let sanitizer: Sanitizer
  private let plain: Sanitizer
  private let extractor = Extractor()
  private let reportsRemovals: Bool

  /// Makes a pipeline.
  ///
  /// - Parameters:
  ///   - policy: the rules for bodies. Relative URLs without a base go, whatever it says about them.
  ///   - reportsRemovals: whether the findings say of each post, and of the feed, how much was taken away.
  public init(policy: Policy = .reading, limits: Limits = .standard, reportsRemovals: Bool = false) {
    self.reportsRemovals = reportsRemovals
    parser = FeedParser(limits: limits)
    sanitizer = Sanitizer(policy: policy.droppingRelativeURLs(), limits: limits)
    plain = Sanitizer(policy: .text, limits: limits)
  }

  /// Takes one document through the stages.
  public func process(_ document: FeedDocument) throws(NotAFeed) -> Output {
    var findings: [Finding] = []
    let parsed = try parser.run(document, into: &findings)
    var totals = RemovalTotals()
    let bodies = parsed.entries.map { sanitizedBody(of: $0, of: parsed.feed, document, &totals, into: &findings) }
    let repeated = Extractor.repeatedPictures(in: bodies.map(\.facts))
    let inputs = zip(parsed.entries, bodies).map { entry, body in
      input(entry, of: parsed.feed, document, body, repeatedPictures: repeated)
    }
    let extractions = inputs.map { extractor.extract($0, into: &findings) }
    if reportsRemovals {
      let message = "in \(totals.fragments) bodies, \(totals)"
      findings.append(Finding(.note, "sanitize.total", message, at: SourceLocation(file: document.name)))
    }
    return Output(
      feed: parsed.feed, title: text(parsed.feed.title), subtitle: text(parsed.feed.subtitle ?? parsed.feed.summary),
      extractions: extractions, findings: findings)
  }

  /// The bodies of a document's entries before they are sanitized, to be compared with a ``Baseline``.
  ///
  /// - Parameter name: what the feed is called there.
  public func bodies(of document: FeedDocument, named name: String) throws(NotAFeed) -> [Baseline.Body] {
    var findings: [Finding] = []
    let parsed = try parser.run(document, into: &findings)
    return parsed.entries.compactMap { entry in
      Self.body(of: entry).map { body in
        Baseline.Body(
          feed: name, entry: entry.id ?? entry.link ?? "", html: Self.html(of: body),
          base: Self.base(of: body, entry, parsed.feed, document))
      }
    }
  }

  private func sanitizedBody(
    of entry: Entry, of feed: Feed, _ document: FeedDocument, _ totals: inout RemovalTotals,
    into findings: inout [Finding]
  ) -> Sanitizer.Result {
    let body = Self.body(of: entry)
    let base = body.flatMap { Self.base(of: $0, entry, feed, document) }
    let clean = sanitizer.sanitize(body.map(Self.html) ?? "", base: base)
    if body != nil, reportsRemovals {
      totals.add(clean)
      if !clean.removalCounts.isEmpty || clean.tidy != .notAsked {
        let message = "\(RemovalTotals(clean))"
        findings.append(Finding(.note, "sanitize.total", message, at: entry.location, entry: text(entry.title)))
      }
    }
    return clean
  }

  private func input(
    _ entry: Entry, of feed: Feed, _ document: FeedDocument, _ clean: Sanitizer.Result, repeatedPictures: Set<String>
  ) -> Extractor.Input {
    let summary = entry.summary == Self.body(of: entry) ? "" : text(entry.summary)
    var input = Extractor.Input(
      entry: entry, title: text(entry.title), summary: summary, content: clean.html, facts: clean.facts,
      language: feed.language, base: Self.firstURL(feed.link, document.url))
    input.repeatedPictures = repeatedPictures
    return input
  }

  private static func firstURL(_ candidates: String?...) -> WebURL? {
    candidates.lazy.compactMap { $0.flatMap { WebURL($0) } }.first
  }

  /// The longest of the entry's bodies, else its summary.
  private static func body(of entry: Entry) -> Markup? {
    entry.content.max { $0.value.utf8.count < $1.value.utf8.count } ?? entry.summary
  }

  /// What relative URLs in a body are resolved against.
  private static func base(of body: Markup, _ entry: Entry, _ feed: Feed, _ document: FeedDocument) -> WebURL? {
    firstURL(body.base, entry.link, feed.link, document.url)
  }

  private static func html(of body: Markup) -> String {
    switch body.kind {
    case .html, .xhtml: body.value
    case .text: PlainText.paragraphs(body.value)
    }
  }

  /// A short field as plain text: markup loses its tags, text stays as it is.
  private func text(_ markup: Markup?) -> String {
    guard let markup else { return "" }
    switch markup.kind {
    case .text: return markup.value.collapsingSpace()
    case .html, .xhtml: return plain.sanitize(markup.value).facts.text
    }
  }
}

/// Text made into markup that says the same.
enum PlainText {
  /// Paragraphs where there are empty lines, line breaks where there are others.
  static func paragraphs(_ text: String) -> String {
    let escaped = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { escape($0.trimmed()) }
    let paragraphs = escaped.split(separator: "").map { "<p>" + $0.joined(separator: "<br>") + "</p>" }
    return paragraphs.joined(separator: "\n")
  }

  private static func escape(_ text: String) -> String {
    var output = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": output += "&amp;"
      case "<": output += "&lt;"
      case ">": output += "&gt;"
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output
  }
}
