package import TamisCore
package import TamisHTML
import TamisYAML

extension Planet {
  /// Whether articles from pages replace excerpts.
  public enum FullText: String, Sendable, Hashable, CaseIterable {
    /// Articles replace excerpts for every entry whose page has more text.
    case yes
    /// Articles replace excerpts that are short, or that say that they continue elsewhere.
    case whenShort = "when-short"
    /// Excerpts are never replaced, and no page is fetched.
    case no
  }
}

extension Planet {
  /// The settings of one feed, or the defaults of all feeds.
  public struct FeedSettings: Sendable, Hashable {
    /// The displayed name; nil for the feed's own.
    public var title: String?
    /// The home page; nil for the feed's own.
    public var page: String?
    /// The picture of its author; nil for the feed's own.
    public var face: String?
    /// The groups in which the feed is listed; a nested group is written as `News/Science`.
    public var categories: [String] = []
    /// The tags added to each of its posts.
    public var tags: [String] = []
    /// The sanitizing rules, by name or by path relative to the configuration's folder; nil for `reading`.
    public var rules: String?
    /// The language of posts without one (BCP 47).
    public var language: String?
    /// The time zone of dates without one.
    package var timeZone: ZoneName?
    /// The maximum number of posts shown, from 1; nil for all.
    public var maximumPosts: Int?
    /// The age in days after which posts are no longer taken over, from 1; nil for no limit.
    public var maximumAge: Int?
    /// Whether the articles from its posts' pages are shown; nil for ``Planet/FullText/no``.
    public var fullText: Planet.FullText?
    /// Whether these pages are compared with others of their sites, to remove common blocks at their edges; nil when
    /// not set.
    package var comparesPages: Bool?
    /// Whether the posts before those of its document are read too, to the first; nil when not set.
    public var history: Bool?
    /// The parts of its posts' bodies that are read.
    package var selection = PartSelection()
    /// What its requests send to its own server.
    package var request = Planet.RequestSettings()
    /// The rules for its posts.
    package var filters: [Planet.FilterRule] = []
    /// Whether the feed is not fetched for now; its posts stay.
    public var isOff = false

    /// Creates settings without values.
    public init() {}

    /// Whether pages of posts may be needed.
    package var wantsPages: Bool { fullText.map { $0 != .no } ?? false }

    /// Returns these settings with missing values from others; lists are concatenated, the others' first.
    package func over(_ others: Planet.FeedSettings) -> Planet.FeedSettings {
      var settings = self
      for setting in Self.table { setting.inherit(&settings, others) }
      settings.request.isFaulty = request.isFaulty || others.request.isFaulty
      return settings
    }
  }
}

extension Planet.FeedSettings {
  /// The settings of a feed, of a group, and of the section `defaults`.
  static let table: [Setting<Planet.FeedSettings>] = [
    Setting("title", optional: \.title, .line, "a name of its own"),
    Setting("page", optional: \.page, .address, "the home page, when the feed names another"),
    Setting("face", optional: \.face, .address, "a picture of its author, beside its posts"),
    Setting(
      "category", \.categories, listed: .names(plural: "categories"), "groups that it is listed in",
      aliases: ["categories"]),
    Setting("tags", \.tags, listed: .names(), "tags for each of its posts"),
    Setting("rules", optional: \.rules, .path, "sanitizing rules, by name or as a file"),
    Setting("language", optional: \.language, .language, "the language of posts that name none", example: "en"),
    Setting("time-zone", optional: \.timeZone, .zone, "the zone of dates that name none", example: "Europe/Vienna"),
    Setting(
      "max-posts", optional: \.maximumPosts, .integer(1...1_000_000),
      "how many of its posts are shown, of those that filters keep"),
    Setting("max-age", optional: \.maximumAge, .days, "the age at which its posts are not shown", example: "365d"),
    Setting(
      "full-text", optional: \.fullText, .choice, "whether the article of a post's page is shown; no without it",
      example: "when-short"),
    Setting(
      "site-templates", optional: \.comparesPages, .boolean,
      "whether what several pages of the site share at their edges is left out"),
    Setting(
      "history", optional: \.history, .boolean,
      "whether its earlier posts are read too, to the first, where the feed or its program has pages of them"),
    Setting(
      "remove", \.selection.remove, listed: .selectors, "elements that are left out of its posts, by CSS selectors",
      example: "[.share-buttons, \"p > .ad\"]"),
    Setting(
      "only", \.selection.only, listed: .selectors,
      "elements outside of which its posts are not read, by CSS selectors; posts without them are read whole"),
    Setting(
      "user-agent", optional: \.request.userAgent, .userAgent,
      "the name of its requests, for a server that refuses tamis",
      example: "Mozilla/5.0 (compatible; planet.example)"),
    Setting(
      "login", optional: \.request.login, .login, "a user name and a password of HTTP Basic, for its own server",
      example: "{user: somebody, password: {secret: PAPER}}"),
    Setting(
      "headers", \.request.headers, sent: .headers, "header fields of its requests, for its own server",
      example: "{Accept-Language: de, X-Api-Key: {secret: PAPER_KEY}}"),
    Setting(
      "cookies", \.request.cookies, sent: .cookies, "cookies of its requests, for its own server",
      example: "{session: {secret: PAPER_SESSION}}"),
    Setting(
      name: "off", summary: "whether it is not fetched; its posts stay", form: .boolean,
      read: { reader, node, settings in settings.isOff = reader.yaml.boolean(node) ?? false },
      write: { $0.isOff ? SettingText(value: "true") : nil },
      inherit: { settings, group in settings.isOff = settings.isOff || group.isOff }),
    Setting(
      name: "filters", summary: "filters for its posts, after those of all feeds", form: .filters,
      read: { reader, node, settings in settings.filters = reader.filters(node) },
      write: { $0.filters.isEmpty ? nil : SettingKind.filters.write($0.filters) },
      inherit: { settings, group in
        settings.filters = settings.filters.isEmpty ? group.filters : group.filters + settings.filters
      }),
  ]
}
