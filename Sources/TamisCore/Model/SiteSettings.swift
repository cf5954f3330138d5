/// The settings of a site: the section `site` of `tamis.yaml`.
public struct SiteSettings: Sendable, Hashable {
  /// The source of pictures on the site.
  public enum Pictures: String, Sendable, Hashable, CaseIterable {
    /// The original URLs.
    case link
    /// Copies in the site.
    case keep
  }

  /// The site's name.
  public var title: String
  /// The absolute URL where the site will be published, with a trailing slash; nil when not known.
  public var link: String?
  /// The owner of the site.
  public var owner = SiteOwner()
  /// The theme of a configuration: the name of a built-in one, or a folder relative to that of the configuration.
  package var theme = "default"
  /// The language of the interface of a configuration (BCP 47), or a file of words.
  package var language = "en"
  /// The time zone of displayed dates; files for programs are in UTC.
  public var timeZone = ZoneName.utc
  /// The format of dates.
  public var dateForm = DateForm.long
  /// The number of posts on a numbered page of a list, from 1.
  public var postsPerPage = 50
  /// The policy for recognizing posts.
  public var keys = KeyPolicy.ladder
  /// The policy for posts that have left their feed.
  public var purge = PurgePolicy.keep
  /// Whether a post that several feeds have is shown once.
  public var folds = true
  /// The minimum number of posts for a tag to have a page and feeds of its own, from 1.
  ///
  /// The tag pages of the archive list the posts of the other tags.
  public var tagThreshold = 3
  /// The maximum number of posts of one feed in a row on the front page before a line replaces the others; nil for no
  /// maximum.
  public var mostInRow: Int?
  /// The search of the search page; nil for none.
  package var search: SiteSearch?
  /// Whether the feeds of all posts lead back to the first, by documents that are archives of them (RFC 5005).
  public var publishesHistory = false
  /// Whether the front page shows complete posts rather than excerpts.
  ///
  /// Posts of more than 64 KiB are always shown as excerpts.
  public var showsFullPosts = false
  /// Whether only posts are listed that are not marked as read.
  public var showsUnreadOnly = false
  /// Whether search engines are asked to leave the site out, as befits copies of what others publish.
  public var isUnlisted = false
  /// Whether the pages of posts list what was removed from them.
  public var showsRemovals = false
  /// Whether pages load nothing from other hosts.
  public var isOffline = false
  /// The source of pictures.
  public var pictures = Pictures.link
  /// The site's folder, relative to that of the configuration.
  package var output = "site"
  /// The archive's file, relative to the configuration's folder; nil for the site's folder with `.archive` appended.
  package var archive: String?

  /// Creates the default settings of a site with a name.
  public init(title: String = "Reading") { self.title = title }

  /// The number of posts on the page of a list; a fifth more, so that the first numbered page is not redundant.
  package var newestPosts: Int { postsPerPage + postsPerPage / 5 }
}
