import TamisCore
import TamisURL

extension Planet {
  /// A commented `tamis.yaml` with these settings, including unset settings as comments.
  package var text: String {
    var writer = PlanetText()
    writer.write(self)
    return writer.lines.joined(separator: "\n") + "\n"
  }
}

/// A writer of the format of ``ConfigReader``.
struct PlanetText {
  private(set) var lines: [String] = []

  mutating func write(_ planet: Planet) {
    lines.append("# The configuration of tamis. 'tamis config check' lists mistakes in this file.")
    lines.append("# A setting behind '# ' shows its default, or an example.")
    write("site", "The site that is made.", planet.site, SiteSettings(), SiteSettings.table)
    write("fetch", "How feeds are fetched.", planet.fetching, Planet.FetchSettings(), Planet.FetchSettings.table)
    write("pages", "The pages of posts, for full text.", planet.pages, Planet.PageSettings(), Planet.PageSettings.table)
    write("defaults", "Defaults for all feeds.", planet.defaults, Planet.FeedSettings(), Planet.FeedSettings.table)
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

  /// Writes a section, or only comments when all its settings have their defaults.
  private mutating func write<Settings>(
    _ name: String, _ comment: String, _ settings: Settings, _ defaults: Settings, _ table: [Setting<Settings>]
  ) {
    section(name, comment: comment)
    let heading = lines.count - 1
    var isSaid = false
    for setting in table {
      let (text, plain) = (setting.write(settings), setting.write(defaults))
      if let text, text != plain || setting.isAlwaysWritten {
        isSaid = true
        lines.append("  \(text.name ?? setting.name):\(text.value.map { " " + $0 } ?? "")")
        lines += text.lines.map { "    " + $0 }
      } else if let example = plain?.value ?? setting.example {
        lines.append("  # \(setting.name): \(example)  # \(setting.summary)")
      }
    }
    if isSaid { return }
    for index in heading..<lines.count {
      lines[index] = "# " + lines[index].replacing("# ", with: "", maxReplacements: 1)
    }
  }

  // MARK: - Lines

  private mutating func section(_ name: String, comment: String) {
    lines += ["", "# \(comment)", "\(name):"]
  }

  /// Returns the lines of a feed in a list.
  static func item(for feed: Planet.Subscription) -> [String] {
    item(("address", feed.address.written), FeedText.settings(feed.settings))
  }

  private static func item(_ first: (String, String), _ settings: [NamedSetting]) -> [String] {
    // A path that contains `://` would be read as a URL.
    if settings.isEmpty, first.0 == "address" || !first.1.contains("://") { return ["- \(YAMLText.scalar(first.1))"] }
    return ["- \(first.0): \(YAMLText.scalar(first.1))"] + block(settings).map { "  " + $0 }
  }

  private static func block(_ settings: [NamedSetting]) -> [String] {
    settings.flatMap { setting in
      ["\(setting.name):\(setting.text.value.map { " " + $0 } ?? "")"] + setting.text.lines.map { "  " + $0 }
    }
  }
}
