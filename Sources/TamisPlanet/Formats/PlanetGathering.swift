import TamisCore
import TamisHTML
import TamisURL

/// A planet being read from a file of another program, with the findings.
struct PlanetGathering {
  let file: String
  var planet = Planet()
  var findings: [Finding] = []
  private var indices: [Planet.Address: Int] = [:]

  init(file: String) { self.file = file }

  /// Adds a feed; when it exists already, adds the categories to it.
  mutating func add(_ address: String, _ settings: Planet.FeedSettings, line: Int) {
    var settings = settings
    settings.categories = Self.names(settings.categories)
    settings.title = settings.title.flatMap { InvisibleText.line($0).trimmedOrNil() }
    // Some files have the URL as the title.
    if let title = settings.title, let other = try? Planet.Address(title), other.hasCredentials { settings.title = nil }
    let location = Finding.Location(file: file, line: line, column: line == 0 ? 0 : 1)
    do throws(Planet.Address.Refusal) {
      let address = try completed(address, line: line)
      if let index = indices[address] {
        let known = planet.feeds[index].settings.categories
        let new = Self.names(known + settings.categories).dropFirst(known.count)
        planet.feeds[index].settings.categories += new
        let more = new.isEmpty ? "" : "; it gets the categories of both"
        note(.note, "the feed \(address) is there twice\(more)", line: line)
        return
      }
      guard planet.feeds.count < Planet.maximumFeeds else {
        if indices.count == Planet.maximumFeeds {
          indices[address] = 0
          note(.error, "only the first \(Planet.maximumFeeds) feeds are read", line: line)
        }
        return
      }
      indices[address] = planet.feeds.count
      planet.feeds.append(Planet.Subscription(address, settings: settings, at: location))
    } catch {
      findings.append(Finding(.error, PlanetFile.refused, "\(error.description); it is left out", at: location))
    }
  }

  /// Returns names as a configuration can have them: each once, in one line, and neither too long nor too many.
  private static func names(_ names: [String]) -> [String] {
    var kept: [String] = []
    for name in names where kept.count < Planet.mostNames {
      let name = InvisibleText.line(name).prefix(bytes: Planet.longestName).collapsingSpace()
      if !name.isEmpty, !kept.contains(name) { kept.append(name) }
    }
    return kept
  }

  /// Returns a URL; a missing scheme is reported and read as https.
  private mutating func completed(_ text: String, line: Int) throws(Planet.Address.Refusal) -> Planet.Address {
    if let address = try? Planet.Address(text) { return address }
    let address = try Planet.Address(completing: text)
    let isCompleted = address.written != text.trimmed()
    if isCompleted { note(.warning, "'\(text)' has no scheme; it is read as '\(address)'", line: line) }
    return address
  }

  /// Reports something without a counterpart, or left out.
  mutating func note(_ severity: Finding.Severity, _ message: String, line: Int) {
    let code = severity == .error ? PlanetFile.invalid : PlanetFile.doubtful
    let location = Finding.Location(file: file, line: line, column: line == 0 ? 0 : 1)
    findings.append(Finding(severity, code, message, at: location))
  }

  /// Returns an HTTP URL without user name and password, or nil with a finding when it is invalid.
  mutating func webAddress(_ text: String, as what: String, line: Int) -> String? {
    if let address = try? Planet.Address(text) {
      if !address.hasCredentials { return address.url.href }
      note(.warning, "the \(what) loses its user name and password: it is published", line: line)
      return address.forAll
    }
    note(.warning, "the \(what) '\(text)' is not an http(s) URL; it is left out", line: line)
    return nil
  }
}
