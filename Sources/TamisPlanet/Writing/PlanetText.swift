import TamisCore
import TamisURL

extension Planet {
  /// A commented `tamis.yaml` with these settings; unset settings are there as comments.
  public var text: String {
    var writer = PlanetText()
    writer.write(self)
    return writer.lines.joined(separator: "\n") + "\n"
  }
}

/// Writes what ``ConfigReader`` reads.
struct PlanetText {
  private(set) var lines: [String] = []

  mutating func write(_ planet: Planet) {
    lines.append("# The configuration of tamis. 'tamis config check' lists mistakes in this file.")
    lines.append("# A setting behind '# ' shows its default, or an example.")
    write(planet.site)
    write(planet.fetching)
    write(planet.pages)
    section("defaults", comment: "Defaults for all feeds.")
    let defaults = FeedText.settings(planet.defaults)
    if defaults.isEmpty {
      lines[lines.count - 1] = "# defaults:"
      lines += ["#   language: en", "#   time-zone: Europe/Vienna", "#   max-age: 365d", "#   full-text: when-short"]
    } else {
      lines += Self.block(defaults).map { "  " + $0 }
    }
    if !planet.filters.isEmpty {
      section("filters", comment: "Filters for the posts of all feeds; the first rule that drops a post decides.")
      for rule in planet.filters { lines.append("  - \(FilterText.rule(rule))") }
    }
    if !planet.readingLists.isEmpty {
      section("lists", comment: "Subscription lists kept elsewhere: OPML, or one address on each line.")
      for list in planet.readingLists {
        lines += Self.item(FeedText.source(list.source), FeedText.settings(list.settings)).map { "  " + $0 }
      }
    }
    lines += ["", "# The feeds: an address alone, or with settings of its own."]
    if planet.feeds.isEmpty {
      lines += ["#   - https://example.org/feed.xml", "#   - address: https://example.net/atom.xml"]
      lines += ["#     title: A name of its own", "#     category: News"]
    }
    lines.append(planet.feeds.isEmpty ? "feeds: []" : "feeds:")
    for feed in planet.feeds { lines += Self.item(for: feed).map { "  " + $0 } }
  }

  // MARK: - Sections

