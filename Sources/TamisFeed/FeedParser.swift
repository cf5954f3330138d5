public import TamisCore

extension FeedParser {
  /// The error for a document that is not a feed.
  public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public enum Reason: Sendable, Hashable {
      /// The document cannot be read at all.
      case unreadable
      /// The document is empty.
      case empty
      /// The document has more than ``Limits/documentBytes``.
      case tooLarge
      /// The document is of another kind.
      case somethingElse
    }

    /// The reason.
    public let reason: Reason
    /// The finding with its location and the remedy.
    public let finding: Finding

    /// The finding in one line.
    public var description: String { finding.description }

    /// Creates the error for a document that cannot be read.
    package init(unreadable name: String, _ failure: ReadFailure) {
      reason = .unreadable
      finding = Finding(
        .error, "read.failed", "this file cannot be read: \(failure.message)", at: Finding.Location(file: name))
    }

    init(_ reason: Reason, _ finding: Finding) { (self.reason, self.finding) = (reason, finding) }
  }
}

extension FeedParser {
  /// A feed and its entries.
  public struct Result: Sendable {
    /// The feed's metadata.
    public var feed: Feed
    /// The entries in document order.
    public var entries: [Feed.Entry]
    /// The state in which the document ended.
    public var ending: Feed.Ending
    /// The findings about the document, each with its line and column.
    public var findings: [Finding]

    /// Creates a parsed feed.
    ///
    /// - Parameters:
    ///   - feed: the feed's metadata.
    ///   - entries: its entries in document order.
    ///   - ending: how the document ended.
    ///   - findings: the findings about the document.
    public init(feed: Feed, entries: [Feed.Entry], ending: Feed.Ending, findings: [Finding] = []) {
      (self.feed, self.entries, self.ending, self.findings) = (feed, entries, ending, findings)
    }
  }
}

/// A parser that turns bytes into a feed, the first stage of processing.
///
/// It reads RSS 0.90 to 2.0, RSS 1.0 (RDF), Atom 0.1 to 1.0, CDF and JSON Feed 1.0 and 1.1, with the elements that
/// Dublin Core, content, Media RSS, iTunes and others add to them. Memory use depends on the largest entry, not on the
/// document.
///
/// Nothing is fetched and no document type is loaded, whatever the document asks for. A document that is not
/// well-formed is repaired while it is read: a fault affects only itself, and ``Feed/fault`` holds the first one.
public struct FeedParser: Sendable {
  /// The longest language tag that is read, in bytes; BCP 47 (4.4.1) recommends at least 35.
  package static let longestLanguage = 100

  let limits: Limits
  private let fields: [FeedParser.CustomField]
  /// Whether the relative URLs of entries are resolved; a caller that finds better pages for them does it itself.
  package var resolvesEntries = true

  /// Creates a parser.
  ///
  /// - Parameters:
  ///   - limits: the limits on what is read.
  ///   - fields: additional elements to read into ``Feed/Entry/fields``.
  public init(limits: Limits = .standard, fields: [FeedParser.CustomField] = []) {
    self.limits = limits
    self.fields = fields
  }

  /// Reads a whole document.
  ///
  /// - Throws: when the document is empty, too large, or not a feed.
  public func parse(_ document: FeedDocument) throws(FeedParser.Failure) -> FeedParser.Result {
    var findings: [Finding] = []
    var parsed = try run(document, into: &findings)
    parsed.findings = findings
    return parsed
  }

  /// Reads a whole document and appends findings about it.
  package func run(_ document: FeedDocument, into findings: inout [Finding]) throws(FeedParser.Failure)
    -> FeedParser.Result
  {
    var entries: [Feed.Entry] = []
    // The home page of a feed may come after its entries.
    var parser = self
    parser.resolvesEntries = false
    let (feed, ending) = try parser.parse(document, into: &findings) { entry in
      entries.append(entry)
      return .continue
    }
    if resolvesEntries {
      let addresses = RelativeAddresses(of: feed, document: document.base, limits: limits)
      for index in entries.indices { addresses.resolve(&entries[index]) }
    }
    return FeedParser.Result(feed: feed, entries: entries, ending: ending)
  }

  /// The action after an entry.
  public enum Continuation: Sendable {
    /// Read the next one.
    case `continue`
    /// Stop reading: the rest of the document is ignored.
    case stop
  }

