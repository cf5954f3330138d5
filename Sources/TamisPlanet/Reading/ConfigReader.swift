package import TamisCore
import TamisHTML
import TamisURL
import TamisYAML
import TamisSystem

/// A reader of `tamis.yaml` that collects all mistakes, not only the first.
struct ConfigReader {
  var yaml: YAMLReader
  var planet = Planet()
  /// The first location of each URL.
  var known: [Planet.Address: Finding.Location] = [:]
  /// Whether the feeds are written as a list, even an empty one; a truncated file may end in a key without its list.
  var listsFeeds = false
  /// The conditions and expressions that were read so far.
  var counts = FilterCounts()

  init(file: String) { yaml = YAMLReader(file: file, code: PlanetFile.invalid) }

  /// Whether the settings of the site have a mistake, as also a misspelled section may be theirs.
  private(set) var isSiteFaulty = false
  /// Whether settings may hold a password, which a file should not.
  var allowsPasswords = false

  static let sections = ["site", "fetch", "pages", "defaults", "feeds", "lists", "filters"]

  mutating func read(_ root: YAMLNode) {
    var isFaulty = false
    defer { planet.defaults.request.isFaulty = planet.defaults.request.isFaulty || isFaulty }
    let before = yaml.findings.count
    let sections = yaml.pairs(root, "the configuration")
    isSiteFaulty = hasErrors(since: before)
    for (key, value) in sections {
      switch key.text {
      case "site":
        let before = yaml.findings.count
        planet.site = read(value, "site", by: SiteSettings.table, over: planet.site)
        isSiteFaulty = isSiteFaulty || hasErrors(since: before)
      case "fetch": readFetching(value)
      case "pages": planet.pages = read(value, "pages", by: Planet.PageSettings.table, over: planet.pages)
      case "defaults": planet.defaults = settings(value, "defaults", over: planet.defaults)
      case "feeds":
        listsFeeds = Self.isList(value)
        readFeeds(value, within: Planet.FeedSettings())
      case "lists": readLists(value)
      case "filters":
        let before = yaml.findings.count
        planet.filters = filters(value)
        isFaulty = isFaulty || hasErrors(since: before)
      default:
        // It may be the misspelled section of filters or defaults, without which feeds would show what they hold back.
        yaml.unknown(key, Self.sections, "section")
        (isFaulty, isSiteFaulty) = (true, true)
      }
    }
  }

  /// Reads a setting of the command line.
  ///
  /// - Parameters:
  ///   - name: the section and the name, such as `site.in-a-row`.
  ///   - value: the value, such as `5`.
  ///   - isFlow: whether the value is YAML, such as `[10.0.0.0/8, fd00::/8]`, rather than a text.
  mutating func read(setting name: Substring, _ value: String, isFlow: Bool) {
    let location = Finding.Location(file: yaml.file)
    let names = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard names.count == 2, !names[1].isEmpty else {
      return yaml.report("a setting is written as in site.in-a-row=5 or fetch.delay=2s", at: location)
    }
    let sections = ["site", "fetch", "pages", "defaults"]
    guard sections.contains(names[0]) else {
      return yaml.unknown(YAMLKey(text: names[0], location: location), sections, "section of settings")
    }
    let text = YAMLNode(content: .scalar(value, isPlain: false), location: location)
    guard let node = isFlow ? yaml.root(Array(value.utf8)) : text else { return }
    read(
      names.reversed().reduce(node) { node, name in
        let key = YAMLKey(text: name, location: location)
        return YAMLNode(content: .mapping([(key: key, value: node)]), location: location)
      })
  }

  private static func isList(_ node: YAMLNode) -> Bool {
    guard case .sequence(let items) = node.content else { return false }
    return items.allSatisfy { $0["feeds"].map(isList) ?? true }
  }

  // MARK: - Sections

  /// Reads a section by the table of its settings.
  ///
  /// - Parameters:
  ///   - node: the section.
  ///   - what: its name in findings.
  ///   - table: the settings.
  ///   - defaults: the values of missing settings.
  ///   - besides: the keys that are read elsewhere.
  /// - Returns: the settings of the section, over the defaults.
  mutating func read<Settings>(
    _ node: YAMLNode, _ what: String, by table: [Setting<Settings>], over defaults: Settings, besides: [String] = []
  ) -> Settings {
    var settings = defaults
    for (key, value) in yaml.pairs(node, what) where !besides.contains(key.text) {
      if let setting = table.first(where: { $0.name == key.text || $0.aliases.contains(key.text) }) {
        setting.read(&self, value, &settings)
      } else {
        yaml.unknown(key, besides + table.flatMap { [$0.name] + $0.aliases }, "setting of \(what)")
      }
    }
    return settings
  }

