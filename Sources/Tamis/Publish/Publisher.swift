import TamisArchive
import TamisCore
import TamisSystem
import TamisSanitizer
import TamisSite

/// The second half of a build: makes a site from an archive.
///
/// The site is a function of the archive, the theme and the options: an incremental build gives the same bytes as a
/// build into an empty folder, and makes only files that have changed.
struct Publisher {
  private let source: SiteSource
  private let pictures: PublishedPictures
  private let folder: SiteFolder
  private let published: PublishedSite
  private let plan: PublishingPlan
  private let writer: SiteWriter

  /// The number of changes above which everything is made again: finding the pages affected by a change costs more than
  /// making a page.
  private static let mostChanges = 20_000

  /// Creates a publisher.
  ///
  /// - Throws: an error when the folder cannot be used or the archive cannot be read.
  init(
    _ configuration: SiteBuild.Configuration, of archive: Archive, into output: FilePath,
    progress: @escaping @Sendable (SiteBuild.Progress) -> Void
  ) throws {
    source = SiteSource(configuration, archive)
    pictures = PublishedPictures(configuration, archive)
    folder = try SiteFolder(path: output, isWritten: archive.mode != .rehearsing)
    published = try PublishedSite(
      archive, folder: (output.resolved ?? output.absolute).description,
      fingerprint: configuration.fingerprint(of: source.site))
    plan = try Self.plan(
      published, archive, folder, asked: configuration.makesAll, threshold: configuration.site.tagThreshold,
      isUnreadOnly: configuration.site.showsUnreadOnly)
    var isTrusted = plan.extent == .changes
    if case .everything(.options) = plan.extent { isTrusted = true }
    writer = SiteWriter(
      folder, published, jobs: configuration.jobs, isTrusted: isTrusted, progress: { progress(.written($0)) })
  }

  /// The plan, one line for each thing that has to be made again.
  var lines: [String] { PlanText(plan: plan, source: source).lines }

  private static func plan(
    _ published: PublishedSite, _ archive: Archive, _ folder: SiteFolder, asked: Bool, threshold: Int,
    isUnreadOnly: Bool
  ) throws -> PublishingPlan {
    if published.wasCutShort { return PublishingPlan(.everything(.cutShort)) }
    if asked { return PublishingPlan(.everything(.asked)) }
    let known = try published.folders()
    let isAsItWas = !known.isEmpty && known.allSatisfy { folder.modified(folder: $0.key) == $0.value }
    guard published.isCurrent else {
      return PublishingPlan(.everything(known.isEmpty || !isAsItWas ? .new : .options))
    }
    if !isAsItWas { return PublishingPlan(.everything(.touched)) }
    let count = try published.changeCount()
    if count > mostChanges { return PublishingPlan(.everything(.many)) }
    let changes = try published.changes()
    var slugs: Set<String> = []
    for change in changes { slugs.formUnion((change.before?.slugs ?? []) + (change.after?.slugs ?? [])) }
    var counts: [String: Int] = [:]
    let directory = Directory(archive)
    for slug in slugs { counts[slug] = try directory.tag(slug)?.count }
    return PublishingPlan(
      changes, feeds: try published.changedFeeds(), counts: counts, threshold: threshold,
      isUnreadOnly: isUnreadOnly, categories: try directory.categories(of: Set(changes.map(\.feed))),
      isFetched: try published.wasFetched())
  }

  /// Carries out the plan.
  func run() async throws -> SiteBuild.PublishingSummary {
    var summary = SiteBuild.PublishingSummary()
    if plan.extent != .nothing {
      try published.begin()
      try await plan.extent.isEverything ? makeEverything() : makeChanges()
      summary = writer.summary
      try published.finish(folders: foldersNow())
    }
    // If the site cannot be stored, all files were made in this run.
    summary.files = try max(published.fileCount(), summary.written + summary.unchanged)
    return summary
  }

