import TamisArchive
import TamisCore
import TamisSite

/// What the pages of a site show, read from its archive.
struct SiteSource {
  let site: Site
  let postReader: PostReader
  /// A reader that includes posts marked as read.
  let allPostReader: PostReader
  let directory: Directory
  let markup: StoredMarkup
  private let tags: TagPages

  /// The number of posts, feeds or tags that are read at once.
  static let batch = 200

  init(_ configuration: SiteBuild.Configuration, _ archive: Archive) {
    let settings = configuration.site
    site = Site(settings, theme: configuration.theme, words: configuration.words)
    postReader = PostReader(
      archive, showsUnreadOnly: settings.showsUnreadOnly, keepsPictures: settings.pictures == .keep, remembers: true)
    allPostReader = PostReader(archive, showsUnreadOnly: false)
    directory = Directory(archive, keepsPictures: settings.pictures == .keep)
    tags = TagPages(directory, threshold: settings.tagThreshold)
    markup = StoredMarkup(configuration.sanitizer)
  }

  /// Calls `body` with the last of each batch, until it returns that there are no more.
  static func inBatches<Last>(from first: Last, _ body: (Last) async throws -> Last?) async throws {
    var last = first
    while let next = try await body(last) { last = next }
  }

  // MARK: - Posts

  /// Returns the slugs of a post's tags that have pages.
  func linkedTags(of post: ListedPost) throws -> Set<String> { try Set(post.slugs.filter(tags.hasPages)) }

  /// Returns the copies of a post with what they let hear or see: a blog's post can stand for a show's episode.
  func copies(of post: ListedPost) throws -> [PostView.Copy] {
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
      var whole = markup.view(
        of: post.item, body, pictures[post.number] ?? [:], on: site, isOffline: site.settings.isOffline, root: root)
      whole.body = whole.body.listed(page: post.page, root: root, number: index + 1)
      wholes[post.page] = whole
    }
    return wholes
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
