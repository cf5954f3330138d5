public import TamisCore
import FoundationEssentials
import TamisDigest

/// The last stage: posts to pages.
///
/// A page for each post, lists of them by feed, tag and month, and feeds for those who read on in a reader.
public struct Site: Sendable {
  /// How a site looks and where it will be.
  public struct Options: Sendable {
    /// The site's name.
    public var title: String
    /// Where it will be published, with a slash at its end; nil when that is not known.
    public var address: String?
    /// How pages look.
    public var theme: Theme = .standard
    /// Whether pages ask nobody for anything.
    public var isOffline = false
    /// Whether it is only said what would change.
    public var isDryRun = false

    /// The default theme, with pictures from where they are.
    public init(title: String) { self.title = title }
  }

  /// What the sanitizer, which a site does not know, does for its pages.
  public struct Bodies {
    /// A body as it stands in a page.
    var form: (SanitizedHTML) -> SanitizedHTML
    /// Sanitizes a body that an earlier build has written.
    var sanitize: (String) -> SanitizedHTML

    /// Bodies as they are; those of earlier builds are left out.
    public init(
      form: @escaping (SanitizedHTML) -> SanitizedHTML = { $0 },
      sanitize: @escaping (String) -> SanitizedHTML = { _ in .empty }
    ) {
      self.form = form
      self.sanitize = sanitize
    }
  }

  /// What publishing came to.
  public struct Summary: Sendable, Hashable {
    /// Files written because they were new or changed.
    public var written = 0
    /// Files that were left alone because they would not change.
    public var unchanged = 0
    /// Files that were removed because nothing of what they show is to be shown any more.
    public var removed = 0
    /// In a trial run what would be done to which file, in words.
    public var changes: [String] = []
    /// What the owner should know.
    public var notes: [String] = []

    /// Nothing was published yet.
    public init() {}
  }

  private let folder: SiteFolder
  private let lock: FolderLock?
  private let options: Options
  private let earlier: SiteManifest

  /// Opens a site, or begins it when there is none.
  ///
  /// Nobody else can open it as long as this value lives.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - patience: how many seconds to wait for another build of the same site.
  /// - Throws: when the folder cannot be written to, is somebody else's, is being built by another run, or its manifest is one
  ///   of a newer version or none at all.
  public init(path: String, options: Options, patience: Int = 30) throws(SiteError) {
    folder = try SiteFolder(root: path, isWritten: !options.isDryRun)
    lock = FolderLock(path, seconds: patience)
    if lock == nil, !options.isDryRun {
      throw SiteError(description: "\(path): another run is building this site; try again when it is done")
    }
    self.options = options
    guard let bytes = folder.read(SiteManifest.fileName) else {
      if let page = folder.read("index.html"), !Publication.isOurs(page) {
        throw SiteError(
          description: "\(path): this folder holds an index.html that tamis did not write; name another with --output")
      }
      earlier = SiteManifest()
      return
    }
    let file = "\(path)/\(SiteManifest.fileName)"
    guard let manifest = try? JSONDecoder().decode(SiteManifest.self, from: Data(bytes)) else {
      throw SiteError(description: "\(file): this is no manifest of a site; move it away, or name another --output")
    }
    guard manifest.version <= SiteManifest.currentVersion else {
      throw SiteError(description: "\(file): this site was written by a newer tamis; use that one, or another --output")
    }
    earlier = manifest.checked
  }

  /// The name of the file by which a folder is known as a site.
  public static let manifestName = SiteManifest.fileName

  /// The words by which a post's page is named.
  public static func name(of post: Post) -> String {
    Slug.of(post.title.isEmpty ? post.excerpt : post.title, fallback: "post")
  }

  /// The path of a post's page from the site's root, by the name that the index keeps for it.
  public static func path(ofPage name: String, inFeed key: String) -> String {
    "\(folder(ofFeed: key))\(name).html"
  }

  /// The folder of a feed's posts from the site's root, with a slash at its end.
  public static func folder(ofFeed key: String) -> String { "posts/\(feedSlug(key))/" }

  /// The paths of the pages that earlier runs have left, by the keys of their feeds.
  public var pages: [String: Set<String>] {
    Dictionary(grouping: earlier.posts.filter { $0.foldedInto == nil }, by: \.feed).mapValues { Set($0.map(\.path)) }
  }

  /// The keys of the feeds that earlier runs have read.
  public var feeds: [String] { earlier.feeds.map(\.key) }

  /// The posts that earlier runs have left, with what the index wanted kept.
  public var remembered: [(feed: String, path: String, memo: String)] {
    earlier.posts.map { ($0.feed, $0.path, $0.memo ?? "") }
  }

