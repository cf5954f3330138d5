import ArgumentParser
import Tamis
import TamisSystem
import TamisCore
import TamisFoundation

/// The options for the posts of a book or a mail, and for its output.
struct BookOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Write the posts as a book, EPUB, to this file.", valueName: "file"))
  var epub: FilePath?

  @Option(
    help: ArgumentHelp(
      "Write the posts as a mail, to standard output: by their excerpts, or whole with --set site.full-posts=true.",
      valueName: "text|markdown|html"),
    transform: BookOptions.form)
  var digest: MailDigest.Form?

  @Option(help: ArgumentHelp("Write the mail to this file.", valueName: "file"))
  var to: FilePath?

  @Option(help: ArgumentHelp("Only posts of this day and later, such as 2026-11-16.", valueName: "date"))
  var since: String?

  @Option(
    help: ArgumentHelp("Only posts of this many past days: 7 or 1w is the week before today.", valueName: "days"),
    transform: Quantity.days)
  var days: Int?

  @Option(help: ArgumentHelp("Only posts of this month, such as 2026-11.", valueName: "month"))
  var month: String?

  @Option(help: ArgumentHelp("Only posts with this tag.", valueName: "name"))
  var tag: String?

  @Option(help: ArgumentHelp("Only posts of feeds in this category.", valueName: "name"))
  var category: String?

  @Option(help: ArgumentHelp("Only posts of this feed: its address, its file, or its title.", valueName: "feed"))
  var feed: String?

  @Option(help: ArgumentHelp("At most this many posts, the newest.", valueName: "posts"))
  var most: Int?

  /// Whether a book or a mail was requested.
  var isAsked: Bool { epub != nil || digest != nil }

  func validate() throws {
    if let most, most < 1 { throw ValidationError("--most takes a number from 1") }
    if [since != nil, days != nil, month != nil].count(where: { $0 }) > 1 {
      throw ValidationError("name one of --since, --days and --month")
    }
    if let since, Self.day(since) == nil { throw ValidationError("--since takes a day such as 2026-11-16") }
    if let month, Self.day(month + "-01") == nil { throw ValidationError("--month takes a month such as 2026-11") }
    if to != nil, digest == nil { throw ValidationError("--to needs --digest") }
    let choices: [(String, Bool)] = [
      ("--since", since != nil), ("--days", days != nil), ("--month", month != nil), ("--tag", tag != nil),
      ("--category", category != nil), ("--feed", feed != nil), ("--most", most != nil),
    ]
    if !isAsked, let (name, _) = choices.first(where: { $0.1 }) {
      throw ValidationError("\(name) needs --epub or --digest")
    }
  }

  private static func form(_ text: String) throws -> MailDigest.Form {
    guard let form = MailDigest.Form(rawValue: text) else {
      throw ValidationError("--digest takes text, markdown or html")
    }
    return form
  }

  // MARK: - Choosing

  /// The requested posts, and the name of the selection.
  func choice(in configuration: SiteBuild.Configuration) throws -> (choice: Archive.PostChoice, name: String) {
    var choice = Archive.PostChoice()
    var names: [String] = []
    let zone = Zone(configuration.site.timeZone)
    if let since = since.flatMap(Self.day) { choice.times = Self.midnight(since, zone)..<Int64.max }
    if let days {
      let today = try Self.today(zone)
      choice.times = Self.midnight(today - days, zone)..<Self.midnight(today, zone)
    }
    if let month, let first = Self.day(month + "-01") {
      // The 32nd day is always in the next month.
      let next = Self.date(first + 31).prefix(7)
      choice.times = Self.midnight(first, zone)..<Self.midnight(Self.day(next + "-01") ?? first, zone)
    }
    choice.most = most
    guard tag != nil || category != nil || feed != nil else { return (choice, "") }
    let archive = try Archive(file: configuration.archive.description, mode: .reading)
    let directory = Directory(archive)
    if let tag {
      guard let found = try directory.tag(Slug.ofTag(tag)) else { throw Self.none("tag", named: tag, near: "") }
      choice.tag = found.slug
      names.append(found.name)
    }
    if let category {
      let found = try directory.categories().first { $0.name == category || $0.slug == category }
      guard let found else {
        throw Self.none("category", named: category, near: Self.near(category, try directory.categories().map(\.name)))
      }
      choice.category = found.slug
      names.append(found.name)
    }
    if let feed {
      let feeds = try FeedNames(archive)
      guard let key = try feeds.key(ofFeed: feed) else {
        throw Self.none("feed", named: feed, near: feeds.near(feed))
      }
      choice.feed = key
      names.append(try directory.title(ofFeed: key) ?? feed)
    }
    return (choice, names.joined(separator: " · "))
  }

  /// `; did you mean 'News'?` when a name is close to one of the names; else an empty string.
  private static func near(_ name: String, _ names: [String]) -> String {
    let forms = Dictionary(names.reversed().map { ($0.lowercased(), $0) }) { $1 }
    let found = NearestName.of(name.lowercased(), among: forms.keys).flatMap { forms[$0] }
    return found.map { "; did you mean '\(TerminalText.beginning(of: $0))'?" } ?? ""
  }

  private static func none(_ kind: String, named name: String, near: String) -> ExitCode {
    Terminal.failure(
      "tamis: error: there is no \(kind) '\(TerminalText.beginning(of: name))' in the archive\(near) [choice]",
      .badData)
  }

  /// The time in SOURCE_DATE_EPOCH (https://reproducible-builds.org/specs/source-date-epoch/); nil when it is not set.
  static func sourceDate() throws -> Int64? {
    guard let text = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"], !text.isEmpty else { return nil }
    guard let seconds = Int64(text), (0...253_402_300_799).contains(seconds) else {
      throw ValidationError("SOURCE_DATE_EPOCH is '\(text)'; it takes seconds since 1970")
    }
    return seconds
  }

  /// The current day in a zone, in days since 1970-01-01.
  private static func today(_ zone: Zone) throws -> Int {
    let now = try sourceDate() ?? Int64(Date().timeIntervalSince1970)
    return Int((Double(now + Int64(zone.seconds(at: now))) / 86_400).rounded(.down))
  }

  /// The time at which a day begins in the zone.
  private static func midnight(_ day: Int, _ zone: Zone) -> Int64 {
    let time = Int64(day) * 86_400
    let guess = time - Int64(zone.seconds(at: time))
    // The offset may change between the two.
    return time - Int64(zone.seconds(at: guess))
  }

  /// The day of a text such as `2026-11-16`, in days since 1970-01-01; nil for an invalid one.
  static func day(_ text: some StringProtocol) -> Int? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2],
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    let numbers = parts.compactMap { Int($0) }
    let date = CivilTime(year: numbers[0], month: numbers[1], day: numbers[2], hour: 0, minute: 0, second: 0)
    // Days before 1970 are negative, and midnight is a whole number of days.
    return date.seconds(offset: 0).map { Int($0 / 86_400) }
  }

  private static func date(_ day: Int) -> String {
    String(CivilTime(seconds: Int64(day) * 86_400).text.prefix(10))
  }
}
