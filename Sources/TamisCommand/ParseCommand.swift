import ArgumentParser
import Foundation
import Tamis

/// `tamis parse`: a feed as JSON.
struct ParseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parse",
    abstract: "Print a feed as JSON.",
    discussion: """
      The JSON follows Universal Feed Parser's data model; markup in it is sanitized. A feed that is not well-formed is no \
      error: what could be read is printed, and 'bozo' is true. Example:

        tamis parse feed.xml --url https://example.org/feed.xml --header 'Content-Type: text/xml'
      """)

  /// How a feed is printed.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    /// One JSON object.
    case json
    /// One line of JSON an entry, written while the feed is still being read.
    case jsonl
    /// The document's elements as a tree; markup in it is not sanitized.
    case raw
  }

  /// Whose mapping `--format raw` follows.
  enum Compatibility: String, ExpressibleByArgument, CaseIterable {
    /// BNRSSFeedParser's: an element of text alone is a string, an only child is no array.
    case bnr
  }

  /// What happens at an entry that is not newer than the date.
  enum UntilMode: String, ExpressibleByArgument, CaseIterable {
    /// It is left out.
    case filter
    /// It and all that stand after it are left out; feeds are newest first as a rule, not always.
    case stop
  }

  @Argument(help: "The feed; - is standard input.")
  var file: String

  @Option(help: "The form of the output.")
  var format = Format.json

  @Option(help: "With --format raw: an element of text alone as a string and an only child as no array.")
  var compat: Compatibility?

  @Option(help: "The address the feed was read from, to which its relative URLs are resolved.")
  var url: String?

  @Option(help: ArgumentHelp("A header field of the response the feed came in; any number.", valueName: "name: value"))
  var header: [String] = []

  @Option(
    help: ArgumentHelp(
      "Leave out entries that are not newer than a date; those without a date stay.", valueName: "date"))
  var until: String?

  @Option(help: "With --until: filter all entries, or stop reading at the first that is left out.")
  var untilMode = UntilMode.filter

  @OptionGroup var policy: PolicyOptions

  func run() throws {
    let rules = try policy.policy(fallback: .universalFeedParser)
    guard let bytes = Terminal.read(file) else {
      Terminal.error("\(file): error: this file cannot be read [read.failed]")
      throw ExitCode.badData
    }
    var findings: [Finding] = []
    do {
      let document = FeedDocument(name: file, bytes: bytes, url: url, headers: header.compactMap(Self.field))
      if format == .raw {
        let root = try FeedParser().tree(document, into: &findings)
        Terminal.report(findings, notes: false)
        Terminal.write(RawJSON.document(root, compat == .bnr ? .compact : .uniform).serialized() + [0x0A])
        return
      }
      let json = FeedJSON(policy: rules)
      let limit = until.flatMap { FeedDate(reading: $0).seconds }
      var entries: [Entry] = []
      var seen = 0
      let feed = try FeedParser().parse(document, into: &findings) { entry in
        seen += 1
        if let limit, let date = entry.date, date <= limit { return untilMode == .stop ? .stop : .goOn }
        switch format {
        case .json, .raw: entries.append(entry)
        case .jsonl: Terminal.write(json.entry(entry).serialized() + [0x0A])
        }
        return .goOn
      }
      if format == .json {
        let parsed = ParsedFeed(feed: feed, entries: entries)
        Terminal.write(json.document(parsed, of: document).serialized() + [0x0A])
      }
      Terminal.report(findings, notes: false)
      if untilMode == .stop, limit != nil { Terminal.error("\(file): note: read \(seen) entries [parse.until]") }
    } catch {
      Terminal.report(findings + [error.finding], notes: false)
      throw ExitCode.badData
    }
  }

  func validate() throws {
    if compat != nil, format != .raw { throw ValidationError("--compat goes with --format raw") }
    if format == .raw, until != nil { throw ValidationError("--until goes with --format json and jsonl") }
    if let until, FeedDate(reading: until).seconds == nil {
      throw ValidationError("--until '\(until)' is no date that can be read; write 2026-11-21 or 2026-11-21T08:30:00Z")
    }
    if let bad = header.first(where: { Self.field($0) == nil }) {
      throw ValidationError("--header '\(bad)' is not of the form 'Name: value'")
    }
  }

  private static func field(_ text: String) -> FeedDocument.HeaderField? {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return nil }
    return .init(name: String(parts[0]), value: parts[1].trimmingCharacters(in: .whitespaces))
  }
}
