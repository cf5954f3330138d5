import TamisCore
import TamisURL

/// Checks for likely slips in a configuration that are not mistakes.
enum PlanetLint {
  static func findings(of planet: Planet, file: String) -> [Finding] {
    var findings: [Finding] = []
    func doubt(_ message: String, _ location: Finding.Location) {
      findings.append(Finding(.warning, PlanetFile.doubtful, message, at: location))
    }
    if planet.feeds.isEmpty, planet.readingLists.isEmpty {
      doubt("there are no feeds in this file; add one with: tamis add ADDRESS", Finding.Location(file: file))
    }
    var categories: [String: String] = [:]
    var plain: [String: Int] = [:]
    for feed in planet.feeds {
      for category in feed.settings.categories {
        let first = categories[category.lowercased(), default: category]
        categories[category.lowercased()] = first
        if first != category {
          doubt("the category '\(category)' differs from '\(first)' only in upper and lower case", feed.location)
        }
      }
      // The same URL with another scheme is most likely the same feed.
      let address = String(feed.address.url.href.drop { $0 != ":" })
      if let line = plain[address] {
        doubt("this feed differs from the one in line \(line) only in http and https", feed.location)
      }
      plain[address] = feed.location.line
    }
    for (message, location) in RequestLint.doubts(about: planet) { doubt(message, location) }
    return findings
  }
}
