import TamisCore
import TamisURL
import TamisFilter

extension PlanetFile {
  /// Leaves out what a file of somebody else is not to decide, with a warning each: which programs are run, which networks that are
  /// not public may be asked, and through whom requests go.
  public mutating func leaveOutTrust() {
    var commands: Set<[String]> = []
    func withoutPrograms(_ rules: [FilterRule]) -> [FilterRule] {
      rules.filter { rule in
        guard case .program(let program) = rule.action else { return true }
        if commands.insert(program.command).inserted {
          let command = program.command.joined(separator: " ")
          leave("the program '\(command)' of a filter", "write it into yours if you trust it", at: rule.location)
        }
        return false
      }
    }
    planet.filters = withoutPrograms(planet.filters)
    planet.defaults.filters = withoutPrograms(planet.defaults.filters)
    for index in planet.feeds.indices where !planet.feeds[index].settings.filters.isEmpty {
      planet.feeds[index].settings.filters = withoutPrograms(planet.feeds[index].settings.filters)
    }
    for index in planet.readingLists.indices {
      planet.readingLists[index].settings.filters = withoutPrograms(planet.readingLists[index].settings.filters)
    }
    if !planet.fetching.allowedNetworks.isEmpty {
      let networks = planet.fetching.allowedNetworks.map(\.description).joined(separator: ", ")
      leave("'fetch: allow: [\(networks)]'", "allow yourself which networks may be asked that are not public", at: nil)
      planet.fetching.allowedNetworks = []
    }
    if planet.fetching.proxy != nil {
      leave("'fetch: proxy'", "all that is asked for would go through it; name it yourself if you trust it", at: nil)
      planet.fetching.proxy = nil
    }
  }

  private mutating func leave(_ what: String, _ advice: String, at location: SourceLocation?) {
    let message = "\(what) is left out, for another file is not to decide that; \(advice)"
    findings.append(Finding(.warning, Self.doubtful, message, at: location ?? SourceLocation(file: name)))
  }
}
