public import TamisCore
import TamisYAML

/// The site that is made of the feeds.
public struct SiteSettings: Sendable, Hashable {
  /// Where pictures are when the site is read.
  public enum Pictures: String, Sendable, Hashable, CaseIterable {
    /// Where the feed has them.
    case link
    /// In the site.
    case keep
  }

  /// The site's name.
  public var title = "Reading"
  /// The absolute URL where it will be published, with a slash at its end; nil when it is not known.
  public var link: String?
  /// The owner of the site.
  public var owner = SiteOwner()
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
  public var purge = PurgePolicy.keep
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

extension SiteSettings {
  /// The settings of the section `site`.
  static let table: [Setting<SiteSettings>] = [
    Setting("title", \.title, .line, "the name of the site", isAlwaysWritten: true),
    Setting(
      "link", optional: \.link, .folderAddress, "where it will be published; its feeds need it",
      example: "https://planet.example/"),
    Setting(
      "owner", \.owner, .owner, "whose site it is", example: "{name: Somebody, email: somebody@planet.example}"),
    Setting("theme", \.theme, .path, "default, newspaper, plain, or a folder"),
    Setting("language", \.language, .language, "the language of the pages' own words"),
    Setting("time-zone", \.timeZone, .zone, "the zone of dates on pages"),
    Setting("dates", \.dateForm, .choice, "iso, long or short"),
    Setting("posts-per-page", \.postsPerPage, .integer(1...1000), "posts on a numbered page of a list"),
    Setting("purge", \.purge, .purge, "posts that have left their feed: keep, now, or a number of looks at a feed"),
    Setting("fold", \.folds, .boolean, "whether a post that several feeds have is shown once"),
    Setting("tag-threshold", \.tagThreshold, .integer(1...1_000_000), "posts that a tag needs for a page of its own"),
    Setting(
      "in-a-row", optional: \.mostInRow, .integer(1...1000),
      "posts of one feed in a row on the front page; without it, any number", example: "5"),
    Setting(
      "search", optional: \.search, .search, "an engine for the search page",
      example: "https://search.example/?site=planet.example&q={words}"),
    Setting("full-posts", \.showsFullPosts, .boolean, "whether the front page shows whole posts"),
    Setting("offline", \.isOffline, .boolean, "whether pages load nothing from elsewhere"),
    Setting("pictures", \.pictures, .choice, "link, or keep: they are fetched and shown from the site"),
    Setting("output", \.output, .path, "the folder of the site"),
    Setting(
      "archive", optional: \.archive, .path, "the file of the archive; without it, the site's folder with .archive",
      example: "site.archive"),
  ]

  /// Sets a setting to a text of the command line.
  ///
  /// - Throws: what is wrong with the text.
  package mutating func set(_ name: String, to text: String) throws(SettingRefusal) {
    guard let setting = Self.table.first(where: { $0.name == name }) else {
      preconditionFailure("there is no setting '\(name)'")
    }
    var reader = ConfigReader(file: "")
    let location = SourceLocation(file: "")
    setting.read(&reader, YAMLNode(content: .scalar(text, isPlain: false), location: location), &self)
    if let finding = reader.yaml.findings.first { throw SettingRefusal(description: finding.message) }
  }
}

/// Why a text is no value of a setting.
package struct SettingRefusal: Error, CustomStringConvertible {
  /// The reason, in a sentence without a full stop.
  package let description: String
}
