package import TamisCore
import TamisYAML

extension Planet {
  /// The settings of the generated site.
  package struct SiteSettings: Sendable, Hashable {
    /// The source of pictures on the site.
    package enum Pictures: String, Sendable, Hashable, CaseIterable {
      /// The original URLs.
      case link
      /// Copies in the site.
      case keep
    }

    /// The site's name.
    package var title = "Reading"
    /// The absolute URL where the site will be published, with a trailing slash; nil when not known.
    package var link: String?
    /// The owner of the site.
    package var owner = SiteOwner()
    /// The theme: the name of a built-in one, or a folder relative to that of the configuration.
    package var theme = "default"
    /// The language of the interface (BCP 47).
    package var language = "en"
    /// The time zone of displayed dates.
    package var timeZone = Planet.ZoneName.utc
    /// The format of dates.
    package var dateForm = DateForm.long
    /// The number of posts on a page of a list, from 1.
    package var postsPerPage = 50
    /// The treatment of posts that have left their feed.
    package var purge = PurgePolicy.keep
    /// Whether a post that several feeds have is shown once.
    package var folds = true
    /// The minimum number of posts for a tag to have a page of its own, from 1.
    package var tagThreshold = 3
    /// The maximum number of posts of one feed in a row on the front page before a line replaces the others; nil for no
    /// maximum.
    package var mostInRow: Int?
    /// The search of the search page; nil for none.
    package var search: SiteSearch?
    /// Whether the front page shows complete posts rather than excerpts.
    package var showsFullPosts = false
    /// Whether search engines are asked to leave the site out.
    package var isUnlisted = false
    /// Whether the pages of posts list what was removed from them.
    package var showsRemovals = false
    /// Whether pages load nothing from other hosts.
    package var isOffline = false
    /// The source of pictures.
    package var pictures = Pictures.link
    /// The site's folder, relative to that of the configuration.
    package var output = "site"
    /// The archive's file, relative to the configuration's folder; nil for the site's folder with `.archive` appended.
    package var archive: String?

    /// Creates the default settings.
    package init() {}
  }
}

extension Planet.SiteSettings {
  /// The settings of the section `site`.
  static let table: [Setting<Planet.SiteSettings>] = [
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
      "search", optional: \.search, .search,
      "page, for a search by a script on the search page; or an engine for a form",
      example: "https://search.example/?site=planet.example&q={words}"),
    Setting("full-posts", \.showsFullPosts, .boolean, "whether the front page shows whole posts"),
    Setting("noindex", \.isUnlisted, .boolean, "whether search engines are asked to leave the site out, as for copies"),
    Setting(
      "removals", \.showsRemovals, .boolean, "whether the page of a post lists what was removed from it, and why"),
    Setting("offline", \.isOffline, .boolean, "whether pages load nothing from elsewhere"),
    Setting("pictures", \.pictures, .choice, "link, or keep: they are fetched and shown from the site"),
    Setting("output", \.output, .path, "the folder of the site"),
    Setting(
      "archive", optional: \.archive, .path, "the file of the archive; without it, the site's folder with .archive",
      example: "site.archive"),
  ]

  /// Sets a setting from a text of the command line.
  ///
  /// - Parameters:
  ///   - name: the name of an existing setting.
  ///   - text: the value.
  /// - Throws: ``SettingRefusal`` when the text is not a value of the setting.
  package mutating func set(_ name: String, to text: String) throws(SettingRefusal) {
    guard let setting = Self.table.first(where: { $0.name == name }) else {
      preconditionFailure("there is no setting '\(name)'")
    }
    var reader = ConfigReader(file: "")
    let location = Finding.Location(file: "")
    setting.read(&reader, YAMLNode(content: .scalar(text, isPlain: false), location: location), &self)
    if let finding = reader.yaml.findings.first { throw SettingRefusal(description: finding.message) }
  }
}

/// The error for a text that is not a value of a setting.
package struct SettingRefusal: Error, CustomStringConvertible {
  /// The reason, in a sentence without a full stop.
  package let description: String
}
