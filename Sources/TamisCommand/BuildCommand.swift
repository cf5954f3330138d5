import ArgumentParser
import Foundation
import Tamis

/// `tamis build`: feeds to a static site.
struct BuildCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "build",
    abstract: "Build a static site from feeds.",
    discussion: """
      A folder stands for all feeds in it and below it: the files whose contents begin as a feed does, packed by gzip or not, \
      whatever they are called. Example:

        tamis build feeds/ more/news.xml --output site
      """)

  @Argument(help: "Feeds: files and folders.")
  var sources: [FilePath]

  @Option(name: [.short, .long], help: "The folder for the pages.")
  var output: String

  @Option(help: "The file in which the posts that were seen are remembered (default: OUTPUT.index, beside the site).")
  var index: String?

  @OptionGroup var addresses: AddressOptions

  @Option(help: "The site's name.")
  var title = "Reading"

  @Option(help: "Where the site will be published: feeds and the site map name it.")
  var url: String?

  @Option(
    help: ArgumentHelp(
      "How pages look: default, newspaper, plain, or a folder; see tamis theme.", valueName: "name|folder"))
  var theme = "default"

  @Flag(help: "Make pages that ask nobody for anything: links stand where pictures from elsewhere would.")
  var offline = false

  @Flag(help: "Say what would change, and change nothing; exit code 1 when something would.")
  var check = false

  @Option(name: [.short, .long], help: "How many feeds are worked on at once.")
  var jobs = ProcessInfo.processInfo.activeProcessorCount

  @Flag(name: [.short, .long], help: "Show notes too, not only warnings and errors.")
  var verbose = false

  @Flag(help: "Say how much was taken away from each post and feed, and by which rules; with it come all notes.")
  var removals = false

  @Option(help: "Write what was decided about each post to this file, a line of JSON each.")
  var report: FilePath?

  @Flag(
    help: ArgumentHelp(
      "Build the same site whenever it is built: do not look at the clock.",
      discussion:
        "Posts without a date and those from the future stand where the clock says they were seen first; with this, or with "
        + "SOURCE_DATE_EPOCH, it is not asked."))
  var reproducible = false

  @Flag(help: "Show only posts that were not marked as read: see tamis index mark-read.")
  var onlyNew = false

  @Option(
    help: ArgumentHelp(
      "What becomes of posts that have left their feed: keep; seed, which forgets them at once; or after a number of runs.",
      valueName: "keep|seed|RUNS"),
    transform: BuildCommand.purgePolicy)
  var purge = PurgePolicy.keep

  @Option(
    help: ArgumentHelp(
      "By what posts are recognized: ladder, the best of their keys; seed, the guid, else the link.",
      valueName: "ladder|seed"),
    transform: BuildCommand.keyPolicy)
  var key = KeyPolicy.ladder

  @OptionGroup var fields: FieldOptions

  @OptionGroup var policy: PolicyOptions

  func validate() throws {
    if sources.isEmpty { throw ValidationError("name at least one feed") }
    if !Arguments.isUTF8(output) || !Arguments.isUTF8(index ?? "") {
      throw ValidationError("--output and --index take names in UTF-8")
    }
    if output.isEmpty { throw ValidationError("--output takes the name of a folder") }
    if title.allSatisfy(\.isWhitespace) { throw ValidationError("--title takes a name") }
    if jobs < 1 { throw ValidationError("--jobs takes a number from 1") }
  }

  func run() async throws {
    let rules = try policy.policy(fallback: .reading)
    let siteOptions = try siteOptions()
    let now = try now()
    var feeds = Sources(
      sources, home: FilePath(indexFile).folder, output: FilePath(output), except: [FilePath(indexFile)])
    try addresses.tell(&feeds)
    Terminal.report(feeds, notes: verbose)
    // With nothing to read, no site is begun either.
    if feeds.files.isEmpty { throw ExitCode.badData }
    let built: SiteBuild.Report
    var progress: Progress?
    defer { progress?.finish() }
    do {
      let copies = check ? try PrivateFolder() : nil
      let watch = Progress(leaving: "the site and the index are whole, and the next build goes on", removing: copies)
      progress = watch
      let site = try Site(path: output, options: siteOptions)
      let opened = try openIndex(for: site, copies)
      if let notice = opened.notice { Terminal.error("tamis: warning: \(notice) [index.damaged]") }
      let index = opened.index
      var options = SiteBuild.Options()
      (options.keys, options.purge, options.showsUnreadOnly) = (key, purge, onlyNew)
      (options.isOffline, options.now) = (offline, now)
      // A report says of each post what was decided.
      options.skipsUnchanged = report == nil && !removals && !verbose
      let build = SiteBuild(
        policy: rules, fields: fields.field, options: options, jobs: jobs, reportsRemovals: removals)
      built = try await build.run(
        feeds, site: site, index: index, progress: { watch.update($0, of: feeds.files.count) })
    } catch {
      Terminal.error("tamis: error: \(error) [build.write]")
      throw ExitCode.cannotWrite
    }
    progress?.finish()
    Terminal.report(built.findings, notes: verbose || removals)
    try writeReport(built)
    if check { built.pages.changes.forEach { Terminal.line(FailureText.shown($0)) } }
    built.pages.notes.forEach { Terminal.error("tamis: warning: \(FailureText.shown($0)) [site]") }
    let failed = built.failed + feeds.findings.count { $0.severity == .error }
    Terminal.error(summary(built, failed: failed))
    if built.feeds == 0 { throw ExitCode.badData }
    if failed > 0 || (check && !built.pages.changes.isEmpty) { throw ExitCode.someFailed }
  }

  private func siteOptions() throws -> Site.Options {
    var options = Site.Options(title: title)
    options.theme = try ThemeCommand.load(theme)
    if let url {
      guard let address = WebURL(url), address.scheme == "https" || address.scheme == "http" else {
        throw ValidationError("--url takes an address that begins with https:// or http://")
      }
      guard address.query == nil, address.username.isEmpty, address.password.isEmpty else {
        throw ValidationError(
          "--url takes an address without a query and without a name and password: all will read it")
      }
      let plain = address.removingFragment.href
      options.address = plain.hasSuffix("/") ? plain : plain + "/"
    }
    (options.isOffline, options.isDryRun) = (offline, check)
    return options
  }

  /// The file of the index.
  private var indexFile: String {
    if let index { return index }
    // By its full path: beside `.` is another place than in it.
    let beside = URL(filePath: output).standardizedFileURL.path
    return (beside.hasSuffix("/") ? String(beside.dropLast()) : beside) + ".index"
  }

  /// The index; a copy of it when nothing is to be changed.
  private func openIndex(for site: Site, _ copies: PrivateFolder?) throws -> (index: PostIndex, notice: String?) {
    var file = indexFile
    if let copies {
      let copy = copies.path.appending("posts.index").description
      // What a killed run has left beside it belongs to it.
      for ending in ["", "-journal"] where FileManager.default.fileExists(atPath: file + ending) {
        try FileManager.default.copyItem(atPath: file + ending, toPath: copy + ending)
      }
      file = copy
    }
    let opened = try PostIndex.open(
      file: file,
      rescuing: site.remembered.map { PostIndex.Remembered(feed: $0.feed, path: $0.path, memo: $0.memo) })
    return (opened.index, opened.notice)
  }

  /// The time by which dates from the future are known (https://reproducible-builds.org/specs/source-date-epoch/).
  private func now() throws -> Int64? {
    guard let text = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"], !text.isEmpty else {
      return reproducible ? nil : Int64(Date().timeIntervalSince1970)
    }
    guard let seconds = Int64(text), (0...253_402_300_799).contains(seconds) else {
      throw ValidationError("SOURCE_DATE_EPOCH is '\(text)'; it takes seconds since 1970")
    }
    return seconds
  }

  private func summary(_ report: SiteBuild.Report, failed: Int) -> String {
    if report.isUnchanged {
      return
        "\(report.feeds.counted("feed")), nothing has changed, all \(report.pages.unchanged.counted("file")) as before: \(output)/index.html"
    }
    var parts = [report.feeds.counted("feed")]
    if failed > 0 { parts.append("\(failed) failed") }
    let counts = [
      ("new", "new post", "new posts"), ("updated", "updated", "updated"), ("folded", "folded", "folded"),
      ("revived", "revived", "revived"), ("backfill", "from an archive", "from an archive"),
      ("buried", "buried", "buried"), ("known", "known", "known"), ("duplicate", "duplicate", "duplicates"),
    ]
    for (decision, one, many) in counts {
      let count = report.count(decision)
      if count > 0 || ["new", "updated", "known", "duplicate"].contains(decision) {
        parts.append(count.counted(one, many))
      }
    }
    parts += [
      "\(report.pages.written.counted("file")) \(check ? "to be written" : "written")",
      "\(report.pages.unchanged) unchanged",
    ]
    if report.pages.removed > 0 { parts.append("\(report.pages.removed) \(check ? "to be removed" : "removed")") }
    let warnings = report.findings.count { $0.severity == .warning }
    if warnings > 0 { parts.append(warnings.counted("warning")) }
    return parts.joined(separator: ", ") + (report.feeds > 0 ? ": \(output)/index.html" : "")
  }

  private func writeReport(_ built: SiteBuild.Report) throws {
    guard let report else { return }
    var writer = JSONWriter()
    for event in built.events {
      writer.event(event)
      writer.endLine()
    }
    do {
      try FileOutput.write(writer.bytes, to: report)
    } catch {
      Terminal.error("tamis: error: \(report): the report cannot be written: \(error) [build.report]")
      throw ExitCode.cannotWrite
    }
  }

  private static func keyPolicy(_ text: String) throws -> KeyPolicy {
    guard let policy = KeyPolicy(rawValue: text) else { throw ValidationError("--key takes ladder or seed") }
    return policy
  }

  private static func purgePolicy(_ text: String) throws -> PurgePolicy {
    switch text {
    case "keep": return .keep
    case "seed": return .seed
    default:
      guard let runs = Int(text), runs > 0 else {
        throw ValidationError("--purge takes keep, seed or a number of runs from 1")
      }
      return .after(runs: runs)
    }
  }
}

extension Progress {
  fileprivate func update(_ progress: SiteBuild.Progress, of total: Int) {
    switch progress {
    case .read(let count): update(count, of: total, "feed", "read")
    case .decided(let count): update(count, of: total, "feed", "decided about")
    case .written(let count): update(count, of: nil, "file", "written")
    }
  }
}