  /// How many files there are when all were made of the same inputs as these and are as they were written; else nil.
  ///
  /// Sizes are compared, not bytes.
  public func unchangedFiles(inputs: String) -> Int? {
    guard earlier.inputs == inputs, let files = earlier.files else { return nil }
    return files.allSatisfy { folder.size(of: $0) == $1.size } ? files.count + 1 : nil
  }

  /// What the site itself adds to what its pages depend on: its name and place, the theme and the version of the tool.
  public var fingerprint: String {
    [options.title, options.address ?? "", options.theme.digest, "\(options.isOffline)", Self.version].joined(
      separator: "\n")
  }

  /// Changes when pages are made in another way.
  private static let version = "2"

  /// Writes the pages of these feeds, and the listings of these and of what earlier runs left.
  ///
  /// - Parameters:
  ///   - failures: feeds that could not be read, by key, with why.
  ///   - hidden: paths of pages that are not to be listed any more; those that are the site's own are removed.
  ///   - left: paths of pages that are not to be listed now, and whose pages stay.
  ///   - removed: keys of feeds that are not to be part of the site any more.
  ///   - inputs: the digest of all that the site is made of; nil when the next build is not to rely on it.
  ///   - bodies: what the sanitizer does for pages.
  ///   - progress: told now and then how many files are done.
  public func publish(
    _ feeds: [SiteFeed], failures: [String: String] = [:], hiding hidden: Set<String> = [],
    leaving left: Set<String> = [],
    removing removed: Set<String> = [],
    inputs: String? = nil, bodies: Bodies = Bodies(), progress: @escaping (Int) -> Void = { _ in }
  ) throws(SiteError) -> Summary {
    let cards = feeds.map { feed in feed.posts.map { card($0, feed) } }
    var manifest = merged(feedCards(feeds, failures), cards.flatMap { $0 }, hidden, removed)
    number(&manifest)
    redirect(&manifest, hidden)
    // What is left out and has no page cannot be listed later either.
    manifest.posts.removeAll { left.contains($0.path) && $0.foldedInto == nil && earlier.files?[$0.path] == nil }
    let lost = dropLost(&manifest, Set(cards.lazy.joined().map(\.path)))
    manifest.looks = looks(keepsPages: manifest.posts.count > cards.lazy.joined().count)
    var shown = manifest
    shown.posts.removeAll { left.contains($0.page) || left.contains($0.path) }
    let maker = PageMaker(options: options, manifest: shown)
    var publication = Publication(folder, earlier: ownFiles, isDryRun: options.isDryRun, progress: progress)
    var posts: [String: Post] = [:]
    let inFeeds = maker.pathsInFeeds
    // Posts before what links to them: a run that is cut short leaves no dead link.
    for (feed, cards) in zip(feeds, cards) {
      for (post, card) in zip(feed.posts, cards) where post.foldedInto == nil && !left.contains(post.path) {
        if inFeeds.contains(post.path) { posts[post.path] = post.post }
        let page = maker.postPage(post.post, card, content: bodies.form(post.post.content), rights: feed.rights)
        try publication.put(page, at: post.path)
      }
    }
    // Posts that are not in these feeds any more have the pages that they got.
    for post in manifest.posts where post.foldedInto == nil && publication.files[post.path] == nil {
      publication.keep(post.path)
    }
    try maker.listings { path, bytes throws(SiteError) in try publication.put(bytes, at: path) }
    try Outputs(maker, posts: posts, earlier: folder.read, sanitize: bodies.sanitize).write {
      path, bytes throws(SiteError) in try publication.put(bytes, at: path)
    }
    for (path, target) in manifest.redirects ?? [:] {
      try publication.put(maker.redirectPage(from: path, to: target), at: path)
    }
    for path in publication.missed() { try publication.put(maker.gonePage(at: path), at: path) }
    manifest.files = publication.files
    manifest.inputs = inputs
    publication.removeStale()
    publication.note(lost)
    publication.note(lookNotes(manifest.looks ?? [], publication.kept.count))
    try publication.put(manifest.encoded(), at: SiteManifest.fileName, isOwn: true)
    return publication.summary
  }

  /// Leaves out posts that have left their feeds and whose pages are gone; answers what is to be said of them.
  private func dropLost(_ manifest: inout SiteManifest, _ fresh: Set<String>) -> [String] {
    let lost = manifest.posts.lazy.filter { $0.foldedInto == nil && !fresh.contains($0.path) }.map(\.path)
      .filter { folder.size(of: $0) == nil }
    let gone = Set(lost)
    if gone.isEmpty { return [] }
    manifest.posts.removeAll { gone.contains($0.page) }
    return gone.sorted().map {
      "\($0): this page is gone, and its feed has the post no more; it is not listed any more"
    }
  }

