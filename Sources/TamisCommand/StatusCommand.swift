import ArgumentParser
import Tamis
import TamisFoundation
import TamisSite

/// `tamis status`: lists the feeds that need attention.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "List the feeds that fail, have moved, or are quiet, and what to do.",
    discussion: """
      Nothing is fetched: this is what the last builds met. The exit code is 0 when no feed fails, 1 when some do, and 65 without \
      an archive, so that it can be monitored. Examples:

        tamis status
        tamis status --lasting 2d --quiet    # for cron, which mails what is printed
        tamis status --json | jq -r 'select(.state == "failed") | .source'
      """)

  @OptionGroup var archive: ArchiveCommand.File

  @Option(
    help: ArgumentHelp(
      "Count only failures that have lasted this long; shorter ones are not told.", valueName: "duration"),
    transform: { try Quantity.duration($0) })
  var lasting = Duration.zero

  @Flag(
    help: "Write a line of JSON for each feed, also for those that are well: the members of status.json, and remedy.")
  var json = false

  @OptionGroup var success: SuccessOptions

  func run() throws {
    let opened = try ArchiveCommand.attempt { try ArchiveCommand.openToRead(archive.file()) }
    let feeds = try ArchiveCommand.attempt { try FeedStatusReader(opened).all() }
    let now = Int64(Date().timeIntervalSince1970)
    let failing = feeds.filter { isFailing($0, at: now) }
    if !success.quiet || !failing.isEmpty { json ? write(feeds) : show(feeds, failing: failing) }
    if !failing.isEmpty { throw ExitCode.someFailed }
  }

  private func isFailing(_ feed: StatusItem, at now: Int64) -> Bool {
    guard [.failed, .gone].contains(feed.state) else { return false }
    guard let since = feed.fetching?.failure?.since else { return true }
    return now - since >= lasting.components.seconds
  }

  private func write(_ feeds: [StatusItem]) {
    var writer = JSONWriter()
    for feed in feeds {
      feed.write(to: &writer) { $0.member("remedy", Self.remedy(for: feed)) }
      writer.endLine()
    }
    Terminal.write(writer.bytes)
  }

  private func show(_ feeds: [StatusItem], failing: [StatusItem]) {
    let quiet = feeds.filter { ![.failed, .gone].contains($0.state) && $0.isQuiet }
    let moved = feeds.filter { feed in
      ![.failed, .gone].contains(feed.state) && feed.fetching?.move.map { $0.address == feed.fetching?.address } == true
    }
    Terminal.line(
      "\(feeds.count.counted("feed")): \(failing.count) failing, \(moved.count) moved, \(quiet.count) quiet")
    show("Failing", failing) { feed in
      let failure = feed.fetching?.failure
      let message = failure?.problem.message ?? feed.item.feed.status.failure ?? "it is gone for good (410)"
      let times = failure.map { "; since \(DateText($0.since).iso), \($0.count.counted("time"))" } ?? ""
      return [message + times, Self.remedy(for: feed)]
    }
    show("Moved", moved) { ["its address is now \($0.fetching?.address ?? ""); write it into the configuration"] }
    show("Quiet", quiet) { feed in
      [feed.newest.map { "the last post is of \(DateText($0).iso.prefix(10))" }]
    }
  }

  private func show(_ heading: String, _ feeds: [StatusItem], _ lines: (StatusItem) -> [String?]) {
    if feeds.isEmpty { return }
    Terminal.line("\n\(heading)")
    for feed in feeds {
      let card = feed.item.feed
      Terminal.line("  \(TerminalText.beginning(of: "\(card.title)  \(card.address ?? card.key.publicName)"))")
      for line in lines(feed).compactMap({ $0 }) { Terminal.line("    \(TerminalText.beginning(of: line))") }
    }
  }

  private static func remedy(for feed: StatusItem) -> String? {
    if feed.state == .gone { return FetchProblem.Reason.gone.remedy }
    return feed.fetching?.failure?.problem.reason.remedy
  }
}

extension FetchProblem.Reason {
  /// What the owner of a planet can do about a feed that fails for this reason.
  fileprivate var remedy: String {
    switch self {
    case .address: "its address cannot be fetched: correct it"
    case .forbidden:
      "if it is on a network of yours, allow that network (fetch: allow); ports of other protocols are never asked"
    case .request: "see what tamis config check says, and give its secrets values"
    case .offline: "nothing: it is asked again when this machine has a network"
    case .resolve: "its host has no address: when that lasts, look for its new home, or remove it"
    case .connect, .timeout, .cutOff, .protocol, .encoding, .headers, .empty:
      "nothing at first: it is asked less and less often; when that lasts, tell its owner, or remove it"
    case .tls: "its server has no valid certificate: tell its owner"
    case .tooLarge: "if you want it, raise the limit (fetch: max-size)"
    case .redirect:
      "open it in a browser, and subscribe to the address at which it ends; one that waits for a cookie needs the setting cookies"
    case .http:
      "open it in a browser: its server is broken, or refuses the request; a login or a user-agent may help"
    case .rateLimited: "nothing: its server wants fewer requests, and gets them"
    case .challenge:
      "nothing here: ask its owner to exempt the address of the feed from the check, or look for another address of it"
    case .notFound: "it may have moved: tamis add with the address of its site finds the new one"
    case .gone: "its owner has ended it: remove it; tamis add asks for it once more"
    case .notAFeed: "open it in a browser: when it is a page, tamis add with its address finds the feed"
    case .write: "make room where the archive is"
    }
  }
}
