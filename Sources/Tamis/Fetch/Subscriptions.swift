package import TamisSystem
public import TamisPlanet

/// The feeds that a build fetches.
public struct Subscriptions: Sendable, Hashable {
  /// The feeds, each with its settings.
  public var feeds: [Planet.Subscription] = []
  /// Remote lists of feeds, which are fetched too.
  package var lists: [Planet.ReadingList] = []
  /// The settings for the feeds of these lists.
  package var planet = Planet()
  /// The folder of the configuration, which is the working directory of filter programs.
  package var folder: FilePath = "."
  /// Whether these are all subscriptions: other fetched feeds are removed.
  package var isWhole = false

  /// Creates an empty set of subscriptions.
  public init() {}

  /// Leaves feeds as they are whose rules cannot be read.
  package mutating func leave(feedsWithRules names: Set<String>) {
    func isNamed(_ settings: Planet.FeedSettings) -> Bool { settings.rules.map(names.contains) ?? false }
    for index in feeds.indices where isNamed(feeds[index].settings) { feeds[index].settings.request.isFaulty = true }
    for index in lists.indices where isNamed(lists[index].settings) { lists[index].settings.request.isFaulty = true }
  }

  /// Whether the user has removed all subscriptions; fetched feeds are then removed from the site.
  package var areNone: Bool { isWhole && feeds.isEmpty && lists.isEmpty }
}