  /// Returns the modification times of the changed folders, or of all folders when everything was made; nil for deleted
  /// ones.
  private func foldersNow() -> [String: Int64?] {
    var folders: [String: Int64?] = [:]
    for path in plan.extent.isEverything ? writer.folders : writer.touched {
      // Adding or removing a folder changes its parent folder.
      for path in [path, PagePath(path).folder] { folders[path] = .some(folder.modified(folder: path)) }
    }
    return folders
  }

  // MARK: - Everything

  private func makeEverything() async throws {
    try await writer.add([source.site.styleSheet(), source.site.icon()])
    try await pictures.put(all: true, writer)
    let pages = PostPages(source: source, writer: writer)
    // Posts are made in the order of the archive: the data of consecutive posts is close together on disk.
    let first = PostNumber(rawValue: 0)
    try await SiteSource.inBatches(from: first) { last in
      let posts = try source.postReader.posts(after: last, count: SiteSource.batch)
      try await pages.make(posts)
      return posts.last?.number
    }
    try await SiteSource.inBatches(from: first) { last in
      let posts = try source.postReader.moved(after: last, count: SiteSource.batch)
      try await pages.makeRedirects(posts)
      return posts.last?.number
    }
    try await ListPages(source: source, writer: writer, changed: nil).make()
    try await SitePages(source: source, writer: writer, changed: nil).make()
    // Pages are made before the lists that link to them.
    try await writer.finish()
    try await SiteSource.inBatches(from: "") { last in
      let stale = try published.stale(after: last, count: SiteSource.batch)
      for path in stale { try writer.remove(path) }
      return stale.last?.text
    }
    try writer.forgetRemoved()
    if published.wasCutShort { try removeUnknown() }
  }

  /// Removes files that an interrupted run wrote and did not record.
  private func removeUnknown() throws {
    for file in FolderWalk(folder.path).paths {
      guard
        let text = FilePath(bytes: file.bytes.dropFirst(folder.path.bytes.count).drop { $0 == UInt8(ascii: "/") })
          .utf8Text
      else { continue }
      let path = PagePath(text)
      if try !published.isKept(path) { _ = folder.removeOwn(path) }
    }
  }

  // MARK: - Changes

  private func makeChanges() async throws {
    var numbers = Set(plan.posts.keys)
    for (query, turns) in Dictionary(grouping: plan.turns, by: \.query) {
      numbers.formUnion(try source.postReader.around(turns.map(\.position), on: query))
    }
    for slug in plan.crossing {
      // The tag had fewer posts than the threshold before, and changed posts are made anyway.
      let first = try source.allPostReader.inOrderOfArrival(
        .tag(slug), skipping: 0, count: source.site.settings.tagThreshold + plan.names.count)
      numbers.formUnion(first.map(\.number))
    }
    let sorted = numbers.sorted()
    try await pictures.put(all: false, writer)
    var shown: Set<PostNumber> = []
    let pages = PostPages(source: source, writer: writer)
    for start in stride(from: 0, to: sorted.count, by: SiteSource.batch) {
      let batch = Array(sorted[start..<min(start + SiteSource.batch, sorted.count)])
      let posts = try source.postReader.posts(batch)
      shown.formUnion(posts.map(\.number))
      try await pages.make(posts)
    }
    let hidden = plan.posts.keys.filter { !shown.contains($0) }.sorted()
    var gone: [PagePath] = []
    for number in hidden {
      if let moved = try source.postReader.moved(number) {
        try await pages.makeRedirects([moved])
      } else if let name = plan.names[number], let slug = try source.directory.slug(ofFeed: name.feed) {
        gone.append(PagePath(ofPost: name.name, feedSlug: slug))
      }
    }
    try await ListPages(source: source, writer: writer, changed: plan).make()
    try await SitePages(source: source, writer: writer, changed: plan).make()
    try await writer.finish()
    for path in gone { try writer.remove(path) }
    try pictures.removeUnused(writer)
    try writer.forgetRemoved()
  }
}

extension PublishingPlan.Extent {
  var isEverything: Bool {
    if case .everything = self { true } else { false }
  }
}