  private mutating func write(_ site: SiteSettings) {
    let plain = SiteSettings()
    section("site", comment: "The site that is made.")
    set("title", site.title, isSaid: true)
    set("link", site.link ?? "https://planet.example/", isSaid: site.link != nil, comment: "where it will be published")
    let owner: [(String, String)] = [
      ("name", site.owner.name), ("email", site.owner.email), ("link", site.owner.link),
    ].compactMap { name, value in value.map { (name, $0) } }
    if owner.isEmpty {
      lines.append("  # owner: {name: Somebody, email: somebody@planet.example}")
    } else {
      lines.append("  owner:")
      for (name, value) in owner { lines.append("    \(name): \(YAMLText.scalar(value))") }
    }
    set("theme", site.theme, isSaid: site.theme != plain.theme, comment: "default, newspaper, plain, or a folder")
    set("language", site.language, isSaid: site.language != plain.language)
    set("time-zone", site.timeZone.description, isSaid: site.timeZone != plain.timeZone)
    set("dates", site.dateForm.rawValue, isSaid: site.dateForm != plain.dateForm, comment: "iso, long or short")
    set("posts-per-page", "\(site.postsPerPage)", isSaid: site.postsPerPage != plain.postsPerPage)
    let purge =
      switch site.retention {
      case .keep: "keep"
      case .now: "now"
      case .after(let looks): "\(looks)"
      }
    set(
      "purge", purge, isSaid: site.retention != plain.retention, comment: "keep, now, or a number of looks at a feed")
    lines.append("  \(site.folds ? "# " : "")fold: false")
    set("tag-threshold", "\(site.tagThreshold)", isSaid: site.tagThreshold != plain.tagThreshold)
    set(
      "in-a-row", "\(site.mostInRow ?? 5)", isSaid: site.mostInRow != nil,
      comment: "posts of one feed on the front page")
    let search = site.search?.address ?? "https://search.example/?site=planet.example&q={words}"
    set("search", search, isSaid: site.search != nil, comment: "an engine for the search page")
    for (name, isOn) in [("full-posts", site.showsFullPosts), ("offline", site.isOffline)] {
      lines.append("  \(isOn ? "" : "# ")\(name): \(isOn)")
    }
    set("pictures", site.pictures.rawValue, isSaid: site.pictures != plain.pictures, comment: "link or keep")
    set("output", site.output, isSaid: site.output != plain.output)
    set("archive", site.archive ?? "\(site.output).archive", isSaid: site.archive != nil)
  }

  private mutating func write(_ fetching: FetchSettings) {
    let plain = FetchSettings()
    section("fetch", comment: "How feeds are fetched.")
    let heading = lines.count - 1
    let contact = fetching.contact ?? "somebody@planet.example"
    set("contact", contact, isSaid: fetching.contact != nil, comment: "how publishers reach you")
    let durations: [(String, KeyPath<FetchSettings, Duration>)] = [
      ("timeout", \.timeout), ("connect-timeout", \.connectTimeout), ("delay", \.delay),
      ("shortest-interval", \.shortestInterval), ("longest-interval", \.longestInterval),
    ]
    for (name, path) in durations {
      set(name, Quantity.text(of: fetching[keyPath: path]), isSaid: fetching[keyPath: path] != plain[keyPath: path])
    }
    let size = Quantity.text(ofBytes: fetching.maximumBytes)
    set("max-size", size, isSaid: fetching.maximumBytes != plain.maximumBytes)
    set("at-once", "\(fetching.atOnce)", isSaid: fetching.atOnce != plain.atOnce)
    set("per-host", "\(fetching.perHost)", isSaid: fetching.perHost != plain.perHost)
    if let proxy = fetching.proxy { set("proxy", proxy, isSaid: true) }
    if !fetching.allowedNetworks.isEmpty {
      lines.append(
        "  allow: [\(fetching.allowedNetworks.map { YAMLText.inFlow($0.description) }.joined(separator: ", "))]")
    }
    if !lines[(heading + 1)...].contains(where: { !$0.hasPrefix("  #") }) {
      for index in heading..<lines.count {
        lines[index] = "# " + lines[index].replacing("# ", with: "", maxReplacements: 1)
      }
    }
  }

  private mutating func write(_ pages: PageSettings) {
    if pages == PageSettings() { return }
    section("pages", comment: "The pages of posts, for full-text.")
    if !pages.known.isEmpty { lines.append("  known: \(YAMLText.list(pages.known))") }
    if let file = pages.siteRules { set("site-rules", file, isSaid: true) }
  }

  // MARK: - Lines

  private mutating func section(_ name: String, comment: String) {
    lines += ["", "# \(comment)", "\(name):"]
  }

  private mutating func set(_ name: String, _ value: String, isSaid: Bool, comment: String? = nil) {
    let note = comment.map { "  # \($0)" } ?? ""
    lines.append("  \(isSaid ? "" : "# ")\(name): \(YAMLText.scalar(value))\(note)")
  }

  /// The lines of a feed in a list.
  static func item(for feed: Subscription) -> [String] {
    item(("address", feed.address.written), FeedText.settings(feed.settings))
  }

  private static func item(_ first: (String, String), _ settings: [FeedText.Setting]) -> [String] {
    // A path with `://` in it would be read as an address.
    if settings.isEmpty, first.0 == "address" || !first.1.contains("://") { return ["- \(YAMLText.scalar(first.1))"] }
    return ["- \(first.0): \(YAMLText.scalar(first.1))"] + block(settings).map { "  " + $0 }
  }

  private static func block(_ settings: [FeedText.Setting]) -> [String] {
    settings.flatMap { setting in
      ["\(setting.name):\(setting.value.map { " " + $0 } ?? "")"] + setting.items.map { "  - \($0)" }
    }
  }
}
