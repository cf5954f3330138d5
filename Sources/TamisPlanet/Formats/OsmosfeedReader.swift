import TamisCore
import TamisYAML

/// A reader of osmosfeed's configuration (https://github.com/osmoscraft/osmosfeed, docs/osmosfeed-yaml-reference.md).
struct OsmosfeedReader {
  var config: ConfigReader

  init(file: String) { config = ConfigReader(file: file) }

  mutating func read(_ root: YAMLNode) {
    for (key, value) in config.yaml.pairs(root, "the configuration") {
      switch key.text {
      case "siteTitle":
        if let title = config.line(value) { config.planet.site.title = title }
      case "timezone":
        if !value.isNull, let zone = config.zone(value) { config.planet.site.timeZone = zone }
      case "cacheMaxDays": config.planet.defaults.maximumAge = config.days(value)
      case "cacheUrl": readLink(value)
      case "sources": readSources(value)
      case "feedUrls": config.readFeeds(value, within: Planet.FeedSettings())
      default: config.doubt("'\(key.text)' has no counterpart and is left out", at: key.location)
      }
    }
  }

  /// Derives the site's URL from that of the cache, which is next to the published site.
  private mutating func readLink(_ node: YAMLNode) {
    let name = "/cache.json"
    guard let address = config.address(node), address.hasSuffix(name) else { return }
    config.planet.site.link = String(address.dropLast(name.count - 1))
  }

  private mutating func readSources(_ node: YAMLNode) {
    for item in config.yaml.items(node) {
      var settings = Planet.FeedSettings()
      var address: YAMLNode?
      for (key, value) in config.yaml.pairs(item, "a source") {
        switch key.text {
        case "href", "url": address = value
        case "title", "name": settings.title = config.line(value)
        default: config.doubt("'\(key.text)' has no counterpart and is left out", at: key.location)
        }
      }
      if let address {
        config.subscribe(address, settings: settings, at: item.location)
      } else {
        config.yaml.report("a source needs 'href'", at: item.location)
      }
    }
  }
}
