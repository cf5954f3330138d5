import ArgumentParser
import Tamis

/// `tamis parse`: a feed as JSON.
struct ParseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parse",
    abstract: "Print a feed as JSON.",
    discussion: """
      The JSON follows Universal Feed Parser's data model; markup in it is sanitized. A feed that is not well-formed is no \
      error: what could be read is printed, and 'bozo' is true. Example:

        tamis parse feed.xml --url https://example.org/feed.xml
      """)

  /// How a feed is printed.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    /// One JSON object.
    case json
  }

  @Argument(help: "The feed; - is standard input.")
  var file: String

  @Option(help: "The form of the output.")
  var format = Format.json

  @Option(help: "The address the feed was read from, to which its relative URLs are resolved.")
  var url: String?

  @OptionGroup var policy: PolicyOptions

  func run() throws {
    let rules = try policy.policy(fallback: .universalFeedParser)
    guard let bytes = Terminal.read(file) else {
      Terminal.error("\(file): error: this file cannot be read [read.failed]")
      throw ExitCode.badData
    }
    var findings: [Finding] = []
    do {
      let document = FeedDocument(name: file, bytes: bytes, url: url)
      let parsed = try FeedParser().run(document, into: &findings)
      Terminal.report(findings, notes: false)
      Terminal.write(FeedJSON(policy: rules).document(parsed, url: url).serialized() + [0x0A])
    } catch {
      Terminal.report(findings + [error.finding], notes: false)
      throw ExitCode.badData
    }
  }
}