  /// How the pages look: as this build's, and where pages are kept as those of earlier ones.
  private func looks(keepsPages: Bool) -> [Look] {
    let look = Look(style: options.theme.style.hash, isOffline: options.isOffline)
    guard keepsPages else { return [look] }
    return [look] + (earlier.looks ?? []).filter { $0 != look }
  }

  private func lookNotes(_ looks: [Look], _ kept: Int) -> [String] {
    guard kept > 0, looks.count > 1 else { return [] }
    var notes = [
      "\(kept) pages of posts that have left their feeds stay as they were made, in an earlier theme or mode"
    ]
    if options.isOffline, looks.contains(where: { !$0.isOffline }) {
      notes.append("some of them may still ask for pictures, although --offline was said")
    }
    return notes
  }

  /// The files that are the site's own, with the marks by which they are known as they were written.
  private var ownFiles: [String: FileMark?] {
    var files: [String: FileMark?] = (earlier.files ?? [:]).mapValues { $0 }
    // Sites of version 1 did not list them.
    let unlisted = earlier.files == nil ? earlier.feeds.map(\.path) + ["index.html"] : []
    for path in earlier.posts.map(\.path) + unlisted where files[path] == nil { files[path] = .some(nil) }
    return files
  }

  /// What earlier runs listed, with what this one has put over it.
  private func merged(
    _ feeds: [FeedCard], _ posts: [PostCard], _ hidden: Set<String>, _ removed: Set<String>
  ) -> SiteManifest {
    let newFeeds = Set(feeds.map(\.key))
    let newPaths = Set(posts.map(\.path))
    var manifest = SiteManifest()
    manifest.redirects = earlier.redirects
    manifest.feeds = (feeds + earlier.feeds.filter { !newFeeds.contains($0.key) && !removed.contains($0.key) }).sorted {
      lhs, rhs in
      (lhs.title.lowercased(), lhs.key) < (rhs.title.lowercased(), rhs.key)
    }
    let known = Dictionary(earlier.posts.map { ($0.path, $0) }) { first, _ in first }
    let placed = posts.map { post in
      guard let known = known[post.path] else { return post }
      var post = post
      post.order = known.order
      // A place that was found for a post without a date of its own stays.
      if known.published == post.published, known.place != known.published { post.place = known.place ?? post.place }
      return post
    }
    // The same post under another name has moved.
    let memos = Set(posts.lazy.filter { !$0.memo.isNone }.map(Self.identity))
    let stays = inherited(removed).filter { post in
      !newPaths.contains(post.path) && (post.memo.isNone || !memos.contains(Self.identity(post)))
    }
    let all = (placed + stays).filter {
      !hidden.contains($0.path) && !hidden.contains($0.page)
    }
    // Newest first, undated last; what is of the same second keeps the order of its document.
    manifest.posts = all.enumerated().sorted { lhs, rhs in
      let (left, right) = (lhs.element, rhs.element)
      if left.place != right.place { return left.place ?? .min > right.place ?? .min }
      return left.feed == right.feed ? lhs.offset < rhs.offset : left.feed < right.feed
    }.map(\.element)
    return manifest
  }

  /// Gives numbers to posts that have none, the oldest first.
  private func number(_ manifest: inout SiteManifest) {
    var next = (manifest.posts.compactMap(\.order).max() ?? -1) + 1
    for index in manifest.posts.indices.reversed() where manifest.posts[index].order == nil {
      manifest.posts[index].order = next
      next += 1
    }
  }

  /// The posts of earlier builds without those of feeds that are removed; of these stay the ones that stand for posts of
  /// other feeds, as posts of those.
  private func inherited(_ removed: Set<String>) -> [PostCard] {
    if removed.isEmpty { return earlier.posts }
    var heirs: [String: PostCard] = [:]
    for post in earlier.posts where !removed.contains(post.feed) {
      if let page = post.foldedInto, heirs[page] == nil { heirs[page] = post }
    }
    let orphans = Set(earlier.posts.lazy.filter { removed.contains($0.feed) }.map(\.path))
    return earlier.posts.compactMap { post in
      if let page = post.foldedInto, orphans.contains(page), heirs[page]?.path == post.path { return nil }
      guard removed.contains(post.feed) else { return post }
      guard post.foldedInto == nil, let heir = heirs[post.path] else { return nil }
      var post = post
      (post.feed, post.memo) = (heir.feed, heir.memo)
      return post
    }
  }