  /// Reads a document and passes on each entry as soon as it ends.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - findings: the list that findings are appended to.
  ///   - onEntry: called with each entry; the result decides whether reading continues.
  /// - Returns: the feed's metadata, and how the document ended, which is ``Feed/Ending/betweenEntries`` also when
  ///   `onEntry` stopped it.
  /// - Throws: when the document is empty, too large, or not a feed.
  public func parse(
    _ document: FeedDocument, into findings: inout [Finding], onEntry: @escaping (Feed.Entry) -> Continuation
  ) throws(FeedParser.Failure) -> (feed: Feed, ending: Feed.Ending) {
    let text = try open(document, keepsJSON: true)
    let encoding = text.encoding
    var hasEntry = false
    let noted = { (entry: Feed.Entry) in
      hasEntry = true
      return onEntry(entry)
    }
    var reading = encoding.isJSON ? readJSON(text, document, noted) : readXML(text, document, noted)
    let start = Finding.Location(file: document.name, line: 1, column: 1)
    var faults = [reading.feed.fault].compactMap { $0 }
    if let expected = encoding.overridden {
      let message = "the text is not \(expected), it was read as \(encoding.words)"
      // `text/xml` without a charset means US-ASCII only by RFC 3023, which RFC 7303 replaced.
      let severity: Finding.Severity = expected == "us-ascii" ? .note : .warning
      faults.append(Finding(severity, "parse.encoding", message, at: start))
    }
    if encoding.hasStrays {
      let message =
        "the text is not wholly \(encoding.words): bytes that are none of its characters are replaced by U+FFFD"
      faults.append(Finding(.warning, "parse.encoding", message, at: start))
    }
    if let type = encoding.nonXMLType {
      faults.append(Finding(.warning, "parse.media-type", "'\(type)' is not a media type of XML", at: start))
    }
    findings += faults + reading.findings
    if let objection = reading.objection {
      throw FeedParser.Failure(
        .somethingElse, Finding(.error, "parse.not-a-feed", objection, at: reading.feed.fault?.location ?? start))
    }
    if !hasEntry, reading.ending == .complete {
      findings.append(Finding(.warning, "parse.no-entries", "this feed has no entry", at: start))
    }
    RelativeAddresses(of: reading.feed, document: document.base, limits: limits).resolve(&reading.feed)
    reading.feed.encoding = encoding.name
    reading.feed.fault = faults.first
    return (reading.feed, reading.ending)
  }

  /// The result of reading a document.
  private struct Reading {
    var feed: Feed
    var ending: Feed.Ending
    var findings: [Finding]
    /// The reason why the document is not a feed, or nil when it is one.
    var objection: String?
  }

  private func readXML(
    _ text: DocumentText, _ document: FeedDocument, _ onEntry: @escaping (Feed.Entry) -> Continuation
  ) -> Reading {
    let reading = FeedReading(document: document, limits: limits, customFields: fields) { feed, entry in
      onEntry(resolved(entry, of: feed, document))
    }
    reading.read(text)
    let builder = reading.builder
    let objection =
      builder.rootDescription.asciiLowercased() == "<opml>"
      ? "this is a list of subscriptions (OPML), not a feed; download the feeds that it names and name those"
      : "this is not a feed: the root element is \(builder.rootDescription), not rss, feed or RDF"
    return Reading(
      feed: builder.feed, ending: builder.ending, findings: builder.log.findings,
      objection: builder.isFeed ? nil : objection)
  }

  private func readJSON(
    _ text: DocumentText, _ document: FeedDocument, _ onEntry: @escaping (Feed.Entry) -> Continuation
  ) -> Reading {
    let reading = JSONFeedReading(document: document, limits: limits) { feed, entry in
      onEntry(resolved(fields.isEmpty ? entry : withCustomFields(entry), of: feed, document))
    }
    while true {
      let piece = text.next()
      if piece.isEmpty || !reading.read(piece.span) { break }
    }
    reading.finish(failure: text.failure)
    let objection = "this is not a feed: it is \(reading.rootDescription), neither XML nor a JSON Feed"
    return Reading(
      feed: reading.feed, ending: reading.ending, findings: reading.findings,
      objection: reading.isFeed ? nil : objection)
  }

