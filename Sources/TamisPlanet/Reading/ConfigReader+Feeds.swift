import TamisCore
import TamisURL
import TamisYAML

extension ConfigReader {
  /// Reads feeds and groups of them; what holds for a group holds for all in it.
  mutating func readFeeds(_ node: YAMLNode, within group: FeedSettings) {
    for item in yaml.items(node) {
      if item.text != nil {
        subscribe(item, settings: group, at: item.location)
      } else if let members = item["feeds"] {
        readFeeds(members, within: self.group(item, within: group))
      } else {
        let own = settings(item, "a feed", besides: ["address"])
        guard let address = item["address"] else {
          yaml.report("a feed needs an address", at: item.location)
          continue
        }
        subscribe(address, settings: own.over(group), at: item.location)
      }
    }
  }

  mutating func subscribe(_ node: YAMLNode, settings: FeedSettings, at location: SourceLocation) {
    guard let address = feedAddress(node) else { return }
    if let first = known[address] {
      return doubt("this feed is already in line \(first.line); this one is left out", at: node.location)
    }
    guard planet.feeds.count < Planet.maximumFeeds else {
      if planet.feeds.count == Planet.maximumFeeds, known.count == Planet.maximumFeeds {
        yaml.report("only the first \(Planet.maximumFeeds) feeds are read", at: node.location)
        known[address] = location
      }
      return
    }
    known[address] = location
    planet.feeds.append(Subscription(address, settings: settings, at: location))
  }

  private mutating func feedAddress(_ node: YAMLNode) -> FeedAddress? {
    guard let text = yaml.string(node) else { return nil }
    do throws(FeedAddress.Refusal) {
      let address = try FeedAddress(text)
      if address.url.scheme == "http", !address.url.password.isEmpty {
        doubt("the password in this address is sent unencrypted; use https", at: node.location)
      }
      return address
    } catch {
      yaml.report(error.description, at: node.location)
      return nil
    }
  }

  /// A group's own settings over those of the group around it; its category is one in that one's.
  private mutating func group(_ node: YAMLNode, within outer: FeedSettings) -> FeedSettings {
    var inner = settings(node, "a group of feeds", besides: ["feeds"])
    if let prefix = outer.categories.last, let name = node["category"]?.text?.collapsingSpace(),
      let index = inner.categories.firstIndex(of: name)
    {
      inner.categories[index] = "\(prefix)/\(name)"
      var outer = outer
      outer.categories.removeLast()
      return inner.over(outer)
    }
    return inner.over(outer)
  }

  mutating func readLists(_ node: YAMLNode) {
    for item in yaml.items(node) {
      if let text = item.text {
        guard let source = listSource(text, item) else { continue }
        planet.readingLists.append(ReadingList(source, at: item.location))
        continue
      }
      let settings = settings(item, "a list", besides: ["address", "file"])
      if let address = item["address"] {
        guard let address = feedAddress(address) else { continue }
        planet.readingLists.append(ReadingList(.address(address), settings: settings, at: item.location))
      } else if let file = item["file"] {
        guard let path = path(file) else { continue }
        planet.readingLists.append(ReadingList(.file(path), settings: settings, at: item.location))
      } else {
        yaml.report("a list needs an address or a file", at: item.location)
      }
    }
  }

  private mutating func listSource(_ text: String, _ node: YAMLNode) -> ReadingList.Source? {
    if text.contains("://") { return feedAddress(node).map { .address($0) } }
    return path(node).map { .file($0) }
  }

  // MARK: - Settings

  static let feedSettings = [
    "title", "page", "category", "categories", "tags", "rules", "language", "time-zone", "max-posts", "max-age",
    "full-text", "site-templates", "filters", "off",
  ]

  /// What is said about feeds.
  ///
  /// - Parameter besides: names that are read elsewhere.
  mutating func settings(_ node: YAMLNode, _ what: String, besides: [String] = []) -> FeedSettings {
    var settings = FeedSettings()
    for (key, value) in yaml.pairs(node, what) where !besides.contains(key.text) {
      switch key.text {
      case "title": settings.title = line(value)
      case "page": settings.page = address(value)
      case "category", "categories":
        settings.categories += names(value).filter { !settings.categories.contains($0) }
      case "tags": settings.tags = names(value)
      case "rules": settings.rules = path(value)
      case "language": settings.language = language(value)
      case "time-zone": settings.timeZone = zone(value)
      case "max-posts": settings.maximumPosts = yaml.integer(value, in: 1...1_000_000)
      case "max-age": settings.maximumAge = days(value)
      case "full-text": settings.fullText = choice(value)
      case "site-templates": settings.comparesPages = yaml.boolean(value)
      case "filters": settings.filters = filters(value)
      case "off": settings.isOff = yaml.boolean(value) ?? false
      default: yaml.unknown(key, besides + Self.feedSettings, "setting of \(what)")
      }
    }
    return settings
  }
}
