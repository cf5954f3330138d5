import ArgumentParser
import Tamis
import TamisRecords

/// `tamis parse`: prints a feed as JSON.
struct ParseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parse",
    abstract: "Print a feed as JSON.",
    discussion: """
      The JSON follows Universal Feed Parser's data model; markup in it is sanitized. With --jsonl each line is a record \
      {"id", "body", "url"?, "headers"?}, answered by a line {"id", "feed", "entries", ...} or {"id", "error"}; so are the \
      records of WARC files: docs/records.md. Examples:

        tamis parse feed.xml --url https://example.org/feed.xml
        tamis parse --jsonl --guard < feeds.jsonl > parsed.jsonl
      """)

  /// The output format of a feed.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    /// One JSON object.
    case json
    /// One line of JSON for each entry, written while the feed is still being read.
    case jsonl
    /// The document's elements as a tree; markup in it is not sanitized.
    case raw
  }

  /// The mapping that `--format raw` follows.
  enum Compatibility: String, ExpressibleByArgument, CaseIterable {
    /// The mapping of BNRSSFeedParser: an element with only text is a string, an only child is not an array.
    case bnr
  }

  /// The treatment of an entry that is not newer than the date.
  enum UntilMode: String, ExpressibleByArgument, CaseIterable {
    /// The entry is left out.
    case filter
    /// The entry and all after it are left out; feeds are usually, but not always, newest first.
    case stop
  }

  @Argument(help: "The feed; - is standard input. With --jsonl, files of records.")
  var files: [FilePath] = []

  @OptionGroup var records: RecordOptions

  @Option(help: "The form of the output.")
  var format = Format.json

  @Option(help: "How --format raw writes single texts and children.")
  var compat: Compatibility?

  @Option(help: "The address of the feed.")
  var url: String?

  @Option(help: ArgumentHelp("A header field of the response; can be repeated.", valueName: "name: value"))
  var header: [String] = []

  @OptionGroup var fields: FieldOptions

  @Option(help: ArgumentHelp("Leave out entries that are not newer than a date.", valueName: "date"))
  var until: String?

  @Option(help: "Filter all entries, or stop at the first left out.")
  var untilMode = UntilMode.filter

  @OptionGroup var policy: PolicyOptions

  @Flag(name: .customLong("no-sanitize"), help: "Print markup as the feed has it: unsafe to show.")
  var printsUnsafeMarkup = false

  @Flag(help: "Escape all text, and leave out URLs that are unsafe.")
  var safe = false

  @Flag(name: [.short, .long], help: "Also show notes, and each of many findings.")
  var verbose = false

  func run() throws {
    let sanitizer = try policy.sanitizer(fallback: .universalFeedParser)
    if try records.areWanted(of: files.map(\.description)) {
      try validateRecords()
      return try records.answer(
        files.map(\.description), by: ParseMapper(sanitizer: sanitizer, isSafe: safe, fields: fields.field),
        command: ["parse"])
    }
    guard let file = files.first, files.count == 1 else {
      throw ValidationError("name one feed; several need --jsonl")
    }
    var findings: [Finding] = []
    do {
      let document = try FeedDocument(file: file, url: url, headers: header.compactMap(Self.headerField))
      switch format {
      case .raw:
        let root = try FeedParser().tree(document, into: &findings)
        Terminal.write(RawJSON.document(root, compat == .bnr ? .compact : .uniform) + [0x0A])
      case .json, .jsonl:
        let json = safe ? FeedJSON(safe: sanitizer) : FeedJSON(sanitizer: printsUnsafeMarkup ? nil : sanitizer)
        try printFeed(document, json, of: file, &findings)
      }
      Terminal.reportGathered(findings, all: verbose)
    } catch let error as FeedParser.Failure {
      Terminal.reportGathered(findings + [error.finding], all: verbose)
      throw ExitCode.badData
    }
  }

  /// Prints entries while the document is still being read.
  private func printFeed(
    _ document: FeedDocument, _ json: FeedJSON, of file: FilePath, _ findings: inout [Finding]
  ) throws {
    let output = EntryOutput(json: json, isOneDocument: format == .json)
    let limit = until.flatMap { Feed.Timestamp(reading: $0).seconds }
    var seen = 0
    let result = Result { () throws(FeedParser.Failure) in
      try FeedParser(fields: fields.field).parse(document, into: &findings) { entry in
        seen += 1
        if let limit, let date = entry.date, date <= limit { return untilMode == .stop ? .stop : .continue }
        output.write(entry)
        return .continue
      }
    }
    defer { findings += output.findings }
    do {
      output.finish(try result.get().feed, of: document)
    } catch {
      // A reader of JSON gets a document all the same.
      if format == .json, error.reason != .unreadable { output.finish(Self.answer(for: error), of: document) }
      throw error
    }
    if untilMode == .stop, limit != nil { Terminal.error("\(file): note: read \(seen) entries [parse.until]") }
  }

  /// Returns an empty feed whose fault is that of the document.
  private static func answer(for error: FeedParser.Failure) -> Feed {
    var feed = Feed()
    feed.fault = error.finding
    return feed
  }

  func validate() throws {
    if compat != nil, format != .raw { throw ValidationError("--compat needs --format raw") }
    if format == .raw, !fields.field.isEmpty { throw ValidationError("--field needs --format json or jsonl") }
    if format == .raw, until != nil { throw ValidationError("--until needs --format json or jsonl") }
    if safe, printsUnsafeMarkup || format == .raw {
      throw ValidationError("--safe cannot be used with --no-sanitize or --format raw, which print what the feed has")
    }
    if printsUnsafeMarkup, policy.rules != nil || policy.tidy != nil {
      throw ValidationError("--no-sanitize asks for no rules; leave out --rules and --tidy")
    }
    if let until, Feed.Timestamp(reading: until).seconds == nil {
      throw ValidationError(
        "--until '\(until)' is not a date that can be read; write 2026-11-21 or 2026-11-21T08:30:00Z")
    }
    if let bad = header.first(where: { Self.headerField($0) == nil }) {
      throw ValidationError("--header '\(bad)' is not of the form 'Name: value'")
    }
  }

  private func validateRecords() throws {
    if printsUnsafeMarkup { throw ValidationError("--no-sanitize cannot be used with records") }
    if format != .json || compat != nil || until != nil || untilMode != .filter || url != nil || !header.isEmpty {
      throw ValidationError("--format, --until, --url and --header cannot be used with records; the records carry them")
    }
  }

  private static func headerField(_ text: String) -> HeaderField? {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return nil }
    return .init(name: String(parts[0]), value: parts[1].trimmed())
  }
}

/// Writes entries to standard output: one line each, or as the beginning of one document.
private final class EntryOutput {
  private let json: FeedJSON
  private let isOneDocument: Bool
  /// The findings about what was left out while writing.
  private(set) var findings: [Finding] = []
  private var writer = JSONWriter()
  private var hasBegun = false

  init(json: FeedJSON, isOneDocument: Bool) {
    self.json = json
    self.isOneDocument = isOneDocument
  }

  func write(_ entry: Feed.Entry) {
    begin()
    findings += json.findings(about: entry)
    json.write(entry, to: &writer)
    if !isOneDocument { writer.endLine() }
    if writer.bytes.count >= 1 << 16 { flush() }
  }

  /// Ends the document.
  func finish(_ feed: Feed, of document: FeedDocument) {
    if isOneDocument {
      begin()
      findings += json.findings(about: feed, at: Finding.Location(file: document.name))
      json.endDocument(feed, of: document, in: &writer)
      writer.endLine()
    }
    flush()
  }

  private func begin() {
    if isOneDocument, !hasBegun { json.beginDocument(in: &writer) }
    hasBegun = true
  }

  private func flush() {
    Terminal.write(writer.bytes)
    writer.removeAll()
  }
}
