import TamisCore
import TamisURL
import TamisYAML

extension ConfigReader {
  /// Says what is no mistake but hardly meant.
  mutating func doubt(_ message: String, at location: SourceLocation) {
    yaml.findings.append(Finding(.warning, PlanetFile.doubtful, message, at: location))
  }

  /// A text on one line, white space collapsed.
  mutating func line(_ node: YAMLNode) -> String? {
    guard let text = yaml.string(node)?.collapsingSpace() else { return nil }
    if !text.isEmpty { return text }
    yaml.report("a value is missing here", at: node.location)
    return nil
  }

  /// Texts on one line each; a single one may stand alone.
  mutating func lines(_ node: YAMLNode) -> [String] {
    if node.text != nil { return line(node).map { [$0] } ?? [] }
    return yaml.items(node).compactMap { line($0) }
  }

  /// Names of categories or tags, each once.
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

  /// A path as it is.
  mutating func path(_ node: YAMLNode) -> String? {
    guard let text = yaml.string(node) else { return nil }
    if !text.isEmpty { return text }
    yaml.report("a path is missing here", at: node.location)
    return nil
  }

  /// Paths as they are; a single one may stand alone.
  mutating func paths(_ node: YAMLNode) -> [String] {
    if node.text != nil { return path(node).map { [$0] } ?? [] }
    return yaml.items(node).compactMap { path($0) }
  }

  /// An absolute http or https address without a name and password, as the URL Standard has it.
  mutating func address(_ node: YAMLNode) -> String? {
    guard let text = yaml.string(node) else { return nil }
    do throws(FeedAddress.Refusal) {
      let address = try FeedAddress(text)
      if !address.hasCredentials { return address.url.href }
      yaml.report("a user name and password are not allowed here: this is published", at: node.location)
    } catch {
      yaml.report(error.description, at: node.location)
    }
    return nil
  }

  /// A search engine, by the address of what it answers.
  mutating func search(_ node: YAMLNode) -> SearchForm? {
    guard let text = yaml.string(node) else { return nil }
    if let form = SearchForm(address: text) { return form }
    yaml.report(
      "'\(text)' is not a search address; write an address with {words} as the whole value of a parameter, as in "
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
    yaml.report("'\(text)' is not a time zone; write it as in Europe/Vienna, UTC or +02:00", at: node.location)
    return nil
  }

  /// A duration of at least so many seconds.
  mutating func duration(_ node: YAMLNode, from least: Int) -> Duration? {
    guard let text = yaml.string(node) else { return nil }
    guard let seconds = Quantity.duration(text) else {
      yaml.report("'\(text)' is not a duration; write it with its unit, as in 30s, 15m, 2h or 7d", at: node.location)
      return nil
    }
    if seconds >= least { return .seconds(seconds) }
    yaml.report("'\(text)' is too short; it has to be \(least)s at least", at: node.location)
    return nil
  }

  /// Days, from 1: a number of them or a duration.
  mutating func days(_ node: YAMLNode) -> Int? {
    guard let text = yaml.string(node) else { return nil }
    if let days = Int(text), (1...36_600).contains(days) { return days }
    if let seconds = Quantity.duration(text), seconds >= 86_400, seconds.isMultiple(of: 86_400) {
      return seconds / 86_400
    }
    yaml.report("'\(text)' is not a number of days; write it as in 90d or 2w", at: node.location)
    return nil
  }

  mutating func size(_ node: YAMLNode) -> Int? {
    guard let text = yaml.string(node) else { return nil }
    if let size = Quantity.size(text), size > 0 { return size }
    yaml.report("'\(text)' is not a size; write it with its unit, as in 500 KB or 20 MB", at: node.location)
    return nil
  }
}
