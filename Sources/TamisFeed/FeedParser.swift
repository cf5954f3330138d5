public import TamisCore
import TamisXML

/// Why a document gave no feed.
public struct NotAFeed: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, where, and what to do.
  public let finding: Finding

  /// The finding in one line.
  public var description: String { finding.description }
}

/// A feed and its entries.
public struct ParsedFeed: Sendable {
  /// What the document says about the feed.
  public var feed: Feed
  /// Its entries in document order.
  public var entries: [Entry]

  /// Makes a parsed feed.
  public init(feed: Feed, entries: [Entry]) {
    self.feed = feed
    self.entries = entries
  }
}

/// The first stage: bytes to a feed.
///
/// Reads RSS 0.90 to 2.0, RSS 1.0 (RDF), Atom 0.3 and 1.0 and CDF, with the elements that Dublin Core, content, Media RSS
/// and iTunes add to them.
///
/// Nothing is fetched and no document type is loaded, whatever the document asks. A document that is not well-formed is
/// read as far as libxml2 can recover, and ``Feed/fault`` says where it first went wrong.
public struct FeedParser: Stage {
  let limits: Limits

  /// Makes a parser.
  public init(limits: Limits = .standard) {
    self.limits = limits
  }

  /// Reads a whole document.
  public func run(_ document: FeedDocument, into findings: inout [Finding]) throws(NotAFeed) -> ParsedFeed {
    var entries: [Entry] = []
    let feed = try parse(document, into: &findings) { entry in
      entries.append(entry)
      return .goOn
    }
    return ParsedFeed(feed: feed, entries: entries)
  }

  /// What is to be done after an entry.
  public enum Continuation: Sendable {
    /// Read the next one.
    case goOn
    /// Read no further: what the document says after this entry stays unknown.
    case stop
  }

  /// Reads a document and hands out each entry as soon as it has ended.
  ///
  /// - Throws: when the document is empty, too large, or no feed.
  public func parse(
    _ document: FeedDocument, into findings: inout [Finding], onEntry: @escaping (Entry) -> Continuation
  ) throws(NotAFeed) -> Feed {
    let start = SourceLocation(file: document.name, line: 1, column: 1)
    let decoded = try decode(document)
    let reading = FeedReading(document: document, limits: limits, onEntry: onEntry)
    reading.read(decoded)
    var faults = [reading.feed.fault].compactMap { $0 }
    if let expected = decoded.overridden {
      let message = "the text is not \(expected), it was read as \(decoded.name)"
      faults.append(Finding(.warning, "parse.encoding", message, at: start))
    }
    if let type = decoded.nonXMLType {
      faults.append(Finding(.warning, "parse.media-type", "'\(type)' is no media type of XML", at: start))
    }
    reading.findings += faults.filter { $0 != reading.feed.fault }
    findings += reading.findings
    guard reading.isFeed else {
      let message = "this is no feed: the first element is \(reading.rootDescription), not rss, feed or RDF"
      throw NotAFeed(finding: Finding(.error, "parse.not-a-feed", message, at: reading.feed.fault?.location ?? start))
    }
    var feed = reading.feed
    feed.encoding = decoded.name
    feed.fault = faults.first
    return feed
  }

  /// The document in UTF-8.
  ///
  /// - Throws: when it is empty or too large.
  func decode(_ document: FeedDocument) throws(NotAFeed) -> DocumentEncoding {
    let start = SourceLocation(file: document.name, line: 1, column: 1)
    if document.bytes.allSatisfy(\.isHTMLSpace) {
      throw NotAFeed(finding: Finding(.error, "parse.empty", "the file is empty", at: start))
    }
    if document.bytes.count > limits.documentBytes {
      let message = "the file has \(document.bytes.count) bytes, more than the \(limits.documentBytes) that are read"
      throw NotAFeed(finding: Finding(.error, "parse.too-large", message, at: start))
    }
    return DocumentEncoding.decode(
      document.bytes, contentType: document.header("Content-Type"), hasHeaders: !document.headers.isEmpty)
  }
}
