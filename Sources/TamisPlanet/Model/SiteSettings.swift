package import TamisCore
import TamisYAML

extension SiteSettings {
  /// The settings of the section `site`.
  static let table: [Setting<SiteSettings>] = [
    Setting("title", \.title, .line, "the name of the site", isAlwaysWritten: true),
    Setting(
      "link", optional: \.link, .folderAddress, "where it will be published; its feeds need it",
      example: "https://planet.example/"),
    Setting("owner", \.owner, .owner, "whose site it is", example: "{name: Somebody, email: somebody@planet.example}"),
    Setting("theme", \.theme, .path, "default, newspaper, plain, or a folder"),
    Setting("language", \.language, .language, "the language of the pages' own words"),
    Setting("time-zone", \.timeZone, .zone, "the zone of dates on pages"),
    Setting("dates", \.dateForm, .choice, "iso, long or short"),
    Setting("posts-per-page", \.postsPerPage, .integer(1...1000), "posts on a numbered page of a list"),
    Setting(
      "keys", \.keys, .choice,
      "how posts are recognized: ladder, by the best of their keys; guid-or-link, by the id, else the link"),
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
    Setting(
      "feed-history", \.publishesHistory, .boolean,
      "whether the feeds of all posts lead back to the first, a hundred posts in a document"),
    Setting("full-posts", \.showsFullPosts, .boolean, "whether the front page shows whole posts"),
    Setting("only-new", \.showsUnreadOnly, .boolean, "whether only posts are listed that are not marked as read"),
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

  /// The values of all settings as text, which changes with each of them.
  package var fingerprint: String {
    Self.table.map { setting in
      let text = setting.write(self)
      return "\(setting.name): \(text?.value ?? "") \(text?.lines.joined(separator: "\n") ?? "")"
    }.joined(separator: "\n")
  }
}

/// The error for a text that is not a value of a setting.
package struct SettingRefusal: Error, CustomStringConvertible {
  /// The reason, in a sentence without a full stop.
  package let description: String
}
