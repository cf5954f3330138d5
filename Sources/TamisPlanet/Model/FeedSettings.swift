/// Whether the articles of pages replace excerpts.
public enum FullText: String, Sendable, Hashable, CaseIterable {
  /// For every entry whose page has more.
  case yes
  /// For entries that are short, or say themselves that they go on elsewhere.
  case whenShort = "when-short"
  /// Never, and no page is asked for.
  case no
}

/// The settings of one feed, or the defaults of all feeds.
public struct FeedSettings: Sendable, Hashable {
  /// The name that it is shown under; nil for its own.
  public var title: String?
  /// The page that it belongs to; nil for the feed's own.
  public var page: String?
  /// Groups that it is listed in; a folder in a folder is `News/Science`.
  public var categories: [String] = []
  /// Tags that each of its posts gets.
  public var tags: [String] = []
  /// The sanitizing rules, by name or by path as seen from the configuration's folder; nil for `reading`.
  public var rules: String?
  /// The language of posts that have none (BCP 47).
  public var language: String?
  /// The time zone of dates that have none.
  public var timeZone: ZoneName?
  /// Most posts that are shown of it, from 1; nil for all.
  public var maximumPosts: Int?
  /// Days after which its posts are not taken any more, from 1; nil for never.
  public var maximumAge: Int?
  /// Whether the articles of its posts' pages are shown; nil for ``FullText/no``.
  public var fullText: FullText?
  /// Whether these pages are compared with others of their sites, to drop common blocks at their edges; nil when not set.
  public var comparesPages: Bool?
  /// Rules for its posts.
  public var filters: [FilterRule] = []
  /// Whether it is not read for now; what was read stays.
  public var isOff = false

  /// Makes settings without values.
  public init() {}

  /// Whether pages of its posts may be wanted.
  public var wantsPages: Bool { fullText.map { $0 != .no } ?? false }

  /// These settings, with missing values from others; lists are joined, the others' first.
  public func over(_ others: FeedSettings) -> FeedSettings {
    var settings = self
    settings.title = title ?? others.title
    settings.page = page ?? others.page
    settings.categories = Self.joined(others.categories, with: categories)
    settings.tags = Self.joined(others.tags, with: tags)
    settings.rules = rules ?? others.rules
    settings.language = language ?? others.language
    settings.timeZone = timeZone ?? others.timeZone
    settings.maximumPosts = maximumPosts ?? others.maximumPosts
    settings.maximumAge = maximumAge ?? others.maximumAge
    settings.fullText = fullText ?? others.fullText
    settings.comparesPages = comparesPages ?? others.comparesPages
    settings.filters = filters.isEmpty ? others.filters : others.filters + filters
    settings.isOff = isOff || others.isOff
    return settings
  }

  /// Most feeds add nothing, and share the list then.
  private static func joined(_ first: [String], with second: [String]) -> [String] {
    second.isEmpty ? first : first + second.filter { !first.contains($0) }
  }
}
