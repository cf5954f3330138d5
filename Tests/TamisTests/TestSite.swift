import Foundation
import Tamis
import TestSupport

/// Builds sites as the tests want them: the archive beside the site, no clock.
enum TestSite {
  /// What came of both halves.
  struct Report {
    var ingest: SiteBuild.IngestReport
    var pages: SiteBuild.PublishingSummary
    var rescue: Archive.Rescue?
    /// The decisions about posts, a word each.
    var words: [String] { ingest.events.map(\.word) }
  }

  struct NothingPublished: Error {}

  static let fixtures = FeedSources([FilePath(Fixtures.url("Feeds").path)])

  static func configuration(
    _ folder: TemporaryFolder, _ name: String, _ sources: FeedSources = FeedSources(files: [])
  ) -> SiteBuild.Configuration {
    var configuration = SiteBuild.Configuration(
      sources: sources, archive: FilePath("\(folder.path)/\(name).archive"), output: FilePath("\(folder.path)/\(name)"),
      site: SiteSettings(title: "Test"))
    (configuration.jobs, configuration.wantsEvents, configuration.now) = (2, true, nil)
    return configuration
  }

  static func build(
    _ folder: TemporaryFolder, _ name: String, _ sources: FeedSources, _ change: (inout SiteBuild.Configuration) -> Void
  ) async throws -> Report {
    var configuration = configuration(folder, name, sources)
    change(&configuration)
    let report = try await SiteBuild(configuration).run()
    guard let ingest = report.ingest, let pages = report.pages else { throw NothingPublished() }
    return Report(ingest: ingest, pages: pages, rescue: report.rescue)
  }

  /// What is published from the archive of a site into an empty folder.
  static func publishedAnew(
    _ folder: TemporaryFolder, _ name: String, _ change: (inout SiteBuild.Configuration) -> Void = { _ in }
  ) async throws -> [String: String] {
    let copy = "\(name)-anew"
    for path in [copy, "\(copy).archive"] { try? FileManager.default.removeItem(atPath: "\(folder.path)/\(path)") }
    try FileManager.default.copyItem(
      atPath: "\(folder.path)/\(name).archive", toPath: "\(folder.path)/\(copy).archive")
    var configuration = configuration(folder, copy)
    change(&configuration)
    _ = try await SiteBuild(configuration).publish()
    return try contents(folder, copy)
  }

  /// The files of a site by their paths.
  static func contents(_ folder: TemporaryFolder, _ name: String) throws -> [String: String] {
    let root = "\(folder.path)/\(name)"
    var contents: [String: String] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: root) {
      contents[path] = try? String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
    }
    return contents
  }

  /// A feed of RSS with these items in a file.
  static func write(_ items: String, _ folder: TemporaryFolder, _ name: String, head: String = "") throws -> FeedSources
  {
    let title = name.split(separator: ".")[0]
    let text = "<rss version='2.0'><channel><title>\(title)</title>\(head)\(items)</channel></rss>"
    try Data(text.utf8).write(to: URL(filePath: "\(folder.path)/\(name)"))
    return FeedSources(files: [FeedSources.File(path: FilePath("\(folder.path)/\(name)"), name: name)])
  }
}
