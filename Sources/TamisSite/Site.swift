public import TamisCore

/// The last stage: values to files.
///
/// Each method makes one file, or a few that belong together, of its arguments alone: the same values make the same bytes,
/// in any order and in any task. Which files a site has is not decided here; ``SiteFolder`` writes the files.
public struct Site: Sendable {
  /// How a site looks and where it will be.
  public struct Options: Sendable {
    /// The site's name.
    public var title: String
    /// The URL where it will be published, with a slash at its end; nil when it is not known.
    public var address: String?
    /// The theme of the pages.
    public var theme: Theme = .standard
    /// The words of pages besides the posts, and their language.
    public var words: Words = .standard
    /// How dates are written.
    public var dateForm = DateForm.long
    /// The time zone of shown dates; files for programs are in UTC.
    public var zone: SiteZone = .utc
    /// Whether pages load nothing from other hosts.
    public var isOffline = false
    /// Whether pages show pictures that the site has in files of its own.
    public var keepsPictures = false
    /// How many posts a tag needs to have a page and feeds of its own, at least 1 (default 3); the tag pages of the archive
    /// name the posts of the others.
    public var tagThreshold = 3
    /// How many posts of one feed are shown in a row on the front page, at least 1; nil for any number.
    ///
    /// A line links to the others.
    public var mostInRow: Int?
    /// The search engine of the search page; nil for none.
    public var search: SearchForm?
    /// Whether the front page shows posts whole, not by their excerpts; long ones, of more than ``Site/longestListedBody``, all the
    /// same by these.
    public var showsFullPosts = false
    /// The owner of the site.
    public var owner = SiteOwner()
    /// Posts on a numbered page of a list, from 1 (default 50).
    public var postsPerPage = 50
    /// Posts on the page of a list: some more, so that the first numbered page is not read in vain.
    public var newestPosts: Int { postsPerPage + postsPerPage / 5 }

    /// The default theme, with pictures from where they are.
    public init(title: String) { self.title = title }
  }

  /// How the site looks and where it will be.
  public let options: Options
  /// The theme, with the words of the site in its templates.
  let theme: Theme
  /// How its pages show times.
  let times: ShownTime
  /// The values that every page has.
  let shared: PageContext

  /// A site that looks so.
  public init(options: Options) {
    self.options = options
    theme = options.theme.saying(options.words)
    times = ShownTime(words: options.words, form: options.dateForm, zone: options.zone)
    shared = Self.shared(options)
  }

  // MARK: - Bounds

  /// The longest body on the front page, in bytes: 64 KiB.
  public static let longestListedBody = 64 << 10
  /// Bytes of the longest address of a picture in a list, 16 KiB: those that hold the picture itself would weigh on every page that
  /// lists the post.
  public static let longestListedPicture = 16 << 10
  /// Most feeds beside the posts of the front page; all are on the pages about the site.
  public static let sidebarFeeds = 60
  /// How many posts a month needs to have a page of its own; the page of the year lists the posts of the others.
  public static let monthThreshold = 10
  /// Tags in the cloud of those that most posts have.
  public static let cloudSize = 80
  /// Feeds on a page about the site, and on one of their states.
  public static let feedsPerPage = 100
  /// Posts in a feed; older ones have been fetched by then.
  public static let feedLength = 30
  /// Posts in a part of the site map.
  public static let sitemapLength = 1000
  /// Most pages of lists in the site map: a file of it may name 50,000 pages (https://www.sitemaps.org/protocol.html).
  public static let sitemapLists = 50_000
  /// Posts in a part of the search data.
  public static let searchLength = 500

  // MARK: - Identity

  /// The name of the file that marks a folder as a site.
  public static let markerName = "tamis.json"

  /// Changes with everything that pages depend on besides what they show: the options, the theme and how pages are made.
  public var fingerprint: String {
    [
      options.title, options.address ?? "", options.theme.digest, options.words.digest, options.dateForm.rawValue,
      options.zone.text, "\(options.isOffline)", "\(options.keepsPictures)", "\(options.tagThreshold)",
      "\(options.postsPerPage)", "\(options.showsFullPosts)", options.mostInRow.map { "\($0)" } ?? "",
      options.search.map { "\($0)" } ?? "",
      options.owner.name ?? "", options.owner.email ?? "", options.owner.link ?? "",
      Self.version,
    ].joined(separator: "\n")
  }

  /// Changes when pages are made in another way.
  private static let version = "5"

  /// The file that marks a folder as a site.
  package func marker() -> SiteFile {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("generator", "Tamis")
      writer.key("version")
      writer.int(1)
      writer.member("title", options.title)
      writer.member("address", options.address)
      writer.member("style", options.theme.style.fileName)
      writer.key("offline")
      writer.bool(options.isOffline)
    }
    writer.endLine()
    return SiteFile(path: PagePath(Self.markerName), bytes: writer.bytes)
  }

  /// Texts near their beginning by which a site's files are recognized.
  private static let marks = [
    "<meta name=\"generator\" content=\"Tamis\">", "<!-- Written by Tamis -->", "# Written by Tamis",
    "/* Written by Tamis */", "\"generator\":\"Tamis\"", "\"_generator\":\"Tamis\"",
  ].map { Array($0.utf8) }

  /// How many bytes of a file's beginning tell whether it is a site's.
  static let markLength = 2048

  /// Whether a file is one of a site, by its beginning, of which 2,048 bytes are enough.
  public static func wrote(_ beginning: [UInt8]) -> Bool {
    let beginning = beginning.prefix(markLength)
    return beginning.indices.contains { index in marks.contains { beginning[index...].starts(with: $0) } }
  }

  // MARK: - Paths

  /// The page of a post.
  ///
  /// - Parameters:
  ///   - name: what the page is called, unique in its feed.
  ///   - feedSlug: the word by which its feed's pages are named.
  package static func page(ofPost name: String, feedSlug: String) -> PagePath {
    PagePath("posts/\(feedSlug)/\(name).html")
  }

  /// The page of a feed.
  package static func path(ofFeed slug: String) -> PagePath { PagePath("feeds/\(slug).html") }

  /// The page of a year.
  package static func path(ofYear year: Int) -> PagePath { PagePath("archive/\(DateText.year(year)).html") }

  /// A page of the feeds that the site is made of, counted from 1.
  package static func path(ofAbout number: Int) -> PagePath { numbered("about", number) }

  /// A page of how fetching and reading the feeds went, counted from 1.
  package static func path(ofUpkeep number: Int) -> PagePath { numbered("upkeep", number) }

  /// A page of how the feeds are, counted from 1.
  package static func path(ofStatus number: Int) -> PagePath { numbered("status", number) }

  /// The same as data, counted from 1.
  package static func path(ofStatusData number: Int) -> PagePath { numbered("status", number, ending: "json") }

  private static func numbered(_ name: String, _ number: Int, ending: String = "html") -> PagePath {
    PagePath(number == 1 ? "\(name).\(ending)" : "\(name).\(number).\(ending)")
  }
}

/// A file of a site.
package struct SiteFile: Sendable, Hashable {
  /// The path in the site.
  package var path: PagePath
  /// The content.
  package var bytes: [UInt8]
  /// A note for the owner; nil when there is none.
  package var note: String?

  /// Makes a file.
  package init(path: PagePath, bytes: [UInt8]) { (self.path, self.bytes) = (path, bytes) }
}
