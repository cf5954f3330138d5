import ArgumentParser
import Foundation
import Tamis

/// `tamis build`: feeds to a static site.
struct BuildCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "build",
    abstract: "Build a static site from feeds.",
    discussion: """
      A folder stands for all feeds in it and below it. Example:

        tamis build feeds/ more/news.xml --output site
      """)

  @Argument(help: "Feeds: files and folders.")
  var sources: [String]

  @Option(name: [.short, .long], help: "The folder for the pages.")
  var output: String

  @Option(help: "The file in which the posts that were seen are remembered (default: OUTPUT.index, beside the site).")
  var index: String?

  @Option(help: "The site's name.")
  var title = "Reading"

  @Option(name: [.short, .long], help: "How many feeds are worked on at once.")
  var jobs = ProcessInfo.processInfo.activeProcessorCount

  @Flag(name: [.short, .long], help: "Show notes too, not only warnings and errors.")
  var verbose = false

  @Flag(help: "Say how much was taken away from each post and feed, and by which rules; with it come all notes.")
  var report = false

  @OptionGroup var fields: FieldOptions

  @OptionGroup var policy: PolicyOptions

  func validate() throws {
    if sources.isEmpty { throw ValidationError("name at least one feed") }
    if output.isEmpty { throw ValidationError("--output takes the name of a folder") }
    if jobs < 1 { throw ValidationError("--jobs takes a number from 1") }
  }

  func run() async throws {
    let rules = try policy.policy(fallback: .reading)
    var findings: [Finding] = []
    let files = Sources.files(sources, into: &findings)
    Terminal.report(findings, notes: verbose)
    // With nothing to read, no site is begun either.
    if files.isEmpty { throw ExitCode.badData }
    let built: SiteBuild.Report
    let progress = Progress(total: files.count)
    do {
      let site = try Site(path: output, title: title)
      // By its full path: beside `.` is another place than in it.
      let beside = URL(filePath: output).standardizedFileURL.path
      let index = try PostIndex(file: index ?? (beside.hasSuffix("/") ? String(beside.dropLast()) : beside) + ".index")
      let build = SiteBuild(policy: rules, fields: fields.field, jobs: jobs, reportsRemovals: report)
      built = try await build.run(files, site: site, index: index) { progress.update($0) }
    } catch {
      progress.finish()
      Terminal.error("tamis: error: \(error) [build.write]")
      throw ExitCode.cannotWrite
    }
    progress.finish()
    Terminal.report(built.findings, notes: verbose || report)
    Terminal.error(summary(built))
    let failed = built.failed + findings.count { $0.severity == .error }
    if built.feeds == 0 { throw ExitCode.badData }
    if failed > 0 { throw ExitCode.someFailed }
  }

  private func summary(_ report: SiteBuild.Report) -> String {
    var parts = ["\(report.feeds) feeds"]
    if report.failed > 0 { parts.append("\(report.failed) failed") }
    parts += [
      "\(report.new) new posts", "\(report.updated) updated", "\(report.known) known",
      "\(report.duplicates) duplicates",
      "\(report.pages.written) files written", "\(report.pages.unchanged) unchanged",
    ]
    let warnings = report.findings.count { $0.severity == .warning }
    if warnings > 0 { parts.append("\(warnings) warnings") }
    return parts.joined(separator: ", ") + (report.feeds > 0 ? ": \(output)/index.html" : "")
  }
}
