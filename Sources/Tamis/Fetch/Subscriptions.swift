public import TamisFiles
public import TamisPlanet

/// The feeds that a build reads from elsewhere.
public struct Subscriptions: Sendable, Hashable {
  /// The feeds, each with all that holds for it.
  public var feeds: [Subscription] = []
  /// Lists of feeds on the web, which are read too.
  public var lists: [ReadingList] = []
  /// What holds for the feeds of these lists.
  public var planet = Planet()
  /// The folder of the configuration, in which filter programs are run.
  public var folder: FilePath = "."
  /// Whether these are all: a feed that was subscribed to and is not among them is no source any more.
  public var isWhole = false

  /// None.
  public init() {}

  /// Whether somebody has said that there are no feeds: those that were subscribed to go from the site.
  public var areNone: Bool { isWhole && feeds.isEmpty && lists.isEmpty }
}
