public import TamisCore

/// The last stage: values to files.
///
/// Each method makes one file, or a few that belong together, of what it is given, and of nothing else: the same values make
/// the same bytes, whatever was made before and in whichever task. What belongs on a site, and in which order, is not known
/// here; ``SiteFolder`` writes the files.
public struct Site: Sendable {
  /// How a site looks and where it will be.
  public struct Options: Sendable {
    /// The site's name.
    public var title: String
    /// Where it will be published, with a slash at its end; nil when that is not known.
    public var address: String?
    /// How pages look.
    public var theme: Theme = .standard
    /// What pages say besides the posts, and in which language.
    public var words: Words = .standard
    /// How dates are written.
    public var dateForm = DateForm.long
    /// Where the clock is by which dates are shown; what programs read is in UTC.
    public var zone: SiteZone = .utc
    /// Whether pages ask nobody for anything.
    public var isOffline = false
    /// Whether pages show pictures that the site has in files of its own.
    public var keepsPictures = false
    /// How many posts a tag needs to have a page and feeds of its own, at least 1 (default 3); the tag pages of the archive
    /// name the posts of the others.
    public var tagThreshold = 3
    /// How many posts of one feed stand in a row on the front page, at least 1; nil for any number.
    ///
    /// A line leads to the others.
    public var mostInRow: Int?
    /// The search engine to which the search page leads; nil for none.
    public var search: SearchForm?
    /// Whether the front page shows posts whole, not by their excerpts; long ones, of more than ``Site/longestListedBody``, all the
    /// same by these.
    public var showsFullPosts = false
    /// Who answers for the site; empty when nobody does.
    public var owner = Owner()
    /// Posts on a numbered page of a list, from 1 (default 50).
    public var postsPerPage = 50
    /// Posts on the page of a list: some more, so that the first numbered page is not read in vain.
    public var newestPosts: Int { postsPerPage + postsPerPage / 5 }

    /// Who answers for a site.
    public struct Owner: Sendable, Hashable {
      /// The name; empty when it is not said.
      public var name = ""
      /// The address for mail; empty when there is none.
      public var email = ""
      /// A page about them, http or https; nil when there is none.
      public var link: String?

      /// Nobody.
      public init() {}
    }

    /// The default theme, with pictures from where they are.
    public init(title: String) { self.title = title }
  }

  /// How dates are written on pages.
  public enum DateForm: String, Sendable, Hashable, CaseIterable {
    /// `2026-11-14`
    case iso
    /// With the month's name.
    case long
    /// In figures, as the language has it.
    case short
  }

  /// How the site looks and where it will be.
  public let options: Options
  /// How its pages show times.
  let times: ShownTime
  /// What every page has, whatever it shows.
  let shared: PageContext

  /// A site that looks so.
  public init(options: Options) {
    self.options = options
    times = ShownTime(words: options.words, form: options.dateForm, zone: options.zone)
    shared = Self.shared(options)
  }

  // MARK: - Bounds

  /// Bytes of the longest body that stands on the front page: 64 KiB.
  public static let longestListedBody = 64 << 10
  /// Bytes of the longest address of a picture in a list, 16 KiB: those that hold the picture itself would weigh on every page that
  /// lists the post.
  public static let longestListedPicture = 16 << 10
  /// Most feeds beside the posts of the front page; all are on the pages about the site.
  public static let sidebarFeeds = 60
  /// So many posts a month needs to have a page of its own; the page of the year names the posts of the others.
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

  /// The name of the file by which a folder is known as a site.
  public static let markerName = "tamis.json"

  /// Changes with everything that pages depend on besides what they show: the options, the theme and how pages are made.
  public var fingerprint: String {
    [
      options.title, options.address ?? "", options.theme.digest, options.words.digest, options.dateForm.rawValue,
      options.zone.text, "\(options.isOffline)", "\(options.keepsPictures)", "\(options.tagThreshold)",
      "\(options.postsPerPage)", "\(options.showsFullPosts)", options.mostInRow.map { "\($0)" } ?? "",
      options.search.map { "\($0)" } ?? "",
      options.owner.name, options.owner.email, options.owner.link ?? "",
      Self.version,
    ].joined(separator: "\n")
  }

  /// Changes when pages are made in another way.
  private static let version = "5"

  /// The file by which a folder is known as a site.
  public func marker() -> SiteFile {
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

  /// By what a site's files are known, each near its beginning.
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
  public static func page(ofPost name: String, feedSlug: String) -> PagePath {
    PagePath("posts/\(feedSlug)/\(name).html")
  }

  /// The page of a feed.
  public static func path(ofFeed slug: String) -> PagePath { PagePath("feeds/\(slug).html") }

  /// The page of a year.
  public static func path(ofYear year: Int) -> PagePath { PagePath("archive/\(DateText.year(year)).html") }

  /// A page of the feeds that the site is made of, counted from 1.
  public static func path(ofAbout number: Int) -> PagePath { numbered("about", number) }

  /// A page of how fetching and reading the feeds went, counted from 1.
  public static func path(ofUpkeep number: Int) -> PagePath { numbered("upkeep", number) }

  /// A page of how the feeds are, counted from 1.
  public static func path(ofStatus number: Int) -> PagePath { numbered("status", number) }

  /// The same as data, counted from 1.
  public static func path(ofStatusData number: Int) -> PagePath { numbered("status", number, "json") }

  private static func numbered(_ name: String, _ number: Int, _ ending: String = "html") -> PagePath {
    PagePath(number == 1 ? "\(name).\(ending)" : "\(name).\(number).\(ending)")
  }
}

/// A file of a site.
public struct SiteFile: Sendable, Hashable {
  /// Where it belongs.
  public var path: PagePath
  /// What it holds.
  public var bytes: [UInt8]

  /// Makes a file.
  public init(path: PagePath, bytes: [UInt8]) { (self.path, self.bytes) = (path, bytes) }
}