  mutating func owner(_ node: YAMLNode) -> SiteOwner {
    var owner = SiteOwner()
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

  mutating func purge(_ node: YAMLNode) -> PurgePolicy? {
    guard let text = yaml.string(node) else { return nil }
    if let policy = PurgePolicy(text) { return policy }
    yaml.report("'\(text)' is not one of: keep, now, or a number of looks from 1", at: node.location)
    return nil
  }

  // MARK: - Fetching

  private mutating func readFetching(_ node: YAMLNode) {
    let fetching = read(node, "fetch", by: Planet.FetchSettings.table, over: planet.fetching)
    if fetching.shortestInterval > fetching.longestInterval {
      yaml.report("the shortest interval is longer than the longest", at: node.location)
    }
    if fetching.perHost > fetching.atOnce {
      doubt("per-host is larger than at-once and has no effect", at: node.location)
    }
    planet.fetching = fetching
  }

  mutating func networks(_ node: YAMLNode) -> [IPRange] {
    items(node).compactMap { value($0, Planet.FetchSettings.network) }
  }
}

extension ConfigReader {
  /// Reads feeds and groups of them; the settings of a group apply to all feeds in it.
  mutating func readFeeds(_ node: YAMLNode, within group: Planet.FeedSettings) {
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

  mutating func subscribe(_ node: YAMLNode, settings: Planet.FeedSettings, at location: Finding.Location) {
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
    planet.feeds.append(Planet.Subscription(address, settings: settings, at: location))
  }

  private mutating func feedAddress(_ node: YAMLNode) -> Planet.Address? {
    guard let text = yaml.string(node) else { return nil }
    do throws(Planet.Address.Refusal) {
      let address = try Planet.Address(text)
      if address.url.scheme == "http", !address.url.password.isEmpty {
        doubt("the password in this address is sent unencrypted; use https", at: node.location)
      }
      return address
    } catch {
      yaml.report(error.description, at: node.location)
      return nil
    }
  }

  /// Returns a group's own settings over those of the enclosing group; its category is nested in the outer one.
  private mutating func group(_ node: YAMLNode, within outer: Planet.FeedSettings) -> Planet.FeedSettings {
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

  private mutating func readLists(_ node: YAMLNode) {
    for item in yaml.items(node) {
      if let text = item.text {
        guard let source = listSource(text, item) else { continue }
        planet.readingLists.append(Planet.ReadingList(source: source, location: item.location))
        continue
      }
      let settings = settings(item, "a list", besides: ["address", "file"])
      if let address = item["address"] {
        if let text = address.text, !text.contains("://"), !text.hasPrefix("feed:") {
          yaml.report("'\(text)' is not an address; a file is named by 'file: \(text)'", at: address.location)
          continue
        }
        guard let address = feedAddress(address) else { continue }
        planet.readingLists.append(
          Planet.ReadingList(source: .address(address), settings: settings, location: item.location))
      } else if let file = item["file"] {
        guard let path = path(file) else { continue }
        planet.readingLists.append(
          Planet.ReadingList(source: .file(path), settings: settings, location: item.location))
      } else {
        yaml.report("a list needs an address or a file", at: item.location)
      }
    }
  }

  private mutating func listSource(_ text: String, _ node: YAMLNode) -> Planet.ReadingList.Source? {
    if text.contains("://") { return feedAddress(node).map { .address($0) } }
    return path(node).map { .file($0) }
  }

  // MARK: - Settings

  /// Reads the settings of feeds.
  ///
  /// - Parameters:
  ///   - node: the settings.
  ///   - what: their name in findings.
  ///   - defaults: the values of missing settings.
  ///   - besides: the keys that are read elsewhere.
  /// - Returns: the settings, over the defaults. With a mistake in them the feed is left as it is.
  private mutating func settings(
    _ node: YAMLNode, _ what: String, over defaults: Planet.FeedSettings = Planet.FeedSettings(), besides: [String] = []
  ) -> Planet.FeedSettings {
    let before = yaml.findings.count
    var settings = read(node, what, by: Planet.FeedSettings.table, over: defaults, besides: besides)
    settings.request.isFaulty = defaults.request.isFaulty || hasErrors(since: before)
    return settings
  }

  private func hasErrors(since before: Int) -> Bool { yaml.findings[before...].contains { $0.severity == .error } }
}

extension ConfigReader {
  /// Reports something valid but probably unintended.
  mutating func doubt(_ message: String, at location: Finding.Location) {
    yaml.findings.append(Finding(.warning, PlanetFile.doubtful, message, at: location))
  }

  /// Returns the items of a list; a single value is one.
  mutating func items(_ node: YAMLNode) -> [YAMLNode] { node.text != nil ? [node] : yaml.items(node) }

  /// Reads a text as one line, with white space collapsed.
  mutating func line(_ node: YAMLNode) -> String? {
    guard let text = yaml.string(node)?.collapsingSpace() else { return nil }
    if !text.isEmpty { return text }
    yaml.report("a value is missing here", at: node.location)
    return nil
  }

  /// Reads a list of one-line texts, or a single one.
  mutating func lines(_ node: YAMLNode) -> [String] {
    items(node).compactMap { line($0) }
  }

  /// Reads the names of categories or tags, each once.
  mutating func names(_ node: YAMLNode) -> [String] {
    var names: [String] = []
    for name in lines(node) where !names.contains(name) {
      if name.utf8.count > Planet.longestName {
        yaml.report("this name is longer than \(Planet.longestName) bytes", at: node.location)
      } else if names.count == Planet.mostNames {
        yaml.report("there are more than \(Planet.mostNames) names here", at: node.location)
        break
      } else {
        names.append(name)
      }
    }
    return names
  }

  /// Reads a path.
  mutating func path(_ node: YAMLNode) -> String? {
    guard let text = yaml.string(node) else { return nil }
    if !text.isEmpty { return text }
    yaml.report("a path is missing here", at: node.location)
    return nil
  }

  /// Reads a list of paths, or a single one.
  mutating func paths(_ node: YAMLNode) -> [String] {
    items(node).compactMap { path($0) }
  }

  /// Reads CSS selectors.
  mutating func selectors(_ node: YAMLNode) -> [CSSSelector] {
    let selectors = yaml.values(node, missing: CSSSelector.missing) { text throws(TextMistake) in try CSSSelector(text)
    }
    let most = CSSSelector.mostAlternatives
    guard selectors.reduce(0, { $0 + $1.count }) > most else { return selectors }
    yaml.report("there are more than \(most) selectors here", at: node.location)
    return []
  }

  /// Reads an absolute HTTP or HTTPS URL without user name and password, and normalizes it.
  mutating func address(_ node: YAMLNode) -> String? {
    guard let text = yaml.string(node) else { return nil }
    do throws(Planet.Address.Refusal) {
      let address = try Planet.Address(text)
      if !address.hasCredentials { return address.url.href }
      yaml.report("a user name and password are not allowed here: this is published", at: node.location)
    } catch {
      yaml.report(error.description, at: node.location)
    }
    return nil
  }

  /// Reads the URL of a folder, without a query and fragment, and ends it with a slash.
  mutating func folderAddress(_ node: YAMLNode) -> String? {
    guard let text = address(node), let url = WebURL(text) else { return nil }
    if url.query != nil {
      yaml.report("a query is not allowed here: pages are published below this address", at: node.location)
      return nil
    }
    let plain = url.removingFragment.href
    return plain.hasSuffix("/") ? plain : plain + "/"
  }

  /// Reads the search of a site: `page`, or a search engine, given as the URL of its results.
  mutating func search(_ node: YAMLNode) -> SiteSearch? {
    guard let text = yaml.string(node) else { return nil }
    if text == SiteSearch.pageName { return .page }
    if let form = SearchForm(address: text) { return .engine(form) }
    yaml.report(
      "'\(text)' is not a search; write page, for a search by a script on the search page, or an address with {words} as the whole value of a parameter, as in "
        + "https://search.example/?site=planet.example&q={words}", at: node.location)
    return nil
  }

  mutating func choice<Value: RawRepresentable<String> & CaseIterable>(_ node: YAMLNode) -> Value? {
    yaml.choice(node, Value.allCases.map { ($0.rawValue, $0) })
  }

  mutating func language(_ node: YAMLNode) -> String? {
    guard let text = yaml.string(node) else { return nil }
    if let tag = LanguageTag.normalized(text) { return tag }
    yaml.report("'\(text)' is not a language; write it as in en, de-AT or pt-BR", at: node.location)
    return nil
  }

  mutating func zone(_ node: YAMLNode) -> ZoneName? {
    guard let text = yaml.string(node) else { return nil }
    if let zone = ZoneName(text) { return zone }
    let near = NearestName.of(text, among: ZoneName.places).map { "; did you mean '\($0)'?" } ?? ""
    let missing = "; this machine has no time zone database (Debian's package tzdata), so that only offsets are known"
    let hint = ZoneName.areKnown ? near : missing
    yaml.report("'\(text)' is not a time zone; write it as in Europe/Vienna, UTC or +02:00\(hint)", at: node.location)
    return nil
  }

  /// Reads the address of a proxy, without a user name and password.
  mutating func proxy(_ node: YAMLNode) -> String? {
    let allowsPasswords = allowsPasswords
    return value(node) { (text: String) throws(SettingRefusal) -> String in
      if text.contains("@"), !allowsPasswords {
        throw SettingRefusal(
          description: "a user name and password are not allowed here; give them by --set fetch.proxy=…")
      }
      return try Planet.FetchSettings.proxy(text)
    }
  }

  /// Reads a duration of at least `least`.
  mutating func duration(_ node: YAMLNode, from least: Duration) -> Duration? {
    value(node) { text throws(SettingRefusal) in try Quantity.duration(text, from: least) }
  }

  /// Reads days, from 1, as a number or a duration.
  mutating func days(_ node: YAMLNode) -> Int? { value(node, Quantity.days) }

  mutating func size(_ node: YAMLNode) -> Int? { value(node, Quantity.size) }

  /// Reads a value by the function that reads it on the command line too.
  private mutating func value<Value>(_ node: YAMLNode, _ read: (String) throws(SettingRefusal) -> Value) -> Value? {
    guard let text = yaml.string(node) else { return nil }
    do throws(SettingRefusal) { return try read(text) } catch {
      yaml.report(error.description, at: node.location)
      return nil
    }
  }
}

extension SiteSearch {
  /// The text of ``page`` in a configuration.
  static let pageName = "page"

  /// The text of the setting.
  package var text: String {
    switch self {
    case .engine(let form): form.address
    case .page: Self.pageName
    }
  }
}

extension SearchForm {
  /// The placeholder of the search words in a URL.
  private static let words = "{words}"

  /// Creates the form for a URL such as `https://search.example/?site=planet.example&q={words}`.
  ///
  /// Nil unless the words are the whole value of one parameter, since a form without a script cannot add anything to
  /// them.
  package init?(address: String) {
    guard let url = WebURL(address), url.isHTTP, let origin = url.origin,
      let host = url.hostname, url.username.isEmpty, url.password.isEmpty,
      // The URL Standard allows characters in a host, such as semicolons, that a Content-Security-Policy does not.
      host.utf8.allSatisfy({ $0.isASCIIAlphanumeric || "-.[]:".utf8.contains($0) })
    else { return nil }
    let parameters = url.queryParameters
    guard parameters.count(where: { $0.value.contains(Self.words) }) == 1,
      let words = parameters.first(where: { $0.value == Self.words }), !words.name.isEmpty
    else { return nil }
    self.init(
      action: url.replacingQuery(nil).removingFragment.href, origin: origin, host: host, wordsName: words.name,
      others: parameters.filter { $0 != words }.map { Field(name: $0.name, value: $0.value) })
  }

  /// The URL from which the form can be created.
  package var address: String {
    func encoded(_ text: String) -> String {
      var output = ""
      for byte in text.utf8 {
        let isPlain = byte.isASCIIAlphanumeric || "-._~".utf8.contains(byte)
        let digits = Array("0123456789ABCDEF")
        output += isPlain ? String(UnicodeScalar(byte)) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
      return output
    }
    let others = others.map { "\(encoded($0.name))=\(encoded($0.value))" }
    return "\(action)?\((others + ["\(encoded(wordsName))=\(Self.words)"]).joined(separator: "&"))"
  }
}
