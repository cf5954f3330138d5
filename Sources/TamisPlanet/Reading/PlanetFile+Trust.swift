import TamisCore
import TamisURL
import TamisFilter

extension PlanetFile {
  /// Removes settings that an untrusted file must not decide, with a warning each: programs to run, access to private networks,
  /// proxies, and files outside of the configuration's folder.
  package mutating func leaveOutTrust() {
    var commands: Set<[String]> = []
    func withoutPrograms(_ rules: [FilterRule]) -> [FilterRule] {
      rules.filter { rule in
        guard case .program(let program) = rule.action else { return true }
        if commands.insert(program.command).inserted {
          let command = program.command.joined(separator: " ")
          leaveOut(
            "the program '\(command)' of a filter", advice: "add it to your own configuration if you trust it",
            at: rule.location)
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
      leaveOut("'fetch: allow: [\(networks)]'", advice: "allow such networks in your own configuration", at: nil)
      planet.fetching.allowedNetworks = []
    }
    if Self.leavesFolder(planet.site.output) {
      leaveOut("'site: output: \(planet.site.output)'", advice: "name a folder with --output", at: nil)
      planet.site.output = SiteSettings().output
    }
    if let archive = planet.site.archive, Self.leavesFolder(archive) {
      leaveOut("'site: archive: \(archive)'", advice: "name a file with --archive", at: nil)
      planet.site.archive = nil
    }
    if planet.fetching.proxy != nil {
      leaveOut(
        "'fetch: proxy'", advice: "all requests would go through it; add it to your own configuration if you trust it",
        at: nil)
      planet.fetching.proxy = nil
    }
  }

  /// Whether a path leads out of the folder that it is relative to.
  private static func leavesFolder(_ path: String) -> Bool {
    path.utf8.first == UInt8(ascii: "/")
      || path.utf8.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
  }

  private mutating func leaveOut(_ what: String, advice: String, at location: SourceLocation?) {
    let message = "\(what) is left out: this file may not decide that; \(advice)"
    findings.append(Finding(.warning, Self.doubtful, message, at: location ?? SourceLocation(file: name)))
  }
}
