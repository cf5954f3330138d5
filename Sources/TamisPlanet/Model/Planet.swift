/// A configuration: what to read, how, and how to publish it.
public struct Planet: Sendable, Hashable {
  /// The settings of the site.
  public var site = Planet.SiteSettings()
  /// The settings for fetching feeds.
  public var fetching = Planet.FetchSettings()
  /// The settings for the pages of posts.
  public var pages = Planet.PageSettings()
  /// The default settings of feeds.
  public var defaults = Planet.FeedSettings()
  /// The feeds in the order of the file; no two have the same normalized URL.
  public var feeds: [Planet.Subscription] = []
  /// The lists of subscriptions whose feeds are also read.
  public var readingLists: [Planet.ReadingList] = []
  /// The rules for the posts of all feeds, applied before those of ``defaults`` and of the feed itself.
  public var filters: [Planet.FilterRule] = []

  /// The maximum number of feeds (200,000); further ones are reported and not read.
  public static let maximumFeeds = 200_000
  /// The maximum number of categories, and of tags, of one feed or group (200).
  public static let mostNames = 200
  /// The maximum length of the name of a category or tag, in bytes (256).
  public static let longestName = 256
  /// The maximum number of rules of one feed or group (100); each can have any number of words.
  public static let mostRules = 100

  /// Creates an empty planet.
  public init() {}

  /// Returns the settings of a feed: its own over the defaults, with the filters for all feeds.
  public func settings(for subscription: Planet.Subscription) -> Planet.FeedSettings {
    settings(over: subscription.settings)
  }

  /// The settings of a feed that is not in the configuration, such as a file named on the command line.
  package var standardSettings: Planet.FeedSettings { settings(over: Planet.FeedSettings()) }

  private func settings(over own: Planet.FeedSettings) -> Planet.FeedSettings {
    var settings = own.over(defaults)
    settings.filters = filters + settings.filters
    return settings
  }
}
