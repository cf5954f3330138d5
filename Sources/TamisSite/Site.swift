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

  let folder: SiteFolder
  private let lock: FolderLock?
  let options: Options
  let earlier: SiteManifest

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
    let file = "\(path)/\(SiteManifest.fileName)"
    let bytes: [UInt8]
    switch folder.look(at: SiteManifest.fileName) {
    case .file(let content): bytes = content
    case .other:
      throw SiteError(
        description: "\(file): this manifest cannot be read; make it readable, or name another folder with --output")
    case .nothing:
      switch folder.look(at: "index.html") {
      case .nothing: break
      case .file(let page) where Publication.isOurs(page): break
      case .file, .other:
        throw SiteError(
          description: "\(path): this folder holds an index.html that tamis did not write; name another with --output")
      }
      earlier = SiteManifest()
      return
    }
    guard let manifest = try? JSONDecoder().decode(SiteManifest.self, from: Data(bytes)) else {
      throw SiteError(description: "\(file): this is no manifest of a site; move it away, or name another --output")
    }
    guard manifest.version == SiteManifest.currentVersion else {
      throw SiteError(
        description: "\(file): this site was written by another version of tamis; use that one, or another --output")
    }
    earlier = manifest.checked
  }

  /// The name of the file by which a folder is known as a site.
  public static let manifestName = SiteManifest.fileName

  /// The paths of the files that a site says are its own, by the bytes of its manifest; nil when that is none.
  public static func files(ofManifest bytes: [UInt8]) -> [String]? {
    struct Files: Decodable {
      var generator: String
      var files: [String: FileMark]?
    }
    guard let manifest = try? JSONDecoder().decode(Files.self, from: Data(bytes)), manifest.generator == "Tamis" else {
      return nil
    }
    return (manifest.files ?? [:]).keys.sorted()
  }

  /// Whether a file is one that a build has written, by its beginning, of which 2,048 bytes are enough.
  public static func wrote(_ beginning: [UInt8]) -> Bool { Publication.isOurs(beginning) }

  /// The words by which a post's page is named.
  public static func name(of post: Post) -> String {
    Slug.of(post.title.isEmpty ? post.excerpt : post.title, fallback: "post")
  }

  /// The path of a post's page from the site's root, by the name that the index keeps for it.
  public static func path(ofPage name: String, inFeed key: FeedKey) -> String {
    "\(folder(ofFeed: key))\(name).html"
  }

  /// The folder of a feed's posts from the site's root, with a slash at its end.
  public static func folder(ofFeed key: FeedKey) -> String { "posts/\(Slug.ofFeed(key))/" }

  /// The paths of the pages that earlier runs have left, by the keys of their feeds.
  public var pages: [FeedKey: Set<String>] {
    Dictionary(grouping: earlier.posts.filter { $0.foldedInto == nil }, by: \.feed).mapValues { Set($0.map(\.path)) }
  }

  /// The keys of the feeds that earlier runs have read.
  public var feeds: [FeedKey] { earlier.feeds.map(\.key) }

  /// The posts that earlier runs have left, with what the index wanted kept.
  public var remembered: [(feed: FeedKey, path: String, memo: String)] {
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
  ///   - standing: whether the post of a page is one that is still known by its name, so that it has not moved when another
  ///     comes that has its id.
  ///   - inputs: the digest of all that the site is made of; nil when the next build is not to rely on it.
  ///   - bodies: what the sanitizer does for pages.
  ///   - progress: told now and then how many files are done.
  public func publish(
    _ feeds: [SiteFeed], failures: [FeedKey: String] = [:], hiding hidden: Set<String> = [],
    leaving left: Set<String> = [],
    removing removed: Set<FeedKey> = [],
    standing: (_ feed: FeedKey, _ path: String) -> Bool = { _, _ in false },
    inputs: String? = nil, bodies: Bodies = Bodies(), progress: @escaping (Int) -> Void = { _ in }
  ) throws(SiteError) -> Summary {
    let cards = feeds.map { feed in feed.posts.map { card($0, feed) } }
    var manifest = merged(feedCards(feeds, failures), cards.flatMap { $0 }, hidden, removed, standing)
    number(&manifest)
    redirect(&manifest, hidden)
    // What is left out and has no page cannot be listed later either.
    manifest.posts.removeAll { left.contains($0.path) && $0.foldedInto == nil && earlier.files?[$0.path] == nil }
    let lost = dropLost(&manifest, Set(cards.lazy.joined().map(\.path)))
    manifest.looks = looks(keepsPages: manifest.posts.count > cards.lazy.joined().count)
    var shown = manifest
    shown.posts.removeAll { left.contains($0.page) || left.contains($0.path) }
    let maker = PageMaker(options: options, manifest: shown)
    var publication = Publication(folder, earlier: earlier.files ?? [:], isDryRun: options.isDryRun, progress: progress)
    var posts: [String: Post] = [:]
    let inFeeds = maker.pathsInFeeds
    // Posts before what links to them: a run that is cut short leaves no dead link.
    for (feed, cards) in zip(feeds, cards) {
      for index in cards.indices where cards[index].foldedInto == nil && !left.contains(cards[index].path) {
        let (post, path) = (feed.posts[index].post, cards[index].path)
        if inFeeds.contains(path) { posts[path] = post }
        let page = maker.postPage(post, cards[index], content: bodies.form(post.content), rights: feed.rights)
        try publication.put(page, at: path)
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
    for (path, target) in (manifest.redirects ?? [:]).sorted(by: { $0.key < $1.key }) {
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
      "pages of posts that have left their feeds stay as they were made, in an earlier theme or mode: \(kept)"
    ]
    if options.isOffline, looks.contains(where: { !$0.isOffline }) {
      notes.append("some of them may still ask for pictures, although --offline was said")
    }
    return notes
  }
}
