public import TamisFiles
public import TamisPlanet

/// The feeds that a build fetches.
public struct Subscriptions: Sendable, Hashable {
  /// The feeds, each with its settings.
  public var feeds: [Subscription] = []
  /// Remote lists of feeds, which are fetched too.
  public var lists: [ReadingList] = []
  /// The settings for the feeds of these lists.
  public var planet = Planet()
  /// The folder of the configuration, in which filter programs are run.
  public var folder: FilePath = "."
  /// Whether these are all subscriptions: other fetched feeds are taken out.
  public var isWhole = false

  /// No subscriptions.
  public init() {}

  /// Whether the user has removed all subscriptions: then fetched feeds go from the site.
  public var areNone: Bool { isWhole && feeds.isEmpty && lists.isEmpty }
}