  /// Returns an entry with its relative URLs resolved, as far as the feed has been read.
  private func resolved(_ entry: Feed.Entry, of feed: Feed, _ document: FeedDocument) -> Feed.Entry {
    guard resolvesEntries else { return entry }
    var entry = entry
    RelativeAddresses(of: feed, document: document.base, limits: limits).resolve(&entry)
    return entry
  }

  /// Fills custom fields from extensions, which are what JSON has instead of elements.
  private func withCustomFields(_ entry: Feed.Entry) -> Feed.Entry {
    var entry = entry
    for field in fields {
      let found = entry.extensions.lazy.filter { $0.name == field.element }
        .compactMap { element in field.attribute == nil ? field.value(of: element.text, resolve: { $0 }) : nil }.first
      if let found { entry.fields.append(Feed.Field(name: field.name, value: found)) }
    }
    return entry
  }

  /// Decides the encoding of a document and begins to read it.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - keepsJSON: whether NULs in JSON are kept.
  /// - Returns: the text of the document, from its beginning.
  /// - Throws: ``FeedParser/Failure`` when the document cannot be read, is empty or too large.
  func open(_ document: FeedDocument, keepsJSON: Bool = false) throws(FeedParser.Failure) -> DocumentText {
    let start = Finding.Location(file: document.name, line: 1, column: 1)
    do {
      let survey = try TextSurvey(document.source, limit: limits.documentBytes)
      if survey.isBlank {
        throw FeedParser.Failure(.empty, Finding(.error, "parse.empty", "the file is empty", at: start))
      }
      if survey.count > limits.documentBytes {
        let message = "the file has more than the \(limits.documentBytes) bytes that are read"
        throw FeedParser.Failure(.tooLarge, Finding(.error, "parse.too-large", message, at: start))
      }
      // The encoding of a document that is cut short is decided by its readable part.
      let whole: any ByteSource =
        survey.isCutShort ? Beginning(of: document.source, count: survey.count) : document.source
      let encoding = try DocumentEncoding.decide(
        whole, survey, contentType: document.header("Content-Type"), hasHeaders: !document.headers.isEmpty,
        isDecoded: document.isDecoded)
      let isJSON = keepsJSON && encoding.isJSON
      if let text = try DocumentText(document.source, encoding, isXML: !isJSON) { return text }
      throw ReadFailure("its encoding \(encoding.name) is not supported")
    } catch let error as FeedParser.Failure {
      throw error
    } catch {
      throw FeedParser.Failure(unreadable: document.name, error as? ReadFailure ?? ReadFailure("\(error)"))
    }
  }
}

extension FeedParser {
  /// The kind of a file, judged by its beginning.
  package enum Recognition: Sendable, Hashable {
    /// A feed, well-formed or not.
    case feed
    /// Nothing but white space.
    case empty
    /// Something else, described in words.
    case somethingElse(String)
  }

  /// Recognizes a feed by the beginning of a file, as parsing would.
  ///
  /// A feed is recognized by its first element, even after stray text; a JSON Feed by its `version`, which stands
  /// behind the items where keys are sorted, or by the text of an item, whose name no other format has.
  package func recognize(_ beginning: [UInt8]) -> Recognition {
    var findings: [Finding] = []
    do {
      let found = try parse(FeedDocument(name: "", bytes: beginning), into: &findings) { _ in .stop }
      // Many JSON files have a member `items`.
      if found.feed.version.hasPrefix("json"), !Self.namesJSONFeed(beginning) {
        return .somethingElse("this is not a feed: it is JSON without the 'version' of a JSON Feed")
      }
      return .feed
    } catch {
      return error.reason == .empty ? .empty : .somethingElse(error.finding.message)
    }
  }

  /// Whether a text has an element of HTML: an end tag, a void element, or a paragraph.
  package static func hasElements(_ text: String) -> Bool { HTMLEvidence.hasElements(text.utf8.span) }

  private static func namesJSONFeed(_ document: [UInt8]) -> Bool {
    let marks = ["jsonfeed.org", "\"content_html\"", "\"content_text\""].map { Array($0.utf8) }
    // Without its NULs, UTF-16 is ASCII.
    let bytes = document.filter { $0 != 0 }
    return bytes.indices.contains { index in
      (bytes[index] == UInt8(ascii: "j") || bytes[index] == UInt8(ascii: "\""))
        && marks.contains { bytes[index...].starts(with: $0) }
    }
  }
}