  /// By what a post is known as the same under another name.
  private static func identity(_ post: PostCard) -> String { "\(post.feed)\n\(post.memo ?? "")" }

  /// Remembers where posts were that are elsewhere now: the same post under another name, or folded into another.
  private func redirect(_ manifest: inout SiteManifest, _ hidden: Set<String>) {
    let paths = Set(manifest.posts.lazy.filter { $0.foldedInto == nil }.map(\.path))
    let byMemo = Dictionary(manifest.posts.filter { !$0.memo.isNone }.map { (Self.identity($0), $0.page) }) {
      first, _ in first
    }
    var redirects = manifest.redirects ?? [:]
    for post in earlier.posts where post.foldedInto == nil && !paths.contains(post.path) && !hidden.contains(post.path)
    {
      if let page = byMemo[Self.identity(post)], page != post.path { redirects[post.path] = page }
    }
    // One that leads to another leads to where that does.
    for (path, target) in redirects {
      if let next = redirects[target], next != path { redirects[path] = next }
    }
    redirects = redirects.filter { paths.contains($0.value) && !paths.contains($0.key) && SiteFolder.isInside($0.key) }
    manifest.redirects = redirects.isEmpty ? nil : redirects
  }

  /// The last part of a feed's key: where it lies is nobody's business but its owner's.
  private static func fileName(_ key: String) -> String { key.split(separator: "/").last.map(String.init) ?? key }

  private static func feedSlug(_ key: String) -> String {
    let name = fileName(key)
    return Slug.of(name.split(separator: ".").first.map(String.init) ?? name, fallback: "feed")
  }

  /// The feeds' cards.
  ///
  /// A feed keeps the page it got first; one whose name is taken gets a part of its key's digest too.
  private func feedCards(_ feeds: [SiteFeed], _ failures: [String: String]) -> [FeedCard] {
    let known = Dictionary(earlier.feeds.map { ($0.key, $0) }) { first, _ in first }
    var taken = Set(known.values.map(\.path))
    func path(_ key: String) -> String {
      if let known = known[key] { return known.path }
      let slug = Self.feedSlug(key)
      var path = "feeds/\(slug).html"
      if taken.contains(path) { path = "feeds/\(slug)-\(SHA256(key).hex.prefix(8)).html" }
      taken.insert(path)
      return path
    }
    let read = feeds.map { feed in
      let title = feed.title.isEmpty ? Self.fileName(feed.key) : feed.title
      return FeedCard(
        key: feed.key, path: path(feed.key), title: title, subtitle: feed.subtitle, link: feed.link,
        address: feed.address, image: feed.image, language: feed.language,
        direction: TextDirection(language: feed.language, text: title).rawValue, status: feed.status)
    }
    let failed = failures.sorted { $0.key < $1.key }.map { key, reason in
      var card =
        known[key]
        ?? FeedCard(
          key: key, path: path(key), title: Self.fileName(key), subtitle: "",
          direction: TextDirection.leftToRight.rawValue)
      card.status = FeedStatus()
      card.status?.failure = reason
      return card
    }
    return read + failed
  }

  private func card(_ shown: SitePost, _ feed: SiteFeed) -> PostCard {
    let post = shown.post
    let types = post.enclosures.compactMap { $0.type?.lowercased() }
    var title = post.title
    if title.isEmpty {
      let beginning = post.excerpt.split(separator: " ").prefix(12).joined(separator: " ")
      title = beginning.isEmpty ? "Untitled" : String(beginning.prefix(120))
    }
    return PostCard(
      feed: feed.key, path: shown.path, foldedInto: shown.foldedInto, memo: shown.memo, title: title,
      isUntitled: post.title.isEmpty, excerpt: post.excerpt, published: post.published, updated: post.updated,
      place: shown.place, readingMinutes: post.readingMinutes, language: post.language,
      direction: post.direction.rawValue,
      hasAudio: types.contains { $0.hasPrefix("audio/") }, hasVideo: types.contains { $0.hasPrefix("video/") },
      thumbnail: post.thumbnail.map {
        PostCard.Picture(url: $0.url, alternative: $0.alternative, width: $0.width, height: $0.height)
      }, tags: post.categories.isEmpty ? nil : post.categories, authors: post.authors.isEmpty ? nil : post.authors,
      original: post.permalink?.url)
  }
}

extension String? {
  /// Whether there is no text.
  fileprivate var isNone: Bool { self?.isEmpty ?? true }
}
