public import TamisCore

/// The site that is made of the feeds.
public struct SiteSettings: Sendable, Hashable {
  /// How dates are written on pages.
  public enum DateForm: String, Sendable, Hashable, CaseIterable {
    /// `2026-03-01`
    case iso
    /// With the month's name.
    case long
    /// In figures, as the language has it.
    case short
  }

  /// Where pictures are when the site is read.
  public enum Pictures: String, Sendable, Hashable, CaseIterable {
    /// Where the feed has them.
    case link
    /// In the site.
    case keep
  }

  /// What happens to posts that have left their feed.
  public enum Retention: Sendable, Hashable {
    /// They stay.
    case keep
    /// They are forgotten at once.
    case now
    /// Their content goes after so many looks at their feed without them, from 1.
    case after(looks: Int)
  }

  /// The owner of a site.
  public struct Owner: Sendable, Hashable {
    /// The name.
    public var name: String?
    /// The address for mail.
    public var email: String?
    /// A page about them.
    public var link: String?

    /// Makes an empty owner.
    public init() {}
  }

  /// The site's name.
  public var title = "Reading"
  /// The absolute URL where it will be published, with a slash at its end; nil when it is not known.
  public var link: String?
  /// The owner of the site.
  public var owner = Owner()
  /// How pages look: the name of a theme that is built in, or a folder as seen from the configuration's.
  public var theme = "default"
  /// The language of the pages' own words (BCP 47).
  public var language = "en"
  /// The zone in which dates are shown.
  public var timeZone = ZoneName.utc
  /// How dates are written.
  public var dateForm = DateForm.long
  /// Posts on a page of a list, from 1.
  public var postsPerPage = 50
  /// What happens to posts that have left their feed.
  public var retention = Retention.keep
  /// Whether a post that other feeds have too is shown once.
  public var folds = true
  /// How many posts a tag needs to have a page of its own, from 1.
  public var tagThreshold = 3
  /// How many posts of one feed are shown in a row on the front page before a line replaces the others; nil for any
  /// number.
  public var mostInRow: Int?
  /// The search engine of the search page; nil for none.
  public var search: SearchForm?
  /// Whether the index page shows complete posts, not excerpts.
  public var showsFullPosts = false
  /// Whether pages load nothing from other hosts.
  public var isOffline = false
  /// Where pictures are.
  public var pictures = Pictures.link
  /// The site's folder, as seen from the configuration's.
  public var output = "site"
  /// The archive's file, relative to the configuration's folder; nil for the site's folder with `.archive` appended.
  public var archive: String?

  /// The defaults.
  public init() {}
}
