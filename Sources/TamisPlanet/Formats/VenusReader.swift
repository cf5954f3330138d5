import TamisCore

/// A reader of the configuration of Planet Venus (https://github.com/rubys/venus, docs/config) and of its predecessor
/// Planet 2.0.
struct VenusReader {
  private var ini: INIDocument
  private var gathering: PlanetGathering
  /// The settings without a counterpart, with the line of the first and their number.
  private var others: [String: (line: Int, count: Int)] = [:]
  /// The pictures of authors that are files: the first with its line, and their number.
  private var faceFiles: (first: String, line: Int, count: Int)?

  static func read(_ bytes: [UInt8], file: String) -> (Planet, [Finding]) {
    var gathering = PlanetGathering(file: file)
    let text = TextLines(bytes, file: file)
    gathering.findings = text.findings
    let ini = INIDocument(text.lines, into: &gathering)
    var reader = VenusReader(ini: ini, gathering: gathering)
    reader.read()
    return (reader.gathering.planet, reader.gathering.findings)
  }

  private mutating func read() {
    var named: Set<String> = []
    if let planet = ini.sections.first(where: { $0.name.asciiLowercased() == "planet" }) {
      readPlanet(planet)
      for name in ["filters", "template_files"] {
        let list = ini.value(name, in: planet)?.value ?? ""
        named.formUnion(list.split { $0 == " " || $0 == "\n" || $0 == "\t" }.map(String.init))
      }
    }
    for section in ini.sections where section.name.asciiLowercased() != "planet" {
      if section.name.contains("://") || section.name.asciiLowercased().hasPrefix("feed:") {
        readFeed(section)
      } else if !named.contains(section.name) {
        gathering.note(.warning, "'\(section.name)' is not the address of a feed; it is left out", line: section.line)
      }
    }
    if let files = faceFiles {
      let what =
        files.count == 1 ? "the face '\(files.first)' is a file" : "\(files.count) faces are files, as '\(files.first)'"
      gathering.note(
        .warning, "\(what) of the old site; write the address where it can be fetched, as 'face' of its feed",
        line: files.line)
    }
    for (name, (line, count)) in others.sorted(by: { ($0.value.line, $0.key) < ($1.value.line, $1.key) }) {
      let often = count > 1 ? " (\(count) times)" : ""
      gathering.note(.note, "'\(name)' has no counterpart and is left out\(often)", line: line)
    }
  }

  // MARK: - Sections

  private mutating func readPlanet(_ section: INIDocument.Section) {
    for name in section.names + ini.all[0].names.filter({ section.settings[$0] == nil }) {
      guard let setting = ini.value(name, in: section), let text = setting.value.trimmedOrNil() else { continue }
      let line = setting.line
      switch name {
      case "name": gathering.planet.site.title = text.collapsingSpace()
      case "link": gathering.planet.site.link = gathering.webAddress(text, as: "link", line: line).map(Self.folder)
      case "owner_name": gathering.planet.site.owner.name = text.collapsingSpace()
      case "owner_email": gathering.planet.site.owner.email = text.collapsingSpace()
      case "output_dir": gathering.planet.site.output = text
      case "locale":
        let tag = text.prefix { $0 != "." && $0 != "@" }
        if let tag = LanguageTag.normalized(String(tag)) { gathering.planet.site.language = tag }
      case "items_per_page":
        if let number = number(text, in: 1...1000, name: name, line: line) {
          gathering.planet.site.postsPerPage = number
        }
      case "spider_threads":
        if text != "0", let number = number(text, in: 1...1000, name: name, line: line) {
          gathering.planet.fetching.atOnce = number
        }
      case "feed_timeout":
        if let seconds = number(text, in: 1...86_400, name: name, line: line) {
          gathering.planet.fetching.timeout = .seconds(seconds)
        }
      case "filter", "require", "exclude", "filters":
        gathering.planet.filters += rules(name, text: text, line: line)
      default: leave(name, line)
      }
    }
  }

  private mutating func readFeed(_ section: INIDocument.Section) {
    var settings = Planet.FeedSettings()
    var isList = false
    for name in section.names {
      guard let setting = ini.value(name, in: section), let text = setting.value.trimmedOrNil() else { continue }
      let line = setting.line
      switch name {
      case "name", "title": settings.title = text.collapsingSpace()
      case "link": settings.page = gathering.webAddress(text, as: "link", line: line)
      case "face": settings.face = face(text, line)
      case "content_type": isList = ["opml", "csv", "config", "foaf"].contains { text.asciiLowercased().contains($0) }
      case "filter", "require", "exclude", "filters": settings.filters += rules(name, text: text, line: line)
      case "xml_lang", "language": settings.language = LanguageTag.normalized(text)
      default: leave(name, line)
      }
    }
    if isList {
      do throws(Planet.Address.Refusal) {
        let source = Planet.ReadingList.Source.address(try Planet.Address(section.name))
        let location = Finding.Location(file: gathering.file, line: section.line, column: 1)
        gathering.planet.readingLists.append(Planet.ReadingList(source: source, settings: settings, location: location))
      } catch {
        gathering.note(.warning, "\(error.description); it is left out", line: section.line)
      }
    } else {
      gathering.add(section.name, settings, line: section.line)
    }
  }

  // MARK: - Values

  /// Returns the picture of an author, which themes of Venus look for in a folder of their own unless it is a URL.
  private mutating func face(_ text: String, _ line: Int) -> String? {
    if text.beginsAsHTTP { return gathering.webAddress(text, as: "face", line: line) }
    faceFiles = (faceFiles?.first ?? text, faceFiles?.line ?? line, (faceFiles?.count ?? 0) + 1)
    return nil
  }

  private mutating func leave(_ name: String, _ line: Int) {
    others[name] = (others[name]?.line ?? line, (others[name]?.count ?? 0) + 1)
  }

  /// Returns a number, or nil with a finding when it is invalid.
  private mutating func number(_ text: String, in range: ClosedRange<Int>, name: String, line: Int) -> Int? {
    if let number = Int(text), range.contains(number) { return number }
    let bounds = "from \(range.lowerBound) to \(range.upperBound)"
    gathering.note(.warning, "'\(name)' is not a number \(bounds); it is left out", line: line)
    return nil
  }

  /// Returns the rules for a regular expression or a filter program.
  private mutating func rules(_ name: String, text: String, line: Int) -> [Planet.FilterRule] {
    let location = Finding.Location(file: gathering.file, line: line, column: 1)
    if name == "filters" {
      for program in text.split(whereSeparator: { $0 == " " || $0 == "\n" || $0 == "\t" }) {
        gathering.note(
          .warning, "the filter '\(program)' has no counterpart; write rules of your own under 'filters'", line: line)
      }
      return []
    }
    var condition = Planet.FilterCondition()
    if let objection = Pattern.objection(to: text) {
      gathering.note(.warning, "'\(name)' is left out: \(objection)", line: line)
      return []
    }
    condition.matches = [text]
    gathering.note(.note, "'\(name)' becomes a rule with a regular expression, in any case", line: line)
    return [Planet.FilterRule(name == "exclude" ? .drop(condition) : .keep(condition), at: location)]
  }

  private static func folder(_ address: String) -> String { address.hasSuffix("/") ? address : address + "/" }
}
