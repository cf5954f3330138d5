/// A configuration: what to read, how, and how to publish it.
public struct Planet: Sendable, Hashable {
  /// The settings of the site.
  package var site = Planet.SiteSettings()
  /// The settings for fetching feeds.
  package var fetching = Planet.FetchSettings()
  /// The settings for the pages of posts.
  package var pages = Planet.PageSettings()
  /// The default settings of feeds.
  package var defaults = Planet.FeedSettings()
  /// The feeds in the order of the file; no two have the same normalized URL.
  package var feeds: [Planet.Subscription] = []
  /// The lists of subscriptions whose feeds are also read.
  package var readingLists: [Planet.ReadingList] = []
  /// The rules for the posts of all feeds, applied before those of ``defaults`` and of the feed itself.
  package var filters: [Planet.FilterRule] = []

  /// The maximum number of feeds (200,000); further ones are reported and not read.
  package static let maximumFeeds = 200_000
  /// The maximum number of categories, and of tags, of one feed or group (200).
  package static let mostNames = 200
  /// The maximum length of the name of a category or tag, in bytes (256).
  package static let longestName = 256
  /// The maximum number of rules of one feed or group (100); each can have any number of words.
  package static let mostRules = 100

  /// Creates an empty planet.
  package init() {}

  /// Returns the settings of a feed: its own over the defaults, with the filters for all feeds.
  package func settings(for subscription: Planet.Subscription) -> Planet.FeedSettings {
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
