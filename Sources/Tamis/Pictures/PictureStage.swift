import TamisArchive
import TamisCore
import TamisFetch
import TamisSystem
import TamisSanitizer
import TamisSite

/// The last stage of reading: fetches the pictures that posts and feeds show and stores them beside the archive.
///
/// The pictures are found in the sanitized bodies of the posts that have changed. A stored picture is never fetched
/// again; a failing one is, with growing delays. A picture that is no longer shown is deleted.
struct PictureStage {
  /// The result of the stage.
  struct Report {
    /// The number of new pictures.
    var stored = 0
    /// The findings about the other pictures.
    var findings: [Finding] = []
  }

  private let configuration: SiteBuild.Configuration
  private let folder: PictureFolder
  private let sanitizer: Sanitizer

  init(_ configuration: SiteBuild.Configuration) {
    self.configuration = configuration
    folder = PictureFolder(configuration.pictureFolder)
    sanitizer = configuration.sanitizer.withoutHooks.droppingRelativeURLs()
  }

  func run(_ archive: Archive, _ progress: @escaping @Sendable (SiteBuild.Progress) -> Void) async throws -> Report {
    var report = Report()
    guard configuration.site.pictures == .keep, !configuration.isRehearsal else { return report }
    try await look(archive)
    var isToSweep = try archive.tidyPictures() > 0
    let lost = try archive.storedPictures().filter { !folder.holds($0) }
    try archive.forgetPictures(lost.map(\.digest))
    if configuration.fetching.extent != .none { try await fetch(archive, &report, progress) }
    isToSweep = isToSweep || report.stored > 0 || !lost.isEmpty
    if isToSweep { folder.sweep(keeping: try archive.storedPictures()) }
    return report
  }

  // MARK: - Which pictures

  private static let batch = 200

  /// Finds the pictures of posts that have changed since the last run of this function.
  private func look(_ archive: Archive) async throws {
    let rules = Int64(
      bitPattern: Checksum(Array("\(Self.version) \(SiteBuild.digest(of: configuration.sanitizer.withoutHooks))".utf8))
        .value)
    var last = PostNumber(rawValue: 0)
    while true {
      let posts = try archive.unlookedPosts(rules: rules, after: last, count: Self.batch)
      guard let end = posts.last else { return }
      last = end.number
      var found: [(UnlookedPost, [String])] = []
      let sanitizer = sanitizer
      try await inOrder(
        count: posts.count, jobs: configuration.jobs,
        work: { Self.pictures(of: posts[$0], sanitizer) },
        { found.append((posts[$0], $1)) })
      try archive.look(through: found.map { (post: $0, pictures: $1) }, rules: rules)
    }
  }

  /// The version of the choice of pictures, which is raised when that changes.
  private static let version = 2

  private static func pictures(of post: UnlookedPost, _ sanitizer: Sanitizer) -> [String] {
    let body = post.body?.unpacked ?? KeptBody()
    let named = (post.thumbnail.map { [$0] } ?? []) + body.details.pictures.map(\.url)
    let addresses = named + BodyPictures(sanitizer.sanitizedHTML(of: body.html)).addresses
    return addresses.filter { $0.utf8.count <= BodyPictures.longestAddress }
  }

  // MARK: - Fetching

  private func fetch(
    _ archive: Archive, _ report: inout Report, _ progress: @escaping @Sendable (SiteBuild.Progress) -> Void
  ) async throws {
    let options = configuration.fetching
    let due = try archive.missingPictures(now: options.extent == .all ? nil : configuration.now)
    let asked = Array(PoliteQueue.ordered(due).prefix(max(0, options.picturesPerRun)))
    if asked.isEmpty { return }
    let asker = try PictureAsker(options, into: folder, now: configuration.now)
    var failed = 0
    let outcome = try await PoliteQueue.ask(asked, "picture", options) {
      await asker.ask($0)
    } remember: { answers in
      for answer in answers {
        if case .came = answer.outcome { report.stored += 1 }
        if let finding = answer.finding {
          failed += 1
          report.findings.append(finding)
        }
      }
      try archive.remember(answers.map { ($0.thing, $0.outcome) }, asked: configuration.now)
    } progress: {
      progress(.pictured($0, of: asked.count))
    }
    report.findings.sort { $0.location.file < $1.location.file }
    report.findings += PoliteQueue.findings(
      failed: failed, left: due.count - asked.count, [outcome], of: "picture",
      codes: ("pictures.missing", "pictures.more"),
      consequence: "pages link to them, and they are fetched again later", archive: configuration.archive)
  }
}
