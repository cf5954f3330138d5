import TamisCore

/// A reader of Pluto's configuration (https://github.com/feedreader/pluto): site settings, then a section for each
/// feed.
enum PlutoReader {
  static func read(_ bytes: [UInt8], file: String) -> (Planet, [Finding]) {
    var gathering = PlanetGathering(file: file)
    let text = TextLines(bytes, file: file)
    gathering.findings = text.findings
    var ini = INIDocument(text.lines, continues: false, into: &gathering)
    let site = ini.all[1]
    for name in site.names {
      guard let setting = ini.value(name, in: site), let text = setting.value.trimmedOrNil() else { continue }
      switch name {
      case "title", "name": gathering.planet.site.title = text.collapsingSpace()
      case "link", "url":
        let link = gathering.webAddress(text, as: "link", line: setting.line)
        gathering.planet.site.link = link.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
      case "author": gathering.planet.site.owner.name = text.collapsingSpace()
      case "email": gathering.planet.site.owner.email = text.collapsingSpace()
      default: gathering.note(.note, "'\(name)' has no counterpart and is left out", line: setting.line)
      }
    }
    for section in ini.sections { readFeed(section, &ini, &gathering) }
    return (gathering.planet, gathering.findings)
  }

  private static func readFeed(
    _ section: INIDocument.Section, _ ini: inout INIDocument, _ gathering: inout PlanetGathering
  ) {
    var settings = Planet.FeedSettings()
    var address: INIDocument.Setting?
    for name in section.names {
      guard let setting = ini.value(name, in: section), let text = setting.value.trimmedOrNil() else { continue }
      switch name {
      case "feed", "feed_url": address = setting
      case "title", "name": settings.title = text.collapsingSpace()
      case "link", "url": settings.page = gathering.webAddress(text, as: "link", line: setting.line)
      default: gathering.note(.note, "'\(name)' has no counterpart and is left out", line: setting.line)
      }
    }
    if let address {
      gathering.add(address.value, settings, line: address.line)
    } else {
      gathering.note(.warning, "the section '\(section.name)' names no feed; it is left out", line: section.line)
    }
  }
}
