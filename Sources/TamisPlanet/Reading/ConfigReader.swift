import TamisCore
import TamisFilter
import TamisURL
import TamisYAML

/// Reads `tamis.yaml`; all mistakes are gathered, not only the first.
struct ConfigReader {
  var yaml: YAMLReader
  var planet = Planet()
  /// Where each address was written first.
  var known: [FeedAddress: SourceLocation] = [:]
  /// Whether the feeds stand there as a list, be it of none; a file that was cut off may end in a name without its list.
  var listsFeeds = false

  init(file: String) { yaml = YAMLReader(file: file, code: PlanetFile.invalid) }

  static let sections = ["site", "fetch", "pages", "defaults", "feeds", "lists", "filters"]

  mutating func read(_ root: YAMLNode) {
    for (key, value) in yaml.pairs(root, "the configuration") {
      switch key.text {
      case "site": readSite(value)
      case "fetch": readFetching(value)
      case "pages": readPages(value)
      case "defaults": planet.defaults = settings(value, "defaults")
      case "feeds":
        listsFeeds = Self.isList(value)
        readFeeds(value, within: FeedSettings())
      case "lists": readLists(value)
      case "filters": planet.filters = filters(value)
      default: yaml.unknown(key, Self.sections, "section")
      }
    }
  }

  private static func isList(_ node: YAMLNode) -> Bool {
    guard case .sequence(let items) = node.content else { return false }
    return items.allSatisfy { $0["feeds"].map(isList) ?? true }
  }

  // MARK: - The site

  private mutating func readSite(_ node: YAMLNode) {
    var site = SiteSettings()
    for (key, value) in yaml.pairs(node, "site") {
      switch key.text {
      case "title": site.title = line(value) ?? site.title
      case "link": site.link = address(value).map { $0.hasSuffix("/") ? $0 : $0 + "/" }
      case "owner": site.owner = owner(value)
      case "theme": site.theme = line(value) ?? site.theme
      case "language": site.language = language(value) ?? site.language
      case "time-zone": site.timeZone = zone(value) ?? site.timeZone
      case "dates": site.dateForm = choice(value) ?? site.dateForm
      case "posts-per-page": site.postsPerPage = yaml.integer(value, in: 1...1000) ?? site.postsPerPage
      case "purge": site.retention = retention(value) ?? site.retention
      case "fold": site.folds = yaml.boolean(value) ?? site.folds
      case "tag-threshold": site.tagThreshold = yaml.integer(value, in: 1...1_000_000) ?? site.tagThreshold
      case "in-a-row": site.mostInRow = yaml.integer(value, in: 1...1000)
      case "search": site.search = search(value)
      case "full-posts": site.showsFullPosts = yaml.boolean(value) ?? site.showsFullPosts
      case "offline": site.isOffline = yaml.boolean(value) ?? site.isOffline
      case "pictures": site.pictures = choice(value) ?? site.pictures
      case "output": site.output = path(value) ?? site.output
      case "archive": site.archive = path(value)
      default: yaml.unknown(key, Self.siteSettings, "setting of site")
      }
    }
    planet.site = site
  }

  static let siteSettings = [
    "title", "link", "owner", "theme", "language", "time-zone", "dates", "posts-per-page", "purge", "fold",
    "tag-threshold",
    "in-a-row", "search", "full-posts", "offline", "pictures", "output", "archive",
  ]

  private mutating func owner(_ node: YAMLNode) -> SiteSettings.Owner {
    var owner = SiteSettings.Owner()
    if node.text != nil {
      owner.name = line(node)
      return owner
    }
    for (key, value) in yaml.pairs(node, "owner") {
      switch key.text {
      case "name": owner.name = line(value)
      case "email": owner.email = line(value)
      case "link": owner.link = address(value)
      default: yaml.unknown(key, ["name", "email", "link"], "setting of owner")
      }
    }
    return owner
  }

  private mutating func retention(_ node: YAMLNode) -> SiteSettings.Retention? {
    guard let text = yaml.string(node) else { return nil }
    switch text {
    case "keep": return .keep
    case "now": return .now
    default:
      if let looks = Int(text), (1...1_000_000).contains(looks) { return .after(looks: looks) }
      yaml.report("'\(text)' is not one of: keep, now, or a number of looks from 1", at: node.location)
      return nil
    }
  }

  // MARK: - Fetching

  private mutating func readFetching(_ node: YAMLNode) {
    var fetching = FetchSettings()
    for (key, value) in yaml.pairs(node, "fetch") {
      switch key.text {
      case "contact": fetching.contact = line(value)
      case "timeout": fetching.timeout = duration(value, from: 1) ?? fetching.timeout
      case "connect-timeout": fetching.connectTimeout = duration(value, from: 1) ?? fetching.connectTimeout
      case "max-size": fetching.maximumBytes = size(value) ?? fetching.maximumBytes
      case "at-once": fetching.atOnce = yaml.integer(value, in: 1...1000) ?? fetching.atOnce
      case "per-host": fetching.perHost = yaml.integer(value, in: 1...100) ?? fetching.perHost
      case "delay": fetching.delay = duration(value, from: 0) ?? fetching.delay
      case "proxy": fetching.proxy = address(value)
      case "allow": fetching.allowedNetworks = networks(value)
      case "shortest-interval": fetching.shortestInterval = duration(value, from: 0) ?? fetching.shortestInterval
      case "longest-interval": fetching.longestInterval = duration(value, from: 1) ?? fetching.longestInterval
      default: yaml.unknown(key, Self.fetchSettings, "setting of fetch")
      }
    }
    if fetching.shortestInterval > fetching.longestInterval {
      yaml.report("the shortest interval is longer than the longest", at: node.location)
    }
    if fetching.perHost > fetching.atOnce {
      doubt("per-host is larger than at-once and has no effect", at: node.location)
    }
    planet.fetching = fetching
  }

  static let fetchSettings = [
    "contact", "timeout", "connect-timeout", "max-size", "at-once", "per-host", "delay", "proxy", "allow",
    "shortest-interval", "longest-interval",
  ]

  // MARK: - Pages of posts

  private mutating func readPages(_ node: YAMLNode) {
    var pages = PageSettings()
    for (key, value) in yaml.pairs(node, "pages") {
      switch key.text {
      case "known": pages.known = paths(value)
      case "site-rules": pages.siteRules = path(value)
      default: yaml.unknown(key, ["known", "site-rules"], "setting of pages")
      }
    }
    planet.pages = pages
  }

  private mutating func networks(_ node: YAMLNode) -> [IPRange] {
    if node.text != nil { return network(node).map { [$0] } ?? [] }
    return yaml.items(node).compactMap { network($0) }
  }

  private mutating func network(_ node: YAMLNode) -> IPRange? {
    guard let text = yaml.string(node) else { return nil }
    if let range = IPRange(text) { return range }
    yaml.report("'\(text)' is not a network; write it as in 10.0.0.0/8, fd00::/8 or 192.168.1.5", at: node.location)
    return nil
  }
}
