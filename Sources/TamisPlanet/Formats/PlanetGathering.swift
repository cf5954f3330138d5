import TamisCore
import TamisURL

/// A planet while it is gathered from a file of another program, with what has no counterpart.
struct PlanetGathering {
  let file: String
  var planet = Planet()
  var findings: [Finding] = []
  private var indices: [FeedAddress: Int] = [:]

  init(file: String) { self.file = file }

  /// Adds a feed; one that is there already gets the categories besides.
  mutating func add(_ address: String, _ settings: FeedSettings, line: Int, column: Int = 1) {
    var settings = settings
    // Some write the address for a title.
    if let title = settings.title, let other = try? FeedAddress(title), other.hasCredentials { settings.title = nil }
    let location = SourceLocation(file: file, line: line, column: line == 0 ? 0 : column)
    do throws(FeedAddress.Refusal) {
      let address = try completed(address, line: line)
      if let index = indices[address] {
        let known = planet.feeds[index].settings.categories
        let new = settings.categories.filter { !known.contains($0) }
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
      planet.feeds.append(Subscription(address, settings: settings, at: location))
    } catch {
      findings.append(Finding(.error, PlanetFile.invalid, "\(error.description); it is left out", at: location))
    }
  }

  /// An address; a scheme that is missing is said to be https.
  private mutating func completed(_ text: String, line: Int) throws(FeedAddress.Refusal) -> FeedAddress {
    if let address = try? FeedAddress(text) { return address }
    let address = try FeedAddress(completing: text)
    let isCompleted = address.written != text.trimmed()
    if isCompleted { note(.warning, "'\(text)' has no scheme; it is read as '\(address)'", line: line) }
    return address
  }

  /// Notes what has no counterpart, or was left out.
  mutating func note(_ severity: Finding.Severity, _ message: String, line: Int) {
    let code = severity == .error ? PlanetFile.invalid : PlanetFile.doubtful
    let location = SourceLocation(file: file, line: line, column: line == 0 ? 0 : 1)
    findings.append(Finding(severity, code, message, at: location))
  }

  /// A web address without a name and password, nil with a finding when it is none.
  mutating func webAddress(_ text: String, as what: String, line: Int) -> String? {
    if let address = try? FeedAddress(text) {
      if !address.hasCredentials { return address.url.href }
      note(.warning, "the \(what) loses its user name and password: it is published", line: line)
      return address.forAll
    }
    note(.warning, "the \(what) '\(text)' is not an http(s) URL; it is left out", line: line)
    return nil
  }
}
