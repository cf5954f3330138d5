import Foundation
import Tamis
import TestSupport

/// Builds planets as `tamis build` does, from a configuration in a folder, of feeds on a web of the test's own.
final class TestPlanet {
  let folder: TemporaryFolder
  let web = TestWeb()
  /// The time of the next build; long after that of any file.
  var now: Int64 = 4_102_444_800
  var extent = SiteBuild.FetchOptions.Extent.due
  var pagesPerRun = 500
  var secrets = SecretStore()
  var jobs = 1
  /// Rules for sites.
  var siteRules = SiteRules()
  /// Whether the pages of posts list what was removed from them.
  var showsRemovals = false
  /// Whether the feeds of the site lead back to its first post.
  var publishesHistory = false
  /// Files of the folder with pages of posts.
  var knownPages: [String] = []

  static let day: Int64 = 86_400

  init() throws { folder = try Fixtures.temporaryFolder() }

  /// Builds by a configuration.
  ///
  /// - Parameters:
  ///   - configuration: the text of `tamis.yaml`.
  ///   - days: how many days have passed since the last build.
  /// - Returns: the report of the build.
  /// - Throws: the error with which the build ends.
  func build(_ configuration: String, days: Int64 = 0) async throws -> SiteBuild.Report {
    now += days * Self.day
    let gathering = try gather(configuration)
    var build = SiteBuild.Configuration(
      sources: FeedSources(files: []), archive: FilePath("\(folder.path)/site.archive"),
      output: FilePath("\(folder.path)/site"), site: site)
    build.subscriptions = gathering.subscriptions
    build.subscriptions.lists = gathering.readingLists
    build.subscriptions.planet = gathering.planet
    build.subscriptions.folder = gathering.folder
    (build.now, build.wantsEvents, build.fetching.extent) = (now, true, extent)
    (build.fetching.pagesPerRun, build.jobs) = (pagesPerRun, jobs)
    (build.siteRules, build.fetching.secrets) = (siteRules, secrets)
    build.knownPages = knownPages.map { FilePath("\(folder.path)/\($0)") }
    (build.fetching.otherTransport, build.fetching.pacing.delay) = (web, 0)
    build.fetching.transport.guardian.allowed = gathering.planet.fetching.allowedNetworks
    return try await SiteBuild(build).run()
  }

  private var site: SiteSettings {
    var site = SiteSettings(title: "Planet")
    (site.showsRemovals, site.publishesHistory) = (showsRemovals, publishesHistory)
    site.link = "https://planet.example/"
    site.tagThreshold = 2
    return site
  }

  /// Takes over a configuration.
  func gather(_ configuration: String) throws -> CommandInputs {
    try write(configuration, "tamis.yaml")
    return CommandInputs(FilePath("\(folder.path)/tamis.yaml"))
  }

  func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(folder.path)/\(name)"))
  }

  /// Writes a filter program.
  func write(program: String, _ name: String) throws {
    try write("#!/bin/sh\n" + program, name)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder.path)/\(name)")
  }

  // MARK: - The site

  /// The files of the site by their paths.
  func contents() throws -> [String: String] { try TestSite.contents(folder, "site") }

  /// The files of the site that say nothing of how fetching went.
  func pages() throws -> [String: String] {
    try contents().filter { !$0.key.hasPrefix("status") }
  }

  /// The titles of the posts in the feed of the site.
  func titles() throws -> Set<String> { Set(try posts().compactMap { $0["title"] as? String }) }

  /// The posts in the feed of the site.
  func posts() throws -> [[String: Any]] {
    let feed = try JSONSerialization.jsonObject(with: Data((try contents()["feed.json"] ?? "").utf8))
    return (feed as? [String: Any])?["items"] as? [[String: Any]] ?? []
  }

  /// What programs are told of a feed.
  func status(of title: String) throws -> [String: Any] {
    let status = try JSONSerialization.jsonObject(with: Data((try contents()["status.json"] ?? "").utf8))
    let feeds = (status as? [String: Any])?["feeds"] as? [[String: Any]] ?? []
    return feeds.first { $0["title"] as? String == title } ?? [:]
  }

  /// The site that is made of the same archive in an empty folder.
  func publishedAnew() async throws -> [String: String] {
    try await TestSite.publishedAnew(folder, "site") { configuration in
      (configuration.site, configuration.now) = (self.site, self.now)
    }
  }

  // MARK: - Feeds

  /// A feed with posts of these titles.
  static func feed(_ title: String, _ posts: [String], head: String = "") -> String {
    let items = posts.map { post in
      """
      <item><title>\(post)</title><guid isPermaLink="false">\(title) \(post)</guid>
      <link>https://\(title.lowercased()).example/\(post.lowercased())</link>
      <description>Words of \(post) in \(title).</description></item>
      """
    }
    return "<rss version=\"2.0\"><channel><title>\(title)</title>\(head)\(items.joined())</channel></rss>"
  }
}
