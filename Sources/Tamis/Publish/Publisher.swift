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
  let site: Site
  let postReader: PostReader
  /// A reader that includes posts marked as read.
  let allPostReader: PostReader
  let directory: Directory
  let published: PublishedSite
  let writer: SiteWriter
  private let tags: TagPages
  private let pictures: PublishedPictures
  let markup: StoredMarkup
  private let folder: SiteFolder
  private let plan: PublishingPlan
  private let showsUnreadOnly: Bool

  /// The number of changes above which everything is made again: finding the pages affected by a change costs more than
  /// making a page.
  static let mostChanges = 20_000

  /// Creates a publisher.
  ///
  /// - Throws: an error when the folder cannot be used or the archive cannot be read.
  init(
    _ configuration: SiteBuild.Configuration, of archive: Archive, into output: FilePath,
    progress: @escaping @Sendable (SiteBuild.Progress) -> Void
  ) throws {
    site = Site(configuration.site, theme: configuration.theme, words: configuration.words)
    pictures = PublishedPictures(configuration, archive)
    folder = try SiteFolder(path: output, isWritten: archive.mode != .rehearsing)
    postReader = PostReader(
      archive, showsUnreadOnly: configuration.site.showsUnreadOnly, keepsPictures: configuration.site.pictures == .keep,
      remembers: true)
    allPostReader = PostReader(archive, showsUnreadOnly: false)
    showsUnreadOnly = configuration.site.showsUnreadOnly
    directory = Directory(archive, keepsPictures: configuration.site.pictures == .keep)
    tags = TagPages(directory, threshold: configuration.site.tagThreshold)
    markup = StoredMarkup(configuration.sanitizer)
    published = try PublishedSite(
      archive, folder: (output.resolved ?? output.absolute).description,
      fingerprint: configuration.fingerprint(of: site))
    plan = try Self.plan(
      published, archive, folder, asked: configuration.makesAll, threshold: configuration.site.tagThreshold,
      isUnreadOnly: configuration.site.showsUnreadOnly)
    var isTrusted = plan.extent == .changes
    if case .everything(.options) = plan.extent { isTrusted = true }
    writer = SiteWriter(
      folder, published, jobs: configuration.jobs, isTrusted: isTrusted, progress: { progress(.written($0)) })
  }

  /// The plan, one line for each thing that has to be made again.
  var lines: [String] { PlanText(plan: plan, site: site, postReader: postReader, directory: directory).lines }

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
    try await add([site.styleSheet(), site.icon()])
    try await pictures.put(all: true, published, writer)
    // Posts are made in the order of the archive: the data of consecutive posts is close together on disk.
    let first = PostNumber(rawValue: 0)
    try await inBatches(from: first) { last in
      let posts = try postReader.posts(after: last, count: Self.batch)
      try await makePages(of: posts)
      return posts.last?.number
    }
    try await inBatches(from: first) { last in
      let posts = try postReader.moved(after: last, count: Self.batch)
      for post in posts { try await makeRedirect(post) }
      return posts.last?.number
    }
    try await ListPublisher(self, work: nil).make()
    try await SitePages(self, changed: nil).make()
    // Pages are made before the lists that link to them.
    try await writer.finish()
    try await inBatches(from: "") { last in
      let stale = try published.stale(after: last, count: Self.batch)
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

  static let batch = 200

  /// Calls `body` with the last of each batch, until it returns that there are no more.
  func inBatches<Last>(from first: Last, _ body: (Last) async throws -> Last?) async throws {
    var last = first
    while let next = try await body(last) { last = next }
  }

  // MARK: - Changes

  private func makeChanges() async throws {
    var numbers = Set(plan.posts.keys)
    for (query, turns) in Dictionary(grouping: plan.turns, by: \.query) {
      numbers.formUnion(try postReader.around(turns.map(\.position), on: query))
    }
    for slug in plan.crossing {
      // The tag had fewer posts than the threshold before, and changed posts are made anyway.
      let first = try allPostReader.inOrderOfArrival(
        .tag(slug), skipping: 0, count: site.settings.tagThreshold + plan.names.count)
      numbers.formUnion(first.map(\.number))
    }
    let sorted = numbers.sorted()
    try await pictures.put(all: false, published, writer)
    var shown: Set<PostNumber> = []
    for start in stride(from: 0, to: sorted.count, by: Self.batch) {
      let batch = Array(sorted[start..<min(start + Self.batch, sorted.count)])
      let posts = try postReader.posts(batch)
      shown.formUnion(posts.map(\.number))
      try await makePages(of: posts)
    }
    let hidden = plan.posts.keys.filter { !shown.contains($0) }.sorted()
    var gone: [PagePath] = []
    for number in hidden {
      if let moved = try postReader.moved(number) {
        try await makeRedirect(moved)
      } else if let name = plan.names[number], let slug = try directory.slug(ofFeed: name.feed) {
        gone.append(PagePath(ofPost: name.name, feedSlug: slug))
      }
    }
    try await ListPublisher(self, work: plan).make()
    try await SitePages(self, changed: plan).make()
    try await writer.finish()
    for path in gone { try writer.remove(path) }
    try pictures.removeUnused(published, writer)
    try writer.forgetRemoved()
  }

  // MARK: - Pages of posts

  private func makePages(of posts: [ListedPost]) async throws {
    let numbers = posts.map(\.number)
    // A post on no list has no neighbours.
    let listed = posts.lazy.filter { !(showsUnreadOnly && $0.isRead) }.map(\.number)
    let (neighbours, bodies) = (try postReader.neighbours(of: Array(listed)), try postReader.bodies(of: numbers))
    let pictures = try postReader.pictures(of: numbers)
    for post in posts {
      try await makePage(
        of: post, between: neighbours[post.number] ?? Neighbours(), bodies[post.number], pictures[post.number] ?? [:])
    }
  }

  private func makePage(
    of post: ListedPost, between neighbours: Neighbours, _ packed: PackedBody?,
    _ pictures: [String: KeptPicture]
  ) async throws {
    let copies = post.hasCopies ? try copies(of: post) : []
    let linked = Set(try post.slugs.filter(tags.hasPages))
    let item = post.item
    let (site, markup) = (site, markup)
    try await writer.add(item.page) {
      let body = packed?.unpacked ?? KeptBody()
      let shown = PageBody(
        markup.html(of: body, keeping: pictures), under: PageBody.Heading(of: item.card),
        isOffline: site.settings.isOffline, words: site.words,
        pictures: pictures, root: item.page.root)
      var view = PostView(item: item, details: body.details, body: shown)
      (view.neighbours, view.copies, view.linkedTags, view.kept) = (neighbours, copies, linked, pictures)
      var file = site.postPage(view)
      if body.isDamaged {
        file.note =
          "\(item.page): the stored body of this post is damaged, and its page lacks what cannot be read; see tamis archive verify"
      }
      return file
    }
  }

  /// Returns the copies of a post with what they let hear or see: a blog's post can stand for a show's episode.
  private func copies(of post: ListedPost) throws -> [PostView.Copy] {
    let copies = try postReader.copies(of: post.number)
    let playing = copies.filter { $0.card.kind == .podcast || $0.card.kind == .video }.map(\.number)
    let bodies = playing.isEmpty ? [:] : try postReader.bodies(of: playing)
    return copies.map { PostView.Copy(item: $0.item, files: bodies[$0.number]?.unpacked.details.files ?? []) }
  }

  /// Returns posts as a list shows them in full, by their pages, without those that are too long for it or have no
  /// stored body.
  ///
  /// - Parameters:
  ///   - posts: the posts of the list.
  ///   - root: the relative path from the list to the site's root.
  /// - Returns: the posts.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read.
  func wholes(_ posts: [ListedPost], root: String) throws -> [PagePath: PostView] {
    let numbers = posts.map(\.number)
    let (packed, pictures) = (try postReader.bodies(of: numbers), try postReader.pictures(of: numbers))
    var wholes: [PagePath: PostView] = [:]
    for (index, post) in posts.enumerated() {
      guard let body = packed[post.number]?.unpacked, body.html.utf8.count <= Site.longestListedBody else { continue }
      let kept = pictures[post.number] ?? [:]
      let shown = PageBody(
        markup.html(of: body, keeping: kept), under: PageBody.Heading(of: post.card),
        isOffline: site.settings.isOffline,
        words: site.words, pictures: kept, root: root)
      let page = post.page
      var whole = PostView(
        item: post.item, details: body.details, body: shown.listed(page: page, root: root, number: index + 1))
      whole.kept = kept
      wholes[page] = whole
    }
    return wholes
  }

  private func makeRedirect(_ post: MovedPost) async throws {
    let (site, from, to) = (site, post.from, post.to)
    try await writer.add(from) { site.redirectPage(from: from, to: to) }
  }

  // MARK: - Pages of the site

  /// Writes files that are already made.
  func add(_ files: [SiteFile]) async throws {
    for file in files { try await writer.add(file.path) { file } }
  }

  // MARK: - Time

  /// Returns the number of numbered pages of all posts.
  func pageCountOfAll() throws -> Int {
    try postReader.pageCount(newest: site.settings.newestPosts, length: site.settings.postsPerPage)
  }

  /// Returns the months that have posts, in order.
  func months() throws -> [Month] { try months(from: Month(year: 1, month: 1), to: Month(year: 10_000, month: 1)) }

  func months(of year: Int) throws -> [Month] {
    try months(from: Month(year: year, month: 1), to: Month(year: year + 1, month: 1))
  }

  /// Returns the years that have posts, in order.
  func years() throws -> [Int] {
    var years: [Int] = []
    var next = Month(year: 1, month: 1)
    while let month = try firstMonth(from: next) {
      years.append(month.year)
      next = Month(year: month.year + 1, month: 1)
    }
    return years
  }

  private func months(from first: Month, to end: Month) throws -> [Month] {
    var months: [Month] = []
    var next = first
    while let month = try firstMonth(from: next), month.start < end.start {
      months.append(month)
      next = month.next
    }
    return months
  }

  private func firstMonth(from month: Month) throws -> Month? {
    try directory.firstSortDate(from: month.start).flatMap { Month($0) }
  }
}

extension PublishingPlan.Extent {
  var isEverything: Bool {
    if case .everything = self { true } else { false }
  }
}

/// Determines which tags have pages; the last answers are cached.
private final class TagPages {
  private let directory: Directory
  private let threshold: Int
  private var known: [String: Bool] = [:]

  private static let mostRemembered = 10_000

  init(_ directory: Directory, threshold: Int) { (self.directory, self.threshold) = (directory, threshold) }

  func hasPages(_ slug: String) throws -> Bool {
    if let known = known[slug] { return known }
    let hasPages = try directory.tag(slug).map { $0.count >= threshold } ?? false
    if known.count >= Self.mostRemembered { known.removeAll(keepingCapacity: true) }
    known[slug] = hasPages
    return hasPages
  }
}
