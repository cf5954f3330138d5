/// A configuration: what to read, how, and how to publish it.
public struct Planet: Sendable, Hashable {
  /// The site that is made.
  public var site = SiteSettings()
  /// How feeds are fetched.
  public var fetching = FetchSettings()
  /// The pages of posts.
  public var pages = PageSettings()
  /// The default settings of feeds.
  public var defaults = FeedSettings()
  /// The feeds, in the order in which they are written; no two have the same normalized address.
  public var feeds: [Subscription] = []
  /// Lists of subscriptions whose feeds are read too.
  public var readingLists: [ReadingList] = []
  /// Rules for the posts of all feeds, applied before those of ``defaults`` and of the feed itself.
  public var filters: [FilterRule] = []

  /// Most feeds of a planet (200,000); further ones are not read, with a finding.
  public static let maximumFeeds = 200_000
  /// Most categories and most tags that are given to one feed or group (200).
  public static let mostNames = 200
  /// Longest name of a category or tag, in bytes (256).
  public static let longestName = 256
  /// Most rules that are given to one feed or group (100); each can have any number of words.
  public static let mostRules = 100

  /// An empty planet.
  public init() {}

  /// The settings of a feed: its own over the defaults, with the filters for all feeds.
  public func settings(for subscription: Subscription) -> FeedSettings {
    var settings = subscription.settings.over(defaults)
    settings.filters = filters + settings.filters
    return settings
  }
}
