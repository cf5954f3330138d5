package import TamisCore
import TamisYAML

/// A configuration: what to read, how, and how to publish it.
public struct Planet: Sendable, Hashable {
  /// The settings of the site.
  package var site = SiteSettings()
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

  /// Sets a setting of the command line, such as `site.in-a-row=5` or `fetch.allow=[10.0.0.0/8, fd00::/8]`.
  ///
  /// A value that begins with a bracket or a brace is YAML, any other is the text itself. Lists are added to.
  ///
  /// - Parameter text: the section of `tamis.yaml`, the name and the value.
  /// - Throws: ``SettingRefusal`` when there is no such setting, or the value is none of it.
  package mutating func set(_ text: String) throws(SettingRefusal) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let value = parts.count > 1 ? String(parts[1]) : nil
    try set(
      value == nil ? "" : parts[0], to: value ?? "",
      isFlow: value.map { $0.hasPrefix("[") || $0.hasPrefix("{") } ?? false)
  }

  /// Sets a setting, such as `site.title`, to a text.
  ///
  /// - Parameters:
  ///   - name: the section of `tamis.yaml` and the name.
  ///   - value: the value.
  ///   - isFlow: whether the value is YAML rather than a text.
  /// - Throws: ``SettingRefusal`` when there is no such setting, or the value is none of it.
  package mutating func set(_ name: Substring, to value: String, isFlow: Bool = false) throws(SettingRefusal) {
    var reader = ConfigReader(file: "")
    (reader.planet, reader.allowsPasswords) = (self, true)
    reader.read(setting: name, value, isFlow: isFlow)
    let mistake = reader.yaml.findings.first { $0.severity == .error }
    if let mistake { throw SettingRefusal(description: mistake.message) }
    self = reader.planet
  }

  private func settings(over own: Planet.FeedSettings) -> Planet.FeedSettings {
    var settings = own.over(defaults)
    settings.filters = filters + settings.filters
    return settings
  }
}
